import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { cacheHome, openDiskCache } from '../../src/store/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'ca-cache-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const filesOf = (directory: string) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

describe('openDiskCache', () => {
  it('gives back what was set, by key, and null for what was not', async () => {
    const cache = openDiskCache(join(folder, 'plain'));
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary' }),
        fc.uint8Array({ maxLength: 300 }),
        async (key, value) => {
          expect(await cache.set(key, value)).toBe(true);
          expect(await cache.get(key)).toEqual(value);
          expect(await cache.get(`${key}!`)).toBeNull();
        },
      ),
      { numRuns: 40 },
    );
  });

  it('hands out bytes that a Float32Array can be laid over', async () => {
    const cache = openDiskCache(join(folder, 'floats'));
    const vector = Float32Array.from([1.5, -2, 3]);
    await cache.set('odd length key', new Uint8Array(vector.buffer));
    const bytes = await cache.get('odd length key');
    expect(new Float32Array(bytes!.buffer, bytes!.byteOffset, 3)).toEqual(vector);
  });

  it('answers many keys in their order', async () => {
    const cache = openDiskCache(join(folder, 'many'));
    const keys = Array.from({ length: 200 }, (_, i) => `key ${i}`);
    await cache.setMany(keys.filter((_, i) => i % 2 === 0).map((key) => [key, Buffer.from(key)] as const));
    const values = await cache.getMany(keys);
    expect(values.map((value) => (value === null ? null : Buffer.from(value).toString()))).toEqual(
      keys.map((key, i) => (i % 2 === 0 ? key : null)),
    );
  });

  it('reads a torn, altered or foreign entry as absent, and can set it again', async () => {
    const directory = join(folder, 'corrupt');
    const cache = openDiskCache(directory);
    await cache.set('key', Buffer.from('the value of the key'));
    const [file] = filesOf(directory);
    const whole = readFileSync(file!);
    for (let at = 0; at < whole.length; at++) {
      const altered = Buffer.from(whole);
      altered[at]! ^= 1;
      writeFileSync(file!, altered);
      expect(await cache.get('key')).toBeNull();
      writeFileSync(file!, whole);
      truncateSync(file!, at);
      expect(await cache.get('key')).toBeNull();
    }
    expect(await cache.set('key', Buffer.from('new'))).toBe(true);
    expect(Buffer.from((await cache.get('key'))!).toString()).toBe('new');
    expect(filesOf(directory)).toHaveLength(1);
  });

  it('is an empty cache where its folder cannot be written', async () => {
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    const cache = openDiskCache(join(file, 'cache'));
    expect(await cache.set('key', Buffer.from('x'))).toBe(false);
    expect(await cache.get('key')).toBeNull();
  });
});

describe('cacheHome', () => {
  it('follows XDG_CACHE_HOME where it is an absolute path', () => {
    expect(cacheHome({ XDG_CACHE_HOME: '/var/cache/me' })).toBe('/var/cache/me/collapse-aware');
    expect(cacheHome({ XDG_CACHE_HOME: 'relative' })).toMatch(/\.cache.collapse-aware$/);
    expect(cacheHome({})).toMatch(/\.cache.collapse-aware$/);
  });
});
