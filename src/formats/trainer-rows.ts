import type { EpisodeDraft } from '../trajectory/compose.ts';
import { contentHash, hashText } from '../trajectory/identity.ts';
import type { Turn } from '../trajectory/trajectory.ts';
import { kindOf } from './chat-message.ts';
import { dropRow, guardRow, rowError } from './drop.ts';
import { jsonValues } from './json-stream.ts';
import { readParquetRows } from './parquet.ts';
import type { ReadOptions, Row, Source } from './reader.ts';

export type Raw = Readonly<Record<string, unknown>>;

/** What one raw row becomes: an episode, several (groups, both sides of a pair), or a ready `Row`. */
export type Mapped = EpisodeDraft | Row | readonly (EpisodeDraft | Row)[] | null;

export const isRaw = (value: unknown): value is Raw =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** An object or an empty one: for optional nested facts. */
export const rawOf = (value: unknown): Raw => (isRaw(value) ? value : {});

/** A finite number, or a truth value as 1 or 0; anything else is missing. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** A whole number, as epochs and steps are. */
export const wholeOf = (value: unknown): number | null => {
  const number = numberOf(value);
  return number !== null && Number.isSafeInteger(number) ? number : null;
};

/** A name: a string that is not blank, or a number as text. */
export function nameOf(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : null;
}

/** The first of the fields that holds a name, searched in one record after another. */
export function firstName(records: readonly Raw[], fields: readonly string[]): string | null {
  for (const record of records)
    for (const field of fields) {
      const name = nameOf(record[field]);
      if (name !== null) return name;
    }
  return null;
}

export function firstNumber(records: readonly Raw[], fields: readonly string[]): number | null {
  for (const record of records)
    for (const field of fields) {
      const number = numberOf(record[field]);
      if (number !== null) return number;
    }
  return null;
}

/** What extra columns of a trainer's dump are called that name the user simulator; the trainers fix none. */
export const SIMULATOR_FIELDS = [
  'simulator',
  'simulator_id',
  'user_simulator',
  'user_model',
  'user_llm',
  'llm_user',
  'simulator_model',
];

/** The id of a simulator that nobody names, and one warning a file that says how to name it. */
export function unknownSimulator(source: Source, options: ReadOptions): string {
  if (options.simulator === undefined && options.simulatorFrom === undefined)
    source.warn('the file does not name the user simulator: give --simulator or --simulator-from');
  return 'unknown';
}

/** A context's label from what an episode starts with: prompts that read alike are one context. */
export function promptLabel(turns: readonly Turn[]): string | null {
  return turns.length === 0 ? null : `prompt:${contentHash(turns, null).slice(0, 16)}`;
}

/**
 * Ids for rows that carry none: hash of content and of what compares rollouts (group, epoch). Equal rollouts
 * are separate episodes - a collapsed simulator produces them - so the n-th gets `#n`, which no
 * order of rows changes.
 */
export class EpisodeIds {
  readonly #seen = new Map<string, number>();

  of(turns: readonly Turn[], ...keys: readonly (string | number | null)[]): string {
    const own = contentHash(turns, null);
    const id = keys.every((key) => key === null) ? own : hashText(JSON.stringify([own, ...keys]));
    const count = (this.#seen.get(id) ?? 0) + 1;
    this.#seen.set(id, count);
    return count === 1 ? id : `${id}#${count}`;
  }
}

/** Every JSON object of a file through `map`; whatever is wrong with one costs that one. */
export async function* jsonRows(
  source: Source,
  options: ReadOptions,
  map: (raw: Raw, line: number) => Mapped,
): AsyncGenerator<Row> {
  for await (const item of jsonValues(source, { rowLimit: options.rowLimit }))
    if (item.kind === 'dropped') yield item;
    else yield* mapRow(source, item.line, item.value, (raw) => map(raw, item.line));
}

/** Every row of a Parquet file through `map`; rows count from 1 as lines do. */
export async function* parquetRows(
  source: Source,
  map: (raw: Raw, line: number) => Mapped,
  columns?: readonly string[],
): AsyncGenerator<Row> {
  let line = 0;
  for await (const row of readParquetRows(await source.local(), columns)) {
    line++;
    yield* mapRow(source, line, row, (raw) => map(raw, line));
  }
}

/** One raw value to its rows: a fault in it becomes one dropped row. */
export function mapRow(
  source: Source,
  line: number | null,
  value: unknown,
  map: (raw: Raw) => Mapped,
): Row[] {
  let mapped: Mapped = null;
  const fault = guardRow(source, line, () => {
    if (!isRaw(value)) throw rowError(`expected an object, found ${kindOf(value)}`);
    mapped = map(value);
    return null;
  });
  if (fault !== null) return [fault];
  const parts: readonly (EpisodeDraft | Row)[] =
    mapped === null ? [] : Array.isArray(mapped) ? mapped : [mapped as EpisodeDraft | Row];
  return parts.map((part) =>
    'kind' in part
      ? part
      : (guardRow(source, line, () => part) ?? dropRow(source, line, 'CA_ROW_INVALID', 'no episode')),
  );
}
