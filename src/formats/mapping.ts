import type { EpisodeDraft } from '../trajectory/compose.ts';
import { simulatorFacts } from '../trajectory/identity.ts';
import type { SimulatorKind, Split, Turn } from '../trajectory/trajectory.ts';
import { contentText, kindOf, roleOf, toolCallsOf } from './chat-message.ts';
import { csvRows } from './csv.ts';
import { guardRow, rowError } from './drop.ts';
import { jsonValues } from './json-stream.ts';
import { parseJson } from './json-text.ts';
import { type FieldReader, fieldReader, listReader, pathReader, rowFilter } from './mapping-field.ts';
import { loadMapping, type Mapping } from './mapping-schema.ts';
import type { Reader, ReadOptions, Row, Source } from './reader.ts';

/** A reader for `--map FILE`. Throws CA_FILE_NOT_FOUND or CA_CONFIG_INVALID. */
export async function readMapping(file: string): Promise<Reader> {
  return mappingReader(await loadMapping(file));
}

/** Reads any JSON, JSONL, CSV or parquet file as a mapping says. Rows that `where` leaves out are no rows. */
export function mappingReader(mapping: Mapping): Reader {
  const name = mapping.name ?? 'mapping';
  const matches = rowFilter(mapping.where);
  const draft = draftOf(mapping);
  return {
    name,
    title: `${name} (by a mapping)`,
    checkedOn: 'schema',
    detect: () => 0,
    async *read(source, options) {
      if (mapping.groupBy !== undefined) {
        yield* groupedRows(source, options, mapping, matches, draft);
        return;
      }
      const path = mapping.turns.path as string;
      const messages = pathReader(path);
      const turnsOf = turnsReader(mapping, options);
      for await (const item of rawRows(source, options, mapping.rows)) {
        if (item.kind === 'dropped') yield item;
        else if (matches(item.value)) {
          const row = guardRow(source, item.line, () => {
            const list = parsed(messages(item.value));
            if (!Array.isArray(list)) throw rowError(`${path}: expected an array, found ${kindOf(list)}`);
            if (list.length === 0) throw rowError(`${path} is empty`, 'CA_ROW_EMPTY');
            return draft(item.value, turnsOf(list), source, item.line, options);
          });
          if (row !== null) yield row;
        }
      }
    },
  };
}

type RawItem =
  | { readonly kind: 'value'; readonly value: unknown; readonly line: number | null }
  | Extract<Row, { kind: 'dropped' }>;

async function* rawRows(
  source: Source,
  options: ReadOptions,
  rows: string | undefined,
): AsyncGenerator<RawItem> {
  const { container, shape } = await source.head();
  if (container === 'parquet') {
    const { readParquetRows } = await import('./parquet.ts');
    for await (const value of readParquetRows(await source.local()))
      yield { kind: 'value', value, line: null };
    return;
  }
  if (shape === 'csv') {
    for await (const { cells, line } of csvRows(source)) yield { kind: 'value', value: cells, line };
    return;
  }
  if (rows === undefined) {
    yield* jsonValues(source, options);
    return;
  }
  // A top-level array that spans lines is streamed element by element: `$[*]` means the same for one on a line.
  const opened = /^\$?\.?\[\*\]\.?/.exec(rows);
  const read = listReader(opened === null ? rows : rows.slice(opened[0].length));
  for await (const item of jsonValues(source, { rowLimit: options.rowLimit, flatten: opened !== null }))
    if (item.kind === 'dropped') yield item;
    else for (const value of read(item.value)) yield { kind: 'value', value, line: item.line };
}

/** One turn a row: rows of an episode may stand anywhere in the file, so that they are all held until its end. */
async function* groupedRows(
  source: Source,
  options: ReadOptions,
  mapping: Mapping,
  matches: (row: unknown) => boolean,
  draft: DraftMaker,
): AsyncGenerator<Row> {
  const keys = [mapping.groupBy as string | string[]].flat().map(pathReader);
  const groups = new Map<string, { first: unknown; line: number | null; list: unknown[] }>();
  for await (const item of rawRows(source, options, mapping.rows)) {
    if (item.kind === 'dropped') {
      yield item;
      continue;
    }
    if (!matches(item.value)) continue;
    const parts = keys.map((key) => key(item.value));
    if (parts.some((part) => part === null || part === '' || typeof part === 'object')) {
      yield guardRow(source, item.line, () => {
        throw rowError(`groupBy: expected a value, found nothing`);
      }) as Row;
      continue;
    }
    const key = JSON.stringify(parts);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { first: item.value, line: item.line, list: [item.value] });
    else group.list.push(item.value);
  }
  const turnsOf = turnsReader(mapping, options);
  for (const { first, line, list } of groups.values()) {
    const row = guardRow(source, line, () => draft(first, turnsOf(list), source, line, options));
    if (row !== null) yield row;
  }
}

function turnsReader(mapping: Mapping, options: ReadOptions): (messages: readonly unknown[]) => Turn[] {
  const { role, text, acts, toolCalls, roles } = mapping.turns;
  const read = {
    role: pathReader(role),
    text: pathReader(text),
    acts: acts === undefined ? null : listReader(acts),
    toolCalls: toolCalls === undefined ? null : pathReader(toolCalls),
  };
  const roleFor = (raw: string): Turn['role'] | 'skip' | null => {
    if (options.simulatorRole !== undefined) {
      if (raw === options.simulatorRole) return 'user';
      const own = roles !== undefined && Object.hasOwn(roles, raw) ? roles[raw] : undefined;
      return own === undefined ? roleOf(raw, options.simulatorRole) : own === 'user' ? 'agent' : own;
    }
    if (roles !== undefined && Object.hasOwn(roles, raw)) return roles[raw] ?? null;
    return roleOf(raw);
  };
  return (messages) => {
    const turns: Turn[] = [];
    messages.forEach((message, i) => {
      const raw = read.role(message);
      if (raw === null || typeof raw === 'object')
        throw rowError(`turn ${i + 1}: ${role}: expected a role, found ${kindOf(raw)}`);
      const ours = roleFor(String(raw));
      if (ours === 'skip') return;
      if (ours === null)
        throw rowError(
          `turn ${i + 1}: '${String(raw).slice(0, 40)}' is no known role: add it to turns.roles`,
        );
      const calls = read.toolCalls === null ? [] : toolCallsOf(parsed(read.toolCalls(message)));
      const words = read.acts === null ? [] : read.acts(message).filter((act) => act !== null && act !== '');
      turns.push({
        role: ours,
        text: contentText(read.text(message)),
        ...(calls.length > 0 ? { toolCalls: calls } : {}),
        ...(ours === 'tool' ? { requestor: 'agent' as const } : {}),
        ...(words.length > 0 ? { acts: words.map(String) } : {}),
      });
    });
    return turns;
  };
}

type DraftMaker = (
  row: unknown,
  turns: Turn[],
  source: Source,
  line: number | null,
  options: ReadOptions,
) => EpisodeDraft;

function draftOf(mapping: Mapping): DraftMaker {
  const readers = new Map<string, FieldReader>();
  for (const [key, field] of Object.entries(mapping.fields)) {
    const reader = fieldReader(field);
    if (reader !== null) readers.set(key, reader);
  }
  return (row, turns, source, line, options) => {
    const at = (key: keyof Mapping['fields']): unknown => readers.get(key)?.(row, source.name) ?? null;
    const words = (key: keyof Mapping['fields']): string | null => text(key, at(key));
    const simulator = words('simulator');
    if (simulator === null && options.simulator === undefined && options.simulatorFrom === undefined)
      source.warn(
        readers.has('simulator')
          ? 'some rows do not name their simulator: give another source in fields.simulator'
          : 'the mapping does not name the simulator: add fields.simulator, or give --simulator',
      );
    return {
      id: words('id'),
      benchmark: words('benchmark'),
      domain: words('domain'),
      contextLabel: words('contextLabel'),
      scenario: words('scenario'),
      group: words('group'),
      epoch: whole('epoch', at('epoch')),
      run: words('run'),
      simulator: simulatorFacts({
        id: simulator ?? `unknown (file ${source.name})`,
        kind: oneOf('simulatorKind', words('simulatorKind'), KINDS) ?? 'llm',
        person: words('person'),
        model: words('model'),
        recipe: words('recipe'),
      }),
      policy: { id: words('policy') ?? 'unknown', checkpoint: words('checkpoint') },
      turns,
      reward: number('reward', at('reward')),
      outcome: words('outcome'),
      split: oneOf('split', words('split'), SPLITS),
      termination: words('termination'),
      source: { file: source.path, line },
    };
  };
}

const KINDS: readonly SimulatorKind[] = ['llm', 'scripted', 'human', 'trained'];
const SPLITS: readonly Split[] = ['seen', 'selection', 'test'];

function text(key: string, value: unknown): string | null {
  if (value === null) return null;
  if (typeof value === 'object') throw rowError(`${key}: expected text, found ${kindOf(value)}`);
  return String(value);
}

function number(key: string, value: unknown): number | null {
  if (value === null) return null;
  if (typeof value === 'string' && value.trim() === '') return null;
  const made =
    typeof value === 'boolean' || typeof value === 'number' || typeof value === 'bigint'
      ? Number(value)
      : typeof value === 'string'
        ? decimalOf(value)
        : Number.NaN;
  if (Number.isFinite(made)) return made;
  throw rowError(
    `${key}: expected a number, found ${typeof value === 'string' ? `'${value.slice(0, 20)}'` : kindOf(value)}`,
  );
}

/** Decimal notation only: `Number` reads hexadecimal, too. NaN where it is none. */
function decimalOf(text: string): number {
  return /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : Number.NaN;
}

function whole(key: string, value: unknown): number | null {
  const made = number(key, value);
  if (made !== null && !Number.isSafeInteger(made))
    throw rowError(`${key}: expected a whole number, found ${made}`);
  return made;
}

function oneOf<T extends string>(key: string, value: string | null, allowed: readonly T[]): T | null {
  if (value === null) return null;
  if ((allowed as readonly string[]).includes(value)) return value as T;
  throw rowError(`${key}: found '${value.slice(0, 20)}', expected one of ${allowed.join(', ')}`);
}

/** Parquet and CSV files hold lists as JSON text. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  const made = parseJson(value);
  return made.ok ? made.value : value;
}
