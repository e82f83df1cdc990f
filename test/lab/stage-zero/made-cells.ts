import {
  CELL_SCHEMA,
  type Cell,
  DEFAULT_PANELS,
  type Study,
  studyOf,
} from '../../../src/lab/stage-zero/index.ts';
import { type StepRecord, trainingSettings } from '../../../src/lab/trainer/index.ts';

export const STUDY: Study = studyOf(trainingSettings({ steps: 60 }), DEFAULT_PANELS);

export interface MadeCell {
  readonly method: string;
  readonly seed: number;
  readonly world?: Cell['world'];
  readonly heldOut?: number | null;
  readonly people?: number | null;
  readonly diverged?: boolean;
  /** Of the step, from 1. */
  readonly step?: (step: number) => Partial<StepRecord>;
}

/** A cell by hand: one number each, 60 steps of training. */
export function madeCell(made: MadeCell): Cell {
  const { method, seed, world = 'persuasion', heldOut = 0.5, people = 0.5, diverged = false } = made;
  const at = (step: number, reward: number | null, own: number) => ({
    step,
    population: [{ simulator: 'own', reward: own, n: 8 }],
    test: [{ simulator: 'held out', reward, n: 8 }],
    people: { simulator: 'people', reward: people, n: 8 },
  });
  return {
    schema: CELL_SCHEMA,
    study: STUDY.hash,
    world,
    horizon: 10,
    method,
    seed,
    status: diverged ? 'diverged' : 'done',
    diverged: diverged ? { step: 7, side: 'policy', reason: 'a loss is not a number' } : null,
    history: Array.from({ length: 60 }, (_, i) => ({
      step: i + 1,
      reward: 0.5,
      zeroVariance: 0.5,
      allFail: 0,
      allPass: 0,
      entropy: 1,
      kl: 0,
      gradientNorm: 1,
      lost: 0,
      turns: 100,
      simulator: null,
      ...made.step?.(i + 1),
    })),
    looks: [{ step: 0, selection: 0.4, bySimulator: [] }],
    base: at(0, 0.3, 0.4),
    selected: at(50, heldOut, 0.8),
    last: at(60, heldOut, 0.9),
    measures: null,
    cost: { turns: 6000, simulatorUpdates: 0 },
  };
}
