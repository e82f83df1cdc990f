import type { LabMaker } from '../../../src/cli/lab-maker.ts';
import {
  CELL_SCHEMA,
  type Cell,
  type CheckpointScores,
  type Study,
} from '../../../src/lab/stage-zero/index.ts';
import type { Score, TrainingRun } from '../../../src/lab/trainer/index.ts';

/** Cells without exam and measures: what they hold of training is real, and they are quick. */
export const plainMaker: LabMaker = {
  space: async () => ({ space: '', people: '' }),
  cell: async (run, study) => plainCell(run, study),
};

export function plainCell(run: TrainingRun, study: Pick<Study, 'hash'>): Cell {
  const { world, method, seed } = run.plan;
  const score = (simulator: string, reward: number | null): Score => ({ simulator, reward, n: 1 });
  const at = (step: number, reward: number | null): CheckpointScores => ({
    step,
    population: [score('own', reward)],
    test: [score('held out', reward)],
    people: score('people', reward),
  });
  return {
    schema: CELL_SCHEMA,
    study: study.hash,
    world: world.id,
    horizon: world.horizon,
    method: method.id,
    seed,
    status: run.diverged === null ? 'done' : 'diverged',
    diverged: run.diverged,
    history: [...run.history],
    looks: [...run.looks],
    base: at(0, run.looks[0]!.selection),
    selected: at(run.selected.step, run.looks.find(({ step }) => step === run.selected.step)!.selection),
    last: at(run.step, run.looks.at(-1)!.selection),
    measures: null,
    cost: {
      turns: run.history.reduce((sum, { turns }) => sum + turns, 0),
      simulatorUpdates: run.history.filter(({ simulator }) => simulator !== null).length,
    },
  };
}
