import type { Trajectory } from '../trajectory/trajectory.ts';
import type { Row } from './reader.ts';
import type { TrajectoryFile, WriteOptions, Writer } from './writer.ts';

export interface Conversion {
  readonly written: number;
  /** Dropped rows that came in; their reasons are with whoever read them. */
  readonly dropped: number;
}

/**
 * Writes every trajectory of `rows` to one file, in their order. An error, or the signal, leaves no file behind and is
 * thrown on. Memory: one row.
 */
export async function convert(
  rows: AsyncIterable<Row | Trajectory> | Iterable<Row | Trajectory>,
  writer: Writer,
  path: string,
  options: WriteOptions = {},
): Promise<Conversion> {
  const file: TrajectoryFile = await writer.open(path, options);
  let written = 0;
  let dropped = 0;
  try {
    for await (const row of rows) {
      options.signal?.throwIfAborted();
      if ('kind' in row && row.kind === 'dropped') {
        dropped++;
        continue;
      }
      await file.write('kind' in row ? row.trajectory : row);
      written++;
    }
    await file.close();
  } catch (error) {
    await file.abort();
    throw error;
  }
  return { written, dropped };
}
