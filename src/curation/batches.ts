import { balancedDraw } from './balanced-draw.ts';
import { type BatchGroups, batchGroups } from './batch-groups.ts';
import type { BatchesRecipe } from './recipe.ts';
import type { CurationRows } from './rows.ts';

/** Which rows stand in which batch: plain data. */
export interface BatchPlan {
  readonly count: number;
  /** Rows of batch b: rows[offsets[b]] .. rows[offsets[b + 1] - 1], group by group. */
  readonly offsets: Int32Array;
  readonly rows: Int32Array;
  /** Of each row; -1 = in none. */
  readonly batchOf: Int32Array;
  /** Mean weight of each batch: divide by it to hold the learning rate. */
  readonly meanWeight: Float64Array;
  /** Groups in batches; a row without a group is one. */
  readonly groups: number;
  /** Rows and groups in no batch: what modes have beyond their equal share. */
  readonly leftOut: { readonly rows: number; readonly groups: number };
  /** By mode; empty without balance. */
  readonly modes: readonly {
    readonly mode: number;
    readonly wanted: number;
    readonly exists: number;
    readonly got: number;
    readonly shortfall: number;
  }[];
  /** Rows without a mode, and how many of them are in batches. */
  readonly withoutMode: { readonly exists: number; readonly got: number };
}

/**
 * Batches of about `size` rows of whole groups. `mode`: an equal share a mode up to what exists (balanced-draw.ts),
 * and every mode spread evenly over the batches, so that training does not begin on another mixture than it ends on.
 * `none`: all groups, in hash order. A batch ends where one more group would take it farther from `size`; the last
 * holds what is left; a group of `size` rows or more is a batch of its own.
 *
 * Weights choose nothing (they multiply the loss: drawing by them would count them twice); null = all 1. The seed and
 * the contents decide, neither names nor the order of rows. O(n log n + groups x k).
 * Throws RangeError where the size is below 1.
 */
export function planBatches(
  rows: Pick<CurationRows, 'size' | 'hashes' | 'group' | 'mode' | 'k'>,
  weight: Float64Array | null,
  { size, balance }: BatchesRecipe,
  seed: number,
): BatchPlan {
  if (!(size >= 1)) throw new RangeError(`batches of ${size} rows`);
  const groups = batchGroups(rows, seed);
  const draw = balance === 'mode' ? balancedDraw(rows.mode, rows.k, groups) : null;
  const sequence = draw === null ? groups.order : spread(groups, draw.drawn, draw.stratum);
  const cut = cutBatches(groups, sequence, size);
  const batchOf = new Int32Array(rows.size).fill(-1);
  const meanWeight = new Float64Array(cut.offsets.length - 1);
  for (let batch = 0; batch < meanWeight.length; batch++) {
    let sum = 0;
    const [from, to] = [cut.offsets[batch]!, cut.offsets[batch + 1]!];
    for (let at = from; at < to; at++) {
      batchOf[cut.rows[at]!] = batch;
      sum += weight === null ? 1 : weight[cut.rows[at]!]!;
    }
    meanWeight[batch] = sum / (to - from);
  }
  const exists = new Float64Array(rows.k);
  let without = 0;
  for (let row = 0; row < rows.size; row++)
    if (rows.mode[row]! < 0) without += 1;
    else exists[rows.mode[row]!]! += 1;
  return {
    count: meanWeight.length,
    offsets: cut.offsets,
    rows: cut.rows,
    batchOf,
    meanWeight,
    groups: sequence.length,
    leftOut: { rows: rows.size - cut.rows.length, groups: groups.count - sequence.length },
    modes:
      draw === null
        ? []
        : Array.from(draw.got, (got, mode) => ({
            mode,
            wanted: draw.wanted,
            exists: exists[mode]!,
            got,
            shortfall: Math.max(0, draw.wanted - got),
          })),
    withoutMode: { exists: without, got: draw === null ? without : draw.gotWithout },
  };
}

/**
 * Drawn groups, every stratum spread evenly: the j-th of its m groups stands at (j + u) / m of the way, u in [0, 1)
 * its own hash. Any stretch of the sequence then holds each stratum's share, give or take a group.
 */
function spread({ order, key }: BatchGroups, drawn: Uint8Array, stratum: Int16Array): Int32Array {
  const sizes = new Map<number, number>();
  for (const g of order) if (drawn[g] === 1) sizes.set(stratum[g]!, (sizes.get(stratum[g]!) ?? 0) + 1);
  const taken = new Map<number, number>();
  const place = new Float64Array(key.length);
  const rank = new Int32Array(key.length);
  const sequence: number[] = [];
  order.forEach((g, at) => {
    rank[g] = at;
    if (drawn[g] === 0) return;
    const j = taken.get(stratum[g]!) ?? 0;
    taken.set(stratum[g]!, j + 1);
    place[g] = (j + key[g]!) / sizes.get(stratum[g]!)!;
    sequence.push(g);
  });
  return Int32Array.from(sequence).sort((a, b) => place[a]! - place[b]! || rank[a]! - rank[b]!);
}

function cutBatches(
  { starts, members }: BatchGroups,
  sequence: Int32Array,
  size: number,
): { offsets: Int32Array; rows: Int32Array } {
  const batches: number[][] = [];
  let open: number[] = [];
  let held = 0;
  const close = () => {
    if (open.length > 0) batches.push(open);
    open = [];
    held = 0;
  };
  for (const g of sequence) {
    const rows = starts[g + 1]! - starts[g]!;
    if (rows >= size) {
      batches.push([g]);
      continue;
    }
    if (held > 0 && held + rows - size > size - held) close();
    open.push(g);
    held += rows;
    if (held >= size) close();
  }
  close();
  const offsets = new Int32Array(batches.length + 1);
  let total = 0;
  for (const g of sequence) total += starts[g + 1]! - starts[g]!;
  const rows = new Int32Array(total);
  let at = 0;
  batches.forEach((batch, b) => {
    for (const g of batch) {
      rows.set(members.subarray(starts[g], starts[g + 1]), at);
      at += starts[g + 1]! - starts[g]!;
    }
    offsets[b + 1] = at;
  });
  return { offsets, rows };
}
