import { contentsOf } from './contents.ts';

export interface DensityRanks {
  /** Of each row, 0 (loneliest) to 1 (most crowded); its mean over contents is 1/2. */
  readonly rho: Float64Array;
  /** Contents that were ranked. */
  readonly contents: number;
  /** Rows whose distance is unknown; they stand in the middle, at 1/2. */
  readonly unknown: number;
}

/**
 * Rank of the local density: the smaller the distance to the neighbours, the higher. Rows of one content take one
 * place (that of their smallest known distance) and share it; equal distances share the mean of their places; so a
 * content repeated a thousand times moves no other rank. `hashes`: four words a row. Distances not finite are unknown.
 */
export function densityRanks(distance: Float32Array, hashes: Uint32Array): DensityRanks {
  const size = distance.length;
  const { of, count } = contentsOf(hashes);
  const own = new Float32Array(count).fill(Number.POSITIVE_INFINITY);
  for (let row = 0; row < size; row++) {
    const value = distance[row]!;
    if (Number.isFinite(value) && value < own[of[row]!]!) own[of[row]!] = value;
  }
  // Infinities go last: what comes before them are the known ones.
  const sorted = own.slice().sort();
  const known = firstAbove(sorted, MAX_FLOAT);
  const rank = new Float64Array(count).fill(0.5);
  if (known > 1)
    for (let content = 0; content < count; content++) {
      const value = own[content]!;
      if (value > MAX_FLOAT) continue;
      const last = firstAbove(sorted, value) - 1;
      let first = last;
      if (first > 0 && sorted[first - 1] === value) first = firstNotBelow(sorted, value);
      rank[content] = 1 - (first + last) / 2 / (known - 1);
    }
  const rho = new Float64Array(size);
  let unknown = 0;
  for (let row = 0; row < size; row++) {
    rho[row] = rank[of[row]!]!;
    if (own[of[row]!]! > MAX_FLOAT) unknown += 1;
  }
  return { rho, contents: known, unknown };
}

const MAX_FLOAT = 3.4028234663852886e38;

/** Number of values of an ascending list that are at most `value`. */
function firstAbove(sorted: Float32Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Number of values of an ascending list that are below `value`. */
function firstNotBelow(sorted: Float32Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
