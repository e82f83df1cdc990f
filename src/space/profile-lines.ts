import { float32FromBase64, toBase64 } from '../embedding/bytes.ts';
import { CollapseAwareError } from '../errors.ts';
import {
  PROFILE_SCHEMA,
  type Profile,
  type ProfileRow,
  type ReservoirRow,
  type RowHistory,
} from './profile.ts';
import { ProfileBuilder } from './profile-builder.ts';

const ROW_FIELDS = [
  'hash',
  'ids',
  'context',
  'contextFrom',
  'contextLabel',
  'person',
  'simulator',
  'kind',
  'policy',
  'checkpoint',
  'epoch',
  'group',
  'split',
  'reward',
  'part',
  'cell',
  'interactionCell',
  'outside',
  'interactionOutside',
  'semanticOutside',
  'turnCells',
  'policyCells',
  'actClass',
  'histories',
] as const satisfies readonly (keyof ProfileRow)[];

const RESERVOIR_FIELDS = [
  'hash',
  'simulator',
  'context',
  'part',
  'z',
  'interaction',
  'features',
  'excerpt',
] as const satisfies readonly (keyof ReservoirRow)[];

/**
 * A profile as text lines without their ends: a JSON header, then one JSON array a row in canonical order, then
 * one a reservoir row. Cells and vectors are base64. Equal data gives equal lines.
 */
export function* profileLines(profile: Profile): Generator<string> {
  yield JSON.stringify({
    schema: profile.schema,
    space: profile.space,
    seed: profile.seed,
    reservoirSize: profile.reservoirSize,
    rows: profile.size,
    reservoir: profile.reservoir.length,
    rowFields: ROW_FIELDS,
    reservoirFields: RESERVOIR_FIELDS,
  });
  for (let i = 0; i < profile.size; i++) {
    const row = profile.row(i);
    yield JSON.stringify(ROW_FIELDS.map((field) => plain(row[field])));
  }
  for (const row of profile.reservoir)
    yield JSON.stringify(RESERVOIR_FIELDS.map((field) => plain(row[field])));
}

/** profileLines in one text, each line ended. For large profiles write the lines one by one. */
export function encodeProfile(profile: Profile): string {
  return `${[...profileLines(profile)].join('\n')}\n`;
}

/**
 * Reads what profileLines wrote (empty lines are passed over).
 * @throws CA_FORMAT_INVALID, CA_JSON_INVALID with the line.
 */
export function decodeProfile(lines: Iterable<string>, file?: string): Profile {
  let line = 0;
  let reader: ProfileReader | null = null;
  for (const text of lines) {
    line++;
    if (text.trim() === '') continue;
    if (reader === null) reader = new ProfileReader(text, line, file);
    else reader.line(text, line);
  }
  if (reader === null) throw fault('the profile is empty', 1, file);
  return reader.end(line);
}

/** Takes the lines of a profile one at a time, for sources that are read asynchronously. */
export class ProfileReader {
  readonly #file: string | undefined;
  readonly #builder: ProfileBuilder;
  readonly #rowFields: readonly string[];
  readonly #reservoirFields: readonly string[];
  readonly #rows: number;
  readonly #reservoir: number;
  #read = 0;

  constructor(header: string, line = 1, file?: string) {
    this.#file = file;
    const head = parse(header, line, file) as Record<string, unknown> | null;
    if (typeof head !== 'object' || head === null || head.schema !== PROFILE_SCHEMA)
      throw fault(`the first line is no header with "schema": "${PROFILE_SCHEMA}"`, line, file);
    const { space, seed, reservoirSize, rows, reservoir, rowFields, reservoirFields } = head;
    if (
      typeof space !== 'string' ||
      !Number.isSafeInteger(seed) ||
      ![reservoirSize, rows, reservoir].every(isCount)
    )
      throw fault('the header lacks space, seed, reservoirSize, rows or reservoir', line, file);
    this.#rowFields = fieldsOf(rowFields, ROW_FIELDS, line, file);
    this.#reservoirFields = fieldsOf(reservoirFields, RESERVOIR_FIELDS, line, file);
    this.#rows = rows as number;
    this.#reservoir = reservoir as number;
    this.#builder = new ProfileBuilder(space, {
      seed: seed as number,
      reservoirSize: reservoirSize as number,
    });
  }

  line(text: string, line: number): void {
    const values = parse(text, line, this.#file);
    const isRow = this.#read < this.#rows;
    const fields = isRow ? this.#rowFields : this.#reservoirFields;
    if (!Array.isArray(values) || values.length !== fields.length)
      throw fault(
        `a ${isRow ? 'row' : 'reservoir row'} is no list of ${fields.length} values`,
        line,
        this.#file,
      );
    if (this.#read >= this.#rows + this.#reservoir)
      throw fault(
        `there are more than the ${this.#rows + this.#reservoir} lines of the header`,
        line,
        this.#file,
      );
    const record = Object.fromEntries(fields.map((field, i) => [field, values[i]]));
    if (isRow) this.#builder.add(rowOf(record, line, this.#file));
    else this.#builder.addReservoir(reservoirOf(record, line, this.#file));
    this.#read++;
  }

  end(line: number): Profile {
    if (this.#read !== this.#rows + this.#reservoir)
      throw fault(
        `the file is cut short: ${this.#read} of ${this.#rows + this.#reservoir} lines`,
        line,
        this.#file,
      );
    return this.#builder.build();
  }
}

function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof Float32Array) return toBase64(value);
  if (value === undefined) return null;
  return value;
}

type Check = (value: unknown) => boolean;
const text: Check = (value) => typeof value === 'string';
const textOrNull: Check = (value) => value === null || typeof value === 'string';
const numberOrNull: Check = (value) => value === null || Number.isFinite(value);
const truth: Check = (value) => typeof value === 'boolean';
const byte: Check = (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) < 256;
const base64: Check = (value) =>
  typeof value === 'string' && value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value);
const floats: Check = (value) => base64(value) && Buffer.byteLength(value as string, 'base64') % 4 === 0;
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
const oneOf =
  (...choices: unknown[]): Check =>
  (value) =>
    choices.includes(value);

const isHistory: Check = (value) => {
  if (value === null || typeof value !== 'object') return false;
  const { depth, law, probability, classes, acts } = value as Record<string, unknown>;
  return (
    Number.isInteger(depth) &&
    (law === 'member' || law === 'population') &&
    typeof probability === 'number' &&
    probability > 0 &&
    probability <= 1 &&
    Array.isArray(classes) &&
    classes.every(byte) &&
    (acts === undefined || (Array.isArray(acts) && acts.length === classes.length && acts.every(text)))
  );
};

const ROW_CHECKS: Record<(typeof ROW_FIELDS)[number], Check> = {
  hash: text,
  ids: (value) => Array.isArray(value) && value.length > 0 && value.every(isCount),
  context: text,
  contextFrom: oneOf('scenario', 'label', 'none'),
  contextLabel: textOrNull,
  person: textOrNull,
  simulator: text,
  kind: oneOf('llm', 'scripted', 'human', 'trained'),
  policy: text,
  checkpoint: textOrNull,
  epoch: numberOrNull,
  group: textOrNull,
  split: oneOf('seen', 'selection', 'test', null),
  reward: numberOrNull,
  part: oneOf('fit', 'mass', 'ceiling', null),
  cell: (value) => value === null || byte(value),
  interactionCell: byte,
  outside: oneOf(true, false, null),
  interactionOutside: truth,
  semanticOutside: truth,
  turnCells: base64,
  policyCells: base64,
  actClass: textOrNull,
  histories: (value) => value === null || (Array.isArray(value) && value.every(isHistory)),
};

const RESERVOIR_CHECKS: Record<(typeof RESERVOIR_FIELDS)[number], Check> = {
  hash: text,
  simulator: text,
  context: text,
  part: oneOf('fit', 'mass', 'ceiling', null),
  z: (value) => value === null || floats(value),
  interaction: floats,
  features: floats,
  excerpt: text,
};

function rowOf(record: Record<string, unknown>, line: number, file: string | undefined): ProfileRow {
  check(record, ROW_CHECKS, line, file);
  const { histories, ...row } = record;
  return {
    ...(row as unknown as ProfileRow),
    ...(histories === null ? {} : { histories: histories as readonly RowHistory[] }),
    turnCells: Uint8Array.from(Buffer.from(record.turnCells as string, 'base64')),
    policyCells: Uint8Array.from(Buffer.from(record.policyCells as string, 'base64')),
  };
}

function reservoirOf(record: Record<string, unknown>, line: number, file: string | undefined): ReservoirRow {
  check(record, RESERVOIR_CHECKS, line, file);
  return {
    ...(record as unknown as ReservoirRow),
    z: record.z === null ? null : float32FromBase64(record.z as string),
    interaction: float32FromBase64(record.interaction as string),
    features: float32FromBase64(record.features as string),
  };
}

function check(
  record: Record<string, unknown>,
  checks: Record<string, Check>,
  line: number,
  file: string | undefined,
): void {
  for (const [field, fits] of Object.entries(checks))
    if (!fits(record[field]))
      throw fault(`"${field}" is ${(JSON.stringify(record[field]) ?? 'missing').slice(0, 80)}`, line, file);
}

function fieldsOf(
  given: unknown,
  needed: readonly string[],
  line: number,
  file: string | undefined,
): readonly string[] {
  if (!Array.isArray(given) || !needed.every((field) => given.includes(field)))
    throw fault(`the header's fields are not ${needed.join(', ')}`, line, file);
  return given;
}

function parse(source: string, line: number, file: string | undefined): unknown {
  try {
    return JSON.parse(source);
  } catch (cause) {
    throw new CollapseAwareError('CA_JSON_INVALID', 'a line of the profile is not JSON', {
      place: file === undefined ? { line } : { file, line },
      cause,
    });
  }
}

function fault(found: string, line: number, file: string | undefined): CollapseAwareError {
  return new CollapseAwareError('CA_FORMAT_INVALID', found, {
    place: file === undefined ? { line } : { file, line },
    todo: 'make the profile again with this version',
  });
}
