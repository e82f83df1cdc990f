import { expect, it } from 'vitest';
import { methodOf } from '../../../src/lab/methods/index.ts';
import { DEFAULT_FAMILIES } from '../../../src/lab/simulators/index.ts';
import { cellOf, DEFAULT_PANELS, studyOf } from '../../../src/lab/stage-zero/index.ts';
import { TrainingRun, trainingSettings } from '../../../src/lab/trainer/index.ts';
import { worldOf } from '../../../src/lab/worlds/index.ts';

// A diverged cell is not measured, so it needs no space.
const NO_SPACE = {} as Parameters<typeof cellOf>[2];

it.each([
  ['policy', 'single', { learningRate: 1e308 }],
  ['simulator', 'co-training', { simulatorRate: 1e308 }],
] as const)('a run whose %s diverged becomes a cell that says so', async (side, method, rate) => {
  const settings = trainingSettings({ steps: 4, groups: 2, groupSize: 4, selectionDialogues: 2, ...rate });
  const run = new TrainingRun({
    world: worldOf('persuasion', 4),
    method: methodOf(method),
    seen: DEFAULT_FAMILIES.seen,
    selection: DEFAULT_FAMILIES.selection,
    seed: 1,
    settings,
  });
  while (!run.done) run.advance();
  const cell = await cellOf(run, studyOf(settings, DEFAULT_PANELS), NO_SPACE);
  expect(cell).toMatchObject({ status: 'diverged', diverged: { side }, measures: null });
  expect(cell.selected.test.every(({ reward }) => reward !== null)).toBe(true);
  expect(cell.last.population.length).toBe(side === 'simulator' ? 0 : 1);
});
