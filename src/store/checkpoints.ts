import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import Background from 'libsql/promise';

export interface CheckpointOptions {
  /** Of the database. */
  readonly path: string;
  /** Bytes written to the log after which it is begun anew. */
  readonly every: number;
  /** Milliseconds without a commit after which the log is emptied. */
  readonly idleMs: number;
}

/** Keeps a write-ahead log short. All work is done on a thread of the library. */
export interface Checkpoints {
  /** A commit added about so many bytes to the log. */
  grown(bytes: number): void;
  /** Of the log's file; 0 = there is none. */
  logBytes(): number;
  /** Moves the log into the database and empties its file. Whether it could: a reader elsewhere may be in the way. */
  empty(): Promise<boolean>;
  /** Waits for what is under way; nothing begins any more. */
  close(): Promise<void>;
}

/** Between two tries for the writer's lock, which the journal holds for a moment at a time. */
const RETRY_MS = 5;
const TRIES = 40;

type Mode = 'PASSIVE' | 'RESTART' | 'TRUNCATE';

/**
 * A passive checkpoint alone never lets the log begin anew while commits go on: some have always come behind the frames
 * that it moved. So it moves most of the log beside the commits, and a second one moves the few that came meanwhile
 * under the writer's lock, for which commits wait off the event loop.
 */
export function keepCheckpoints({ path, every, idleMs }: CheckpointOptions): Checkpoints {
  let connection: Background | null = null;
  let since = 0;
  /** By the monotonic clock, in ms. */
  let grownAt = 0;
  let closed = false;
  let idle: NodeJS.Timeout | null = null;
  /** One at a time: the next begins when the one before is over. */
  let running: Promise<boolean> | null = null;
  let emptying: Promise<boolean> | null = null;

  /** Whether nothing was in the way. */
  const pass = async (mode: Mode): Promise<boolean> => {
    connection ??= new Background(path, { timeout: 0 });
    const statement = await connection.prepare(`PRAGMA wal_checkpoint(${mode})`);
    const rows = (await statement.all()) as { busy: number }[];
    return rows[0]?.busy === 0;
  };
  const checkpoint = async (mode: 'RESTART' | 'TRUNCATE'): Promise<boolean> => {
    since = 0;
    try {
      await pass('PASSIVE');
      for (let left = TRIES; left > 0 && !closed; left--) {
        if (await pass(mode)) return true;
        await sleep(RETRY_MS);
      }
    } catch {
      // A full disk, a damaged file: whoever appends next is told.
    }
    return false;
  };
  const run = (mode: 'RESTART' | 'TRUNCATE'): Promise<boolean> => {
    const before = running;
    const own = (async () => {
      await before;
      return !closed && checkpoint(mode);
    })().finally(() => {
      if (running === own) running = null;
    });
    running = own;
    return own;
  };
  const emptied = (): Promise<boolean> => {
    emptying ??= run('TRUNCATE').finally(() => {
      emptying = null;
    });
    return emptying;
  };
  const watch = (ms: number): void => {
    idle = setTimeout(() => {
      idle = null;
      const left = grownAt + idleMs - performance.now();
      if (left > 0) return watch(left);
      void emptied().then((done) => {
        if (!done && !closed && idle === null) watch(idleMs);
      });
    }, ms);
    idle.unref();
  };

  const logBytes = () => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  // One that died left it.
  if (logBytes() > 0) watch(idleMs);

  return {
    grown(bytes) {
      if (closed) return;
      since += bytes;
      grownAt = performance.now();
      if (idle === null) watch(idleMs);
      if (since >= every && running === null) void run('RESTART');
    },
    logBytes,
    empty: emptied,
    async close() {
      closed = true;
      if (idle !== null) clearTimeout(idle);
      await running;
      connection?.close();
    },
  };
}
