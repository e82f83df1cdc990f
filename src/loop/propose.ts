import type { Member } from '../population/index.ts';
import type { PlacedRow } from '../synthesis/index.ts';
import { learnability } from '../synthesis/index.ts';
import type { AdversarySearch } from './adversaries.ts';
import { adversaryCandidates, toldAdversaries } from './adversaries.ts';
import type { LoopAnswer } from './answer.ts';
import { judgeAudition } from './audition.ts';
import {
  basesOf,
  type Candidate,
  contentOf,
  gapCandidates,
  type ModeGap,
  pathCandidates,
} from './candidates.ts';
import { cappedMade, fitShares, pruneShares } from './fit-shares.ts';
import type { MemberRecord } from './member-record.ts';
import type { ModeLaw } from './mode-law.ts';
import { probed } from './probing.ts';
import type { RunEvent } from './run-event.ts';
import type { RunState } from './run-state.ts';

/** Shares below this are not worth a place. */
const LEAST_SHARE = 0.02;
/** What members given at the start keep together. */
const GIVEN_FLOOR = 0.05;
/** Share of a population that goes by what can be learned, where adversaries are part of the method. */
const LEARNED_SHARE = 0.2;
/** A run's rows were played each. */
const PLAYED = { played: true };

export interface Proposal {
  readonly candidates: readonly MemberRecord[];
  readonly shares: ReadonlyMap<string, number>;
  readonly search: AdversarySearch | null;
}

/** Makes candidates, auditions them, and draws up the shares of the next population. Nothing is in force yet. */
export function* propose(
  state: RunState,
  round: number,
  gaps: readonly ModeGap[],
  shown: ModeLaw,
  synthesisShare: number,
  search: AdversarySearch | null,
  stopped: boolean,
): Generator<RunEvent, Proposal, LoopAnswer | undefined> {
  const { settings } = state;
  // What made the population collapse may have changed any of its members: all are heard anew.
  if (stopped) state.forgetRows();
  const { candidates, search: asked } = candidatesOf(state, round, gaps, search);
  let next = asked;
  let records: MemberRecord[] = [];
  if (candidates.length > 0 || stopped) {
    // Those given at the start are heard once too, so that all laws are known alike.
    const heard = [...heardAgain(state, round, stopped), ...candidates.map(({ member }) => member)];
    const { rows } = yield* probed(state, round, {
      name: 'audition',
      base: true,
      population: heard.map((member) => ({ member, share: 1 / heard.length })),
      draw: 'each',
      contexts: settings.probe.audition,
      rollouts: 2,
    });
    const adversaries = candidates.filter(({ origin }) => origin.kind === 'adversary');
    const met = yield* metNow(state, round, adversaries, rows);
    records = candidates.map((candidate) =>
      judgeAudition(candidate, candidate.origin.kind === 'adversary' ? met : rows, round, {
        realismFloor: settings.synthesis.realismFloor,
        rewardRange: state.open.rewardRange,
        shown,
        lost: state.lost,
      }),
    );
    for (const record of records) state.members.set(record.member.id, record);
    if (next !== null && next.open.size > 0)
      next = toldAdversaries(
        next,
        learnability(met, state.open.rewardRange, PLAYED),
        settings.synthesis.realismFloor,
      );
  }
  return { candidates: records, shares: nextShares(state, records, synthesisShare), search: next };
}

/**
 * Adversaries with the policy as it is: what it can learn from them is asked of no other. Their laws are compared under the
 * policy before training, as everybody's are. Before there was any training the two are one, and their audition will do.
 */
function* metNow(
  state: RunState,
  round: number,
  adversaries: readonly Candidate[],
  rows: readonly PlacedRow[],
): Generator<RunEvent, readonly PlacedRow[], LoopAnswer | undefined> {
  const ids = new Set(adversaries.map(({ member }) => member.id));
  if (ids.size === 0) return [];
  const fresh =
    state.checkpoint === state.open.checkpoint
      ? rows.filter(({ simulator }) => ids.has(simulator))
      : (yield* probed(state, round, {
          name: 'adversaries',
          population: adversaries.map(({ member }) => ({ member, share: 1 / ids.size })),
          draw: 'each',
          contexts: state.settings.probe.audition,
          rollouts: 2,
        })).rows;
  state.meet(fresh);
  return fresh;
}

function heardAgain(state: RunState, round: number, stopped: boolean): readonly Member[] {
  if (!stopped) return round === 1 ? state.settings.members : [];
  const ids = new Set([...state.settings.members.map(({ id }) => id), ...state.shares.keys()]);
  return [...ids].sort().map(state.memberOf);
}

function candidatesOf(
  state: RunState,
  round: number,
  gaps: readonly ModeGap[],
  search: AdversarySearch | null,
): { candidates: readonly Candidate[]; search: AdversarySearch | null } {
  const { settings, open } = state;
  const { parts, synthesis } = settings;
  const bases = basesOf(settings.members);
  const known = state.known;
  const found: Candidate[] = [];
  if (parts.gaps && bases.length > 0)
    found.push(...gapCandidates(gaps, bases, open.personas, synthesis.gaps, round, known));
  if (parts.paths) {
    const inForce = state.inForce.population.map(({ member }) => member);
    found.push(
      ...pathCandidates(inForce, state.laws(inForce.map(({ id }) => id)), synthesis.paths, round, known),
    );
  }
  if (!parts.adversary || search === null) return { candidates: found, search };
  const taken = new Set([...known, ...found.map(({ member }) => contentOf(member))]);
  const adversaries = adversaryCandidates(search, bases, open.personas, synthesis, round, taken);
  return { candidates: [...found, ...adversaries.candidates], search: adversaries.search };
}

/**
 * Shares of those in force, those given at the start, whoever was kept before and the candidates that may join: nearest to
 * the target in modes, and a part by what the policy can still learn on them.
 */
function nextShares(
  state: RunState,
  candidates: readonly MemberRecord[],
  synthesisShare: number,
): ReadonlyMap<string, number> {
  const { settings } = state;
  const kept = [...state.members.values()].filter((record) => record.kept);
  const ids = new Set([
    ...state.shares.keys(),
    ...settings.members.map(({ id }) => id),
    ...kept.map(({ member }) => member.id),
    ...candidates.filter((record) => record.kept).map(({ member }) => member.id),
  ]);
  const { laws } = state.laws(ids);
  if (laws.size === 0) return state.shares;
  const bounds = { made: state.made, mostMade: synthesisShare };
  const fitted = fitShares(laws, state.target, { ...bounds, floor: GIVEN_FLOOR });
  const pruned = pruneShares(fitted, settings.mostMembers, LEAST_SHARE, state.made);
  // Both who is left out and what can be learned move the made members' part.
  return cappedMade(settings.parts.adversary ? withLearned(state, pruned) : pruned, bounds);
}

/**
 * Moves a part of the shares to where the policy as it is has more to learn, among those that are in anyway: by what it was
 * trained on last and by whom it met since; before any training, by auditions.
 */
function withLearned(state: RunState, shares: ReadonlyMap<string, number>): Map<string, number> {
  const rows: PlacedRow[] = [...shares.keys()].sort().flatMap((id) => [...state.metBy(id)]);
  const scores = new Map(
    learnability(rows, state.open.rewardRange, PLAYED).flatMap(({ simulator, learnability: { value } }) =>
      value === null ? [] : [[simulator, value] as const],
    ),
  );
  let [total, known] = [0, 0];
  const all = [...shares.keys()].every((id) => scores.has(id));
  for (const [id, share] of shares) {
    const score = scores.get(id);
    if (score === undefined) continue;
    total += share * score;
    known += share;
  }
  if (!(total > 0)) return new Map(shares);
  // Whose score is not known keeps its share: it is taken for the average of the others.
  return new Map(
    [...shares].map(([id, share]) => {
      const score = scores.get(id);
      if (score === undefined) return [id, share];
      // Where all are known they sum to 1, whatever rounding makes of it.
      const learned = (LEARNED_SHARE * share * score * (all ? 1 : known)) / total;
      return [id, (1 - LEARNED_SHARE) * share + learned];
    }),
  );
}
