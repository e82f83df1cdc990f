import { hashOrder } from '../math/index.ts';
import { type CurationRows, hashOf } from './rows.ts';

/** Keeps this draw apart from others that are keyed by the same hash and seed. */
const OWN = 0x2545f491;

/**
 * A draw of `size` rows without replacement with chances close to proportional to weight: Pareto sampling (Rosen
 * 1997), the m smallest of [u / (1 - u)] / [l / (1 - l)], l_i = m w_i / sum w (rows with l_i >= 1 are certain), with
 * u = hash of the content and the seed, so that the same content is drawn whatever it is called and wherever it
 * stands. Gives 1 for drawn rows. For figures of weighted data; what is trained on is not drawn this way.
 */
export function drawByWeight(
  rows: CurationRows,
  weight: Float64Array,
  size: number,
  seed: number,
): Uint8Array {
  const drawn = new Uint8Array(rows.size);
  const open = Array.from({ length: rows.size }, (_, row) => row).filter((row) => weight[row]! > 0);
  let left = Math.min(size, open.length);
  let candidates = open;
  let total = 0;
  for (const row of candidates) total += weight[row]!;
  // Taking the certain ones raises the others' chances: repeated until none is left over 1.
  for (;;) {
    const certain = candidates.filter((row) => left * weight[row]! >= total);
    if (certain.length === 0 || left === 0) break;
    for (const row of certain) {
      drawn[row] = 1;
      total -= weight[row]!;
    }
    left -= certain.length;
    candidates = candidates.filter((row) => drawn[row] === 0);
  }
  if (left <= 0 || candidates.length === 0) return drawn;
  const priority = new Float64Array(rows.size);
  for (const row of candidates) {
    const u = hashOrder(hashOf(rows, row), seed ^ OWN);
    const chance = (left * weight[row]!) / total;
    priority[row] = ((u / (1 - u)) * (1 - chance)) / chance;
  }
  candidates.sort((a, b) => priority[a]! - priority[b]! || a - b);
  for (const row of candidates.slice(0, left)) drawn[row] = 1;
  return drawn;
}
