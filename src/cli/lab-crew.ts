import { existsSync } from 'node:fs';
import { setImmediate as breath } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { CollapseAwareError } from '../errors.ts';
import type { Cell } from '../lab/stage-zero/cell.ts';
import { type CellPlace, cellName } from '../lab/stage-zero/cell-place.ts';
import { type CellEvent, type CellJob, workCell } from '../lab/stage-zero/cell-work.ts';
import { CELL_MAKER } from '../lab/stage-zero/index.ts';
import type { BrokenFile, LabDirectory } from './lab-directory.ts';

/** Compiled, the entry lies beside this module; sources run without it, in one thread. */
const ENTRY = new URL('./lab-worker.js', import.meta.url);

export interface CrewOptions {
  readonly workers: number;
  readonly signal?: AbortSignal;
  /** Cells that were there already. */
  onReady?(count: number): void;
  onEvent?(place: CellPlace, event: CellEvent): void;
  /** A file that was not used. */
  onBroken?(file: BrokenFile): void;
}

/**
 * Makes the cells that the folder has not got, several at a time, each from the state it was left in. All files are
 * written by this thread, so that the others may be ended at any moment. Cells do not depend on the number of threads.
 */
export async function makeCells(
  directory: LabDirectory,
  places: readonly CellPlace[],
  options: CrewOptions,
): Promise<Cell[]> {
  const { signal } = options;
  signal?.throwIfAborted();
  const cells = new Map<string, Cell>();
  const left: CellPlace[] = [];
  for (const place of places) {
    const found = await directory.cell(place);
    if (found !== null && !('reason' in found)) cells.set(cellName(place), found);
    else {
      if (found !== null) options.onBroken?.(found);
      left.push(place);
    }
  }
  options.onReady?.(cells.size);
  const threads = existsSync(fileURLToPath(ENTRY)) ? Math.min(options.workers, left.length) : 1;
  let next = 0;
  const lane = async (work: Work) => {
    for (let place = left[next++]; place !== undefined; place = left[next++])
      cells.set(cellName(place), await makeCell(directory, place, work, options));
  };
  if (threads < 2) await lane(hereWork(signal));
  else {
    const workers = Array.from({ length: threads }, () => new Worker(ENTRY));
    try {
      await Promise.all(workers.map((worker) => lane(threadWork(worker, signal))));
    } finally {
      await Promise.all(workers.map((worker) => worker.terminate()));
    }
  }
  return places.map((place) => cells.get(cellName(place))!);
}

/** Does a job and tells its events in their order. */
type Work = (job: CellJob, tell: (event: CellEvent) => void) => Promise<void>;

async function makeCell(
  directory: LabDirectory,
  place: CellPlace,
  work: Work,
  { onBroken, onEvent }: CrewOptions,
): Promise<Cell> {
  const found = await directory.state(place);
  if (found !== null && typeof found !== 'string') onBroken?.(found);
  const state = typeof found === 'string' ? found : null;
  let cell: Cell | null = null;
  let written = Promise.resolve();
  await work({ place, study: directory.study, state }, (event) => {
    if (event.kind === 'state')
      written = written.then(() => directory.keepState(place, event.step, event.state));
    else if (event.kind === 'cell') cell = event.cell;
    onEvent?.(place, event);
    // Told by whoever awaits it below.
    written.catch(() => {});
  });
  await written;
  if (cell === null) throw new CollapseAwareError('CA_INTERNAL', `${cellName(place)} ended without a cell`);
  await directory.keepCell(place, cell);
  return cell;
}

/** In this thread, which may hear a signal after every step. */
function hereWork(signal: AbortSignal | undefined): Work {
  return async (job, tell) => {
    for (const event of workCell(job, CELL_MAKER)) {
      tell(event);
      await breath();
      signal?.throwIfAborted();
    }
  };
}

function threadWork(worker: Worker, signal: AbortSignal | undefined): Work {
  return (job, tell) =>
    new Promise<void>((resolve, reject) => {
      const stop = () => finish(() => reject(signal!.reason));
      const onError = (error: unknown) =>
        finish(() =>
          reject(
            new CollapseAwareError('CA_INTERNAL', error instanceof Error ? error.message : String(error), {
              cause: error,
            }),
          ),
        );
      const onExit = () => onError(new Error('a thread of the lab ended early'));
      const onMessage = (event: CellEvent) => {
        tell(event);
        if (event.kind === 'cell') finish(resolve);
      };
      const finish = (end: () => void) => {
        signal?.removeEventListener('abort', stop);
        worker.off('error', onError).off('exit', onExit).off('message', onMessage);
        end();
      };
      signal?.addEventListener('abort', stop, { once: true });
      worker.on('error', onError).on('exit', onExit).on('message', onMessage);
      worker.postMessage(job);
    });
}
