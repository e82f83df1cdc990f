import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

const MAGIC = Buffer.from('CAC1');
const DIGEST = 32;
const HEAD = MAGIC.length + DIGEST + 4;
const PARALLEL = 32;

/** `$XDG_CACHE_HOME/collapse-aware`, by default `~/.cache/collapse-aware` (XDG Base Directory: relative paths are ignored). */
export function cacheHome(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  const base = environment.XDG_CACHE_HOME;
  return join(base !== undefined && isAbsolute(base) ? base : join(homedir(), '.cache'), 'collapse-aware');
}

/**
 * Small values under a folder, addressed by the hash of their key. An entry carries its key and a checksum:
 * torn, truncated or foreign files read as absent. Nothing here ever fails a run: a cache that
 * cannot be written is an empty one.
 */
export interface DiskCache {
  readonly directory: string;
  get(key: string): Promise<Uint8Array | null>;
  /** In the order of `keys`. */
  getMany(keys: readonly string[]): Promise<(Uint8Array | null)[]>;
  /** Whether the value is now on disk. */
  set(key: string, value: Uint8Array): Promise<boolean>;
  setMany(entries: readonly (readonly [key: string, value: Uint8Array])[]): Promise<void>;
}

export function openDiskCache(directory: string): DiskCache {
  const pathOf = (key: string) => {
    const name = createHash('sha256').update(key).digest('hex');
    return join(directory, name.slice(0, 2), name.slice(2));
  };
  const get = async (key: string) => {
    const bytes = await readFile(pathOf(key)).catch(() => null);
    return bytes === null ? null : decodeEntry(key, bytes);
  };
  const set = async (key: string, value: Uint8Array) => {
    const path = pathOf(key);
    const temporary = `${path}.${randomBytes(6).toString('hex')}.partial`;
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(temporary, encodeEntry(key, value));
      await rename(temporary, path);
      return true;
    } catch {
      await unlink(temporary).catch(() => {});
      return false;
    }
  };
  return {
    directory,
    get,
    set,
    getMany: (keys) => inParallel(keys, get),
    setMany: async (entries) => {
      await inParallel(entries, ([key, value]) => set(key, value));
    },
  };
}

const checksum = (key: Uint8Array, value: Uint8Array) =>
  createHash('sha256').update(key).update(MAGIC).update(value).digest();

function encodeEntry(key: string, value: Uint8Array): Uint8Array {
  const name = Buffer.from(key, 'utf8');
  const length = Buffer.alloc(4);
  length.writeUInt32LE(name.length);
  return Buffer.concat([MAGIC, checksum(name, value), length, name, value]);
}

function decodeEntry(key: string, bytes: Buffer): Uint8Array | null {
  if (bytes.length < HEAD || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  const end = HEAD + bytes.readUInt32LE(HEAD - 4);
  const name = Buffer.from(key, 'utf8');
  if (end > bytes.length || !bytes.subarray(HEAD, end).equals(name)) return null;
  const value = bytes.subarray(end);
  const stated = bytes.subarray(MAGIC.length, MAGIC.length + DIGEST);
  // A copy: the slice would keep the file's whole buffer alive, and typed arrays need an aligned start.
  return checksum(name, value).equals(stated) ? Uint8Array.from(value) : null;
}

/** A bounded number of files open at once, results in the order of the items. */
async function inParallel<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  const lane = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await run(items[at]!);
  };
  await Promise.all(Array.from({ length: Math.min(PARALLEL, items.length) }, lane));
  return results;
}
