import { groupBaseline } from './baselines.ts';
import { groupMembers } from './group-members.ts';
import type { AdvantageAccount } from './manifest.ts';
import type { AdvantageRecipe } from './recipe.ts';
import type { CurationRows } from './rows.ts';

/** Added to a group's standard deviation before dividing by it, in units of the reward. */
export const DEVIATION_FLOOR = 1e-6;

/** Squares of values above it come near the largest number. */
const LARGE = 2 ** 500;

export interface Advantages {
  /** By row, before its gradient scale. NaN = the row has no reward or no group. */
  readonly advantage: Float64Array;
  readonly account: AdvantageAccount;
}

/**
 * Advantages of full groups: reward minus the group's baseline (baselines.ts), divided by the group's deviation where
 * `recipe.normalise` asks for it, times the multiplier of the row's simulator (consistency.ts; null = 1). The gradient
 * scale comes last, by the caller: normalising after scaling would undo it.
 *
 * The deviation is sqrt(sum w A^2 / sum w) over the group's compared rows, A = reward - baseline, plus 1e-6; a group
 * of equal rewards has advantages of exactly 0. Lone rows have 0 and are counted.
 *
 * Multiplied by the loss weights these follow the gradient of E[w r] / E[w], but for a bias of the order 1 / n from
 * the row's own share in its baseline; division by the deviation makes it another objective. Where that matters, and
 * where only kept rows are at hand, take pairs (selected-advantages.ts).
 */
export function groupAdvantages(
  rows: CurationRows,
  weight: ArrayLike<number>,
  recipe: Pick<AdvantageRecipe, 'baseline' | 'normalise'>,
  multipliers: ArrayLike<number> | null = null,
): Advantages {
  const advantage = new Float64Array(rows.size).fill(Number.NaN);
  const { start, members } = groupMembers(rows, weight);
  let [groups, lone, judged] = [0, 0, 0];
  for (let group = 0; group < rows.groups.length; group++) {
    const own = members.subarray(start[group]!, start[group + 1]!);
    if (own.length > 0) groups += 1;
    const reward = Float64Array.from(own, (row) => rows.reward[row]!);
    const weights = Float64Array.from(own, (row) => weight[row]!);
    const simulator = Int32Array.from(own, (row) => rows.simulator[row]!);
    const baseline = groupBaseline({ reward, weight: weights, simulator }, recipe.baseline);
    const centred = reward.map((value, i) => value - baseline.value[i]!);
    const divisor = recipe.normalise ? deviation(centred, weights) + DEVIATION_FLOOR : 1;
    own.forEach((row, i) => {
      if (Number.isNaN(reward[i]!)) return;
      const factor = multipliers === null ? 1 : multipliers[rows.simulator[row]!]!;
      const value = baseline.lone[i] === 1 ? 0 : (centred[i]! / divisor) * factor;
      // Rewards at both ends of what a number can hold have no difference.
      if (!Number.isFinite(value)) return;
      judged += 1;
      lone += baseline.lone[i]!;
      advantage[row] = value;
    });
  }
  return { advantage, account: { baseline: recipe.baseline, groups, lone, missing: rows.size - judged } };
}

/** Of centred values about 0, weighted; NaN are left out. 0 where there is none. */
function deviation(centred: Float64Array, weights: Float64Array): number {
  let [squares, total] = [0, 0];
  // A power of two changes no digit; without it squares of large values would overflow, and all advantages be 0.
  const unit = centred.some((value) => Math.abs(value) > LARGE) ? LARGE : 1;
  centred.forEach((value, i) => {
    if (Number.isNaN(value)) return;
    squares += weights[i]! * (value / unit) * (value / unit);
    total += weights[i]!;
  });
  return total === 0 ? 0 : Math.sqrt(squares / total) * unit;
}
