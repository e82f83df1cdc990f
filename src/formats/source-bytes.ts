import { open } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Decompress } from 'fzstd';
import { CollapseAwareError } from '../errors.ts';

export type Compression = 'none' | 'gzip' | 'zstd';

const CHUNK = 1 << 20;
// A gzip member of zeros unpacks to a thousand times its size; output is taken in steps this large.
const INFLATE_CHUNK = 1 << 18;

/** By magic bytes: names lie. */
export function compressionOf(head: Uint8Array): Compression {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  if (head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd) return 'zstd';
  return 'none';
}

/** The compressed data end early or are damaged: what came before is good. */
export class CutShort extends CollapseAwareError {
  constructor(path: string, found: string, cause: unknown) {
    super('CA_FILE_UNREADABLE', found, {
      place: { file: path },
      todo: 'copy or download the file again',
      cause,
    });
  }
}

/** First `size` raw bytes of a file. */
export async function firstBytes(path: string, size: number): Promise<Buffer> {
  const file = await openFile(path);
  try {
    const buffer = Buffer.allocUnsafe(size);
    let filled = 0;
    while (filled < size) {
      const { bytesRead } = await file.read(buffer, filled, size - filled, null);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return buffer.subarray(0, filled);
  } finally {
    await file.close();
  }
}

/**
 * Decompressed bytes in chunks of about 1 MiB. A chunk is valid until the next one is asked for (its buffer
 * is used again). Throws `CutShort` after the last good chunk where compressed data end early.
 */
export async function* byteChunks(path: string, compression: Compression): AsyncGenerator<Buffer> {
  if (compression === 'gzip') yield* gunzipChunks(path);
  else if (compression === 'zstd') yield* zstdChunks(path);
  else yield* plainChunks(path, true);
}

async function* plainChunks(path: string, reuse: boolean): AsyncGenerator<Buffer> {
  const file = await openFile(path);
  try {
    let buffer = Buffer.allocUnsafeSlow(CHUNK);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      if (!reuse) buffer = Buffer.allocUnsafeSlow(CHUNK);
    }
  } catch (error) {
    throw fileError(path, error);
  } finally {
    await file.close();
  }
}

/** Bytes `from` up to `to` of a plain file, in chunks that are valid until the next one is asked for. */
export async function* fileChunks(path: string, from: number, to: number): AsyncGenerator<Buffer> {
  const file = await openFile(path);
  try {
    const buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK, Math.max(1, to - from)));
    for (let at = from; at < to; ) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, to - at), at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } catch (error) {
    throw fileError(path, error);
  } finally {
    await file.close();
  }
}

async function* gunzipChunks(path: string): AsyncGenerator<Buffer> {
  // Own queue instead of the stream's iterator: that one loses what is buffered when an error comes.
  const gunzip = createGunzip({ chunkSize: INFLATE_CHUNK });
  const queue: Buffer[] = [];
  let failure: unknown;
  let ended = false;
  let wake: () => void = () => {};
  gunzip.on('data', (chunk: Buffer) => {
    queue.push(chunk);
    if (queue.length >= 8) gunzip.pause();
    wake();
  });
  gunzip.on('error', (error) => {
    failure = error;
    ended = true;
    wake();
  });
  gunzip.on('end', () => {
    ended = true;
    wake();
  });
  const input = plainChunks(path, false);
  const feed = (async () => {
    try {
      for await (const chunk of input) {
        if (ended) return;
        if (!gunzip.write(chunk)) await drained(gunzip);
      }
      if (!ended) gunzip.end();
    } catch (error) {
      failure = error;
      ended = true;
      wake();
    }
  })();
  try {
    for (;;) {
      const chunk = queue.shift();
      if (chunk !== undefined) {
        if (queue.length < 4 && gunzip.isPaused()) gunzip.resume();
        yield chunk;
      } else if (ended) break;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
    if (failure instanceof CollapseAwareError) throw failure;
    if (failure !== undefined)
      throw new CutShort(path, `the gzip data end early or are damaged (${reasonOf(failure)})`, failure);
  } finally {
    ended = true;
    gunzip.destroy();
    await feed;
  }
}

/** Until a stream takes more, or is closed and never will. */
export function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done);
      stream.off('close', done);
      resolve();
    };
    if (stream.destroyed) resolve();
    else {
      stream.on('drain', done);
      stream.on('close', done);
    }
  });
}

async function* zstdChunks(path: string): AsyncGenerator<Buffer> {
  const out: Buffer[] = [];
  let finished = false;
  const decoder = new Decompress((chunk, last) => {
    // Copied: the decoder goes on writing into its window.
    if (chunk.length > 0) out.push(Buffer.from(chunk));
    if (last) finished = true;
  });
  const step = (chunk: Buffer, last: boolean): unknown => {
    try {
      decoder.push(chunk, last);
      return undefined;
    } catch (error) {
      return error ?? new Error('unknown');
    }
  };
  for await (const chunk of plainChunks(path, false)) {
    const failure = step(chunk, false);
    yield* out.splice(0);
    if (failure !== undefined)
      throw new CutShort(path, `the zstd data are damaged (${reasonOf(failure)})`, failure);
  }
  const failure = step(Buffer.alloc(0), true);
  yield* out.splice(0);
  if (failure !== undefined || !finished)
    throw new CutShort(path, `the zstd data end early (${reasonOf(failure ?? 'no last block')})`, failure);
}

async function openFile(path: string) {
  try {
    return await open(path, 'r');
  } catch (error) {
    throw fileError(path, error);
  }
}

export function fileError(path: string, error: unknown): CollapseAwareError {
  if (error instanceof CollapseAwareError) return error;
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new CollapseAwareError('CA_FILE_NOT_FOUND', 'no such file', {
      place: { file: path },
      todo: 'check the path; patterns need quotes so that the shell does not touch them',
      cause: error,
    });
  return new CollapseAwareError('CA_FILE_UNREADABLE', reasonOf(error), {
    place: { file: path },
    cause: error,
  });
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
