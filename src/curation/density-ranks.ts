import { floatOrder } from '../math/index.ts';
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
  const order = floatOrder(own);
  let known = 0;
  // Infinities stand last.
  while (known < count && own[order[known]!]! < Number.POSITIVE_INFINITY) known += 1;
  const rank = new Float64Array(count).fill(0.5);
  for (let first = 0, next = 0; first < known && known > 1; first = next) {
    while (next < known && own[order[next]!] === own[order[first]!]) next += 1;
    const shared = 1 - (first + next - 1) / 2 / (known - 1);
    for (let at = first; at < next; at++) rank[order[at]!] = shared;
  }
  const rho = new Float64Array(size);
  let unknown = 0;
  for (let row = 0; row < size; row++) {
    rho[row] = rank[of[row]!]!;
    if (own[of[row]!] === Number.POSITIVE_INFINITY) unknown += 1;
  }
  return { rho, contents: known, unknown };
}
