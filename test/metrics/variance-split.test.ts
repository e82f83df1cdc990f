import { describe, expect, it } from 'vitest';
import { seeded } from '../../src/math/random.ts';
import { varianceSplit } from '../../src/metrics/variance-split.ts';

describe('variance split of the reward', () => {
  it('equals the balanced one-way analysis of variance', () => {
    const rewards = [
      [1, 3],
      [2, 6],
      [0, 0],
    ];
    const { simulator, agent } = varianceSplit([{ unit: 0, rewards }]);
    const msw = (2 + 8 + 0) / 3;
    const means = [2, 4, 0];
    const msb = 2 * ((0 ** 2 + 2 ** 2 + 2 ** 2) / 2);
    expect(means.reduce((sum, x) => sum + x, 0) / 3).toBe(2);
    expect(simulator.value).toBeCloseTo(msw, 12);
    expect(agent.value).toBeCloseTo((msb - msw) / 2, 12);
  });

  it('is unbiased for unequal m and unequal variances, and goes below zero at times', () => {
    const random = seeded('anova');
    const [simulators, agents]: [number[], number[]] = [[], []];
    for (let set = 0; set < 6000; set++) {
      const rewards = [2, 3, 5].map((m) => {
        const centre = 0.5 * random.normal();
        const spread = random.next() < 0.5 ? 0.5 : 1.5;
        return Array.from({ length: m }, () => centre + spread * random.normal());
      });
      const split = varianceSplit([{ unit: 0, rewards }]);
      simulators.push(split.simulator.value!);
      agents.push(split.agent.value!);
    }
    expect(close(simulators, 0.5 * (0.25 + 2.25))).toBeLessThan(4);
    expect(close(agents, 0.25)).toBeLessThan(4);
    expect(Math.min(...agents)).toBeLessThan(0);
  });

  it('gives an interval over contexts and is null without repeated seeds', () => {
    const contexts = Array.from({ length: 10 }, (_, unit) => ({
      unit,
      rewards: [
        [0, 1],
        [unit, unit + 1],
      ],
    }));
    const { simulator } = varianceSplit(contexts);
    expect(simulator).toMatchObject({
      value: 0.5,
      low: 0.5,
      high: 0.5,
      n: 40,
      method: 'nested-anova-context(G=10)',
    });
    expect(varianceSplit([...contexts].reverse())).toEqual(varianceSplit(contexts));
    expect(varianceSplit([{ unit: 0, rewards: [[1, 0], [1]] }]).agent.value).toBeNull();
  });
});

function close(values: readonly number[], truth: number): number {
  const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
  const variance = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (values.length - 1);
  return Math.abs(mean - truth) / Math.sqrt(variance / values.length);
}
