import type { SimulatorKind, Split } from '../trajectory/trajectory.ts';
import type { ReferencePart } from './space.ts';

export const PROFILE_SCHEMA = 'collapse-aware/profile@1';

/** One episode placed in a space. */
export interface ProfileRow {
  /** Content hash. Rows that agree in hash, simulator, policy, checkpoint, epoch, context, reward and part are one row. */
  readonly hash: string;
  /** Distinct 32-bit hashes of the native ids folded into this row, ascending. */
  readonly ids: readonly number[];
  readonly context: string;
  readonly contextFrom: 'scenario' | 'label' | 'none';
  readonly contextLabel: string | null;
  readonly person: string | null;
  readonly simulator: string;
  readonly kind: SimulatorKind;
  readonly policy: string;
  readonly checkpoint: string | null;
  readonly epoch: number | null;
  readonly group: string | null;
  readonly split: Split | null;
  readonly reward: number | null;
  /** Part of the human reference, null for rows under audit. */
  readonly part: ReferencePart | null;
  /** Cell in the full codebook; null where the row's context was not eligible for control. */
  readonly cell: number | null;
  readonly interactionCell: number;
  readonly outside: boolean | null;
  readonly interactionOutside: boolean;
  readonly semanticOutside: boolean;
  /** Cells of single simulator turns, in order (turn codebook). */
  readonly turnCells: Uint8Array;
  /** Cells of single agent turns, in order (policy codebook). */
  readonly policyCells: Uint8Array;
  /** Index of the annotated class with `--classes act`, else null. */
  readonly actClass: string | null;
  /** Visited histories at which replies were drawn again; absent where there are none. */
  readonly histories?: readonly RowHistory[] | undefined;
}

/** Classes of the replies drawn again at one visited history. */
export interface RowHistory {
  readonly depth: number;
  readonly law: 'member' | 'population';
  /** Chance with which the turn was probed, in (0, 1]. */
  readonly probability: number;
  /** Turn cells of the replies, ascending; a reply without words is of class 255. */
  readonly classes: readonly number[];
  /** Annotated class of each reply, in the order of code units; absent where some reply has none. */
  readonly acts?: readonly string[];
}

/** Vectors kept of a bottom-k sample, for what counts alone cannot give (spread, rank, kNN, Vendi, map). */
export interface ReservoirRow {
  readonly hash: string;
  readonly simulator: string;
  readonly context: string;
  readonly part: ReferencePart | null;
  /** z with context effect removed; null where not eligible. */
  readonly z: Float32Array | null;
  /** Whitened interaction block. */
  readonly interaction: Float32Array;
  /** Raw features in the order of the space's `features`, NaN = missing. */
  readonly features: Float32Array;
  readonly excerpt: string;
}

/**
 * A data set placed in a space: mergeable, order-free. Rows sorted by (hash, simulator, ...).
 * Stored column-wise; `row(i)` makes a row when asked.
 */
export interface Profile {
  readonly schema: typeof PROFILE_SCHEMA;
  readonly space: string;
  /** Of the reservoir: rows with the smallest hashOrder(hash, seed), at most `reservoirSize` a simulator and part. */
  readonly seed: number;
  readonly reservoirSize: number;
  readonly size: number;
  row(index: number): ProfileRow;
  /** The row with fields that are read when asked for: for one or two fields of many rows. Its cells are the profile's own. */
  peek(index: number): ProfileRow;
  /** Bottom-k by hash(content, seed) of every simulator (and of every reference part), in hash order. */
  readonly reservoir: readonly ReservoirRow[];
}
