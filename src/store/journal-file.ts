import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import Database from 'libsql';
import { CollapseAwareError } from '../errors.ts';
import { readLogState } from './write-ahead-log.ts';

/** "CAJ1": tells a journal from any other SQLite database. */
const APPLICATION = 0x43414a31;
const VERSION = 1;

const SCHEMA = `
  PRAGMA auto_vacuum = INCREMENTAL;
  PRAGMA application_id = ${APPLICATION};
  BEGIN;
  CREATE TABLE journal_format (version INTEGER NOT NULL, created INTEGER NOT NULL) STRICT;
  CREATE TABLE record (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    session TEXT,
    kind TEXT NOT NULL,
    at REAL NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX record_of_session ON record (session, seq) WHERE session IS NOT NULL;
  CREATE INDEX record_of_none ON record (seq) WHERE session IS NULL;
  INSERT INTO journal_format VALUES (${VERSION}, unixepoch());
  COMMIT;`;

/**
 * Opens the database of a journal, and makes it where there is none. Looks for damage that SQLite would pass over: an
 * emptied file, a broken write-ahead log. Errors: CA_STORE_FAILED.
 */
export async function openJournalFile(path: string): Promise<Database.Database> {
  const known = await stat(path).catch(() => null);
  if (known === null) await create(path);
  else await inspect(path, known);
  let database: Database.Database | null = null;
  try {
    // No waiting inside SQLite: it would hold the event loop.
    database = new Database(path, { timeout: 0 });
    checkFormat(database, path);
    database.exec(
      'PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 16777216',
    );
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof CollapseAwareError || isBusy(error)) throw error;
    throw openFault(path, error);
  }
}

export const isBusy = (error: unknown): boolean => {
  const { code, busy } = error as { code?: unknown; busy?: unknown };
  return busy === true || (typeof code === 'string' && /^SQLITE_(BUSY|LOCKED)/.test(code));
};

/** Made beside its place and moved there whole: a file that is there is one that was finished. */
async function create(path: string): Promise<void> {
  const making = `${path}.new`;
  try {
    await mkdir(dirname(path), { recursive: true });
    for (const stray of [making, `${making}-journal`]) await rm(stray, { force: true });
    if ((await stat(`${path}-wal`).catch(() => null)) !== null)
      throw failed(
        path,
        'the database is missing, but its write-ahead log is there',
        `restore ${path} from a backup, or move ${path}-wal away to start a new journal`,
      );
    const database = new Database(making);
    database.exec(SCHEMA);
    database.close();
    const file = await open(making, 'r+');
    await file.sync();
    await file.close();
    await rename(making, path);
    const folder = await open(dirname(path)).catch(() => null);
    await folder?.sync().catch(() => {});
    await folder?.close();
  } catch (error) {
    if (error instanceof CollapseAwareError) throw error;
    await rm(making, { force: true }).catch(() => {});
    throw failed(
      path,
      `cannot be created (${(error as Error).message})`,
      'check the folder of the store, its permissions and the free space',
      error,
    );
  }
}

async function inspect(path: string, known: { isFile(): boolean; readonly size: number }): Promise<void> {
  if (!known.isFile()) throw failed(path, 'is no file', 'name another store');
  const file = await open(path, 'r').catch((error: Error) => {
    throw failed(path, `cannot be opened (${error.message})`, 'check its permissions', error);
  });
  const head = Buffer.alloc(100);
  const { bytesRead } = await file.read(head, 0, head.length, 0).finally(() => file.close());
  if (bytesRead === 0)
    throw failed(path, 'is empty', 'restore it from a backup, or move it away to start a new journal');
  if (bytesRead < head.length || head.toString('latin1', 0, 16) !== 'SQLite format 3\0')
    throw failed(path, 'is no journal', 'name another store, or move the file away');
  const log = await readLogState(`${path}-wal`);
  if (log?.headerBroken)
    throw failed(
      path,
      `its write-ahead log ${path}-wal is damaged from its first bytes`,
      `restore both files from a backup, or move ${path}-wal away to go on without what it held`,
    );
  if (log !== null && log.lostCommits > 1)
    throw failed(
      path,
      `its write-ahead log ${path}-wal is damaged after ${log.soundBytes} bytes: ${log.lostCommits} commits behind that place cannot be read`,
      `restore both files from a backup, or cut it there to go on without them: truncate -s ${log.soundBytes} ${path}-wal`,
    );
  // With frames in the log the database may be shorter than it will be.
  if (log === null || log.frames === 0) {
    const pageSize = head.readUInt16BE(16) === 1 ? 65_536 : head.readUInt16BE(16);
    const pages = head.readUInt32BE(28);
    if (pages > 0 && pages * pageSize > known.size)
      throw failed(
        path,
        `is cut short: ${known.size} of ${pages * pageSize} bytes are there`,
        'restore it from a backup, or move it away to start a new journal',
      );
  }
}

function checkFormat(database: Database.Database, path: string): void {
  const [mark] = database.prepare('PRAGMA application_id').all() as { application_id: number }[];
  if (mark?.application_id !== APPLICATION)
    throw failed(path, 'is a database of another program', 'name another store, or move the file away');
  const [format] = database.prepare('SELECT version FROM journal_format').all() as { version: number }[];
  if (format?.version !== VERSION)
    throw failed(
      path,
      `was written in version ${format?.version ?? 'none'} of the journal's format; this program reads ${VERSION}`,
      'use the release that wrote it, or name another store',
    );
}

const openFault = (path: string, error: unknown) =>
  failed(
    path,
    `cannot be read (${(error as Error).message})`,
    'restore it from a backup, or move it away to start a new journal',
    error,
  );

export const failed = (path: string, found: string, todo: string, cause?: unknown): CollapseAwareError =>
  new CollapseAwareError('CA_STORE_FAILED', found, {
    place: { file: path },
    todo,
    ...(cause === undefined ? {} : { cause }),
  });
