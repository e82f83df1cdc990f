import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readFiles, readMapping } from '../src/formats/index.ts';
import type { Trajectory } from '../src/trajectory/trajectory.ts';
import { requirement } from './require.ts';

/** Public dialogues that tests read where they are there; none of it is part of the project. */
export const DATA = process.env.CA_DATA ?? resolve(import.meta.dirname, '../../shared/data');

export function hasData(folder: string): boolean {
  return requirement(
    `the public data set "${folder}"`,
    existsSync(join(DATA, folder)),
    'put the data folder beside the project as shared/data, or name it with CA_DATA',
  );
}

/** All episodes of files under the data folder, through a mapping of docs/examples/maps where one is named. */
export async function episodes(patterns: readonly string[], mapping?: string): Promise<Trajectory[]> {
  const reader =
    mapping === undefined
      ? {}
      : { reader: await readMapping(resolve(import.meta.dirname, '../docs/examples/maps', mapping)) };
  const rows: Trajectory[] = [];
  for await (const row of readFiles(
    patterns.map((pattern) => join(DATA, pattern)),
    reader,
  ))
    if (row.kind === 'trajectory') rows.push(row.trajectory);
  return rows;
}

export function recordsOf(rows: readonly Trajectory[]): () => AsyncIterable<Trajectory> {
  return async function* () {
    yield* rows;
  };
}
