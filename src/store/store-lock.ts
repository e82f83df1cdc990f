import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { open, readFile, stat, unlink, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { CollapseAwareError } from '../errors.ts';

/** Who holds a store. */
export interface LockHolder {
  readonly pid: number;
  readonly host: string;
  /** Distinguishes a process from a later one of the same number; null where the system does not say. */
  readonly started: string | null;
}

const BEAT = 10_000;
/** A holder on another machine that has not been heard of for so long is taken to be gone. */
const SILENT = 60_000;
/** A lock that cannot be read is being written, or was left half-written by a crash. */
const WRITING = 5000;

/**
 * Keeps two processes off one store by a file beside it. A process that was killed leaves its file behind: the next
 * one sees that its holder is gone and takes over.
 */
export class StoreLock {
  readonly #path: string;
  readonly #token: string;
  readonly #beat: NodeJS.Timeout;

  private constructor(path: string, token: string) {
    this.#path = path;
    this.#token = token;
    this.#beat = setInterval(() => {
      const now = new Date();
      void utimes(path, now, now).catch(() => {});
    }, BEAT);
    this.#beat.unref();
  }

  /** Null where another process holds it (`holderOf` says who). The folder must be there. Errors: CA_FILE_UNWRITABLE. */
  static async take(path: string): Promise<StoreLock | null> {
    const own = ownLock();
    for (let attempt = 0; attempt < 3; attempt++) {
      if (await create(path, own.text)) return new StoreLock(path, own.token);
      if ((await lockState(path)) === 'held') return null;
      await breakStale(path);
    }
    return null;
  }

  /** Gives it back; a lock that another process has taken meanwhile (this one slept for long) stays. */
  async release(): Promise<void> {
    clearInterval(this.#beat);
    const text = await readFile(this.#path, 'utf8').catch(() => '');
    if (text.includes(this.#token)) await unlink(this.#path).catch(() => {});
  }
}

/** Who stands in the lock; null where there is none, or it cannot be read. */
export async function holderOf(path: string): Promise<LockHolder | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as LockHolder;
  } catch {
    return null;
  }
}

async function create(path: string, text: string): Promise<boolean> {
  try {
    const handle = await open(path, 'wx');
    try {
      await handle.writeFile(text);
    } catch (error) {
      await unlink(path).catch(() => {});
      throw error;
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new CollapseAwareError('CA_FILE_UNWRITABLE', (error as Error).message, {
      place: { file: path },
      todo: 'check the folder of the store, its permissions and the free space',
    });
  }
}

/**
 * Of several processes that find one stale lock, only the one that holds `.break` removes it, after another look: else
 * the slower would remove the lock that the faster has just made.
 */
async function breakStale(path: string): Promise<void> {
  const guard = `${path}.break`;
  if (!(await create(guard, ''))) {
    const facts = await stat(guard).catch(() => null);
    if (facts !== null && Date.now() - facts.mtimeMs > WRITING) await unlink(guard).catch(() => {});
    await new Promise((done) => setTimeout(done, 20));
    return;
  }
  try {
    if ((await lockState(path)) === 'stale') await unlink(path).catch(() => {});
  } finally {
    await unlink(guard).catch(() => {});
  }
}

/** Whether somebody holds it now; nothing is changed. */
export async function lockState(path: string): Promise<'free' | 'held' | 'stale'> {
  const facts = await stat(path).catch(() => null);
  if (facts === null) return 'free';
  const silent = Date.now() - facts.mtimeMs;
  const holder = await holderOf(path);
  if (holder === null) return silent < WRITING ? 'held' : 'stale';
  if (holder.host !== hostname()) return silent < SILENT ? 'held' : 'stale';
  return isAlive(holder.pid) && startOf(holder.pid) === holder.started ? 'held' : 'stale';
}

function ownLock(): { text: string; token: string } {
  const holder: LockHolder = { pid: process.pid, host: hostname(), started: startOf(process.pid) };
  const token = randomBytes(8).toString('hex');
  return { text: JSON.stringify({ ...holder, token }), token };
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
