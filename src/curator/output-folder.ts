import { createHash } from 'node:crypto';
import { chmod, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { OutputFile } from '../curation/manifest.ts';
import { CollapseAwareError } from '../errors.ts';
import { AtomicFile, forgetPartial, watchPartial } from '../store/index.ts';
import { hashFile } from './file-hash.ts';
import { filesBelow, MANIFEST, OutputPlace, UNWRITABLE } from './output-place.ts';

export interface OutputFolderOptions {
  /** Replace an earlier curation (`--force`). */
  readonly replace?: boolean;
  /** Aborting it removes everything written so far. */
  readonly signal?: AbortSignal | undefined;
}

/** JSON lines on their way into the folder. */
export interface LineFile {
  /** One record as one line. Await each call: memory stays flat. */
  write(record: unknown): Promise<void>;
  /** Notes rows, bytes and hash. */
  close(): Promise<OutputFile>;
}

/** Characters of lines that are hashed and written together. */
const BUFFER = 128 * 1024;

const NAME = /^(?!.*(?:^|\/)\.)[^/\\\0]+(?:\/[^/\\\0]+)*$/;

/**
 * The files of one curation: they appear together, with the manifest, or not at all. They are written to a hidden
 * folder beside the target, which `commit` renames into place; `abort`, an error of a write, the signal and the end
 * of the process remove it. A killed process leaves it, and the next curation to the same place sweeps it.
 */
export class OutputFolder {
  readonly #place: OutputPlace;
  readonly #staging: string;
  readonly #signal: AbortSignal | undefined;
  readonly #files = new Map<string, OutputFile>();
  /** Names that are being written, with what writes them here. */
  readonly #open = new Map<string, AtomicFile | null>();
  #state: 'open' | 'committed' | 'aborted' = 'open';
  #aborting: Promise<void> = Promise.resolve();
  /** The fault that ended it: later calls repeat it. */
  #cause: CollapseAwareError | null = null;

  private constructor(place: OutputPlace, staging: string, signal: AbortSignal | undefined) {
    this.#place = place;
    this.#staging = staging;
    this.#signal = signal;
    signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /**
   * `path` may be absent, an empty folder, or, with `replace`, an earlier curation.
   * Errors: CA_USAGE where it is anything else, CA_FILE_UNWRITABLE; the signal's reason.
   */
  static async open(path: string, options: OutputFolderOptions = {}): Promise<OutputFolder> {
    options.signal?.throwIfAborted();
    const place = await OutputPlace.find(path, options.replace ?? false);
    const staging = place.staging();
    watchPartial(staging);
    try {
      await mkdir(staging);
    } catch (error) {
      forgetPartial(staging);
      throw place.unwritable(error);
    }
    const folder = new OutputFolder(place, staging, options.signal);
    if (options.signal?.aborted) await folder.abort();
    options.signal?.throwIfAborted();
    return folder;
  }

  /** Where a writer of its own puts file `name` (`/` for folders within). Call `add` when it is closed. */
  async path(name: string): Promise<string> {
    this.#begin(name, null);
    const path = join(this.#staging, name);
    await this.#attempt(name, () => mkdir(dirname(path), { recursive: true }));
    return path;
  }

  /** A step of a writer of its own at `path(name)`: a fault of it ends the folder and names the file as it will be known. */
  writing<T>(name: string, step: () => Promise<T>): Promise<T> {
    return this.#attempt(name, step);
  }

  /** Notes a file that was written at `path(name)`; `rows` is null where it has none. */
  async add(name: string, rows: number | null): Promise<OutputFile> {
    this.#expectOpen();
    const known = await this.#attempt(name, () => hashFile(join(this.#staging, name), this.#signal));
    return this.#end({ path: name, rows, ...known! });
  }

  /** Writes a small file whole. */
  async writeText(name: string, text: string, rows: number | null = null): Promise<OutputFile> {
    const path = await this.path(name);
    return this.#attempt(name, async () => {
      const bytes = Buffer.from(text, 'utf8');
      const file = await AtomicFile.open(path, { signal: this.#signal });
      this.#open.set(name, file);
      await file.write(bytes);
      await file.commit();
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return this.#end({ path: name, rows, bytes: bytes.length, sha256 });
    });
  }

  async lines(name: string): Promise<LineFile> {
    const path = await this.path(name);
    const file = await this.#attempt(name, () => AtomicFile.open(path, { signal: this.#signal }));
    this.#open.set(name, file);
    const hash = createHash('sha256');
    let rows = 0;
    let bytes = 0;
    let text = '';
    const flush = () => {
      const part = Buffer.from(text, 'utf8');
      text = '';
      hash.update(part);
      bytes += part.length;
      return file.write(part);
    };
    return {
      write: async (record) => {
        this.#expectOpen();
        text += `${JSON.stringify(record)}\n`;
        rows++;
        if (text.length >= BUFFER) await this.#attempt(name, flush);
      },
      close: () =>
        this.#attempt(name, async () => {
          await flush();
          await file.commit();
          return this.#end({ path: name, rows, bytes, sha256: hash.digest('hex') });
        }),
    };
  }

  /** Files closed so far, without the manifest, sorted by name. @throws CA_INTERNAL while one is being written. */
  files(): readonly OutputFile[] {
    for (const name of this.#open.keys()) throw this.#fault(`${name} is still being written`);
    return [...this.#files.values()]
      .filter(({ path }) => path !== MANIFEST)
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Puts the folder in place; `manifest.json` was written last. After it nothing here changes anything. */
  async commit(): Promise<void> {
    this.#expectOpen();
    try {
      this.files();
      if (!this.#files.has(MANIFEST)) throw this.#fault(`${MANIFEST} was not written`);
      for (const { name } of await filesBelow(this.#staging))
        if (!this.#files.has(name)) throw this.#fault(`${name} was written and not noted`);
      const { mode } = await this.#place.inspect();
      if (mode !== null) await chmod(this.#staging, mode & 0o7777).catch(() => {});
      await syncFolder(this.#staging);
      this.#expectOpen();
      await this.#place.take(this.#staging);
    } catch (error) {
      await this.abort();
      this.#signal?.throwIfAborted();
      throw error;
    }
    this.#state = 'committed';
    this.#release();
    await syncFolder(dirname(this.#staging));
  }

  /** Removes what was written; what stood in its place stays. May be called at any time. */
  abort(): Promise<void> {
    if (this.#state === 'open') {
      this.#state = 'aborted';
      this.#aborting = this.#remove();
    }
    return this.#aborting;
  }

  readonly #onAbort = () => {
    void this.abort();
  };

  async #remove(): Promise<void> {
    await Promise.all([...this.#open.values()].map((file) => file?.abort()));
    // Writers of their own may be closing files in it at this moment.
    await rm(this.#staging, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 }).catch(() => {});
    this.#release();
  }

  #release(): void {
    forgetPartial(this.#staging);
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }

  #begin(name: string, file: AtomicFile | null): void {
    this.#expectOpen();
    if (!NAME.test(name)) throw this.#fault(`"${name}" is no name of a file within`);
    if (this.#files.has(MANIFEST))
      throw this.#fault(`${name} comes after ${MANIFEST}, which is the last file`);
    if (this.#files.has(name) || this.#open.has(name)) throw this.#fault(`${name} is written twice`);
    if (name === MANIFEST) this.files();
    this.#open.set(name, file);
  }

  #end(file: OutputFile): OutputFile {
    this.#expectOpen();
    this.#open.delete(file.path);
    this.#files.set(file.path, file);
    return file;
  }

  /** A fault of a write ends the whole folder; it names the file as the reader will know it. */
  async #attempt<T>(name: string, work: () => Promise<T>): Promise<T> {
    this.#expectOpen();
    try {
      return await work();
    } catch (error) {
      this.#cause ??= this.#named(error, name);
      await this.abort();
      this.#signal?.throwIfAborted();
      throw this.#cause;
    }
  }

  #named(error: unknown, name: string): CollapseAwareError {
    if (!(error instanceof CollapseAwareError)) return this.#place.unwritable(error, name);
    if (error.code !== 'CA_FILE_UNWRITABLE') return error;
    return new CollapseAwareError(error.code, error.message.replaceAll(this.#staging + sep, ''), {
      place: { file: join(this.#place.path, name) },
      cause: error,
      todo: error.todo ?? UNWRITABLE,
    });
  }

  #expectOpen(): void {
    this.#signal?.throwIfAborted();
    if (this.#cause !== null) throw this.#cause;
    if (this.#state !== 'open') throw this.#fault(`the folder was already ${this.#state}`);
  }

  #fault(found: string): CollapseAwareError {
    return new CollapseAwareError('CA_INTERNAL', found, { place: { file: this.#place.path } });
  }
}

/** A rename survives a power cut only once the folder is on disk; not every system allows it. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path).catch(() => null);
  await folder?.sync().catch(() => {});
  await folder?.close();
}
