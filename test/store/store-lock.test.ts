import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { holderOf, StoreLock } from '../../src/store/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'ca-lock-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let counter = 0;
const place = () => join(folder, `lock-${counter++}`);
/** A process that has ended. */
const deadPid = () => spawnSync(process.execPath, ['-e', '0']).pid;

describe('StoreLock', () => {
  it('is held once, by a holder that is named, and free after its release', async () => {
    const path = place();
    const first = await StoreLock.take(path);
    expect(first).not.toBeNull();
    expect(await StoreLock.take(path)).toBeNull();
    expect(await holderOf(path)).toMatchObject({ pid: process.pid, host: hostname() });
    await first!.release();
    expect(existsSync(path)).toBe(false);
    const second = await StoreLock.take(path);
    expect(second).not.toBeNull();
    await second!.release();
  });

  it('is taken over from a process that has died', async () => {
    const path = place();
    writeFileSync(path, JSON.stringify({ pid: deadPid(), host: hostname(), started: '1' }));
    const lock = await StoreLock.take(path);
    expect(await holderOf(path)).toMatchObject({ pid: process.pid });
    await lock!.release();
  });

  it('is taken over where the number of the dead process belongs to another by now', async () => {
    const path = place();
    writeFileSync(path, JSON.stringify({ pid: process.pid, host: hostname(), started: 'long ago' }));
    const lock = await StoreLock.take(path);
    expect(lock).not.toBeNull();
    await lock!.release();
  });

  it('is taken over from a silent holder on another machine, and from a torn file, but not from fresh ones', async () => {
    for (const text of [JSON.stringify({ pid: 1, host: 'elsewhere', started: null }), '{"pid": 1, "ho']) {
      const path = place();
      writeFileSync(path, text);
      expect(await StoreLock.take(path)).toBeNull();
      utimesSync(path, 1, 1);
      const lock = await StoreLock.take(path);
      expect(lock).not.toBeNull();
      await lock!.release();
    }
  });

  it('goes to one of many that find it stale at once', async () => {
    const path = place();
    writeFileSync(path, JSON.stringify({ pid: deadPid(), host: hostname(), started: '1' }));
    const locks = await Promise.all(Array.from({ length: 12 }, () => StoreLock.take(path)));
    const held = locks.filter((lock) => lock !== null);
    expect(held).toHaveLength(1);
    await held[0]!.release();
    expect(readdirSync(folder).filter((name) => name.endsWith('.break'))).toEqual([]);
  });

  it('leaves a lock that another has taken meanwhile', async () => {
    const path = place();
    const lock = await StoreLock.take(path);
    const other = JSON.stringify({ pid: process.pid, host: hostname(), started: 'other' });
    writeFileSync(path, other);
    await lock!.release();
    expect(existsSync(path)).toBe(true);
  });

  it('says which file it could not write', async () => {
    await expect(StoreLock.take(join(folder, 'missing', 'lock'))).rejects.toMatchObject({
      code: 'CA_FILE_UNWRITABLE',
      place: { file: join(folder, 'missing', 'lock') },
    });
  });
});
