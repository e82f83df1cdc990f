import { constants } from 'node:buffer';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CollapseAwareError } from '../errors.ts';
import { decodeBytes, type Encoding, looksBinary, sniffEncoding } from './decode.ts';
import { HEAD_BYTES, readHead } from './head.ts';
import type { Head, Source, TextLine } from './reader.ts';
import {
  byteChunks,
  type Compression,
  CutShort,
  compressionOf,
  fileError,
  firstBytes,
} from './source-bytes.ts';
import { byteLines, decodedLines } from './source-lines.ts';
import { spoolChunks, spoolPipe, spoolStdin } from './source-spool.ts';

export const DEFAULT_ROW_LIMIT = 64 * 1024 * 1024;

export interface SourceOptions {
  /** Bytes of the longest line that is kept (default 64 MiB). */
  readonly rowLimit?: number | undefined;
  /** What messages call the file, where it is not the path (standard input). */
  readonly label?: string;
}

/**
 * Opens a file, a run folder or `-` (standard input). Throws CA_FILE_NOT_FOUND, CA_FILE_UNREADABLE,
 * CA_FILE_EMPTY or CA_FILE_LFS_POINTER; nothing is read beyond the first bytes.
 */
export async function openSource(path: string, options: SourceOptions = {}): Promise<Source> {
  if (path === '-') return openSource(await spoolStdin(), { ...options, label: 'standard input' });
  const facts = await stat(path).catch((error: unknown) => {
    throw fileError(path, error);
  });
  const label = options.label ?? path;
  const limit = options.rowLimit ?? DEFAULT_ROW_LIMIT;
  if (facts.isDirectory()) return new FolderSource(path, limit);
  if (facts.isCharacterDevice() || facts.isBlockDevice())
    throw new CollapseAwareError('CA_FILE_UNREADABLE', 'this is a device, not a file', {
      place: { file: label },
      todo: 'give - for standard input',
    });
  if (!facts.isFile()) {
    const spooled = await spoolPipe(path);
    return openSource(spooled, { ...options, label });
  }
  if (facts.size === 0)
    throw new CollapseAwareError('CA_FILE_EMPTY', 'the file holds no bytes', {
      place: { file: label },
      todo: 'check that the run that wrote it has finished',
    });
  const magic = await firstBytes(path, 200);
  if (magic.toString('latin1').startsWith('version https://git-lfs.github.com/spec/'))
    throw new CollapseAwareError('CA_FILE_LFS_POINTER', 'a git-lfs pointer stands where the data should be', {
      place: { file: label },
      todo: 'run `git lfs pull` in its repository',
    });
  return new FileSource(path, label, facts.size, compressionOf(magic), limit);
}

/** File name without folders and without .gz / .zst. */
export function sourceName(path: string): string {
  return basename(path).replace(/\.(gz|zst)$/i, '');
}

abstract class Warned {
  readonly warnings: string[] = [];
  warn(text: string): void {
    if (!this.warnings.includes(text)) this.warnings.push(text);
  }
}

class FileSource extends Warned implements Source {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly #file: string;
  readonly #compression: Compression;
  readonly #limit: number;
  #head: Promise<{ head: Head; encoding: Encoding; bom: number }> | undefined;
  #local: Promise<string> | undefined;

  constructor(file: string, label: string, bytes: number, compression: Compression, limit: number) {
    super();
    this.#file = file;
    this.path = label;
    this.bytes = bytes;
    this.#compression = compression;
    this.#limit = limit;
    this.name = label === file ? sourceName(file) : label;
  }

  async head(): Promise<Head> {
    return (await this.#opened()).head;
  }

  #opened() {
    this.#head ??= this.#open();
    return this.#head;
  }

  async #open(): Promise<{ head: Head; encoding: Encoding; bom: number }> {
    const parts: Buffer[] = [];
    let size = 0;
    let whole = true;
    try {
      for await (const chunk of byteChunks(this.#file, this.#compression)) {
        parts.push(Buffer.from(chunk));
        size += chunk.length;
        if (size > HEAD_BYTES) {
          whole = false;
          break;
        }
      }
    } catch (error) {
      if (!(error instanceof CutShort) || size === 0) throw this.#named(error);
    }
    if (size === 0)
      throw new CollapseAwareError('CA_FILE_EMPTY', 'the compressed file holds no bytes', {
        place: { file: this.path },
      });
    const bytes = Buffer.concat(parts).subarray(0, HEAD_BYTES);
    const { encoding, bom } = sniffEncoding(bytes);
    const container = containerOf(bytes);
    if (container === 'text' && encoding === 'utf-8' && looksBinary(bytes))
      throw new CollapseAwareError('CA_FILE_ENCODING', 'the bytes are not text in a known encoding', {
        place: { file: this.path },
        todo: 'give JSON, JSONL, CSV, XLSX or Parquet, plain or as .gz / .zst',
      });
    const text = container === 'text' ? decodeHead(bytes.subarray(bom), encoding, whole) : '';
    try {
      const head = await readHead(this.name, text, container, whole, () => this.local());
      return { head, encoding, bom };
    } catch (error) {
      throw this.#named(error);
    }
  }

  #named(error: unknown): CollapseAwareError {
    const coded = fileError(this.path, error);
    if (coded.place.file === this.path) return coded;
    return new CollapseAwareError(coded.code, coded.message, {
      place: { file: this.path },
      cause: error,
      ...(coded.todo === undefined ? {} : { todo: coded.todo }),
    });
  }

  async *lines(): AsyncGenerator<TextLine> {
    const { encoding, bom } = await this.#opened();
    const chunks = byteChunks(this.#file, this.#compression);
    try {
      if (encoding === 'utf-8')
        yield* byteLines(chunks, bom, this.#limit, (number) =>
          this.warn(`not UTF-8 (first at line ${number}): read as Windows-1252 where it is not`),
        );
      else yield* decodedLines(chunks, encoding, bom, this.#limit);
    } catch (error) {
      throw this.#named(error);
    }
  }

  async text(): Promise<string> {
    const { encoding, bom } = await this.#opened();
    const parts: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of byteChunks(this.#file, this.#compression)) {
        parts.push(Buffer.from(chunk));
        size += chunk.length;
        if (size > constants.MAX_STRING_LENGTH) throw this.#tooLong();
      }
    } catch (error) {
      throw this.#named(error);
    }
    const { text, fallback } = decodeBytes(Buffer.concat(parts).subarray(bom), encoding);
    if (fallback) this.warn('not UTF-8: read as Windows-1252');
    return text;
  }

  #tooLong(): CollapseAwareError {
    return new CollapseAwareError(
      'CA_ROW_TOO_LARGE',
      `one JSON document of more than ${Math.floor(constants.MAX_STRING_LENGTH / 1048576)} MiB`,
      { place: { file: this.path }, todo: 'split it, or write one JSON object a line' },
    );
  }

  local(): Promise<string> {
    if (this.#compression === 'none') return Promise.resolve(this.#file);
    this.#local ??= this.#unpack();
    return this.#local;
  }

  async #unpack(): Promise<string> {
    try {
      return await spoolChunks(this.name, byteChunks(this.#file, this.#compression));
    } catch (error) {
      throw this.#named(error);
    }
  }

  sibling(name: string): Promise<Source | null> {
    return openSibling(dirname(this.#file), name, this.#limit);
  }
}

/** A run folder: only its listing and the files in it. */
class FolderSource extends Warned implements Source {
  readonly path: string;
  readonly name: string;
  readonly bytes = null;
  readonly #limit: number;

  constructor(path: string, limit: number) {
    super();
    this.path = path;
    this.name = basename(path);
    this.#limit = limit;
  }

  async head(): Promise<Head> {
    const names = (await readdir(this.path)).sort();
    return {
      name: this.name,
      text: names.join('\n'),
      container: 'directory',
      first: undefined,
      partial: false,
      shape: 'other',
      columns: [],
    };
  }

  // biome-ignore lint/correctness/useYield: a folder has no lines of its own
  async *lines(): AsyncGenerator<TextLine> {
    throw this.#folder();
  }

  text(): Promise<string> {
    return Promise.reject(this.#folder());
  }

  local(): Promise<string> {
    return Promise.resolve(this.path);
  }

  sibling(name: string): Promise<Source | null> {
    return openSibling(this.path, name, this.#limit);
  }

  #folder(): CollapseAwareError {
    return new CollapseAwareError('CA_FILE_UNREADABLE', 'this is a folder, not a file', {
      place: { file: this.path },
    });
  }
}

async function openSibling(folder: string, name: string, rowLimit: number): Promise<Source | null> {
  for (const suffix of ['', '.gz', '.zst'])
    try {
      return await openSource(join(folder, name + suffix), { rowLimit });
    } catch (error) {
      if (!(error instanceof CollapseAwareError && error.code === 'CA_FILE_NOT_FOUND')) throw error;
    }
  return null;
}

function containerOf(bytes: Buffer): Head['container'] {
  const magic = bytes.toString('latin1', 0, 4);
  if (magic === 'PAR1') return 'parquet';
  return magic === 'PK\u0003\u0004' ? 'xlsx' : 'text';
}

function decodeHead(bytes: Buffer, encoding: Encoding, whole: boolean): string {
  if (encoding !== 'utf-8') return decodeBytes(bytes, encoding).text;
  // The cut may fall inside a character: without this a clean file would look like Windows-1252.
  let end = bytes.length;
  if (!whole) while (end > 0 && ((bytes[end - 1] as number) & 0xc0) === 0x80) end--;
  if (!whole && end > 0 && (bytes[end - 1] as number) >= 0xc0) end--;
  return decodeBytes(bytes.subarray(0, end), encoding).text;
}
