import { logChoose } from '../math/distributions.ts';
import type { Figure } from './figure.ts';
import { type IntervalOptions, meanFigure } from './interval.ts';
import { type RewardRange, type RewardRows, rangeLength, rewardsByUnit } from './rewards.ts';

export interface PassHatK {
  readonly k: number;
  readonly value: number;
  /** Contexts with at least k trials: those the value is over. */
  readonly contexts: number;
}

export interface RewardCell {
  /** Mean over contexts of their mean reward, in the reward's own units. */
  readonly reward: Figure;
  /** k = 1, 2, .. while every context has k trials. */
  readonly passHatK: readonly PassHatK[];
  readonly n: number;
}

/** One checkpoint against one simulator. Success = reward at the top of its range. */
export function rewardCell(rows: RewardRows, range: RewardRange, options: IntervalOptions = {}): RewardCell {
  const length = rangeLength(range);
  const n = rows.unit.length;
  const lists = [...rewardsByUnit(rows).values()];
  const reward = meanFigure(
    lists.map((list) => list.reduce((sum, value) => sum + value, 0) / list.length),
    { ...options, n, unit: 'reward', undefinedReason: 'no rewarded row' },
  );
  const trials = lists.map((list) => ({
    n: list.length,
    successes: list.filter((value) => value >= range[1] - 1e-9 * length).length,
  }));
  const least = lists.length === 0 ? 0 : Math.min(...lists.map(({ length: count }) => count));
  return {
    reward,
    n,
    passHatK: Array.from({ length: least }, (_, index) => passHatK(trials, index + 1)),
  };
}

/**
 * pass^k: chance that k fresh trials of one context all succeed, mean over contexts; unbiased C(c, k) / C(n, k)
 * for c successes in n trials (Yao et al. 2024, tau-bench). Contexts with fewer than k trials are left out.
 */
export function passHatK(
  trials: readonly { readonly n: number; readonly successes: number }[],
  k: number,
): PassHatK {
  const used = trials.filter(({ n }) => n >= k);
  const values = used
    .map(({ n, successes }) => (successes < k ? 0 : Math.exp(logChoose(successes, k) - logChoose(n, k))))
    .sort((a, b) => a - b);
  return {
    k,
    value: values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length,
    contexts: used.length,
  };
}
