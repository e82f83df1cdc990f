import { open, stat } from 'node:fs/promises';
import { sniffEncoding } from './decode.ts';
import { bestReader } from './detect.ts';
import { HEAD_BYTES } from './head.ts';
import { native } from './native.ts';
import { emptySummary, type FileSummary, KEPT_REASONS, type ReadFilesOptions, readSource } from './read.ts';
import type { Head, ReadOptions, Row, Source, TextLine } from './reader.ts';
import { READERS } from './registry.ts';
import { DEFAULT_ROW_LIMIT, openSource, sourceName } from './source.ts';
import { compressionOf, fileChunks, firstBytes } from './source-bytes.ts';
import { byteLines } from './source-lines.ts';
import { expandPath } from './source-paths.ts';

/** Whole lines of a file: bytes `from` up to `to`. */
export interface FileRange {
  /** Position among the files. */
  readonly file: number;
  readonly path: string;
  readonly from: number;
  readonly to: number;
  /** Bytes of the byte order mark, for the range that begins the file. */
  readonly bom: number;
  /** Nothing follows in the file. */
  readonly last: boolean;
}

/** Files cut into ranges that can be read in any order, by several readers at a time. */
export interface RangePlan {
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly changed: number }[];
  /** In reading order. */
  readonly ranges: readonly FileRange[];
}

/** What reading a range came to; lines count from the range's own first. */
export interface RangeSummary extends FileSummary {
  lines: number;
  /** Its rows cannot be told without the lines around it: read the files in one piece. */
  irregular: boolean;
}

/** Bytes of a range: many a worker, so that all end at about the same time. */
const RANGE_BYTES = 16 * 1024 * 1024;

/**
 * Cuts plain UTF-8 files of the product's own format at line ends. Null where some input is anything else
 * (compressed, a pipe, a folder, another format, unreadable): such input is read in one piece. Never throws.
 */
export async function planRanges(
  paths: readonly string[],
  options: ReadFilesOptions = {},
  rangeBytes = RANGE_BYTES,
): Promise<RangePlan | null> {
  if (options.reader !== undefined || options.readers !== undefined) return null;
  if (options.format !== undefined && options.format !== native.name) return null;
  const files: { path: string; bytes: number; changed: number }[] = [];
  const ranges: FileRange[] = [];
  try {
    for (const given of paths)
      for (const { path, kind } of await expandPath(given)) {
        const facts = path === '-' || kind === 'folder' ? null : await stat(path);
        if (facts === null || !facts.isFile()) return null;
        const start = await firstBytes(path, HEAD_BYTES);
        const { encoding, bom } = sniffEncoding(start);
        if (compressionOf(start) !== 'none' || encoding !== 'utf-8') return null;
        const head = await (await openSource(path, options)).head();
        if (options.format === undefined && bestReader(head, READERS) !== native) return null;
        const cuts = await lineCuts(path, facts.size, rangeBytes);
        cuts.slice(1).forEach((to, at) => {
          const last = to === facts.size;
          ranges.push({ file: files.length, path, from: cuts[at]!, to, bom: at === 0 ? bom : 0, last });
        });
        files.push({ path, bytes: facts.size, changed: facts.mtimeMs });
      }
  } catch {
    return null;
  }
  return { files, ranges };
}

/** 0, places behind line ends about `step` bytes apart, and the size. */
async function lineCuts(path: string, size: number, step: number): Promise<number[]> {
  const cuts = [0];
  const file = await open(path, 'r');
  try {
    const buffer = Buffer.allocUnsafe(64 * 1024);
    for (let wanted = step; wanted < size; ) {
      let at = wanted - 1;
      let cut = -1;
      while (cut === -1 && at < size) {
        const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
        if (bytesRead === 0) break;
        const end = buffer.subarray(0, bytesRead).indexOf(10);
        if (end !== -1) cut = at + end + 1;
        at += bytesRead;
      }
      if (cut === -1 || cut >= size) break;
      cuts.push(cut);
      wanted = cut + step;
    }
  } finally {
    await file.close();
  }
  cuts.push(size);
  return cuts;
}

/** Rows of one range. `summary` is complete once they were read; then `irregular` must be asked. */
export function readRange(
  range: FileRange,
  options: ReadOptions,
): { readonly summary: RangeSummary; readonly rows: AsyncIterable<Row> } {
  const summary: RangeSummary = { ...emptySummary(range.path), lines: 0, irregular: false };
  const source = new RangeSource(range, options.rowLimit ?? DEFAULT_ROW_LIMIT, summary);
  const rows = async function* () {
    try {
      yield* readSource(source, native, options, summary);
    } catch {
      summary.irregular = true;
    }
  };
  return { summary, rows: rows() };
}

/** Lines of a range. Whatever needs more of the file than that makes the range irregular. */
class RangeSource implements Source {
  readonly path: string;
  readonly name: string;
  readonly bytes = null;
  readonly warnings: readonly string[] = [];
  readonly #range: FileRange;
  readonly #limit: number;
  readonly #summary: RangeSummary;

  constructor(range: FileRange, limit: number, summary: RangeSummary) {
    this.path = range.path;
    this.name = sourceName(range.path);
    this.#range = range;
    this.#limit = limit;
    this.#summary = summary;
  }

  async *lines(): AsyncGenerator<TextLine> {
    const { path, from, to, bom } = this.#range;
    const summary = this.#summary;
    const irregular = () => this.warn();
    for await (const line of byteLines(fileChunks(path, from, to), bom, this.#limit, irregular)) {
      summary.lines = line.number;
      if (line.fault !== undefined) summary.irregular = true;
      if (summary.irregular) return;
      yield line;
    }
  }

  warn(): void {
    this.#summary.irregular = true;
  }

  endsOpen(): void {
    if (!this.#range.last) this.#summary.irregular = true;
  }

  head(): Promise<Head> {
    return this.#unknown();
  }

  text(): Promise<string> {
    return this.#unknown();
  }

  local(): Promise<string> {
    return this.#unknown();
  }

  sibling(): Promise<null> {
    return this.#unknown();
  }

  #unknown(): Promise<never> {
    this.#summary.irregular = true;
    return Promise.reject(new Error('a range knows its lines only'));
  }
}

/** Summaries of all ranges of a plan, in reading order, as those of its files; null where some range is irregular. */
export function mergeRanges(plan: RangePlan, summaries: readonly RangeSummary[]): FileSummary[] | null {
  if (summaries.some(({ irregular }) => irregular)) return null;
  const files = plan.files.map(
    ({ path, bytes }): FileSummary => ({
      ...emptySummary(path),
      format: native.name,
      bytes,
    }),
  );
  const lines = plan.files.map(() => 0);
  plan.ranges.forEach(({ file }, at) => {
    const into = files[file]!;
    const part = summaries[at]!;
    into.rows += part.rows;
    into.kept += part.kept;
    into.dropped += part.dropped;
    for (const [code, count] of Object.entries(part.droppedBy) as [keyof typeof into.droppedBy, number][])
      into.droppedBy[code] = (into.droppedBy[code] ?? 0) + count;
    for (const row of part.droppedRows)
      if (into.droppedRows.length < KEPT_REASONS)
        into.droppedRows.push({ ...row, line: row.line === null ? null : row.line + lines[file]! });
    lines[file]! += part.lines;
  });
  return files;
}
