import type { Random } from '../math/random.ts';

/**
 * A way of keeping some of n units without replacement, with every probability that an unbiased estimate needs.
 * Units are 0 .. n-1.
 */
export interface InclusionDesign {
  readonly name: 'conditional-poisson' | 'poisson';
  readonly n: number;
  /** Units kept: exactly (conditional Poisson), or on average (Poisson). */
  readonly m: number;
  /** Chance with which each unit is kept, 0 .. 1. */
  readonly pi: Float64Array;
  /** Chances that unit `i` and each other unit are both kept; at `i` itself its own chance. A new array. */
  joint(i: number): Float64Array;
  /** 1 = kept. One uniform number a unit at most. */
  draw(random: Random): Uint8Array;
}

/** Throws a RangeError where `m` is not a whole number of at least 1, or a weight is not above 0. */
export function checkUnits(weights: ArrayLike<number>, m: number): void {
  if (!Number.isInteger(m) || m < 1)
    throw new RangeError(`units to keep must be a whole number of at least 1, got ${m}`);
  for (let i = 0; i < weights.length; i++)
    if (!(weights[i]! > 0)) throw new RangeError(`weight of unit ${i} must be above 0, got ${weights[i]}`);
}

/**
 * Chances min(1, c w_i) that add up to `m`: proportional to the weights, but for those units that would pass 1.
 * All 1 where m >= n. Weights are finite and above 0.
 */
export function cappedShares(weights: ArrayLike<number>, m: number): Float64Array {
  checkUnits(weights, m);
  const n = weights.length;
  const shares = new Float64Array(n).fill(1);
  if (m >= n) return shares;
  const at = Array.from({ length: n }, (_, i) => i).sort((a, b) => weights[b]! - weights[a]!);
  if (weights[at[0]!]! === Number.POSITIVE_INFINITY) throw new RangeError('weights must be finite');
  // Sum of all weights from here on, in units of the one here: neither overflows nor vanishes.
  const rest = new Float64Array(n).fill(1);
  for (let k = n - 2; k >= 0; k--) rest[k] = 1 + (rest[k + 1]! * weights[at[k + 1]!]!) / weights[at[k]!]!;
  // Those that would pass 1 are the heaviest: the others share what these leave.
  let full = 0;
  while (m - full > rest[full]!) full += 1;
  for (let k = full; k < n; k++) {
    const ratio = weights[at[k]!]! / weights[at[full]!]!;
    shares[at[k]!] = Math.min(1, ((m - full) * ratio) / rest[full]!);
  }
  return shares;
}
