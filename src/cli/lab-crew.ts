import { CollapseAwareError } from '../errors.ts';
import {
  type Cell,
  type CellEvent,
  type CellPlace,
  cellName,
  type SpaceText,
  worldName,
} from '../lab/stage-zero/index.ts';
import type { BrokenFile, LabDirectory } from './lab-directory.ts';
import { type LabMaker, measuringMaker } from './lab-maker.ts';
import { canThread, type LabThread, newLabThread, thisThread } from './lab-thread.ts';

export interface CrewOptions {
  readonly workers: number;
  readonly signal?: AbortSignal;
  /** Another maker than the measuring one; everything is then done in this thread. */
  readonly maker?: LabMaker;
  /** Spaces by world's name: what is there is taken, what is made is put in. */
  readonly spaces?: Map<string, SpaceText>;
  /** Cells that were there already. */
  onReady?(count: number): void;
  onSpace?(made: number, of: number): void;
  onEvent?(place: CellPlace, event: CellEvent): void;
  /** A file that was not used. */
  onBroken?(file: BrokenFile): void;
}

/**
 * Makes the cells that the folder has not got, several at a time, each from the state it was left in. All files are
 * written by this thread, so that the others may be ended at any moment. Cells do not depend on the number of threads.
 * In the order of `places`.
 */
export async function makeCells(
  directory: LabDirectory,
  places: readonly CellPlace[],
  options: CrewOptions,
): Promise<Cell[]> {
  const { signal } = options;
  signal?.throwIfAborted();
  const spaces = options.spaces ?? new Map<string, SpaceText>();
  const unread = await readSpaces(directory, places, spaces, options.onBroken);
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
  if (left.length > 0) {
    const threads = openThreads(left.length, options);
    const worlds = new Set(left.map(worldName));
    const unmade = unread.filter((place) => worlds.has(worldName(place)));
    try {
      await makeSpaces(directory, unmade, spaces, threads, options.onSpace);
      await share(left, threads, async (place, thread) => {
        const space = spaces.get(worldName(place))!;
        cells.set(cellName(place), await makeCell(directory, place, space, thread, options));
      });
    } finally {
      await Promise.all(threads.map((thread) => thread.end()));
    }
  }
  return places.map((place) => cells.get(cellName(place))!);
}

/** The worlds whose spaces are neither known nor in the folder; the latter are put into `spaces`. */
async function readSpaces(
  directory: LabDirectory,
  places: readonly CellPlace[],
  spaces: Map<string, SpaceText>,
  onBroken: CrewOptions['onBroken'],
): Promise<CellPlace[]> {
  const left: CellPlace[] = [];
  for (const [name, place] of new Map(places.map((one) => [worldName(one), one]))) {
    const found = await directory.space(place);
    if (found !== null && !('reason' in found)) spaces.set(name, found);
    else {
      if (found !== null) onBroken?.(found);
      left.push(place);
    }
  }
  return left;
}

async function makeSpaces(
  directory: LabDirectory,
  places: readonly CellPlace[],
  spaces: Map<string, SpaceText>,
  threads: readonly LabThread[],
  onSpace: CrewOptions['onSpace'],
): Promise<void> {
  if (places.some((place) => !spaces.has(worldName(place)))) onSpace?.(0, places.length);
  let made = 0;
  await share(places, threads, async (place, thread) => {
    const name = worldName(place);
    const space = spaces.get(name) ?? (await thread.space(place));
    spaces.set(name, space);
    await directory.keepSpace(place, space);
    onSpace?.(++made, places.length);
  });
}

function openThreads(work: number, { maker, workers, signal }: CrewOptions): LabThread[] {
  if (maker !== undefined || !canThread()) return [thisThread(maker ?? measuringMaker(), signal)];
  return Array.from({ length: Math.min(workers, work) }, () => newLabThread(signal));
}

/** Each of the places by whoever is free. */
async function share(
  places: readonly CellPlace[],
  threads: readonly LabThread[],
  work: (place: CellPlace, thread: LabThread) => Promise<void>,
): Promise<void> {
  let next = 0;
  await Promise.all(
    threads.map(async (thread) => {
      for (let place = places[next++]; place !== undefined; place = places[next++]) await work(place, thread);
    }),
  );
}

async function makeCell(
  directory: LabDirectory,
  place: CellPlace,
  space: SpaceText,
  thread: LabThread,
  { onBroken, onEvent }: CrewOptions,
): Promise<Cell> {
  const found = await directory.state(place);
  if (found !== null && typeof found !== 'string') onBroken?.(found);
  const state = typeof found === 'string' ? found : null;
  let cell: Cell | null = null;
  let written = Promise.resolve();
  try {
    await thread.cell({ place, study: directory.study, state }, space, (event) => {
      if (event.kind === 'state')
        written = written.then(() => directory.keepState(place, event.step, event.state));
      else if (event.kind === 'cell') cell = event.cell;
      onEvent?.(place, event);
      // A fault is told by whoever awaits it below.
      written.catch(() => {});
    });
  } finally {
    // Stopped or not: a state that was reached is kept.
    await written;
  }
  if (cell === null) throw new CollapseAwareError('CA_INTERNAL', `${cellName(place)} ended without a cell`);
  await directory.keepCell(place, cell);
  return cell;
}
