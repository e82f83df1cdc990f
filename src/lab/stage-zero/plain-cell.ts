import { seeded } from '../../math/random.ts';
import { familySimulator, peopleOf, peopleSimulator } from '../simulators/index.ts';
import { FRESH, scores, type TrainingRun } from '../trainer/index.ts';
import { CELL_SCHEMA, type Cell, type CheckpointScores } from './cell.ts';
import type { Study } from './study.ts';

/** A cell without measures of the population. */
export function plainCell(run: TrainingRun, study: Study): Cell {
  const { world, method, seed, settings } = run.plan;
  const people = peopleSimulator(world, peopleOf(world, 'test', settings.referencePeople, seed));
  const random = seeded(`lab/cell/${world.id}/${world.horizon}/${seed}`);
  const at = (step: number, policy: typeof run.policy): CheckpointScores => {
    const look = (simulators: Parameters<typeof scores>[2]) =>
      scores(run.stage, policy, simulators, settings.selectionDialogues, 2 * FRESH, seed, random);
    return {
      step,
      population: look(run.methodRun.population()),
      test: look(study.panels.test.map((family) => familySimulator(world, family))),
      people: look([people])[0]!,
    };
  };
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
    base: at(0, run.base),
    selected: at(run.selected.step, run.selected.policy),
    last: at(run.step, run.policy),
    measures: null,
    cost: {
      turns: run.history.reduce((sum, { turns }) => sum + turns, 0),
      simulatorUpdates: run.history.filter(({ simulator }) => simulator !== null).length,
    },
  };
}
