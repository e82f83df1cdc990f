import { constants, isAscii, isUtf8 } from 'node:buffer';
import { rmSync } from 'node:fs';
import { mkdtemp, open, readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { CollapseAwareError } from '../errors.ts';
import { decodeBytes, decodeWindows1252, type Encoding, looksBinary, sniffEncoding } from './decode.ts';
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
  if (!facts.isFile()) {
    const spooled = await spool(path);
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
    this.name = label === file ? basename(file).replace(/\.(gz|zst)$/i, '') : label;
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
    if (encoding === 'utf-8') yield* this.#byteLines(bom);
    else yield* this.#decodedLines(encoding, bom);
  }

  async *#byteLines(bom: number): AsyncGenerator<TextLine> {
    const limit = this.#limit;
    let number = 0;
    let carry: Buffer[] = [];
    let carried = 0;
    let tooLong = false;
    let skip = bom;
    try {
      for await (const chunk of byteChunks(this.#file, this.#compression)) {
        let start = Math.min(skip, chunk.length);
        skip -= start;
        const ascii = isAscii(chunk);
        for (;;) {
          const end = chunk.indexOf(10, start);
          if (end === -1) break;
          number++;
          if (tooLong || carried + end - start > limit) yield this.#tooLarge(number);
          else if (carried > 0) {
            carry.push(chunk.subarray(start, end));
            yield { number, text: this.#decode(Buffer.concat(carry), false, number) };
          } else yield { number, text: this.#decode(chunk.subarray(start, end), ascii, number) };
          carry = [];
          carried = 0;
          tooLong = false;
          start = end + 1;
        }
        const rest = chunk.length - start;
        if (rest === 0 || tooLong) continue;
        carried += rest;
        if (carried > limit) {
          tooLong = true;
          carry = [];
          carried = 0;
        } else carry.push(Buffer.from(chunk.subarray(start)));
      }
    } catch (error) {
      if (!(error instanceof CutShort)) throw this.#named(error);
      yield { number: number + 1, text: '', fault: { code: error.code, reason: error.message } };
      return;
    }
    if (tooLong) yield this.#tooLarge(number + 1);
    else if (carried > 0)
      yield { number: number + 1, text: this.#decode(Buffer.concat(carry), false, number + 1) };
  }

  #tooLarge(number: number): TextLine {
    return {
      number,
      text: '',
      fault: {
        code: 'CA_ROW_TOO_LARGE',
        reason: `the line is longer than ${Math.round(this.#limit / 1048576)} MiB`,
      },
    };
  }

  #decode(bytes: Buffer, ascii: boolean, number: number): string {
    const end = bytes.length > 0 && bytes[bytes.length - 1] === 13 ? bytes.length - 1 : bytes.length;
    if (ascii || isAscii(bytes)) return bytes.toString('latin1', 0, end);
    // Files joined with cat carry a BOM in their middle.
    const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    if (isUtf8(bytes)) return bytes.toString('utf8', start, end);
    this.#warnFallback(number);
    return decodeWindows1252(bytes.subarray(start, end));
  }

  #warned = false;
  #warnFallback(number: number): void {
    if (this.#warned) return;
    this.#warned = true;
    this.warn(`not UTF-8 (first at line ${number}): read as Windows-1252 where it is not`);
  }

  async *#decodedLines(encoding: Encoding, bom: number): AsyncGenerator<TextLine> {
    const decoder = new TextDecoder(encoding);
    let number = 0;
    let carry = '';
    let tooLong = false;
    let skip = bom;
    const limit = this.#limit / 2;
    try {
      for await (const chunk of byteChunks(this.#file, this.#compression)) {
        const from = Math.min(skip, chunk.length);
        skip -= from;
        const text = carry + decoder.decode(chunk.subarray(from), { stream: true });
        let start = 0;
        for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
          number++;
          if (tooLong || end - start > limit) yield this.#tooLarge(number);
          else yield { number, text: cutReturn(text.slice(start, end)) };
          tooLong = false;
          start = end + 1;
        }
        carry = tooLong ? '' : text.slice(start);
        if (carry.length > limit) {
          tooLong = true;
          carry = '';
        }
      }
    } catch (error) {
      if (!(error instanceof CutShort)) throw this.#named(error);
      yield { number: number + 1, text: '', fault: { code: error.code, reason: error.message } };
      return;
    }
    if (tooLong) yield this.#tooLarge(number + 1);
    else if (carry !== '') yield { number: number + 1, text: cutReturn(carry) };
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
    const target = join(await temporaryFolder(), `${nextSpool++}-${this.name.replace(/[^\w.-]/g, '_')}`);
    try {
      await writeChunks(target, byteChunks(this.#file, this.#compression));
    } catch (error) {
      throw this.#named(error);
    }
    return target;
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

function cutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

let folder: Promise<string> | undefined;
let nextSpool = 0;
let stdin: Promise<string> | undefined;

/** One temporary folder per process, gone when it ends. */
function temporaryFolder(): Promise<string> {
  folder ??= mkdtemp(join(tmpdir(), 'collapse-aware-')).then((path) => {
    process.once('exit', () => rmSync(path, { recursive: true, force: true }));
    return path;
  });
  return folder;
}

/** Standard input is kept in a temporary file: passes over the data read it more than once. */
function spoolStdin(): Promise<string> {
  stdin ??= (async () => {
    const target = join(await temporaryFolder(), 'stdin');
    await writeChunks(target, process.stdin);
    return target;
  })();
  return stdin;
}

async function spool(path: string): Promise<string> {
  const target = join(await temporaryFolder(), `${nextSpool++}-pipe`);
  await writeChunks(target, byteChunks(path, 'none'));
  return target;
}

async function writeChunks(target: string, chunks: AsyncIterable<Uint8Array | string>): Promise<void> {
  const file = await open(target, 'w', 0o600);
  try {
    for await (const chunk of chunks) await file.writeFile(chunk);
  } finally {
    await file.close();
  }
}
