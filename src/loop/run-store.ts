import type { LoopAnswer } from './answer.ts';
import { canonicalHash } from './canonical-json.ts';
import type { LoopRequest } from './request.ts';
import type { RoundRecord } from './round-record.ts';
import type { RunStudy } from './run-study.ts';

/** An answer as it is kept, with what it answers. */
export interface RunEntry {
  readonly round: number;
  /** Of the request. */
  readonly id: string;
  /** Hash of the request: an answer is never given to another question. */
  readonly request: string;
  readonly answer: LoopAnswer;
}

export const requestHash = (request: LoopRequest): string => canonicalHash(request);

export interface RunControl {
  /** Whoever drives the run stops before the next request; null = nobody asked. */
  readonly pause: { readonly at: string; readonly by: string } | null;
}

/** What somebody wrote who asked for a pause. */
export function readPause(text: string): NonNullable<RunControl['pause']> {
  try {
    const { at, by } = JSON.parse(text) as { at?: unknown; by?: unknown };
    if (typeof at === 'string' && typeof by === 'string') return { at, by };
  } catch {
    // Told below.
  }
  // Somebody wants it to stop: that much is sure.
  return { at: '', by: 'somebody who left no name' };
}

/** A run as others see it, who neither hold nor change it. */
export interface RunView {
  /** As a person calls it. */
  readonly place: string;
  readonly study: RunStudy;
  /** In the order of the run. */
  entries(): AsyncIterable<RunEntry>;
  rounds(): Promise<readonly RoundRecord[]>;
  /** The text of a checkpoint. Errors: CA_FILE_NOT_FOUND; CA_FORMAT_INVALID where it is not what its name says. */
  read(checkpoint: string): Promise<string>;
  control(): Promise<RunControl>;
  /** Bytes of the summary; null = the run is not over. */
  summary(): Promise<string | null>;
  /** Who drives it now, as a person calls it; null = nobody. */
  holder(): Promise<string | null>;
  close(): Promise<void>;
}

/** A run that this process drives: nobody else can open it so before `close`. */
export interface RunStore extends RunView {
  /** What was mended when it was opened, a line each. */
  readonly notes: readonly string[];
  /** Resolves once the entry is kept for good; where it rejects, nothing of it is. */
  append(entry: RunEntry): Promise<void>;
  /** Keeps the text of a checkpoint for good. Its name is the hash of its content. */
  keep(text: string): Promise<string>;
  /** The same record again changes nothing. */
  keepRound(record: RoundRecord): Promise<void>;
  /** The end of the run. Errors: CA_RUN_DIVERGED where another summary is there. */
  keepSummary(text: string): Promise<void>;
}

/** Where one run is kept: a folder, or a name in a database. */
export interface RunPlace {
  readonly name: string;
  /** Errors: CA_FILE_NOT_FOUND where there is no run. */
  view(): Promise<RunView>;
  /**
   * Holds the run, and makes it where there is none. @param study null = whatever is there.
   * Errors: CA_STORE_LOCKED naming who holds it; CA_CONFIG_INVALID where it is another study; CA_FORMAT_INVALID where it
   * is damaged; CA_FILE_NOT_FOUND; CA_FILE_UNWRITABLE.
   */
  open(study: RunStudy | null): Promise<RunStore>;
  /** Whether somebody holds the run or not. */
  askPause(): Promise<void>;
  allow(): Promise<void>;
}
