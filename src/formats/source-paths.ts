import { readdir, readFile, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { CollapseAwareError } from '../errors.ts';
import { fileError } from './source-bytes.ts';

export interface InputPath {
  readonly path: string;
  readonly kind: 'file' | 'folder';
}

// Sorted by code unit: the order of files must not hang on the locale.
const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** What a command-line argument stands for. Throws CA_FILE_NOT_FOUND. */
export async function expandPath(path: string): Promise<InputPath[]> {
  if (path === '-') return [{ path, kind: 'file' }];
  const facts = await stat(path).catch(() => null);
  if (facts !== null) return [{ path, kind: facts.isDirectory() ? 'folder' : 'file' }];
  if (!isDynamicPattern(path))
    throw new CollapseAwareError('CA_FILE_NOT_FOUND', 'no such file or folder', {
      place: { file: path },
      todo: 'check the path',
    });
  const found = await glob(path, { dot: false, expandDirectories: false, absolute: isAbsolute(path) });
  if (found.length === 0)
    throw new CollapseAwareError('CA_FILE_NOT_FOUND', 'the pattern matches no file', {
      place: { file: path },
      todo: 'check it; ** crosses folders, and quotes keep the shell from touching it',
    });
  return found.sort(byName).map((file) => ({ path: file, kind: 'file' as const }));
}

/** Files that hold the rows of a curation, each all of them: the first that is there stands for the folder. */
const CURATED_ROWS = ['rows.jsonl', 'rows.parquet', 'verifiers.jsonl', 'trl.parquet', 'verl.parquet'];

/**
 * The rows of a folder that `curate` wrote; null where it wrote none there. Read as any folder, its exports would be
 * so many copies of the same rows, and what it says about rows would be rows that no reader knows.
 */
export async function curatedRows(folder: string): Promise<InputPath | null> {
  try {
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as {
      readonly schema?: unknown;
      readonly outputs?: readonly { readonly path?: unknown }[];
    };
    if (!/^collapse-aware\/curation@\d+$/.test(String(manifest.schema))) return null;
    const written = new Set((manifest.outputs ?? []).map(({ path }) => path));
    const name = CURATED_ROWS.find((file) => written.has(file));
    return name === undefined ? null : { path: join(folder, name), kind: 'file' };
  } catch {
    return null;
  }
}

const DATA_FILE = /\.(json|jsonl|ndjson|csv|tsv|xlsx|parquet)(\.(gz|zst))?$/i;

/** Data files and folders directly in a folder, sorted; hidden ones and node_modules are left out. */
export async function folderEntries(folder: string): Promise<InputPath[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw fileError(folder, error);
  });
  return (
    entries
      .filter((entry) => !entry.name.startsWith('.') && entry.name !== 'node_modules')
      // A pipe in a folder may wait for a writer without end; one that is meant is given by its own path.
      .filter((entry) => entry.isDirectory() || entry.isFile() || entry.isSymbolicLink())
      .filter((entry) => entry.isDirectory() || DATA_FILE.test(entry.name))
      .sort((a, b) => byName(a.name, b.name))
      .map((entry) => ({ path: join(folder, entry.name), kind: entry.isDirectory() ? 'folder' : 'file' }))
  );
}
