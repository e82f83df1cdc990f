import {
  type MeasuredRun,
  measurePopulation,
  PROBE,
  type ProbeSettings,
  peopleEpisodes,
  populationEpisodes,
  type WorldSpace,
} from '../measure/index.ts';
import type { TrainingRun } from '../trainer/index.ts';
import { CELL_SCHEMA, type Cell } from './cell.ts';
import { examOf, takeExam } from './final-exam.ts';
import type { Study } from './study.ts';

/** A finished run, scored and measured. `space` is the world's (`worldSpace`), the same for all cells of it. */
export async function cellOf(
  run: TrainingRun,
  study: Pick<Study, 'hash' | 'panels'>,
  space: WorldSpace,
  probe: ProbeSettings = PROBE,
): Promise<Cell> {
  const { world, method, seed } = run.plan;
  const exam = examOf(run, study.panels);
  const measured = measuredRun(run);
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
    base: takeExam(run, exam, 0, run.base),
    selected: takeExam(run, exam, run.selected.step, run.selected.policy),
    last: takeExam(run, exam, run.step, run.policy),
    measures:
      run.diverged === null
        ? await measurePopulation(populationEpisodes(measured, probe), peopleEpisodes(measured, probe), space)
        : null,
    cost: {
      turns: run.history.reduce((sum, { turns }) => sum + turns, 0),
      simulatorUpdates: run.history.filter(({ simulator }) => simulator !== null).length,
    },
  };
}

/** What of a run is measured: its selected checkpoint with the population it has in the end. */
export function measuredRun(run: TrainingRun): MeasuredRun {
  const { method, seed } = run.plan;
  return {
    stage: run.stage,
    policy: run.selected.policy,
    population: run.methodRun.population(),
    seed,
    method: method.id,
    checkpoint: selectedName(run),
  };
}

/** Names of checkpoints in records: `base` comes first in every order that audit knows. */
export const BASE = 'base';
export const selectedName = ({ selected }: TrainingRun): string => `selected (step ${selected.step})`;
