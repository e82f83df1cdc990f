import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type Database from 'libsql';
import { CollapseAwareError } from '../errors.ts';
import { keepCheckpoints } from './checkpoints.ts';
import { groupCommit } from './group-commit.ts';
import type { Journal, JournalEntry, JournalOptions, JournalQuery, StoredEntry } from './journal.ts';
import { failed, isBusy, openJournalFile } from './journal-file.ts';
import { holderOf, StoreLock } from './store-lock.ts';

const WAIT_MS = 5000;
const PAGE = 200;
/** Bytes of the log after which it is moved into the database and begun anew. */
const CHECKPOINT_BYTES = 8 * 2 ** 20;
/** Milliseconds without an entry after which the log is emptied. */
const IDLE_MS = 5000;
/** The part of `maxBytes` that is kept for the log. */
const LOG_SHARE = 1 / 8;
/** Bytes of refused entries at most that must have room again: a larger one may never have. */
const ROOM = 64 * 1024;
/** Pages of the log that every transaction writes: of the entries, of their index and of the numbers. */
const COMMIT_PAGES = 3;
/** Pages given back to the system at a time. */
const VACUUM_PAGES = 256;

/**
 * A journal in one SQLite database with a write-ahead log. One process holds it.
 * Errors: CA_STORE_LOCKED (who holds it), CA_STORE_FAILED (what is damaged, and what to do).
 */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const { path, waitMs = WAIT_MS } = options;
  await mkdir(dirname(path), { recursive: true }).catch((error: Error) => {
    throw failed(path, `its folder cannot be made (${error.message})`, 'name another store', error);
  });
  const lock = await StoreLock.take(`${path}.lock`);
  if (lock === null) {
    const holder = await holderOf(`${path}.lock`);
    throw new CollapseAwareError(
      'CA_STORE_LOCKED',
      holder === null ? 'another process holds it' : `process ${holder.pid} on ${holder.host} holds it`,
      { place: { file: path }, todo: 'stop that process, or name another store' },
    );
  }
  try {
    return journalOn(await openPatiently(path, waitMs), lock, options);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function openPatiently(path: string, waitMs: number): Promise<Database.Database> {
  for (const start = performance.now(); ; ) {
    try {
      return await openJournalFile(path);
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() - start > waitMs) throw lockedFault(path, waitMs);
      await new Promise((done) => setTimeout(done, 50));
    }
  }
}

function journalOn(database: Database.Database, lock: StoreLock, options: JournalOptions): Journal {
  const { path, durability, maxBytes, waitMs = WAIT_MS, idleMs = IDLE_MS } = options;
  // The log is synced off the event loop, after the commit and before it is acknowledged; checkpoints sync in any case.
  database.exec('PRAGMA synchronous = NORMAL');
  let log: FileHandle | null = null;
  const syncLog = async () => {
    log ??= await open(`${path}-wal`, 'r+');
    await log.datasync();
  };
  const pageSize = one<{ page_size: number }>(database, 'PRAGMA page_size').page_size;
  const logShare = maxBytes === null ? CHECKPOINT_BYTES : Math.min(CHECKPOINT_BYTES, maxBytes * LOG_SHARE);
  const mostPages = maxBytes === null ? null : Math.max(1, Math.floor((maxBytes - logShare) / pageSize));
  if (mostPages !== null) database.exec(`PRAGMA max_page_count = ${mostPages}`);
  const checkpoints = keepCheckpoints({ path, every: logShare, idleMs });
  const prepareInsert = () =>
    database.prepare('INSERT INTO record (session, kind, at, body) VALUES (?, ?, ?, ?)');
  const used = database.prepare(
    'SELECT page_count - freelist_count AS n FROM pragma_page_count, pragma_freelist_count',
  );
  const dropSession = database.prepare('DELETE FROM record WHERE session = ?');
  const dropSeq = database.prepare('DELETE FROM record WHERE seq = ?');
  /** Few shapes of queries, and as many statements: what is prepared anew each time waits for the garbage collector. */
  const selects = new Map<string, Database.Statement>();
  const selectWhere = (where: string): Database.Statement => {
    const known = selects.get(where);
    if (known !== undefined) return known;
    const select = database
      .prepare(`SELECT seq, session, kind, at, body FROM record WHERE ${where} ORDER BY seq LIMIT ?`)
      .raw(true);
    selects.set(where, select);
    return select;
  };
  let insert = prepareInsert();
  let lastSeq = one<{ seq: number }>(
    database,
    "SELECT coalesce(max(seq), 0) AS seq FROM sqlite_sequence WHERE name = 'record'",
  ).seq;
  let count = one<{ n: number }>(database, 'SELECT count(*) AS n FROM record').n;
  let closing: Promise<void> | null = null;

  const pages = () => (used.all() as { n: number }[])[0]!.n;
  const bytes = () => pages() * pageSize + checkpoints.logBytes();
  const fault = (error: unknown): CollapseAwareError => {
    if (error instanceof CollapseAwareError) return error;
    if (isBusy(error)) return lockedFault(path, waitMs);
    const isFull = (error as { code?: unknown }).code === 'SQLITE_FULL';
    let limited = false;
    try {
      // An error leaves the statement where it stopped.
      insert = prepareInsert();
      limited = isFull && maxBytes !== null && (bytes() > maxBytes || pages() > 0.9 * mostPages!);
    } catch {
      // The first fault is the one to tell.
    }
    if (limited)
      return failed(
        path,
        `has reached its limit of ${maxBytes} bytes`,
        'raise recorder.maxBytes, or keep fewer sessions',
        error,
      );
    return failed(
      path,
      isFull ? 'the disk is full' : `cannot be written (${(error as Error).message})`,
      isFull ? 'make room: recording goes on by itself' : 'check the disk of the store',
      error,
    );
  };
  const commits = groupCommit(
    {
      begin: () => database.exec('BEGIN IMMEDIATE'),
      commit: () => {
        database.exec('COMMIT');
        checkpoints.grown(COMMIT_PAGES * pageSize);
      },
      rollback: () => {
        if (database.inTransaction) database.exec('ROLLBACK');
      },
      isBusy,
      fault,
      ...(durability === 'power' ? { sync: syncLog } : {}),
    },
    waitMs,
  );
  const closedFault = () => failed(path, 'the journal is closed', 'open it again');

  const full = () => Object.assign(new Error('full'), { code: 'SQLITE_FULL' });
  let waiting = 0;
  /** Bytes of the largest entries that there was no room for. */
  let refused = 0;
  let emptying: Promise<unknown> = Promise.resolve();
  /** Where the log takes more than its share, those who come wait until it is short again, and go on in their order. */
  const room = async (): Promise<void> => {
    if (maxBytes === null || (waiting === 0 && bytes() <= maxBytes)) return;
    if (waiting === 0) emptying = checkpoints.empty();
    waiting += 1;
    await emptying;
    waiting -= 1;
    // A reader elsewhere keeps the log from being emptied.
    if (bytes() > maxBytes) throw fault(full());
  };
  const insertAll = (rows: readonly Row[]): number => {
    let seq = lastSeq;
    for (const row of rows) seq = Number(insert.run(...row).lastInsertRowid);
    return seq;
  };
  const grown = (rows: readonly Row[]) => {
    count += rows.length;
    checkpoints.grown(bytesOf(rows));
  };

  async function* entriesOf(query: JournalQuery, upTo: number): AsyncGenerator<StoredEntry> {
    if (closing !== null) throw closedFault();
    const { session, kinds, limit = Number.POSITIVE_INFINITY } = query;
    const where = ['seq > ?', 'seq <= ?'];
    const fixed: string[] = [];
    if (session === null) where.push('session IS NULL');
    else if (session !== undefined) {
      where.push('session = ?');
      fixed.push(encodeName(session));
    }
    if (kinds !== undefined) {
      where.push(`kind IN (${kinds.map(() => '?').join(', ')})`);
      fixed.push(...kinds);
    }
    const select = selectWhere(where.join(' AND '));
    let after = query.after ?? 0;
    for (let left = limit; left > 0; ) {
      if (closing !== null) throw closedFault();
      const page = Math.min(PAGE, left);
      let rows: (readonly [number, string | null, string, number, string])[];
      try {
        rows = select.all(after, upTo, ...fixed, page) as typeof rows;
      } catch (error) {
        throw isBusy(error)
          ? lockedFault(path, 0)
          : failed(
              path,
              `cannot be read (${(error as Error).message})`,
              'restore it from a backup, or move it away to start a new journal',
              error,
            );
      }
      for (const [seq, name, kind, at, body] of rows)
        yield { seq, session: name === null ? null : decodeName(name), kind, at, body };
      if (rows.length < page) return;
      left -= rows.length;
      after = rows.at(-1)![0];
      await new Promise((done) => setImmediate(done));
    }
  }

  return {
    get lastSeq() {
      return lastSeq;
    },
    async append(entries) {
      if (closing !== null) throw closedFault();
      const rows = entries.map(rowOf);
      if (rows.length === 0) return lastSeq;
      if (maxBytes !== null) await room();
      const seq = await commits
        .run(() => insertAll(rows))
        .catch((error) => {
          if (((error as Error).cause as { code?: unknown } | undefined)?.code === 'SQLITE_FULL')
            refused = Math.min(ROOM, Math.max(refused, bytesOf(rows)));
          throw error;
        });
      lastSeq = Math.max(lastSeq, seq);
      grown(rows);
      return seq;
    },
    read: (query = {}) => entriesOf(query, query.upTo ?? lastSeq),
    async drop({ sessions = [], seqs = [] }, entries = []) {
      if (closing !== null) throw closedFault();
      const rows = entries.map(rowOf);
      const [deleted, seq] = await commits.run((): [number, number] => {
        let changes = 0;
        for (const session of sessions) changes += dropSession.run(encodeName(session)).changes;
        for (const one of seqs) changes += dropSeq.run(one).changes;
        return [changes, rows.length === 0 ? 0 : insertAll(rows)];
      });
      lastSeq = Math.max(lastSeq, seq);
      count -= deleted;
      grown(rows);
      await commits.run(() => database.exec(`PRAGMA incremental_vacuum(${VACUUM_PAGES})`)).catch(() => {});
      return { deleted, seq };
    },
    async check() {
      if (closing !== null) throw closedFault();
      await room();
      await commits.run(() => {
        // Room for small ones alone would be taken for an end of the fault.
        if (mostPages !== null && pages() + Math.ceil(refused / pageSize) >= mostPages) throw full();
        refused = 0;
        // Changes nothing, and takes the room that a change takes.
        database.exec('UPDATE journal_format SET created = created');
      });
    },
    records: () => count,
    sessions: () => one<{ n: number }>(database, 'SELECT count(DISTINCT session) AS n FROM record').n,
    bytes,
    logBytes: checkpoints.logBytes,
    checkpoint: checkpoints.empty,
    close() {
      closing ??= (async () => {
        await commits.settled();
        await checkpoints.close();
        try {
          database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
        } catch {
          // Whoever opens it next reads the log.
        }
        await log?.close();
        database.close();
        await lock.release();
      })();
      return closing;
    },
  };
}

type Row = readonly [session: string | null, kind: string, at: number, body: string];

/** About: texts beyond ASCII take more. */
const bytesOf = (rows: readonly Row[]) => rows.reduce((sum, row) => sum + row[3].length + 64, 0);

const rowOf = ({ session, kind, at, body }: JournalEntry): Row => [
  session === null ? null : encodeName(session),
  kind,
  at,
  body,
];

/** SQLite cuts texts at NUL and knows no halves of surrogate pairs: names with either are kept as JSON behind a mark. */
const encodeName = (name: string): string =>
  PLAIN.test(name)
    ? name
    : name.startsWith('\u0001') || /[\0\p{Surrogate}]/u.test(name)
      ? `\u0001${JSON.stringify(name)}`
      : name;
const PLAIN = /^[\x20-\x7e]*$/;
const decodeName = (stored: string): string =>
  stored.startsWith('\u0001') ? (JSON.parse(stored.slice(1)) as string) : stored;

const one = <T>(database: Database.Database, sql: string): T => database.prepare(sql).all()[0] as T;

const lockedFault = (path: string, waitMs: number) =>
  new CollapseAwareError(
    'CA_STORE_LOCKED',
    `another program has locked the database for more than ${waitMs} ms`,
    {
      place: { file: path },
      todo: 'close that program (a database browser, a backup): recording goes on by itself',
    },
  );
