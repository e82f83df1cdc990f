import { barsOverPeople, newBreaker, planBreaker } from '../diagnosis/index.ts';
import { seeded } from '../math/random.ts';
import { type Figure, missing, overfitting, overfittingRise, pairCollapse } from '../metrics/index.ts';
import { newAdversarySearch } from './adversaries.ts';
import type { ExamRow, LoopAnswer, OpenAnswer } from './answer.ts';
import { basesOf } from './candidates.ts';
import { firstDataPlan } from './data-rules.ts';
import { examined } from './examining.ts';
import { guaranteeOf } from './guarantee.ts';
import { examFigure, pairedGain, panelsOf, unitNumbers } from './look.ts';
import { playRound, type RoundCarry, rewardFigure } from './round.ts';
import type { RoundRecord } from './round-record.ts';
import { tallyOfPeople } from './rows-tally.ts';
import { ask, type LoopRun, type RunEvent } from './run-event.ts';
import type { RunSettings } from './run-settings.ts';
import { RunState } from './run-state.ts';
import { type RunSummary, SUMMARY_SCHEMA } from './run-summary.ts';
import { checkRunSettings } from './settings-check.ts';

type Asking<T> = Generator<RunEvent, T, LoopAnswer | undefined>;

/**
 * Co-evolution of simulators, data and policy: rounds of population update, training on what passed, and a look back. A
 * generator: it asks and is answered (run-event.ts), and follows from settings and answers alone.
 */
export function* evolve(settings: RunSettings): LoopRun {
  checkRunSettings(settings);
  const open = yield* ask(0, { kind: 'open', id: 'open' });
  const state = stateOf(settings, open);
  state.baseExam = yield* examined(state, 0, {
    name: 'selection',
    checkpoint: open.checkpoint,
    panel: 'selection',
    contexts: settings.exam.contexts,
  });
  let carry: RoundCarry = {
    search: settings.parts.adversary
      ? newAdversarySearch(basesOf(settings.members), open.personas, settings.seed)
      : null,
    exam: null,
    baseExam: null,
    examId: null,
  };
  // A policy that training made worse is not taken before the one that it began with.
  state.best.reward = examFigure(state.baseExam, rewardFigure).value;
  const rounds: RoundRecord[] = [];
  for (let round = 1; round <= settings.rounds; round++) {
    const playing = playRound(state, round, carry);
    let step = playing.next();
    while (step.done !== true) {
      if (step.value.kind === 'round') rounds.push(step.value.record);
      step = playing.next(yield step.value);
    }
    carry = step.value;
  }
  return yield* finish(state, rounds);
}

function stateOf(settings: RunSettings, open: OpenAnswer): RunState {
  const { people } = open;
  const target = new Float64Array(open.k);
  const inside = people?.mass.cells.filter((_, row) => !people.mass.outside[row]) ?? [];
  if (inside.length === 0) target.fill(1 / open.k);
  else for (const cell of inside) target[cell]! += 1 / inside.length;
  const own =
    people === null || settings.bars === 'proposed'
      ? null
      : pairCollapse([tallyOfPeople(people.mass, open.k, unitNumbers(open))]).pooled2.value;
  const breaker = planBreaker(
    {
      // One a round.
      looks: Math.max(1, settings.rounds),
      measures: ['scd', 'psod'],
      ...(own === null ? {} : { bars: { scd: barsOverPeople(own) } }),
    },
    seeded(`${settings.seed}/breaker`),
  );
  return new RunState(
    settings,
    open,
    target,
    { settings: breaker, state: newBreaker(0) },
    firstDataPlan(settings.parts),
  );
}

/** The held-out panel is asked for here and nowhere else. */
function* finish(state: RunState, rounds: readonly RoundRecord[]): Asking<RunSummary> {
  const { settings, open } = state;
  const chosen = yield* finalExam(state, state.best.checkpoint, '');
  const base =
    state.best.checkpoint === open.checkpoint ? chosen : yield* finalExam(state, open.checkpoint, 'base-');
  const now = panelsOf({ population: chosen.population, heldOut: chosen.test });
  const before = panelsOf({ population: base.population, heldOut: base.test });
  const figure = (rows: readonly ExamRow[]) => examFigure(rows, rewardFigure);
  const ofPeople = (of: Figure) => (settings.exam.people === 0 ? missing('people were not asked for') : of);
  return {
    schema: SUMMARY_SCHEMA,
    settings,
    space: { id: open.space, k: open.k, people: open.people !== null },
    rounds,
    members: [...state.members.values()].sort(
      (a, b) => a.round - b.round || (a.member.id < b.member.id ? -1 : 1),
    ),
    selected: { round: state.best.round, checkpoint: state.best.checkpoint },
    final: {
      test: figure(chosen.test),
      people: ofPeople(figure(chosen.people)),
      baseTest: figure(base.test),
      basePeople: ofPeople(figure(base.people)),
      gain: pairedGain(chosen.test, base.test),
      peopleGain: ofPeople(pairedGain(chosen.people, base.people)),
      psod: overfitting(now, open.rewardRange).psod,
      psodRise: overfittingRise(now, before, open.rewardRange),
    },
    guarantee: guaranteeOf(settings, rounds),
    cost: state.cost,
  };
}

interface FinalExam {
  readonly test: readonly ExamRow[];
  readonly population: readonly ExamRow[];
  readonly people: readonly ExamRow[];
}

function* finalExam(state: RunState, checkpoint: string, prefix: string): Asking<FinalExam> {
  const { rounds, exam } = state.settings;
  const end = rounds + 1;
  const own = { checkpoint, contexts: exam.test };
  return {
    test: yield* examined(state, end, { ...own, name: `${prefix}test`, panel: 'test' }),
    population: yield* examined(state, end, {
      ...own,
      name: `${prefix}population`,
      panel: 'population',
      dialogues: exam.population,
    }),
    people: yield* examined(state, end, {
      checkpoint,
      name: `${prefix}people`,
      panel: 'people',
      contexts: exam.people,
    }),
  };
}
