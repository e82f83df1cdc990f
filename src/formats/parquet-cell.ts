import type { DuckDBType, DuckDBValue } from '@duckdb/node-api';

type DuckDb = typeof import('@duckdb/node-api');

/** Type of a column: a scalar, a list of cells, or a struct of named ones. `JSON` is text that readers may parse. */
export type CellKind =
  | 'VARCHAR'
  | 'DOUBLE'
  | 'INTEGER'
  | 'JSON'
  | { readonly list: CellKind }
  | { readonly struct: Readonly<Record<string, CellKind>> };

/** Type of the engine's vectors for a kind. */
export function cellType(duckDb: DuckDb, kind: CellKind): DuckDBType {
  if (typeof kind === 'string') return kind === 'JSON' ? duckDb.VARCHAR : duckDb[kind];
  if ('list' in kind) return duckDb.LIST(cellType(duckDb, kind.list));
  return duckDb.STRUCT(
    Object.fromEntries(Object.entries(kind.struct).map(([name, field]) => [name, cellType(duckDb, field)])),
  );
}

/** The type's name in a query. JSON is text until it is written: only the file's type says that it is more. */
export function sqlType(kind: CellKind, use: 'stored' | 'written'): string {
  if (typeof kind === 'string') return kind === 'JSON' && use === 'stored' ? 'VARCHAR' : kind;
  if ('list' in kind) return `${sqlType(kind.list, use)}[]`;
  const fields = Object.entries(kind.struct).map(
    ([name, field]) => `"${name.replaceAll('"', '""')}" ${sqlType(field, use)}`,
  );
  return `STRUCT(${fields.join(', ')})`;
}

/** A plain value (arrays for lists, objects for structs) as the engine takes it; what is missing is null. */
export function cellValue(duckDb: DuckDb, kind: CellKind, value: unknown): DuckDBValue {
  if (value === null || value === undefined) return null;
  if (typeof kind === 'string') return value as string | number;
  if ('list' in kind)
    return duckDb.listValue((value as readonly unknown[]).map((item) => cellValue(duckDb, kind.list, item)));
  const fields = value as Readonly<Record<string, unknown>>;
  return duckDb.structValue(
    Object.fromEntries(
      Object.entries(kind.struct).map(([name, field]) => [name, cellValue(duckDb, field, fields[name])]),
    ),
  );
}

/** Length of the text in a plain value. */
export function cellLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (value === null || typeof value !== 'object') return 0;
  let length = 0;
  for (const item of Object.values(value)) length += cellLength(item);
  return length;
}
