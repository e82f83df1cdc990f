import { methodOf } from '../../../src/lab/methods/index.ts';
import { DEFAULT_FAMILIES } from '../../../src/lab/simulators/index.ts';
import {
  type RunPlan,
  TrainingRun,
  type TrainingSettings,
  trainingSettings,
} from '../../../src/lab/trainer/index.ts';
import { worldOf } from '../../../src/lab/worlds/index.ts';

export const world = worldOf('persuasion', 4);

/** As few numbers as a run can have, of everything that it has. */
export const tinySettings = (change: Partial<TrainingSettings> = {}): TrainingSettings =>
  trainingSettings({
    steps: 4,
    groups: 2,
    groupSize: 4,
    hidden: [4],
    trainingSettings: 8,
    evaluateEvery: 2,
    selectionDialogues: 4,
    referencePeople: 30,
    ...change,
  });

export const tinyPlan = (method = 'single', change: Partial<TrainingSettings> = {}, seed = 1): RunPlan => ({
  world,
  method: methodOf(method),
  seen: DEFAULT_FAMILIES.seen,
  selection: DEFAULT_FAMILIES.selection.slice(0, 2),
  seed,
  settings: tinySettings(change),
});

export function finished(plan: RunPlan): TrainingRun {
  const run = new TrainingRun(plan);
  while (!run.done) run.advance();
  return run;
}
