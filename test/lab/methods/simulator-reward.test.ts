import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { simulatorAdvantages, simulatorRewards } from '../../../src/lab/methods/simulator-reward.ts';
import type { Rollouts } from '../../../src/lab/training/rollout.ts';

const of = (groups: readonly (readonly number[])[]) =>
  ({
    reward: Float64Array.from(groups.flat()),
    group: Int32Array.from(groups.flatMap((rewards, g) => rewards.map(() => g))),
  }) as Pick<Rollouts, 'reward' | 'group'> as Rollouts;

const curriculum = (rewards: readonly number[]) => simulatorRewards(of([rewards]), 'curriculum');

describe('the curriculum reward', () => {
  it.each([
    // Half of a group of binary rewards: variance 1/4, the most there can be.
    [[1, 0, 1, 0], 1],
    // All alike: variance 0, exp(-0.0625 / 0.02) = exp(-3.125).
    [[0, 0, 0, 0], Math.exp(-3.125)],
    [[1, 1, 1, 1], Math.exp(-3.125)],
    [[0.4, 0.4], Math.exp(-3.125)],
    // One of four: variance 3/16, (1/16)^2 / 0.02 = 25/128.
    [[1, 0, 0, 0], Math.exp(-25 / 128)],
    [[1, 1, 1, 0], Math.exp(-25 / 128)],
    // One of eight: variance 7/64, (9/64)^2 / 0.02.
    [[1, 0, 0, 0, 0, 0, 0, 0], Math.exp(-((9 / 64) ** 2) / 0.02)],
    // Not binary: variance 1/16.
    [[0.25, 0.75], Math.exp(-((3 / 16) ** 2) / 0.02)],
    // Alone: nothing varies.
    [[0.7], Math.exp(-3.125)],
  ])('of %j is %d, for every episode of the group', (rewards, expected) => {
    const found = curriculum(rewards);
    expect(found).toHaveLength(rewards.length);
    for (const r of found) expect(r).toBeCloseTo(expected, 12);
  });

  it('is taken of each group apart', () => {
    const found = simulatorRewards(
      of([
        [1, 0],
        [1, 1],
      ]),
      'curriculum',
    );
    [1, 1, Math.exp(-3.125), Math.exp(-3.125)].forEach((r, e) => {
      expect(found[e]).toBeCloseTo(r, 12);
    });
  });

  it('has no part of lost episodes, and gives them none', () => {
    const found = curriculum([1, Number.NaN, 0, Number.NaN]);
    expect([found[0], found[2]]).toEqual([1, 1]);
    expect([found[1], found[3]]).toEqual([Number.NaN, Number.NaN]);
    expect([...curriculum([Number.NaN, Number.NaN])]).toEqual([Number.NaN, Number.NaN]);
  });

  it('lies between that of no variance and 1 whatever the rewards in 0..1 are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 16 }),
        (rewards) => {
          for (const r of curriculum(rewards)) {
            expect(r).toBeGreaterThanOrEqual(Math.exp(-3.125) - 1e-12);
            expect(r).toBeLessThanOrEqual(1);
          }
        },
      ),
    );
  });
});

describe('the other goals', () => {
  const rewards = of([
    [0.25, 1],
    [0, Number.NaN],
  ]);

  it("are the agent's reward, or minus it", () => {
    expect([...simulatorRewards(rewards, 'cooperative')]).toEqual([0.25, 1, 0, Number.NaN]);
    expect([...simulatorRewards(rewards, 'adversarial')].map((r) => r + 0)).toEqual([
      -0.25,
      -1,
      0,
      Number.NaN,
    ]);
  });

  it('compare episodes within their group: advantages of one are minus those of the other', () => {
    const groups = of([
      [0.25, 1],
      [0, 0.5],
      [1, 1],
    ]);
    const cooperative = simulatorAdvantages(groups, 'cooperative');
    const adversarial = simulatorAdvantages(groups, 'adversarial');
    // (r - mean) / sd in a pair is -1 and 1, but for the 1e-6 added to the deviation.
    [-1, 1, -1, 1, 0, 0].forEach((a, e) => {
      expect(cooperative.advantage[e]).toBeCloseTo(a, 4);
      expect(adversarial.advantage[e]).toBeCloseTo(-a, 4);
    });
    expect(cooperative.meanReward).toBeCloseTo(3.75 / 6, 12);
    expect(adversarial.meanReward).toBeCloseTo(-3.75 / 6, 12);
  });
});

describe('advantages of the curriculum', () => {
  it('compare groups with one another, over the whole batch', () => {
    const { advantage, meanReward } = simulatorAdvantages(
      of([
        [1, 0],
        [1, 1],
      ]),
      'curriculum',
    );
    [1, 1, -1, -1].forEach((a, e) => {
      expect(advantage[e]).toBeCloseTo(a, 4);
    });
    expect(meanReward).toBeCloseTo((1 + Math.exp(-3.125)) / 2, 12);
  });

  it('are 0 where all groups vary alike', () => {
    const { advantage } = simulatorAdvantages(
      of([
        [1, 0],
        [0, 1],
      ]),
      'curriculum',
    );
    expect([...advantage]).toEqual([0, 0, 0, 0]);
  });

  it('leave lost episodes out, and have no mean where all are lost', () => {
    const { advantage, meanReward } = simulatorAdvantages(
      of([
        [1, Number.NaN, 0],
        [0, 0],
      ]),
      'curriculum',
    );
    expect(Number.isNaN(advantage[1]!)).toBe(true);
    expect(advantage[0]).toBeGreaterThan(0);
    expect(meanReward).toBeCloseTo((2 + 2 * Math.exp(-3.125)) / 4, 12);
    const none = simulatorAdvantages(of([[Number.NaN, Number.NaN]]), 'curriculum');
    expect(none.advantage.every(Number.isNaN)).toBe(true);
    expect(Number.isNaN(none.meanReward)).toBe(true);
  });
});
