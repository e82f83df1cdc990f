import { breakerActions, inWords, stepBreaker } from '../diagnosis/index.ts';
import { meanFigure } from '../metrics/index.ts';
import { type AcceptancePower, acceptancePower } from './acceptance-power.ts';
import type { AdversarySearch } from './adversaries.ts';
import type { LoopAnswer } from './answer.ts';
import { type ModeGap, modeGaps, shownLaw } from './candidates.ts';
import { nextDataPlan } from './data-rules.ts';
import { examined } from './examining.ts';
import { type ExamPair, examFigure, figuresOf, unitNumbers } from './look.ts';
import { modeCoverage } from './mode-coverage.ts';
import { lawOf, type ModeLaw } from './mode-law.ts';
import { probed } from './probing.ts';
import { propose } from './propose.ts';
import type { RoundFigures, RoundRecord } from './round-record.ts';
import { tallyOfPeople } from './rows-tally.ts';
import { ask, type RunEvent } from './run-event.ts';
import type { RunState } from './run-state.ts';
import { populationOfShares, shareDistance } from './shares.ts';
import { trained } from './training.ts';
import { tryPopulation } from './try-population.ts';

type Asking<T> = Generator<RunEvent, T, LoopAnswer | undefined>;

/** Shares that differ by less are the same population: nothing is proposed. */
const LEAST_CHANGE = 0.02;

export interface RoundCarry {
  readonly search: AdversarySearch | null;
  /** The last exam of the population in force with the policy as it is, and of both with the policy before training. */
  readonly exam: ExamPair | null;
  readonly baseExam: ExamPair | null;
  /** Names the exam: a look at another one is a look at other dialogues. */
  readonly examId: string | null;
}

/**
 * One round: look at the population in force, step the breaker, make and audition candidates, put the best shares to the
 * test, train on what passed, examine. Red or half-open: no policy step. A population that was re-diversified and
 * accepted under red is looked at in the next round (half-open), and once more in the one after (green).
 */
export function* playRound(state: RunState, round: number, carry: RoundCarry): Asking<RoundCarry> {
  const { settings, open } = state;
  const spentBefore = state.cost;
  const { rows, epsilon } = yield* probed(state, round, {
    name: 'look',
    population: state.inForce.population,
    draw: 'mixture',
    contexts: settings.probe.contexts,
    rollouts: 1,
    replies: settings.probe.replies,
  });
  const look = { ...figuresOf(open, rows, carry.exam, carry.baseExam), epsilon };
  const before = state.breaker.level;
  const notes: string[] = [];
  if (settings.parts.breaker) {
    const step = stepBreaker(state.breakerSettings, state.breaker, {
      kind: 'look',
      at: round,
      figures: { scd: look.scd2, psod: look.psodRise },
      data: [`round-${round}`, ...(carry.examId === null ? [] : [carry.examId])],
    });
    state.breaker = step.state;
    notes.push(...step.notes);
  }
  if (state.breaker.level !== before) yield* tellGate(state, round, notes);

  const here = lawOf(rows, open.k);
  const power = round === 1 ? powerOf(state, here) : null;
  if (power !== null) yield { kind: 'power', power };
  const collapsed = breakerActions(state.breaker.level).training === 'paused';
  // People are on record with the policy before training: gaps are told under that one, but where nobody is known under it.
  const known = round > 1 && !collapsed;
  const shown = known ? shownLaw(state.laws(state.shares.keys()), state.shares) : here;
  const gaps = modeGaps(state.target, shown);
  const raised = breakerActions(state.breaker.level).synthesis === 'raised';
  const synthesisShare = raised ? settings.synthesis.raisedShare : settings.synthesis.share;
  const proposal = yield* propose(state, round, gaps, shown, synthesisShare, carry.search, collapsed);
  const proposed = shareDistance(proposal.shares, state.shares) >= LEAST_CHANGE;
  let acceptance: RoundRecord['acceptance'] = null;
  if (proposed) {
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
  const training = paused ? null : yield* trained(state, round);
  // Another policy, or other users: what was seen of the old ones says nothing of these.
  const changedSince = training !== null || acceptance?.accepted === true;
  // While training is paused the policy stays as it is: a second clean look at the same exam would be no second one.
  const next = paused
    ? yield* examine(state, round, carry, `round-${round}`)
    : changedSince
      ? yield* examine(state, round, carry)
      : carry;
  const exam = next.exam;
  if (training !== null && exam !== null) {
    const reward = examFigure(exam.heldOut, rewardFigure).value;
    if (reward !== null && (state.best.reward === null || reward > state.best.reward))
      state.best = { round, checkpoint: state.checkpoint, reward };
  }
  const record: RoundRecord = {
    round,
    look,
    power,
    breaker: {
      before,
      after: level,
      training: paused ? 'paused' : 'run',
      notes,
      bars: state.breakerSettings.bars,
    },
    diagnosis: diagnosisOf(look, gaps),
    modes: modeCoverage(state, rows, acceptance?.accepted === true),
    synthesisShare,
    candidates: proposal.candidates,
    acceptance,
    population: state.inForce.population.map(({ member, share }) => ({ member: member.id, share })),
    data: state.data,
    dataNotes: data.notes,
    training,
    exam:
      next === carry || exam === null
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

/** Of this run's rule and probe set, for a population like the one that the run begins with. Null where it is not known. */
function powerOf({ settings, open }: RunState, law: ModeLaw): AcceptancePower | null {
  const { acceptance, probe, rounds, seed } = settings;
  if (acceptance.powerTrials === 0 || !law.some((share) => share > 0)) return null;
  const units = unitNumbers(open);
  const { people } = open;
  return acceptancePower({
    law,
    people:
      people === null
        ? null
        : {
            mass: tallyOfPeople(people.mass, open.k, units),
            ceiling: tallyOfPeople(people.ceiling, open.k, units),
          },
    ...{ contexts: probe.contexts, rollouts: probe.rollouts, rounds, seed },
    ...{ delta: acceptance.delta, alpha: acceptance.alpha, trials: acceptance.powerTrials },
  });
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

/** The policy as it is and as it was, with the population in force and the selection panel, on the same contexts. */
function* examine(state: RunState, round: number, carry: RoundCarry, luck?: string): Asking<RoundCarry> {
  const { contexts, population: dialogues } = state.settings.exam;
  const now = { checkpoint: state.checkpoint, contexts, luck };
  const heldOut = yield* examined(state, round, { ...now, name: 'selection', panel: 'selection' });
  const drawn = { ...now, panel: 'population', dialogues } as const;
  const population = yield* examined(state, round, { ...drawn, name: 'population' });
  const basePopulation = yield* examined(state, round, {
    ...drawn,
    name: 'base-population',
    checkpoint: state.open.checkpoint,
  });
  const baseHeldOut =
    luck === undefined
      ? state.baseExam
      : yield* examined(state, round, {
          ...now,
          name: 'base-selection',
          panel: 'selection',
          checkpoint: state.open.checkpoint,
        });
  return {
    ...carry,
    exam: { population, heldOut },
    baseExam: { population: basePopulation, heldOut: baseHeldOut },
    examId: `exam-${round}`,
  };
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
