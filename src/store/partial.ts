import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { hashText } from '../trajectory/identity.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Temporary files and folders of this process that are neither in place nor removed yet. */
const unfinished = new Set<string>();

const removeUnfinished = () => {
  for (const path of unfinished) {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // What cannot be removed now is swept by the next writer of the same name.
    }
  }
  unfinished.clear();
};

const onSignal = (signal: NodeJS.Signals) => {
  removeUnfinished();
  forgetPartial();
  // With another listener the program decides how it ends; without one the signal must still kill it.
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
};

/**
 * Has `path` removed when the process ends or is told to. Listeners stand only while something is unfinished: a
 * library should not hold its host's signals.
 */
export function watchPartial(path: string): void {
  if (unfinished.size === 0) {
    process.on('exit', removeUnfinished);
    for (const signal of SIGNALS) process.on(signal, onSignal);
  }
  unfinished.add(path);
}

/** `path` is in place, or gone. */
export function forgetPartial(path?: string): void {
  if (path !== undefined) unfinished.delete(path);
  if (unfinished.size > 0) return;
  process.off('exit', removeUnfinished);
  for (const signal of SIGNALS) process.off(signal, onSignal);
}

const host = hashText(hostname()).slice(0, 8);
const alive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
};

/** Hidden path beside `name` in `folder`; it tells whose it is, so that others can see whether that process lives. */
export function partialPath(folder: string, name: string, end = 'partial'): string {
  return join(folder, `.${name}.${host}-${process.pid}-${randomBytes(4).toString('hex')}.${end}`);
}

/** Paths beside `name` that dead processes of this host left, those whose names hold `end`. */
export async function strayPartials(folder: string, name: string, end = 'partial'): Promise<string[]> {
  const mark = `.${name}.${host}-`;
  const stray: string[] = [];
  for (const entry of await readdir(folder).catch(() => [])) {
    if (!entry.startsWith(mark) || !entry.includes(`.${end}`)) continue;
    const pid = Number(entry.slice(mark.length).split('-')[0]);
    if (Number.isInteger(pid) && pid > 0 && !alive(pid)) stray.push(join(folder, entry));
  }
  return stray;
}

/** A process killed outright cannot clean up; the next writer of the same name on the same host does. */
export async function sweepPartials(folder: string, name: string): Promise<void> {
  for (const path of await strayPartials(folder, name))
    await rm(path, { recursive: true, force: true }).catch(() => {});
}
