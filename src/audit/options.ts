import type { FileSummary, ReadFilesOptions } from '../formats/index.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';

/**
 * Episodes that can be read more than once: the space is fitted in a first pass, every row placed in a second.
 * With `files`, several threads may read them instead, to the same result.
 */
export type Records = (() => AsyncIterable<Trajectory>) & { readonly files?: ReadableFiles };

/** Files that can be cut into ranges. */
export interface ReadableFiles {
  readonly paths: readonly string[];
  readonly options: ReadFilesOptions;
  /** People among the rows are passed over. */
  readonly withoutPeople?: boolean;
  /** Bytes of one range (default 16 MiB). */
  readonly rangeBytes?: number;
  /** Told what a complete reading came to, as an iteration of the records would. */
  settled(files: readonly FileSummary[]): void;
}

export function isHuman({ simulator }: Trajectory): boolean {
  return simulator.kind === 'human';
}

/** The same records without those of people. */
export function withoutPeople(records: Records): Records {
  const rest = async function* () {
    for await (const trajectory of records()) if (!isHuman(trajectory)) yield trajectory;
  };
  return records.files === undefined
    ? rest
    : Object.assign(rest, { files: { ...records.files, withoutPeople: true } });
}

export interface AuditOptions {
  /** Seed of every draw: splits, samples, codebooks, permutations (default: that of a space that was given, else 0). */
  readonly seed?: number;
  /** Number of modes; overrides the rule K = min(64, n_fit / 15) and its cap. */
  readonly k?: number;
  /** Simulators whose rows are held out from training (PSOD), beside the rows that say so themselves. */
  readonly heldOut?: readonly string[];
  /** Lowest and highest possible reward; default: the range seen. */
  readonly rewardRange?: readonly [number, number];
  /** Width of an epoch in steps: epoch = floor(step / bucket). */
  readonly epochBucket?: number;
  /** Checkpoint that PSOD's rise is measured from; default: the first by name or number. */
  readonly baseCheckpoint?: string;
  /** Take annotated acts as the classes instead of the fitted modes. */
  readonly classes?: 'mode' | 'act';
  /** Most episodes the space is fitted on (default 6,000). */
  readonly sampleLimit?: number;
  /** Keep at most this many episodes of each simulator instead. */
  readonly perSimulator?: number;
  /** Report nulls with their reason where there are too few episodes for a space, instead of an error. */
  readonly evenIfTooSmall?: boolean;
  /** Weights of the semantic and the interaction block in z (default 1 and 1). */
  readonly blockWeights?: readonly [number, number];
  /** Called as rows pass by; `total` is null where it is not known yet. */
  readonly onProgress?: (stage: Stage, done: number, total: number | null) => void;
  readonly signal?: AbortSignal;
  /** Threads that read files (default: one a core, four at most); 1 = none beside this one. */
  readonly workers?: number;
}

export type Stage = 'read' | 'fit' | 'place' | 'measure';
