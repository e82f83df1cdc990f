import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { DUCKDB_OPTIONS, loadDuckDb, parquetColumns, readParquetRows } from '../../src/formats/parquet.ts';

const folder = mkdtempSync(join(tmpdir(), 'ca-parquet-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function write(name: string, select: string): Promise<string> {
  const path = join(folder, name);
  const { DuckDBInstance } = await loadDuckDb();
  const instance = await DuckDBInstance.create(':memory:', { ...DUCKDB_OPTIONS });
  const connection = await instance.connect();
  await connection.run(`COPY (${select}) TO '${path.replaceAll("'", "''")}' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
  return path;
}

const rowsOf = async (path: string) => {
  const rows: Record<string, unknown>[] = [];
  for await (const row of readParquetRows(path)) rows.push(row);
  return rows;
};

describe('readParquetRows', () => {
  it('gives plain values for every nested and odd type', async () => {
    const path = await write(
      'types.parquet',
      `SELECT [{'role': 'user', 'content': 'a'}, NULL] AS messages, map(['k'], [[1, 2]]) AS bag,
        9007199254740991::BIGINT AS safe, 9007199254740993::BIGINT AS large, 1.25::DECIMAL(6, 2) AS price,
        TIMESTAMP '2026-01-02 03:04:05.678' AS at, DATE '2026-01-02' AS day, 'NaN'::DOUBLE AS odd,
        NULL::VARCHAR AS missing, true AS yes, 'text'::BLOB AS bytes, []::INTEGER[] AS none`,
    );
    const [row] = await rowsOf(path);
    expect(row).toEqual({
      messages: [{ role: 'user', content: 'a' }, null],
      bag: { k: [1, 2] },
      safe: 9007199254740991,
      large: '9007199254740993',
      price: 1.25,
      at: '2026-01-02T03:04:05.678Z',
      day: '2026-01-02T00:00:00.000Z',
      odd: Number.NaN,
      missing: null,
      yes: true,
      bytes: 'text',
      none: [],
    });
    expect(await parquetColumns(path)).toEqual(Object.keys(row!));
  });

  it('keeps the order of rows over many row groups', async () => {
    const path = await write('order.parquet', 'SELECT i FROM range(300000) t(i)');
    let next = 0;
    let displaced = 0;
    for await (const row of readParquetRows(path)) if (row.i !== next++) displaced++;
    expect([next, displaced]).toEqual([300000, 0]);
  });

  it('takes a name as it stands, quotes and wildcards too', async () => {
    const path = await write("it's [1]?.parquet", "SELECT 'here' AS found");
    writeFileSync(join(folder, "it's 1x.parquet"), 'not this one');
    expect(await rowsOf(path)).toEqual([{ found: 'here' }]);
  });

  it('lets go of the file when a reader stops early', async () => {
    const path = await write('early.parquet', 'SELECT i FROM range(100000) t(i)');
    for await (const row of readParquetRows(path)) if (row.i === 3) break;
    expect((await rowsOf(path)).length).toBe(100000);
  });

  it('says what is wrong with a file that is none', async () => {
    const path = join(folder, 'text.parquet');
    writeFileSync(path, 'hello, this is not Parquet');
    await expect(rowsOf(path)).rejects.toMatchObject({ code: 'CA_FILE_UNREADABLE', place: { file: path } });
    await expect(parquetColumns(join(folder, 'absent'))).rejects.toMatchObject({
      code: 'CA_FILE_UNREADABLE',
    });
  });
});

describe('the engine', () => {
  it('neither downloads nor loads extensions', async () => {
    const { DuckDBInstance } = await loadDuckDb();
    const instance = await DuckDBInstance.create(':memory:', { ...DUCKDB_OPTIONS });
    const connection = await instance.connect();
    const settings = await connection.runAndReadAll(
      "SELECT name, value FROM duckdb_settings() WHERE name LIKE '%known_extensions' ORDER BY name",
    );
    expect(settings.getRows()).toEqual([
      ['autoinstall_known_extensions', 'false'],
      ['autoload_known_extensions', 'false'],
    ]);
    connection.closeSync();
    instance.closeSync();
  });
});
