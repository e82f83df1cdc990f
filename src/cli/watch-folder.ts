import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { folderEntries } from '../formats/source-paths.ts';

/** A data file of the watched folder. */
export interface DumpFile {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  readonly bytes: number;
  /** Milliseconds. */
  readonly changed: number;
}

/** How a file's step is found: in its name, by a pattern whose first group is the number, or in its rows. */
export type StepFrom = RegExp | 'name' | 'rows';

const NAMED = /(?:^|[^a-z])(?:global_?step|train_?step|step|iteration|iter|epoch|round)s?[-_.=]?(\d+)/gi;
/** Numbers that say which worker wrote a file, not when. */
const WORKER = /(?:rank|shard|worker|part|gpu|node|dp|tp|proc|process|host)[-_.=]?\d+/gi;
const ENDINGS = /\.(json|jsonl|ndjson|csv|tsv|xlsx|parquet)(\.(gz|zst))?$/i;

/**
 * The step a file's path names: the number after `step`, `iter`, `epoch` (the last of these), else the last
 * number of the file's name that is no worker's. Null where there is none, or where rows are to say it.
 */
export function stepOfName(path: string, from: StepFrom = 'name'): number | null {
  if (from === 'rows') return null;
  if (from !== 'name') {
    const match = new RegExp(from.source, from.flags.replace(/[gy]/g, '')).exec(path);
    return match === null ? null : wholeOrNull(match[1] ?? match[0]);
  }
  const bare = path.replace(ENDINGS, '').replace(WORKER, '');
  const named = [...bare.matchAll(NAMED)].at(-1)?.[1];
  if (named !== undefined) return wholeOrNull(named);
  const last = bare
    .split('/')
    .at(-1)!
    .match(/\d+(?!.*\d)/)?.[0];
  return last === undefined ? null : wholeOrNull(last);
}

function wholeOrNull(digits: string): number | null {
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : null;
}

/**
 * Data files of a folder and of the folders in it, by path; `null` where the folder is not there (yet).
 * `except`: absolute paths of files and folders that are the watch's own.
 */
export async function listDumps(folder: string, except: readonly string[]): Promise<DumpFile[] | null> {
  if (!((await stat(folder).catch(() => null))?.isDirectory() ?? false)) return null;
  const own = new Set(except.map((path) => resolve(path)));
  const files: DumpFile[] = [];
  const walk = async (at: string): Promise<void> => {
    for (const { path, kind } of await folderEntries(at).catch(() => [])) {
      if (own.has(resolve(path))) continue;
      if (kind === 'folder') await walk(path);
      else {
        // A file may go between the listing and here: trainers clear up after themselves.
        const facts = await stat(path).catch(() => null);
        if (facts?.isFile())
          files.push({
            path: relative(folder, path).split(sep).join('/'),
            bytes: facts.size,
            changed: facts.mtimeMs,
          });
      }
    }
  };
  await walk(folder);
  return files.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** Remembers since when each file has had its present size. */
export class Settling {
  readonly #seen = new Map<
    string,
    { readonly bytes: number; readonly changed: number; readonly at: number }
  >();

  /** Takes one listing; `at` in milliseconds. */
  see(files: readonly DumpFile[], at: number): void {
    const present = new Set(files.map(({ path }) => path));
    for (const path of this.#seen.keys()) if (!present.has(path)) this.#seen.delete(path);
    for (const { path, bytes, changed } of files) {
      const before = this.#seen.get(path);
      if (before === undefined || before.bytes !== bytes || before.changed !== changed)
        this.#seen.set(path, { bytes, changed, at });
    }
  }

  /** True where the file has not changed for `interval`. An empty one was opened and is still to be written. */
  isSettled({ path, bytes }: DumpFile, at: number, interval: number): boolean {
    const seen = this.#seen.get(path);
    return seen !== undefined && bytes > 0 && at - seen.at >= interval;
  }
}

/** Files of one step, all of which may be read now. */
export interface ReadyStep {
  readonly step: number;
  readonly files: readonly DumpFile[];
}

/**
 * Steps whose files can be read, in order: all before the latest step, and the latest once all its files have
 * settled. Pure.
 */
export function readySteps(
  pending: readonly { readonly file: DumpFile; readonly step: number }[],
  latest: number,
  isSettled: (file: DumpFile) => boolean,
): ReadyStep[] {
  const steps = new Map<number, DumpFile[]>();
  for (const { file, step } of pending) steps.set(step, [...(steps.get(step) ?? []), file]);
  const ready: ReadyStep[] = [];
  for (const step of [...steps.keys()].sort((a, b) => a - b)) {
    const files = steps.get(step)!;
    if (step >= latest && !files.every(isSettled)) break;
    ready.push({ step, files });
  }
  return ready;
}

/** Hash of a file's bytes; null where it cannot be read. */
export async function hashFile(path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  } catch {
    return null;
  }
  return hash.digest('hex').slice(0, 32);
}
