import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seeded } from '../../src/math/random.ts';
import { type NestedRewards, varianceSplit } from '../../src/metrics/variance-split.ts';
import { expectScaled, expectSound, expectWithin } from './figures.ts';

/** Quarters of 0 .. 1: sums are exact in any order. */
const quarter = fc.nat(4).map((x) => x / 4);

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

describe('variance split of any rewards', () => {
  const anyNested: fc.Arbitrary<NestedRewards[]> = fc
    .array(fc.array(fc.array(quarter, { maxLength: 4 }), { maxLength: 4 }), { maxLength: 12 })
    .map((contexts) => contexts.map((rewards, unit) => ({ unit, rewards })));
  const mapped = (contexts: readonly NestedRewards[], change: (x: number, a: number) => number) =>
    contexts.map(({ unit, rewards }) => ({
      unit,
      rewards: rewards.map((list, a) => list.map((x) => change(x, a))),
    }));

  it('is sound, at least 0 for the simulator, and does not depend on any order', () => {
    fc.assert(
      fc.property(anyNested, (contexts) => {
        const split = varianceSplit(contexts);
        expectSound(split.simulator);
        expectSound(split.agent);
        expectWithin(split.simulator, 0, 0.5);
        const turned = contexts.map(({ unit, rewards }) => ({
          unit: 40 - unit,
          rewards: rewards.map((list) => [...list].reverse()).reverse(),
        }));
        expectScaled(varianceSplit(turned).simulator, split.simulator);
        expectScaled(varianceSplit(turned).agent, split.agent);
      }),
      { numRuns: 60 },
    );
  });

  it('is in squares of the reward and does not see a shift', () => {
    fc.assert(
      fc.property(anyNested, fc.constantFrom(-2, 0.5, 4), (contexts, stretch) => {
        const [split, other] = [contexts, mapped(contexts, (x) => stretch * x + 3)].map((list) =>
          varianceSplit(list),
        );
        expectScaled(other!.simulator, split!.simulator, stretch ** 2);
        expectScaled(other!.agent, split!.agent, stretch ** 2);
      }),
      { numRuns: 60 },
    );
  });

  it('gives a shift between agent seeds to the agent alone', () => {
    fc.assert(
      fc.property(anyNested, (contexts) => {
        const [split, flat] = [mapped(contexts, (x, a) => x + 2 * a), mapped(contexts, (_, a) => a)].map(
          (list) => varianceSplit(list),
        );
        expectScaled(split!.simulator, varianceSplit(contexts).simulator);
        if (flat!.simulator.value === null) return;
        expect(flat!.simulator.value).toBe(0);
        expect(flat!.agent.value).toBeGreaterThan(0);
      }),
      { numRuns: 60 },
    );
  });
});
