import { type FilesReading, openSource, readFiles, type Source } from '../../formats/index.ts';
import { jsonValues } from '../../formats/json-stream.ts';
import { readParquetRows } from '../../formats/parquet.ts';
import { isRaw, nameOf, type Raw } from '../../formats/trainer-rows.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';

/** An episode of a trainer's dump, and every id that its row holds. */
export interface DumpRow {
  readonly trajectory: Trajectory;
  /** The surest first. */
  readonly names: readonly string[];
}

/** Ids as trainers call them, those of one rollout first. `uid` is one prompt's and counts only beside another. */
const NAME_FIELDS = [
  'session_id',
  'sessionId',
  'session',
  'x_session_id',
  'trace_id',
  'traceId',
  'rollout_id',
  'trajectory_id',
  'request_id',
  'episode_id',
  'id',
];
/** Where trainers put what their columns have no room for. */
const NESTED = ['extra_fields', 'metadata', 'info', 'extra_info', 'reward_extra_info', 'state'];

/** Rows of dumps that a reader knows, with the ids that readers leave aside. A row at a time is in memory. */
export async function* dumpRows(reading: FilesReading): AsyncGenerator<DumpRow> {
  let raw: RawRows | null = null;
  try {
    for await (const row of reading) {
      if (row.kind !== 'trajectory') continue;
      const { trajectory, path } = row;
      if (raw?.path !== path) {
        await raw?.close();
        raw = await rawRows(path);
      }
      const { line } = trajectory.source;
      const values = line === null ? [] : await raw.at(line);
      const found = values.filter(isRaw).map(namesIn);
      // An array on one line: its rows are told apart by the id that the reader has found.
      const own = found.length === 1 ? found[0] : found.find((names) => names.includes(trajectory.id));
      yield { trajectory, names: [...new Set([...(own ?? []), trajectory.id])] };
    }
  } finally {
    await raw?.close();
  }
}

export const readDump = (paths: readonly string[], format: string | null): FilesReading =>
  readFiles(paths, format === null ? {} : { format });

export function namesIn(row: Raw): string[] {
  const places = [row, ...NESTED.map((field) => row[field]).filter(isRaw)];
  const names = NAME_FIELDS.flatMap((field) => places.map((place) => nameOf(place[field]))).filter(
    (name) => name !== null,
  );
  const uid = places.map((place) => nameOf(place.uid)).find((name) => name !== null);
  if (uid === undefined) return names;
  // verl counts sessions within a prompt: neither number says anything alone.
  return [...names.flatMap((name) => [`${uid}/${name}`, `${uid}:${name}`, `${uid}_${name}`]), ...names, uid];
}

interface RawRows {
  readonly path: string;
  /** The values that begin at a line. Lines are asked for in rising order, the same one as often as it takes. */
  at(line: number): Promise<readonly unknown[]>;
  close(): Promise<void>;
}

async function rawRows(path: string): Promise<RawRows> {
  const source = await openSource(path);
  const values = (await source.head()).container === 'parquet' ? tableRows(source) : textRows(source);
  let held: { line: number; values: unknown[] } = { line: 0, values: [] };
  let next = await values.next();
  return {
    path,
    async at(line) {
      while (!next.done && next.value.line <= line) {
        if (next.value.line !== held.line) held = { line: next.value.line, values: [] };
        held.values.push(next.value.value);
        next = await values.next();
      }
      return held.line === line ? held.values : [];
    },
    close: async () => {
      await values.return(undefined);
    },
  };
}

async function* textRows(source: Source): AsyncGenerator<{ line: number; value: unknown }, undefined> {
  for await (const item of jsonValues(source)) if (item.kind !== 'dropped') yield item;
}

async function* tableRows(source: Source): AsyncGenerator<{ line: number; value: unknown }, undefined> {
  let line = 0;
  for await (const value of readParquetRows(await source.local())) yield { line: ++line, value };
}
