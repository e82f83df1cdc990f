import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, realpath, rename, stat, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { CollapseAwareError } from '../errors.ts';
import { forgetPartial, partialPath, sweepPartials, watchPartial } from './partial.ts';

const BUFFER_BYTES = 256 * 1024;

const unwritable = (path: string, cause: unknown) =>
  new CollapseAwareError('CA_FILE_UNWRITABLE', `cannot be written (${(cause as Error).message})`, {
    place: { file: path },
    todo: 'check the folder, its permissions and the free space',
    cause,
  });

export interface AtomicFileOptions {
  /** Aborting it aborts the file. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A file that appears whole or not at all: bytes go to a hidden file beside the target, `commit` syncs it
 * and renames it over the target, `abort` (or an error, a signal, the end of the process) removes it.
 * Devices and pipes cannot be renamed over and are written straight through.
 */
export class AtomicFile {
  readonly path: string;
  /** Where the bytes are until `commit`; equals `path` for devices and pipes. */
  readonly temporary: string;
  readonly #target: string;
  readonly #handle: FileHandle;
  readonly #mode: number | null;
  readonly #signal: AbortSignal | undefined;
  #queue: Promise<void> = Promise.resolve();
  #aborting: Promise<void> = Promise.resolve();
  #buffer: Uint8Array[] = [];
  #buffered = 0;
  #state: 'open' | 'committed' | 'aborted' = 'open';
  readonly #scratch: string[] = [];
  /** The fault that ended it: later calls repeat it. */
  #fault: CollapseAwareError | null = null;

  private constructor(
    path: string,
    target: string,
    temporary: string,
    handle: FileHandle,
    mode: number | null,
    signal: AbortSignal | undefined,
  ) {
    this.path = path;
    this.temporary = temporary;
    this.#target = target;
    this.#handle = handle;
    this.#mode = mode;
    this.#signal = signal;
    signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Makes missing folders. Errors: CA_FILE_UNWRITABLE; the signal's reason if it is aborted already. */
  static async open(path: string, options: AtomicFileOptions = {}): Promise<AtomicFile> {
    options.signal?.throwIfAborted();
    try {
      const target = await realpath(path).catch(() => resolve(path));
      const known = await stat(target).catch(() => null);
      if (known?.isDirectory()) throw new Error('it is a folder');
      if (known !== null && !known.isFile())
        return new AtomicFile(path, target, target, await open(target, 'w'), null, options.signal);
      const folder = dirname(target);
      await mkdir(folder, { recursive: true });
      await sweepPartials(folder, basename(target));
      const temporary = partialPath(folder, basename(target));
      watchPartial(temporary);
      try {
        const handle = await open(temporary, 'wx');
        return new AtomicFile(path, target, temporary, handle, known?.mode ?? null, options.signal);
      } catch (error) {
        forgetPartial(temporary);
        throw error;
      }
    } catch (error) {
      throw unwritable(path, error);
    }
  }

  readonly #onAbort = () => {
    void this.abort();
  };

  /**
   * Path of a hidden file beside the target for bytes that are needed only until the end; it is removed with
   * `commit` and `abort`. Whoever writes it closes it before either.
   */
  scratch(suffix: string): string {
    const path = `${this.#direct ? join(tmpdir(), `${process.pid}-${randomBytes(4).toString('hex')}.partial`) : this.temporary}.${suffix}`;
    watchPartial(path);
    this.#scratch.push(path);
    return path;
  }

  get #direct(): boolean {
    return this.temporary === this.#target;
  }

  #expectOpen(): void {
    this.#signal?.throwIfAborted();
    if (this.#fault !== null) throw this.#fault;
    if (this.#state !== 'open')
      throw new CollapseAwareError('CA_INTERNAL', `the file was already ${this.#state}`, {
        place: { file: this.path },
      });
  }

  /** Calls queue up in their order; awaiting each keeps memory flat. An error aborts the file. */
  write(chunk: string | Uint8Array): Promise<void> {
    this.#expectOpen();
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, 'utf8') : chunk;
    this.#buffer.push(bytes);
    this.#buffered += bytes.length;
    return this.#buffered >= BUFFER_BYTES ? this.#flush() : Promise.resolve();
  }

  #flush(): Promise<void> {
    const pending = this.#buffer;
    this.#buffer = [];
    this.#buffered = 0;
    const step = this.#queue.then(async () => {
      if (this.#state === 'aborted' || pending.length === 0) return;
      const bytes = Buffer.concat(pending);
      for (let done = 0; done < bytes.length; )
        done += (await this.#handle.write(bytes, done, bytes.length - done)).bytesWritten;
    });
    // The queue itself never rejects: the writer that caused a fault gets it, later steps see the state.
    this.#queue = step.catch(() => {});
    return step.catch(async (error) => {
      this.#fault ??= unwritable(this.path, error);
      await this.abort();
      throw this.#fault;
    });
  }

  /** Puts the whole file in place. After it neither `write` nor `abort` changes anything. */
  async commit(): Promise<void> {
    this.#expectOpen();
    await this.#flush();
    this.#expectOpen();
    try {
      if (!this.#direct) {
        if (this.#mode !== null) await this.#handle.chmod(this.#mode & 0o7777).catch(() => {});
        await this.#handle.sync();
      }
      await this.#handle.close();
      this.#expectOpen();
      this.#state = 'committed';
      if (!this.#direct) await rename(this.temporary, this.#target);
    } catch (error) {
      this.#state = 'open';
      await this.abort();
      this.#signal?.throwIfAborted();
      throw unwritable(this.path, error);
    }
    await this.#end();
    // The rename itself survives a power cut only once the folder is on disk; not every system allows it.
    const folder = await open(dirname(this.#target)).catch(() => null);
    await folder?.sync().catch(() => {});
    await folder?.close();
  }

  /** Removes what was written; the former target, if any, stays as it was. May be called at any time. */
  abort(): Promise<void> {
    if (this.#state === 'open') {
      this.#state = 'aborted';
      this.#aborting = this.#remove();
    }
    return this.#aborting;
  }

  async #remove(): Promise<void> {
    this.#buffer = [];
    await this.#queue;
    await this.#handle.close().catch(() => {});
    if (!this.#direct) await unlink(this.temporary).catch(() => {});
    await this.#end();
  }

  async #end(): Promise<void> {
    for (const path of this.#scratch.splice(0)) {
      await unlink(path).catch(() => {});
      forgetPartial(path);
    }
    forgetPartial(this.temporary);
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }
}

/** Writes a small file whole. Errors: CA_FILE_UNWRITABLE. */
export async function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  options: AtomicFileOptions = {},
): Promise<void> {
  const file = await AtomicFile.open(path, options);
  try {
    await file.write(content);
    await file.commit();
  } catch (error) {
    await file.abort();
    throw error;
  }
}
