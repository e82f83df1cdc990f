import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import Database from 'libsql';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type Journal,
  type JournalOptions,
  type JournalQuery,
  openJournal,
  type StoredEntry,
} from '../../src/store/index.ts';
import { requirement } from '../require.ts';

const folder = mkdtempSync(join(tmpdir(), 'ca-journal-'));
const opened: Journal[] = [];
afterAll(async () => {
  for (const journal of opened) await journal.close();
  rmSync(folder, { recursive: true, force: true });
});

let counter = 0;
const place = () => join(folder, `case-${counter++}`, 'journal.db');
async function open(path: string, options: Partial<JournalOptions> = {}): Promise<Journal> {
  const journal = await openJournal({ path, durability: 'process', maxBytes: null, ...options });
  opened.push(journal);
  return journal;
}
async function all(journal: Journal, query?: JournalQuery): Promise<StoredEntry[]> {
  const entries: StoredEntry[] = [];
  for await (const entry of journal.read(query)) entries.push(entry);
  return entries;
}
const entry = (session: string | null, body: string, kind = 'k') => ({ session, kind, at: 1, body });
const bodies = async (journal: Journal, query?: JournalQuery) =>
  (await all(journal, query)).map((one) => one.body);

describe('a journal', () => {
  it('gives back what was appended, in order, after it was opened again', async () => {
    const path = place();
    const first = await open(path);
    await Promise.all([first.append([entry('a', '1'), entry('b', '2')]), first.append([entry(null, '3')])]);
    await first.close();
    const second = await open(path);
    expect(await all(second)).toMatchObject([
      { seq: 1, session: 'a', kind: 'k', at: 1, body: '1' },
      { seq: 2, session: 'b', body: '2' },
      { seq: 3, session: null, body: '3' },
    ]);
    expect(await bodies(second, { session: null })).toEqual(['3']);
    expect(second.records()).toBe(3);
    expect(second.sessions()).toBe(2);
    expect(second.lastSeq).toBe(3);
  });

  it('reads by session, kind, place and number', async () => {
    const journal = await open(place());
    for (let i = 0; i < 1000; i++)
      await journal.append([entry(`s${i % 3}`, String(i), i % 2 === 0 ? 'even' : 'odd')]);
    expect(await bodies(journal, { session: 's1', after: 990 })).toEqual(['991', '994', '997']);
    expect(await bodies(journal, { kinds: ['odd'], after: 994 })).toEqual(['995', '997', '999']);
    expect(await bodies(journal, { kinds: ['odd', 'even'], limit: 2 })).toEqual(['0', '1']);
    expect(await all(journal)).toHaveLength(1000);
    expect(await bodies(journal, { upTo: 2 })).toEqual(['0', '1']);
    expect(await bodies(journal, { session: 'nobody' })).toEqual([]);
  });

  it('shows a reader nothing that was appended after it began, and nothing that was dropped meanwhile', async () => {
    const journal = await open(place());
    await journal.append(Array.from({ length: 500 }, (_, i) => entry(i < 450 ? 'a' : 'b', String(i))));
    const seen: string[] = [];
    for await (const one of journal.read()) {
      if (seen.length === 0) {
        await journal.append([entry('a', 'late')]);
        await journal.drop({ sessions: ['b'] });
      }
      seen.push(one.body);
    }
    expect(seen).toEqual(Array.from({ length: 450 }, (_, i) => String(i)));
  });

  it('keeps any names and any JSON as they were', async () => {
    const journal = await open(place());
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary' }),
        fc.string(),
        fc.anything(),
        async (session, kind, value) => {
          const odd = `${session}\0\ud800${kind}`;
          const body = JSON.stringify(value) ?? 'null';
          const from = journal.lastSeq;
          await journal.append([entry(odd, body), entry(session, body), entry(`\u0001${session}`, body)]);
          const found = await all(journal, { after: from });
          expect(found.map((one) => [one.session, one.body])).toEqual([
            [odd, body],
            [session, body],
            [`\u0001${session}`, body],
          ]);
          expect((await all(journal, { session: odd })).length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('drops sessions and single entries while it appends others, and uses the space again', async () => {
    const path = place();
    const journal = await open(path);
    for (let i = 0; i < 200; i++) await journal.append([entry(`s${i % 20}`, 'x'.repeat(5000))]);
    await journal.checkpoint();
    const full = journal.bytes();
    await journal.append([entry(null, 'old tally')]);
    const gone = Array.from({ length: 19 }, (_, i) => `s${i}`);
    expect(await journal.drop({ sessions: gone, seqs: [201] }, [entry(null, 'tally')])).toEqual({
      deleted: 191,
      seq: 202,
    });
    expect(await bodies(journal, { after: 200 })).toEqual(['tally']);
    expect(journal.sessions()).toBe(1);
    expect(journal.records()).toBe(11);
    await journal.checkpoint();
    expect(journal.bytes()).toBeLessThan(full / 4);
    await journal.close();
    const again = await open(path);
    expect(again.records()).toBe(11);
    // A number is never given twice, even where the last entries are gone.
    await again.drop({ seqs: [202] });
    expect(await again.append([entry('z', 'new')])).toBe(203);
  });

  it('moves its log into the database in the background', async () => {
    const path = place();
    const journal = await open(path);
    for (let i = 0; i < 50; i++) await journal.append([entry('a', 'x'.repeat(10_000))]);
    expect(await journal.checkpoint()).toBe(true);
    const copy = join(folder, 'copy.db');
    copyFileSync(path, copy);
    const other = new Database(copy);
    expect(other.prepare('SELECT count(*) AS n FROM record').all()).toMatchObject([{ n: 50 }]);
    other.close();
  });

  it('keeps its log short while entries come without a pause, and empties it when none come', async () => {
    const path = place();
    const journal = await open(path, { idleMs: 50 });
    const logSize = () => statSync(`${path}-wal`).size;
    let written = 0;
    let longest = 0;
    while (written < 60 * 2 ** 20) {
      await journal.append(Array.from({ length: 10 }, () => entry('a', 'x'.repeat(20_000))));
      written += 200_000;
      longest = Math.max(longest, logSize());
      expect(journal.bytes()).toBeGreaterThanOrEqual(logSize());
      if (written % 1_000_000 === 0) await new Promise((done) => setTimeout(done, 2));
    }
    expect(longest).toBeLessThan(30 * 2 ** 20);
    await expect.poll(logSize, { timeout: 10_000 }).toBe(0);
    expect(journal.logBytes()).toBe(0);
    await journal.append([entry('a', 'and on')]);
    expect(logSize()).toBeGreaterThan(0);
    expect(journal.records()).toBe(written / 20_000 + 1);
  });

  it('counts its log against its limit: who finds it too long waits until it is short, or is refused', async () => {
    const path = place();
    const limit = 2 ** 20;
    const journal = await open(path, { maxBytes: limit, idleMs: 60_000 });
    for (let i = 0; i < 300; i++) {
      await journal.append([entry('a', 'x'.repeat(1000))]);
      expect(journal.bytes()).toBeLessThan(limit + 100_000);
    }
    const other = new Database(path);
    other.exec('BEGIN');
    other.prepare('SELECT count(*) FROM record').all();
    let fault: unknown = null;
    for (let i = 0; i < 300 && fault === null; i++)
      await journal.append([entry('a', 'x'.repeat(1000))]).catch((error) => {
        fault = error;
      });
    expect(fault).toMatchObject({ message: `has reached its limit of ${limit} bytes` });
    await expect(journal.check()).rejects.toMatchObject({ code: 'CA_STORE_FAILED' });
    other.exec('COMMIT');
    other.close();
    await journal.check();
    await journal.append([entry('a', 'and on')]);
  });

  it('refuses what comes after its end', async () => {
    const journal = await open(place());
    const last = journal.append([entry('a', '1')]);
    await Promise.all([journal.close(), journal.close()]);
    await last;
    await expect(journal.append([entry('a', '2')])).rejects.toMatchObject({ code: 'CA_STORE_FAILED' });
    await expect(journal.drop({ sessions: ['a'] })).rejects.toMatchObject({ code: 'CA_STORE_FAILED' });
    await expect(all(journal)).rejects.toMatchObject({ code: 'CA_STORE_FAILED' });
  });
});

describe('one journal and two processes', () => {
  it('says who holds it', async () => {
    const path = place();
    const journal = await open(path);
    await expect(open(path)).rejects.toMatchObject({
      code: 'CA_STORE_LOCKED',
      message: `process ${process.pid} on ${hostname()} holds it`,
    });
    await journal.close();
    await (await open(path)).close();
  });

  it('takes over from a process that died', async () => {
    const path = place();
    await (await open(path)).close();
    const { pid } = spawnSync(process.execPath, ['-e', '0']);
    writeFileSync(`${path}.lock`, JSON.stringify({ pid, host: hostname(), started: '1' }));
    await (await open(path)).close();
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it("waits for another program's lock off the event loop, and loses nothing", async () => {
    const path = place();
    const journal = await open(path);
    const other = new Database(path);
    other.exec('BEGIN IMMEDIATE');
    const appends = [journal.append([entry('a', '1')]), journal.append([entry('a', '2')])];
    let turns = 0;
    for (; turns < 20; turns++) await new Promise((done) => setTimeout(done, 2));
    appends.push(journal.append([entry('a', '3')]));
    other.exec('COMMIT');
    other.close();
    expect(await Promise.all(appends)).toEqual([1, 2, 3]);
    expect(await bodies(journal)).toEqual(['1', '2', '3']);
  });

  it('waits for that lock when it opens, and says so when that takes too long', async () => {
    const [made, path] = [place(), place()];
    await (await open(made)).close();
    // A copy: the library lets go of a file only when its statements are collected.
    mkdirSync(join(path, '..'));
    copyFileSync(made, path);
    const other = new Database(path);
    other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT');
    await expect(open(path, { waitMs: 60 })).rejects.toMatchObject({ code: 'CA_STORE_LOCKED' });
    expect(existsSync(`${path}.lock`)).toBe(false);
    const waiting = open(path);
    await new Promise((done) => setTimeout(done, 60));
    other.exec('PRAGMA locking_mode = NORMAL; BEGIN IMMEDIATE; COMMIT');
    other.close();
    await (await waiting).append([entry('a', '1')]);
  });

  it('fails what waited too long, and goes on once the lock is gone', async () => {
    const path = place();
    const journal = await open(path, { waitMs: 60 });
    const other = new Database(path);
    other.exec('BEGIN IMMEDIATE');
    const lost = await Promise.allSettled([
      journal.append([entry('a', '1')]),
      journal.drop({ sessions: ['a'] }),
    ]);
    for (const one of lost)
      expect(one).toMatchObject({
        status: 'rejected',
        reason: { code: 'CA_STORE_LOCKED', place: { file: path } },
      });
    other.exec('COMMIT');
    other.close();
    await journal.append([entry('a', '2')]);
    expect(await bodies(journal)).toEqual(['2']);
  });
});

describe('a journal without room', () => {
  it('rejects at its limit, keeps what it has, and goes on when entries were dropped', async () => {
    const path = place();
    const journal = await open(path, { maxBytes: 200_000 });
    const kept: string[] = [];
    let fault: unknown = null;
    for (let i = 0; fault === null && i < 200; i++)
      await journal
        .append([entry(`s${i}`, `${i}${'x'.repeat(3000)}`)])
        .then(() => kept.push(`s${i}`))
        .catch((error) => {
          fault = error;
        });
    expect(fault).toMatchObject({
      code: 'CA_STORE_FAILED',
      message: 'has reached its limit of 200000 bytes',
    });
    expect((await all(journal)).map((one) => one.session)).toEqual(kept);
    await journal.drop({ sessions: kept.slice(0, 10) });
    await journal.append([entry('later', 'y'.repeat(3000))]);
    await journal.close();
    const again = await open(path);
    expect((await all(again)).map((one) => one.session)).toEqual([...kept.slice(10), 'later']);
  });

  it('fails the one entry that is too large, not those of the same moment', async () => {
    const journal = await open(place(), { maxBytes: 200_000 });
    const results = await Promise.allSettled([
      journal.append([entry('a', '1')]),
      journal.append([entry('b', 'x'.repeat(400_000)), entry('b', 'never alone')]),
      journal.append([entry('c', '3')]),
    ]);
    expect(results.map((one) => one.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await bodies(journal)).toEqual(['1', '3']);
    expect(journal.records()).toBe(2);
  });

  const disk = join(folder, 'disk');
  mkdirSync(disk);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]).status === 0;
  afterAll(() => {
    if (mounted) spawnSync('umount', ['-l', disk]);
  });
  it.runIf(requirement('the right to mount a small disk', mounted, 'run the tests as root'))(
    'survives a full disk: nothing acknowledged is lost, and it goes on once there is room',
    async () => {
      const path = join(disk, 'journal.db');
      const journal = await open(path, { durability: 'power' });
      const ballast = join(disk, 'ballast');
      writeFileSync(ballast, 'x'.repeat(300_000));
      const kept: number[] = [];
      let fault: unknown = null;
      for (let i = 0; i < 400 && fault === null; i++)
        await journal
          .append([entry('a', JSON.stringify([i, 'x'.repeat(4000)]))])
          .then(() => kept.push(i))
          .catch((error) => {
            fault = error;
          });
      expect(fault).toMatchObject({ code: 'CA_STORE_FAILED' });
      expect(kept.length).toBeGreaterThan(10);
      await expect(journal.append([entry('a', 'x'.repeat(50_000))])).rejects.toMatchObject({
        code: 'CA_STORE_FAILED',
      });
      rmSync(ballast);
      await journal.append([entry('a', JSON.stringify([1000, '']))]);
      const numbers = (await bodies(journal)).map((body) => (JSON.parse(body) as [number])[0]);
      expect(numbers).toEqual([...kept, 1000]);
      await journal.close();
      const again = await open(path);
      expect(again.records()).toBe(kept.length + 1);
      await again.close();
    },
  );
});

describe('a damaged journal', () => {
  /** A journal with its log still beside it, as a killed process leaves it. */
  async function torn(): Promise<string> {
    const path = place();
    const journal = await open(path);
    for (let i = 0; i < 30; i++) await journal.append([entry('a', `${i}${'x'.repeat(2000)}`)]);
    const copy = place();
    mkdirSync(join(copy, '..'));
    for (const end of ['', '-wal']) copyFileSync(path + end, copy + end);
    await journal.close();
    return copy;
  }
  const refused = (path: string, message: RegExp) =>
    expect(open(path)).rejects.toMatchObject({
      code: 'CA_STORE_FAILED',
      message: expect.stringMatching(message),
      place: { file: path },
      todo: expect.any(String),
    });

  it('is recovered from its log', async () => {
    const path = await torn();
    expect((await open(path)).records()).toBe(30);
  });

  it('loses only the commit that was under way when the end of its log is missing', async () => {
    const path = await torn();
    truncateSync(`${path}-wal`, readFileSync(`${path}-wal`).length - 100);
    expect((await open(path)).records()).toBe(29);
  });

  it('is refused with the place of the damage when commits behind it would be lost', async () => {
    const path = await torn();
    const log = readFileSync(`${path}-wal`);
    log.fill(7, 40_000, 40_010);
    writeFileSync(`${path}-wal`, log);
    await refused(path, /is damaged after \d+ bytes: \d+ commits behind that place cannot be read/);
    const fault: unknown = await open(path).catch((error) => error);
    const size = Number(/truncate -s (\d+)/.exec((fault as { todo: string }).todo)![1]);
    truncateSync(`${path}-wal`, size);
    const found = (await open(path)).records();
    expect(found).toBeGreaterThan(0);
    expect(found).toBeLessThan(30);
  });

  it('is refused when the head of its log is broken', async () => {
    const path = await torn();
    const log = readFileSync(`${path}-wal`);
    log.fill(7, 0, 32);
    writeFileSync(`${path}-wal`, log);
    await refused(path, /damaged from its first bytes/);
  });

  it('is refused when the database is gone and its log is left', async () => {
    const path = await torn();
    rmSync(path);
    await refused(path, /is missing, but its write-ahead log is there/);
    expect(existsSync(path)).toBe(false);
  });

  it('is refused when it was cut short, emptied, or is something else, and stays as it was', async () => {
    const path = place();
    const journal = await open(path);
    for (let i = 0; i < 30; i++) await journal.append([entry('a', 'x'.repeat(2000))]);
    await journal.close();
    const bytes = readFileSync(path);
    for (const [content, message] of [
      [bytes.subarray(0, bytes.length / 2), /is cut short/],
      [bytes.subarray(0, 50), /is no journal/],
      [Buffer.alloc(0), /is empty/],
      [Buffer.from('session,reward\n'.repeat(50)), /is no journal/],
    ] as const) {
      writeFileSync(path, content);
      await refused(path, message);
      expect(readFileSync(path).equals(content)).toBe(true);
    }
    const inside = Buffer.from(bytes);
    inside.fill(0xee, 4096, 3 * 4096);
    writeFileSync(path, inside);
    await refused(path, /cannot be read/);
  });

  it("refuses another program's database, a folder and a newer format", async () => {
    const path = place();
    mkdirSync(join(path, '..'));
    const other = new Database(path);
    other.exec('CREATE TABLE t (a)');
    other.close();
    await refused(path, /another program/);
    const directory = place();
    mkdirSync(directory, { recursive: true });
    await refused(directory, /is no file/);
    const newer = place();
    await (await open(newer)).close();
    const database = new Database(newer);
    database.exec('UPDATE journal_format SET version = 2');
    database.close();
    await refused(newer, /version 2/);
  });

  it('lets go of its lock when it cannot be opened', async () => {
    const path = place();
    mkdirSync(join(path, '..'));
    writeFileSync(path, 'no journal'.repeat(100));
    await refused(path, /is no journal/);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });
});
