import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { type FileSummary, type ReadFilesOptions, readFiles } from '../../src/formats/read.ts';
import type { Trajectory } from '../../src/trajectory/trajectory.ts';
import { TRAJECTORY_SCHEMA } from '../../src/trajectory/trajectory.ts';

export const DATA = process.env.CA_DATA ?? join(import.meta.dirname, '../../../shared/data');

/** Whether a folder of the real data is there; tests that need it are skipped by name otherwise. */
export function hasData(name: string): boolean {
  return existsSync(join(DATA, name));
}

let folder: string | null = null;

afterAll(() => {
  if (folder !== null) rmSync(folder, { recursive: true, force: true });
});

/** A file of its own name under one temporary folder per test file. */
export function temporary(name: string, content: string | Uint8Array): string {
  if (folder === null) {
    folder = mkdtempSync(join(tmpdir(), 'ca-formats-'));
    // Spooled files go there too: a test worker may end without the event that removes them.
    process.env.TMPDIR = folder;
  }
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

export interface Collected {
  readonly trajectories: Trajectory[];
  readonly files: readonly FileSummary[];
  /** Of the first file. */
  readonly file: FileSummary;
  readonly codes: string[];
}

/** Reads everything and checks what always holds. */
export async function collect(paths: string | string[], options: ReadFilesOptions = {}): Promise<Collected> {
  const reading = readFiles([paths].flat(), options);
  const trajectories: Trajectory[] = [];
  const codes: string[] = [];
  let rows = 0;
  for await (const row of reading) {
    rows++;
    if (row.kind === 'trajectory') trajectories.push(row.trajectory);
    else codes.push(row.dropped.code);
  }
  let counted = 0;
  for (const file of reading.files) {
    if (file.rows !== file.kept + file.dropped) throw new Error(`${file.path}: rows are not kept + dropped`);
    if (file.error?.code === 'CA_INTERNAL') throw new Error(`uncoded fault: ${file.error.cause}`);
    counted += file.rows;
  }
  if (counted !== rows) throw new Error('the summaries do not count the rows');
  return { trajectories, files: reading.files, file: reading.files[0] as FileSummary, codes };
}

export const record = {
  schema: TRAJECTORY_SCHEMA,
  id: 'a',
  context: 'c',
  simulator: { id: 's' },
  turns: [
    { role: 'agent', text: 'Hello' },
    { role: 'user', text: 'I want my money back' },
  ],
};

export const line = (id: string, more: object = {}): string => JSON.stringify({ ...record, id, ...more });
