import type { Figure } from '../metrics/index.ts';
import { groupDroWeights } from './group-dro.ts';
import { policyGains } from './policy-gains.ts';
import type { ConsistencyRecipe } from './recipe.ts';
import type { CurationRows } from './rows.ts';

/** Factors for the advantages of each simulator's rows, mean 1 over rows. */
export interface Consistency {
  /** Policy that gains are measured from. */
  readonly base: string | null;
  readonly multipliers: Float64Array;
  /** Gain over the base policy that each came from. */
  readonly gains: readonly Figure[];
  /** Why all multipliers are 1; null where they need not be. */
  readonly reason: string | null;
}

/**
 * Pulls the policy towards gaining the same against every simulator. `base` is the policy's name in `rows.policies`,
 * null where none is known. A simulator whose gain is not known keeps a neutral multiplier; with fewer than 2 known
 * gains there is nothing to compare, and all are 1, with the reason.
 */
export function consistencyMultipliers(
  rows: CurationRows,
  recipe: ConsistencyRecipe,
  base: string | null,
): Consistency {
  const gains = policyGains(rows, base);
  const values = Float64Array.from(gains, ({ value }) => value ?? Number.NaN);
  const counts = new Float64Array(rows.simulators.length);
  for (let row = 0; row < rows.size; row++) counts[rows.simulator[row]!]! += 1;
  const known = values.filter((value) => !Number.isNaN(value)).length;
  if (known < 2) {
    const reason = gains.find(({ value }) => value === null)?.reason ?? 'only one simulator';
    return {
      base,
      multipliers: values.fill(1),
      gains,
      reason: `fewer than 2 simulators have a gain: ${reason}`,
    };
  }
  const rule = recipe.rule === 'v-rex' ? vRexMultipliers : groupDroMultipliers;
  return { base, multipliers: rule(values, counts, recipe.lambda), gains, reason: null };
}

/**
 * V-REx (Krueger et al. 2021) on gains: the derivative of (mean gain - lambda * variance of the gains over simulators)
 * by gain_s, times the number of simulators: max(0, 1 - 2 lambda (gain_s - mean)), renormalised to mean 1 over `rows`.
 * A simulator ahead of the mean counts less, one behind more. Without the renormalisation the learning rate would move.
 *
 * The mean is over simulators with a gain, equally; a missing gain (NaN) has 1 before renormalising. The simulator
 * with the least gain always has 1 or more, so not all can be 0; where all simulators that have rows are cut to 0,
 * nothing is left to renormalise and all are 1.
 */
export function vRexMultipliers(
  gains: ArrayLike<number>,
  rows: ArrayLike<number>,
  lambda: number,
): Float64Array {
  if (!(lambda >= 0 && Number.isFinite(lambda)))
    throw new RangeError(`lambda must be a number of at least 0, got ${lambda}`);
  const all = Float64Array.from(gains);
  // Sorted, here and below: simulators are numbered as they came, and sums must not hang on that.
  const known = all.filter((gain) => !Number.isNaN(gain)).sort();
  const centre = known.length === 0 ? 0 : known.reduce((total, gain) => total + gain, 0) / known.length;
  return meanOne(
    all.map((gain) => (Number.isNaN(gain) ? 1 : Math.max(0, 1 - 2 * lambda * (gain - centre)))),
    rows,
  );
}

/**
 * One step of group DRO with the losses -gain, begun from the shares that the data have: multiplier = q_s / share_s,
 * mean 1 over `rows` by construction. lambda = 0: all 1. Simulators without rows have 1.
 */
export function groupDroMultipliers(
  gains: ArrayLike<number>,
  rows: ArrayLike<number>,
  lambda: number,
): Float64Array {
  let total = 0;
  for (let s = 0; s < rows.length; s++) total += rows[s]!;
  const shares = Float64Array.from(rows, (count) => count / total);
  const losses = Float64Array.from(gains, (gain) => -gain);
  const moved = groupDroWeights(losses, lambda, shares);
  return moved.map((share, s) => (shares[s]! > 0 ? share / shares[s]! : 1));
}

function meanOne(multipliers: Float64Array, rows: ArrayLike<number>): Float64Array {
  const total = sumOf(multipliers.map((multiplier, s) => multiplier * rows[s]!));
  const count = sumOf(Float64Array.from(rows));
  return total > 0 ? multipliers.map((multiplier) => (multiplier * count) / total) : multipliers.fill(1);
}

function sumOf(values: Float64Array): number {
  return values.sort().reduce((total, value) => total + value, 0);
}
