import { CollapseAwareError } from '../errors.ts';

type DuckDb = typeof import('@duckdb/node-api');

let loaded: Promise<DuckDb> | null = null;

/** The embedded engine, loaded on first use only. Errors: CA_DEPENDENCY_MISSING. */
export async function loadDuckDb(): Promise<DuckDb> {
  loaded ??= import('@duckdb/node-api');
  try {
    return await loaded;
  } catch (cause) {
    loaded = null;
    throw new CollapseAwareError('CA_DEPENDENCY_MISSING', 'Parquet files need the package @duckdb/node-api', {
      todo: 'npm install @duckdb/node-api',
      cause,
    });
  }
}

/** Extensions are never looked for or downloaded; what would need one fails instead. */
export const DUCKDB_OPTIONS: Readonly<Record<string, string>> = {
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
  memory_limit: '512MB',
  threads: '2',
};

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
/** `read_parquet` expands `*`, `?` and `[`; a file's own name must stand for itself. */
const scan = (path: string) =>
  `read_parquet(${literal(path.replace(/[*?[\]]/g, (sign) => `[${sign}]`))}, binary_as_string = true)`;

async function* query<T>(
  path: string,
  sql: string,
  each: (rows: Record<string, unknown>[]) => Iterable<T>,
): AsyncGenerator<T> {
  const { DuckDBInstance } = await loadDuckDb();
  const instance = await DuckDBInstance.create(':memory:', { ...DUCKDB_OPTIONS });
  try {
    const connection = await instance.connect();
    try {
      // A streamed result is computed chunk by chunk as it is asked for: memory stays flat.
      const result = await connection.stream(sql);
      for await (const rows of result.yieldRowObjectJs()) yield* each(rows);
    } finally {
      connection.closeSync();
    }
  } catch (cause) {
    if (cause instanceof CollapseAwareError) throw cause;
    const message = (cause instanceof Error ? cause.message : String(cause)).split('\n')[0]!;
    throw new CollapseAwareError('CA_FILE_UNREADABLE', `not a readable Parquet file (${message})`, {
      place: { file: path },
      todo: 'check that it was written completely',
      cause,
    });
  } finally {
    instance.closeSync();
  }
}

/** Column names in file order. Errors: CA_FILE_UNREADABLE, CA_DEPENDENCY_MISSING. */
export async function parquetColumns(path: string): Promise<string[]> {
  const names: string[] = [];
  for await (const name of query(path, `DESCRIBE SELECT * FROM ${scan(path)}`, (rows) =>
    rows.map((row) => String(row.column_name)),
  ))
    names.push(name);
  return names;
}

/**
 * Rows in file order, of all columns or of those named, as plain values: lists are arrays, structs and maps objects, integers numbers where
 * they are safe (else strings), dates and timestamps ISO 8601, bytes base64.
 * Errors: CA_FILE_UNREADABLE, CA_DEPENDENCY_MISSING.
 */
export function readParquetRows(
  path: string,
  columns?: readonly string[],
): AsyncIterable<Record<string, unknown>> {
  const wanted = columns?.map((name) => `"${name.replaceAll('"', '""')}"`).join(', ') ?? '*';
  return query(path, `SELECT ${wanted} FROM ${scan(path)}`, (rows) =>
    rows.map((row) => plainValue(row) as Record<string, unknown>),
  );
}

function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint')
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
      ? Number(value)
      : value.toString();
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return isMap(value) ? mapObject(value) : value.map(plainValue);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plainValue(item)]));
}

/** The engine hands a map out as an array of {key, value}; nothing else looks quite like that. */
const isMap = (value: unknown[]): value is { key: unknown; value: unknown }[] =>
  value.length > 0 &&
  value.every(
    (item) =>
      item !== null &&
      typeof item === 'object' &&
      Object.keys(item).length === 2 &&
      'key' in item &&
      'value' in item,
  );

const mapObject = (entries: { key: unknown; value: unknown }[]) =>
  Object.fromEntries(entries.map(({ key, value }) => [String(plainValue(key)), plainValue(value)]));
