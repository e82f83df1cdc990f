/** What a group commit needs of a database. All calls are synchronous and throw. */
export interface Transactions {
  begin(): void;
  commit(): void;
  /** Also where the failure has rolled back already. */
  rollback(): void;
  /** Puts on disk what was committed before the call; absent = a commit is all that is waited for. */
  readonly sync?: () => Promise<void>;
  /** Whether another process holds the database for now. */
  isBusy(error: unknown): boolean;
  /** The fault as callers see it. */
  fault(error: unknown): Error;
}

export interface GroupCommit {
  /**
   * Resolves with what `work` returned, once its transaction is committed, and synced where that is asked for. `work` runs more than once where a group
   * fails, each time in a transaction of its own: it changes nothing but the database.
   */
  run<T>(work: () => T): Promise<T>;
  /** Resolves when everything asked for so far is committed or has failed. */
  settled(): Promise<void>;
}

interface Job {
  readonly work: () => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
  /** By the monotonic clock, in ms. */
  readonly deadline: number;
  result: unknown;
}

/** Bounds how long one transaction keeps the event loop. */
const GROUP = 500;
const RETRY_MS = 10;
/**
 * Between the end of one transaction and the begin of the next, where the one was of so many: more share the next, and
 * its pages are written once. Where few come, nobody waits.
 */
const PACE_MS = 1;
const BUSY = 3;

/**
 * Commits whatever one turn of the event loop asks for in one transaction, in the order of the calls; right after a
 * transaction that many shared, whatever comes within a millisecond. While another
 * process holds the database the jobs wait, off the event loop, up to `waitMs` each. Where a group fails, each of its
 * jobs is tried alone: one job fails for itself only.
 */
export function groupCommit(database: Transactions, waitMs: number): GroupCommit {
  const queue: Job[] = [];
  const unsynced: Job[] = [];
  let syncing = false;
  let scheduled = false;
  let ended = Number.NEGATIVE_INFINITY;
  let shared = 0;
  let waiters: (() => void)[] = [];

  const schedule = (afterMs: number, now: number) => {
    if (scheduled) return;
    scheduled = true;
    const wait = afterMs > 0 ? afterMs : shared >= BUSY && now - ended < PACE_MS ? PACE_MS : 0;
    if (wait > 0) setTimeout(flush, wait);
    else setImmediate(flush);
  };

  const done = (jobs: readonly Job[]) => {
    if (database.sync === undefined) for (const { resolve, result } of jobs) resolve(result as never);
    else {
      unsynced.push(...jobs);
      if (!syncing) void syncAll(database.sync);
    }
  };

  /** One sync at a time, for all that was committed before it began. */
  const syncAll = async (sync: () => Promise<void>) => {
    syncing = true;
    while (unsynced.length > 0) {
      const jobs = unsynced.splice(0);
      try {
        await sync();
        for (const { resolve, result } of jobs) resolve(result as never);
      } catch (error) {
        for (const { reject } of jobs) reject(database.fault(error));
      }
    }
    syncing = false;
    rest();
  };

  const rest = () => {
    if (queue.length === 0 && !syncing) for (const waiter of waiters.splice(0)) waiter();
  };

  /** `busy` = nothing was done; else every job has been answered. */
  const attempt = (jobs: readonly Job[]): 'done' | 'busy' => {
    const results: unknown[] = [];
    try {
      database.begin();
      for (const job of jobs) results.push(job.work());
      database.commit();
    } catch (error) {
      try {
        database.rollback();
      } catch {
        // Whatever is wrong, the next transaction meets it too and tells.
      }
      if (database.isBusy(error)) return 'busy';
      if (jobs.length > 1) return attemptEach(jobs);
      jobs[0]!.reject(database.fault(error));
      return 'done';
    }
    jobs.forEach((job, i) => {
      job.result = results[i];
    });
    done(jobs);
    return 'done';
  };

  const attemptEach = (jobs: readonly Job[]): 'done' => {
    for (let at = 0; at < jobs.length; at++)
      if (attempt([jobs[at]!]) === 'busy') {
        queue.unshift(...jobs.slice(at));
        break;
      }
    return 'done';
  };

  function flush(): void {
    scheduled = false;
    const jobs = queue.splice(0, GROUP);
    let pause = 0;
    if (jobs.length > 0 && attempt(jobs) === 'busy') {
      const now = performance.now();
      const waiting = jobs.filter((job) => job.deadline > now);
      for (const job of jobs)
        if (job.deadline <= now) job.reject(database.fault(Object.assign(new Error('busy'), { busy: true })));
      queue.unshift(...waiting);
      pause = RETRY_MS;
    }
    ended = performance.now();
    shared = jobs.length;
    if (queue.length > 0) schedule(pause, ended);
    else rest();
  }

  return {
    run: <T>(work: () => T) =>
      new Promise<T>((resolve, reject) => {
        const now = performance.now();
        queue.push({
          work,
          resolve: resolve as (value: never) => void,
          reject,
          deadline: now + waitMs,
          result: undefined,
        });
        schedule(0, now);
      }),
    settled: () =>
      queue.length === 0 && !syncing
        ? Promise.resolve()
        : new Promise((waiter) => {
            waiters = [...waiters, waiter];
          }),
  };
}
