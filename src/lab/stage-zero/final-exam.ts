import { seeded } from '../../math/random.ts';
import type { PolicyNetwork } from '../learning/index.ts';
import {
  familySimulator,
  peopleOf,
  peopleSimulator,
  type Simulator,
  withTaste,
} from '../simulators/index.ts';
import { FRESH, panelPlans, panelScores, type TrainingRun } from '../trainer/index.ts';
import type { EpisodePlan } from '../training/rollout.ts';
import type { CheckpointScores } from './cell.ts';
import type { Panels } from './panels.ts';

/** Dialogues with each simulator, and with people, at the end. */
export const EXAM = { dialogues: 48, people: 256 } as const;

/** Settings from here on: nothing is trained, selected or measured in them. */
const FIRST = 3 * FRESH;

/** Whom a finished run's checkpoints meet, all in the same settings with the same luck. */
export interface Exam {
  readonly population: readonly Simulator[];
  readonly test: readonly Simulator[];
  readonly people: Simulator;
}

export function examOf(run: TrainingRun, panels: Pick<Panels, 'test'>): Exam {
  const { world, seed } = run.plan;
  return {
    // The law of a simulator that has diverged is no law: nobody can meet it.
    population: run.diverged?.side === 'simulator' ? [] : run.methodRun.population(),
    test: panels.test.map((family) => familySimulator(world, withTaste(family, seed))),
    people: peopleSimulator(world, peopleOf(world, 'test', EXAM.people, seed)),
  };
}

/** One dialogue with each simulator in each setting. */
export function examPlans(
  run: TrainingRun,
  simulators: readonly Simulator[],
  dialogues: number = EXAM.dialogues,
): EpisodePlan[] {
  const { world, seed } = run.plan;
  const random = seeded(`lab/exam/${world.id}/${world.horizon}/${seed}`);
  return panelPlans(world, simulators, dialogues, FIRST, seed, random);
}

/** Scores of one checkpoint. PSOD is population less test: both have met the same settings. */
export function takeExam(
  run: TrainingRun,
  { population, test, people }: Exam,
  step: number,
  policy: PolicyNetwork,
): CheckpointScores {
  const look = (simulators: readonly Simulator[], dialogues?: number) =>
    panelScores(simulators, run.stage.play(policy, examPlans(run, simulators, dialogues)).reward);
  return {
    step,
    population: look(population),
    test: look(test),
    people: look([people], EXAM.people)[0]!,
  };
}
