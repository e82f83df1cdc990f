import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rolloutAdvantages } from '../../../src/lab/learning/index.ts';

const rewards = (...values: number[]) => Float64Array.from(values);

describe('advantages within groups', () => {
  it('are the reward in deviations from the mean of its group', () => {
    const { advantage, groups, zeroVariance } = rolloutAdvantages(
      rewards(0, 10, 1, 30, 1, 20),
      Int32Array.from([0, 7, 0, 7, 0, 7]),
    );
    const sd = Math.sqrt(2) / 3 + 1e-6;
    expect(advantage[0]).toBeCloseTo(-2 / 3 / sd, 12);
    expect(advantage[2]).toBeCloseTo(1 / 3 / sd, 12);
    expect(advantage[5]).toBe(0);
    expect({ groups, zeroVariance }).toEqual({ groups: 2, zeroVariance: 0 });
  });
  it('are exactly 0 in a group of equal rewards, which is counted', () => {
    const found = rolloutAdvantages(rewards(0.1, 0.1, 0.1, 0, 1), Int32Array.from([1, 1, 1, 2, 2]));
    expect([...found.advantage.slice(0, 3)]).toEqual([0, 0, 0]);
    expect(found.zeroVariance).toBe(1);
  });
  it('leave a failed rollout out of its group instead of scoring it 0', () => {
    const found = rolloutAdvantages(rewards(1, Number.NaN, 1, Number.NaN), Int32Array.from([0, 0, 0, 1]));
    expect([...found.advantage]).toEqual([0, Number.NaN, 0, Number.NaN]);
    expect(found).toMatchObject({ groups: 1, zeroVariance: 1, missing: 2 });
  });
  it('do not depend on the order of episodes, to the bit', () => {
    const episode = fc.record({ reward: fc.double({ min: -5, max: 5, noNaN: true }), group: fc.nat(3) });
    fc.assert(
      fc.property(fc.array(episode, { minLength: 1, maxLength: 24 }), (episodes) => {
        const of = (rows: typeof episodes) =>
          rolloutAdvantages(
            Float64Array.from(rows, (row) => row.reward),
            Int32Array.from(rows, (row) => row.group),
          ).advantage;
        expect(of(episodes.toReversed()).toReversed()).toEqual(of(episodes));
      }),
    );
  });
});
