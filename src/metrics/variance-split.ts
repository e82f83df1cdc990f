import { type Figure, missing } from './figure.ts';
import { type IntervalOptions, meanFigure } from './interval.ts';

/** Rewards of one context simulated again: rows share an agent seed, each with its own user seed. */
export interface NestedRewards {
  readonly unit: number;
  /** `rewards[a]`: rewards under agent seed a, one per user seed; lists of different length are fine. */
  readonly rewards: readonly (readonly number[])[];
}

export interface VarianceSplit {
  /** E_pi Var_U[R | c]: total effect of the simulator, interaction included. */
  readonly simulator: Figure;
  /** Var_pi E_U[R | c]: what is left to the agent; may be negative and is shown so. */
  readonly agent: Figure;
}

/**
 * Var[R | c] = simulator + agent, mean over contexts. One-way random-effects ANOVA with agent seeds as groups:
 * simulator = mean of the groups' variances, agent = variance of the group means - mean of s_a^2 / m_a. For equal
 * m this is (MSB - MSW) / m; for unequal m and unequal variances it stays unbiased, which the pooled form does not.
 * A context needs two agent seeds with m >= 2 user seeds each; seeds with fewer are left out.
 */
export function varianceSplit(
  contexts: readonly NestedRewards[],
  options: IntervalOptions = {},
): VarianceSplit {
  const simulator: number[] = [];
  const agent: number[] = [];
  let n = 0;
  for (const { rewards } of [...contexts].sort((a, b) => a.unit - b.unit)) {
    const groups = rewards.filter((list) => list.length >= 2);
    if (groups.length < 2) continue;
    const means = groups.map(average);
    const variances = groups.map((list, a) => squares(list, means[a]!) / (list.length - 1));
    const centre = average(means);
    simulator.push(average(variances));
    agent.push(
      squares(means, centre) / (groups.length - 1) -
        average(variances.map((variance, a) => variance / groups[a]!.length)),
    );
    n += groups.reduce((rows, list) => rows + list.length, 0);
  }
  if (simulator.length === 0) {
    const none = missing('no context simulated again under two agent seeds with two user seeds each', n);
    return { simulator: none, agent: none };
  }
  const figure = (values: readonly number[]) =>
    meanFigure(values, {
      ...options,
      n,
      name: 'nested-anova',
      unit: 'reward^2',
      undefinedReason: 'no context',
    });
  return { simulator: figure(simulator), agent: figure(agent) };
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function squares(values: readonly number[], centre: number): number {
  return values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
}
