import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CurationManifest } from '../../src/curation/manifest.ts';
import { type Curated, OutputFolder, writeCuration } from '../../src/curator/index.ts';
import type { Trajectory } from '../../src/trajectory/index.ts';
import { recordsOf } from '../data.ts';

export type Line = Record<string, unknown>;

export interface Written {
  readonly folder: string;
  readonly files: readonly string[];
  readonly manifest: CurationManifest;
  lines(name: string): Line[];
  json(name: string): Line;
}

/** Writes a curation of rows in memory and reads it back. */
export async function written(rows: readonly Trajectory[], curated: Curated, page = false): Promise<Written> {
  const folder = join(mkdtempSync(join(tmpdir(), 'ca-curation-')), 'out');
  const output = await OutputFolder.open(folder);
  const manifest = await writeCuration(output, recordsOf(rows), curated, {
    inputs: [
      {
        path: 'rows',
        format: 'native',
        bytes: null,
        sha256: null,
        rows: rows.length,
        kept: rows.length,
        error: null,
      },
    ],
    reference: null,
    judge: null,
    unread: [],
    page,
  });
  await output.commit();
  return { ...readCuration(folder), manifest };
}

/** A folder that a curation was written to. */
export function readCuration(folder: string): Written {
  const text = (name: string) => readFileSync(join(folder, name), 'utf8');
  const json = (name: string) => JSON.parse(text(name));
  return {
    folder,
    files: readdirSync(folder).sort(),
    manifest: json('manifest.json'),
    lines: (name) =>
      text(name)
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
    json,
  };
}
