import { methodOf } from '../methods/index.ts';
import { type Look, type StepRecord, TrainingRun } from '../trainer/index.ts';
import { worldOf } from '../worlds/index.ts';
import type { Cell } from './cell.ts';
import type { CellPlace } from './cell-place.ts';
import type { Study } from './study.ts';

/** Steps from one saved state of a cell under way to the next. */
export const SAVE_EVERY = 25;

export interface CellJob {
  readonly place: CellPlace;
  readonly study: Study;
  /** State of a run that was stopped (`TrainingRun.save`), null for a fresh one. */
  readonly state: string | null;
}

export type CellEvent =
  | { readonly kind: 'step'; readonly record: StepRecord | null; readonly look: Look | null }
  | { readonly kind: 'state'; readonly step: number; readonly state: string }
  | { readonly kind: 'cell'; readonly cell: Cell };

/** The run of a job, as far as its state is. */
export function openRun({ place, study, state }: CellJob): TrainingRun {
  const run = new TrainingRun({
    world: worldOf(place.world, place.horizon),
    method: methodOf(place.method),
    seen: study.panels.seen,
    selection: study.panels.selection,
    seed: place.seed,
    settings: study.settings,
  });
  if (state !== null) run.load(state);
  return run;
}

/**
 * Trains and measures one cell, an event at a time, so that whoever asks for the events can stop in between. From any
 * `state` of a job, the rest of its events are those of the unbroken run.
 */
export async function* workCell(
  job: CellJob,
  cellOf: (run: TrainingRun) => Promise<Cell>,
): AsyncGenerator<CellEvent, void> {
  const run = openRun(job);
  yield { kind: 'step', record: run.history.at(-1) ?? null, look: run.looks.at(-1) ?? null };
  while (!run.done) {
    const record = run.advance();
    const look = run.looks.at(-1);
    yield { kind: 'step', record, look: look !== undefined && look.step === run.step ? look : null };
    if (run.step % SAVE_EVERY === 0 && !run.done) yield { kind: 'state', step: run.step, state: run.save() };
  }
  yield { kind: 'cell', cell: await cellOf(run) };
}
