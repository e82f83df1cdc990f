import { breakerActions, inWords, stepBreaker } from '../diagnosis/index.ts';
import { meanFigure, missing, missingModes } from '../metrics/index.ts';
import type { AdversarySearch } from './adversaries.ts';
import type { ExamRow, LoopAnswer } from './answer.ts';
import { type ModeGap, modeGaps, shownLaw } from './candidates.ts';
import { nextDataPlan } from './data-rules.ts';
import { type ExamPair, examFigure, figuresOf, unitNumbers } from './look.ts';
import { lawOf, type ModeLaw } from './mode-law.ts';
import { probed } from './probing.ts';
import { propose } from './propose.ts';
import type { RoundFigures, RoundRecord } from './round-record.ts';
import { tallyOfPeople, tallyOfRows } from './rows-tally.ts';
import { ask, type RunEvent } from './run-event.ts';
import type { RunState } from './run-state.ts';
import { populationOfShares, shareDistance } from './shares.ts';
import { soundExam } from './sound-rows.ts';
import { tryPopulation } from './try-population.ts';

type Asking<T> = Generator<RunEvent, T, LoopAnswer | undefined>;

/** Shares that differ by less are the same population: nothing is proposed. */
const LEAST_CHANGE = 0.02;

export interface RoundCarry {
  readonly search: AdversarySearch | null;
  /** The last exam of the population in force with the policy as it is, and of both with the policy before training. */
  readonly exam: ExamPair | null;
  readonly baseExam: ExamPair | null;
}

/**
 * One round: look at the population in force, step the breaker, make and audition candidates, put the best shares to the
 * test, train on what passed, examine. Red or half-open: no policy step. A population that was re-diversified and
 * accepted under red is looked at in the next round (half-open), and once more in the one after (green).
 */
export function* playRound(state: RunState, round: number, carry: RoundCarry): Asking<RoundCarry> {
  const { settings, open } = state;
  const spentBefore = state.cost;
  const rows = yield* probed(state, round, {
    name: 'look',
    population: state.inForce.population,
    draw: 'mixture',
    contexts: settings.probe.contexts,
    rollouts: 1,
  });
  const look = figuresOf(open, rows, carry.exam, carry.baseExam);
  const before = state.breaker.level;
  const notes: string[] = [];
  if (settings.parts.breaker) {
    const step = stepBreaker(state.breakerSettings, state.breaker, {
      kind: 'look',
      at: round,
      figures: { scd: look.scd2, psod: look.psodRise },
      data: [`round-${round}`],
    });
    state.breaker = step.state;
    notes.push(...step.notes);
  }
  if (state.breaker.level !== before) yield* tellGate(state, round, notes);

  const shown = shownLaw(state.laws(state.shares.keys()), state.shares);
  const here = lawOf(rows, open.k);
  const collapsed = breakerActions(state.breaker.level).training === 'paused';
  const gaps = modeGaps(state.target, round === 1 || collapsed ? here : shown);
  const raised = breakerActions(state.breaker.level).synthesis === 'raised';
  const synthesisShare = raised ? settings.synthesis.raisedShare : settings.synthesis.share;
  const proposal = yield* propose(state, round, gaps, here, synthesisShare, carry.search, collapsed);
  const changed = shareDistance(proposal.shares, state.shares) >= LEAST_CHANGE;
  let acceptance: RoundRecord['acceptance'] = null;
  if (changed) {
    const trial = yield* tryPopulation(state, round, {
      id: `round-${round}`,
      population: populationOfShares(proposal.shares, state.memberOf),
    });
    acceptance = trial.verdict;
  }

  const level = state.breaker.level;
  const data = nextDataPlan(state.data, { scd2: look.scd2, psodRise: look.psodRise }, level);
  state.data = data.plan;
  const paused = settings.parts.breaker && breakerActions(level).training === 'paused';
  const training = paused ? null : yield* train(state, round);
  // Another policy, or other users: what was seen of the old ones says nothing of these.
  const examined = training !== null || acceptance?.accepted === true;
  const next = examined ? yield* examine(state, round, carry) : carry;
  const exam = next.exam;
  if (training !== null && exam !== null) {
    const reward = meanOf(exam.heldOut);
    if (reward !== null && reward > (state.best.reward ?? Number.NEGATIVE_INFINITY))
      state.best = { round, checkpoint: state.checkpoint, reward };
  }
  const record: RoundRecord = {
    round,
    look,
    breaker: { before, after: level, training: paused ? 'paused' : 'run', notes },
    diagnosis: diagnosisOf(look, gaps),
    modes: modesOf(state, rows, shown),
    synthesisShare,
    candidates: proposal.candidates,
    acceptance,
    population: state.inForce.population.map(({ member, share }) => ({ member: member.id, share })),
    data: state.data,
    dataNotes: data.notes,
    training,
    exam:
      !examined || exam === null
        ? null
        : {
            selection: examFigure(exam.heldOut, rewardFigure),
            population: examFigure(exam.population, rewardFigure),
          },
    cost: {
      probeEpisodes: state.cost.probeEpisodes - spentBefore.probeEpisodes,
      trainEpisodes: state.cost.trainEpisodes - spentBefore.trainEpisodes,
      turns: state.cost.turns - spentBefore.turns,
    },
  };
  yield { kind: 'round', record };
  return { ...next, search: proposal.search };
}

export const rewardFigure = (values: number[], n: number) =>
  meanFigure(values, { n, undefinedReason: 'no dialogue has a reward', unit: 'reward' });

function* tellGate(state: RunState, round: number, reasons: readonly string[]): Asking<void> {
  const { level } = state.breaker;
  yield* ask(round, {
    kind: 'gate',
    id: `round-${round}/gate`,
    level,
    training: breakerActions(level).training,
    reasons,
  });
}

function* train(state: RunState, round: number): Asking<NonNullable<RoundRecord['training']>> {
  const { settings } = state;
  const answer = yield* ask(round, {
    kind: 'train',
    id: `round-${round}/train`,
    round,
    checkpoint: state.checkpoint,
    population: state.inForce.population,
    data: state.data,
    steps: settings.steps,
  });
  state.checkpoint = answer.checkpoint;
  state.spend('trainEpisodes', answer.episodes, answer.turns);
  const rewards = answer.curve.flatMap(({ reward }) =>
    // JSON has no NaN, and an answer that was not kept yet may.
    reward === null || !Number.isFinite(reward) ? [] : [reward],
  );
  const last = answer.curve.at(-1);
  return {
    checkpoint: answer.checkpoint,
    steps: answer.steps,
    reward:
      rewards.length === 0
        ? missing('no step has a reward')
        : {
            value: rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length,
            low: null,
            high: null,
            n: answer.episodes,
            method: `mean-step(n=${rewards.length})`,
            reason: 'steps of one training are not independent',
          },
    zeroVariance:
      answer.curve.length === 0
        ? 0
        : answer.curve.reduce((sum, step) => sum + step.zeroVariance, 0) / answer.curve.length,
    entropy: last?.entropy ?? null,
    stopped: answer.stopped,
  };
}

/** The policy as it is and as it was, with the population in force and the selection panel, on the same contexts. */
function* examine(state: RunState, round: number, carry: RoundCarry): Asking<RoundCarry> {
  const { settings, open } = state;
  const one = function* (
    checkpoint: string,
    panel: 'selection' | 'population',
    name: string,
  ): Asking<readonly ExamRow[]> {
    const answer = yield* ask(round, {
      kind: 'exam',
      id: `round-${round}/exam/${name}`,
      checkpoint,
      panel,
      population: panel === 'population' ? state.inForce.population : [],
      contexts: settings.exam.contexts,
      dialogues: panel === 'population' ? settings.exam.population : 1,
    });
    state.spend('probeEpisodes', answer.rows.length, answer.turns);
    return soundExam(answer.rows, open);
  };
  const heldOut = yield* one(state.checkpoint, 'selection', 'selection');
  const population = yield* one(state.checkpoint, 'population', 'population');
  const basePopulation = yield* one(open.checkpoint, 'population', 'base-population');
  return {
    ...carry,
    exam: { population, heldOut },
    baseExam: { population: basePopulation, heldOut: state.baseExam },
  };
}

function meanOf(rows: readonly ExamRow[]): number | null {
  return examFigure(rows, rewardFigure).value;
}

function diagnosisOf(look: RoundFigures, gaps: readonly ModeGap[]): string[] {
  const lacking = gaps.reduce((sum, { mass, share }) => sum + mass - share, 0);
  return [
    `SCD2 of what the policy meets is ${inWords(look.scd2)}`,
    `BDI is ${inWords(look.bdi)}, realism ${inWords(look.realism)}`,
    look.psodRise.value === null
      ? `PSOD's rise: ${look.psodRise.reason ?? 'unknown'}`
      : `PSOD has risen by ${inWords(look.psodRise)}`,
    gaps.length === 0
      ? 'no mode lacks 1 % or more'
      : `${gaps.length} modes lack ${(100 * lacking).toFixed(0)} % of what they should have`,
  ];
}

function modesOf(
  state: RunState,
  rows: Parameters<typeof tallyOfRows>[0],
  shown: ModeLaw,
): RoundRecord['modes'] {
  const { open } = state;
  const here = lawOf(rows, open.k);
  const after = shownLaw(state.laws(state.shares.keys()), state.shares);
  const units = unitNumbers(open, rows);
  const lacking =
    open.people === null
      ? new Set<number>()
      : new Set(
          missingModes(tallyOfRows(rows, open.k, units), tallyOfPeople(open.people.mass, open.k, units)).map(
            ({ mode }) => mode,
          ),
        );
  return Array.from({ length: open.k }, (_, mode) => ({
    mode,
    mass: open.people === null ? null : state.target[mode]!,
    before: here[mode]!,
    after: shown === after ? null : after[mode]!,
    missing: lacking.has(mode),
  })).sort((a, b) => (b.mass ?? 0) - (a.mass ?? 0) || a.mode - b.mode);
}
