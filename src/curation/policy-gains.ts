import { type Figure, meanFigure, missing } from '../metrics/index.ts';
import type { CurationRows } from './rows.ts';

/**
 * How much better than the base policy the other policies did against each simulator: mean over contexts of
 * (mean reward of all other policies' rows) - (mean reward of the base policy's rows), contexts that have both, paired
 * t over contexts, in units of the reward. By simulator number; `value` null, with the reason, where nothing is paired.
 * `base` is a name of `rows.policies`; null = none is known.
 */
export function policyGains(rows: CurationRows, base: string | null): readonly Figure[] {
  const basis = base === null ? -1 : rows.policies.indexOf(base);
  const without =
    base === null
      ? 'no base policy is named'
      : basis < 0
        ? `no row of the base policy ${JSON.stringify(base)}`
        : null;
  if (without !== null) return rows.simulators.map(() => missing(without));
  const played = rows.simulators.map(() => new Map<number, Rewards>());
  for (let row = 0; row < rows.size; row++) {
    const reward = rows.reward[row]!;
    if (Number.isNaN(reward)) continue;
    const contexts = played[rows.simulator[row]!]!;
    const context = rows.context[row]!;
    let rewards = contexts.get(context);
    if (rewards === undefined) {
      rewards = { base: [], other: [] };
      contexts.set(context, rewards);
    }
    (rows.policy[row] === basis ? rewards.base : rewards.other).push(reward);
  }
  return played.map((contexts) => {
    let n = 0;
    const gains: number[] = [];
    for (const { base: before, other } of contexts.values()) {
      if (before.length === 0 || other.length === 0) continue;
      n += before.length + other.length;
      gains.push(meanOf(other) - meanOf(before));
    }
    // Sorted: the sum then does not depend on the order of rows.
    return meanFigure(
      gains.sort((a, b) => a - b),
      { n, name: 'paired-t', unit: 'reward', undefinedReason: 'no context is shared with the base policy' },
    );
  });
}

interface Rewards {
  readonly base: number[];
  readonly other: number[];
}

function meanOf(values: number[]): number {
  return values.sort((a, b) => a - b).reduce((total, value) => total + value, 0) / values.length;
}
