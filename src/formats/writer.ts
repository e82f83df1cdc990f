import type { TrainingSignals } from '../trajectory/training-signals.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';

export interface WriteOptions {
  /**
   * Whether rows come with training signals: files with fixed columns then have those of the signals even when no row
   * follows. Left out, the first row decides.
   */
  readonly signals?: boolean | undefined;
  /** Aborting it removes what was written so far. */
  readonly signal?: AbortSignal | undefined;
}

/** One output file being written: it appears with `close`, whole, or not at all. */
export interface TrajectoryFile {
  /**
   * Await each call: memory stays flat. `signals` travel beside the row, in the columns or fields that the format
   * has for them. A row without them is written as it always was.
   */
  write(trajectory: Trajectory, signals?: TrainingSignals): Promise<void>;
  /** Puts the file in place. */
  close(): Promise<void>;
  /** Removes what was written; after `close` it changes nothing. */
  abort(): Promise<void>;
}

/** A format that trajectories can be written in. */
export interface Writer {
  /** Name for `--to`. */
  readonly name: string;
  readonly title: string;
  /** Usual ends of file names, the first being the one to propose; with the dot. */
  readonly extensions: readonly string[];
  /** Errors: CA_FILE_UNWRITABLE, and CA_DEPENDENCY_MISSING where a format needs a package. */
  open(path: string, options?: WriteOptions): Promise<TrajectoryFile>;
}
