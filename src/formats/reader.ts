import type { Code, DroppedRow } from '../errors.ts';
import type { SimulatorFacts, Trajectory } from '../trajectory/trajectory.ts';

/** One row out of a file: an episode, or the reason why there is none. */
export type Row =
  | { readonly kind: 'trajectory'; readonly trajectory: Trajectory }
  | { readonly kind: 'dropped'; readonly dropped: DroppedRow };

export interface TextLine {
  /** From 1. */
  readonly number: number;
  /** '' where `fault` is set. */
  readonly text: string;
  /** The line could not be read (too long, compressed data cut short): a dropped row; reading goes on. */
  readonly fault?: { readonly code: Code; readonly reason: string };
}

/** The first bytes of a file, decompressed and decoded, for detection. */
export interface Head {
  readonly name: string;
  /** Decoded text of up to 256 kB; '' for binary files; for a directory the names in it, one a line. */
  readonly text: string;
  /** `parquet`, `xlsx` (zip), `directory`, or text. */
  readonly container: 'text' | 'parquet' | 'xlsx' | 'directory';
  /**
   * First JSON value if the text is JSON or JSONL; `undefined` otherwise. Where the value is longer than
   * the head (`partial`), the part that was seen, with its open brackets closed.
   */
  readonly first: unknown;
  readonly partial: boolean;
  /** `json`: one value in the file; `jsonl`: several values, mostly a line each; `csv`; `other`. */
  readonly shape: 'json' | 'jsonl' | 'csv' | 'other';
  /** Column names of a CSV or parquet file. */
  readonly columns: readonly string[];
}

/** One input file (or run folder), opened as often as a reader likes. */
export interface Source {
  /** As given by the user; for messages. */
  readonly path: string;
  /** File name without folders and without .gz / .zst. */
  readonly name: string;
  head(): Promise<Head>;
  /** Text lines (BOM removed, CRLF cut, encoding resolved), constant memory. */
  lines(): AsyncIterable<TextLine>;
  /** The whole text: for formats that are one JSON document. */
  text(): Promise<string>;
  /** Path of a plain local file with the decompressed content (a temporary one where needed), for parquet and xlsx. */
  local(): Promise<string>;
  /** A file of the same folder (`full_info.csv` beside `full_dialog.csv`; for a directory: in it), also as .gz or .zst; or null. */
  sibling(name: string): Promise<Source | null>;
  /** Size in bytes on disk (compressed), null for standard input. */
  readonly bytes: number | null;
  /** What a person should know of this file though it can be used (encoding fallback, unknown simulator); no duplicates. */
  readonly warnings: readonly string[];
  warn(text: string): void;
  /** Told where the lines end inside a value: of a stretch of a file, that its rows go on behind it. */
  endsOpen?(): void;
}

/** What a user says on the command line about files that do not say it themselves. */
export interface ReadOptions {
  /** Name of the simulator of every row read. */
  readonly simulator?: string;
  readonly simulatorKind?: SimulatorFacts['kind'];
  /** Regular expression on the file name; its first group (or the match) is the simulator. */
  readonly simulatorFrom?: RegExp;
  /** The raw role that is the simulated user (`user`, `assistant`, `target`, ...). */
  readonly simulatorRole?: string;
  readonly policy?: string;
  /** A row larger than this many bytes is dropped (default 64 MiB). */
  readonly rowLimit?: number;
}

export interface Reader {
  /** Name for `--format`. */
  readonly name: string;
  readonly title: string;
  /** Whether it was held against real files or built from a schema. */
  readonly checkedOn: 'real files' | 'schema';
  /** 0 = not this format, 1 = certainly. */
  detect(head: Head): number;
  read(source: Source, options: ReadOptions): AsyncIterable<Row>;
}
