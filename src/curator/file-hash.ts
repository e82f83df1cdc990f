import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { CollapseAwareError } from '../errors.ts';

export interface FileHash {
  readonly bytes: number;
  /** 64 hex digits, of the bytes as they lie on disk. */
  readonly sha256: string;
}

/**
 * Size and SHA-256 of a file in one pass; null for `-`: standard input can be read once only.
 * Errors: CA_FILE_NOT_FOUND, CA_FILE_UNREADABLE; the signal's reason.
 */
export async function hashFile(path: string, signal?: AbortSignal): Promise<FileHash | null> {
  if (path === '-') return null;
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 20 }) as AsyncIterable<Buffer>) {
      signal?.throwIfAborted();
      bytes += chunk.length;
      hash.update(chunk);
    }
  } catch (cause) {
    signal?.throwIfAborted();
    const missing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    throw new CollapseAwareError(
      missing ? 'CA_FILE_NOT_FOUND' : 'CA_FILE_UNREADABLE',
      missing ? 'no such file' : `cannot be read (${(cause as Error).message})`,
      { place: { file: path }, todo: 'check the path and its permissions', cause },
    );
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** SHA-256 of a file's bytes as 64 hex digits; null for `-`. Errors as `hashFile`. */
export async function fileSha256(path: string, signal?: AbortSignal): Promise<string | null> {
  return (await hashFile(path, signal))?.sha256 ?? null;
}
