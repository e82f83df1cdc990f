import { readFileSync } from 'node:fs';
import { open, readFile, stat, unlink, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { CollapseAwareError } from '../errors.ts';

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Distinguishes a process from a later one of the same number; null where the system does not say. */
  readonly started: string | null;
}

const BEAT = 10_000;
/** A holder on another machine that has not been heard of for so long is taken to be gone. */
const SILENT = 60_000;

/** Keeps two watches off one store. A process that was killed leaves its lock behind: the next one sees that. */
export class WatchLock {
  readonly #path: string;
  readonly #beat: NodeJS.Timeout;

  private constructor(path: string) {
    this.#path = path;
    this.#beat = setInterval(() => {
      const now = new Date();
      void utimes(path, now, now).catch(() => {});
    }, BEAT);
    this.#beat.unref();
  }

  /** Null where another process holds it. The folder must be there. */
  static async take(path: string): Promise<WatchLock | null> {
    for (let attempt = 0; attempt < 3; attempt++) {
      try {
        const handle = await open(path, 'wx');
        await handle.writeFile(JSON.stringify(ownHolder()));
        await handle.close();
        return new WatchLock(path);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
          throw new CollapseAwareError('CA_FILE_UNWRITABLE', (error as Error).message, {
            place: { file: path },
            todo: 'check the folder of --store',
          });
      }
      if (await isHeld(path)) return null;
      await unlink(path).catch(() => {});
    }
    return null;
  }

  async release(): Promise<void> {
    clearInterval(this.#beat);
    await unlink(this.#path).catch(() => {});
  }
}

async function isHeld(path: string): Promise<boolean> {
  const facts = await stat(path).catch(() => null);
  if (facts === null) return false;
  const silent = Date.now() - facts.mtimeMs;
  let holder: Holder;
  try {
    holder = JSON.parse(await readFile(path, 'utf8')) as Holder;
  } catch {
    // Just being written, or left half-written by a crash.
    return silent < 5000;
  }
  if (holder.host !== hostname()) return silent < SILENT;
  return isAlive(holder.pid) && startOf(holder.pid) === holder.started;
}

function ownHolder(): Holder {
  return { pid: process.pid, host: hostname(), started: startOf(process.pid) };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Start time of a process in ticks since boot (Linux: field 22 of /proc/PID/stat). */
function startOf(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
