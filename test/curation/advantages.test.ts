import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEVIATION_FLOOR, groupAdvantages } from '../../src/curation/advantages.ts';
import { sum } from '../../src/math/index.ts';
import { curationRows, type SmallRow } from './selection-rows.ts';

const PLAIN = { baseline: 'weighted', normalise: false } as const;
const SIMULATOR = { baseline: 'simulator', normalise: false } as const;
const NORMALISED = { baseline: 'weighted', normalise: true } as const;

const rewarded = (rewards: readonly (number | null)[], simulators: readonly string[] = []): SmallRow[] =>
  rewards.map((reward, i) => ({ content: `${i}`, reward, simulator: simulators[i] ?? 's' }));
const ones = (n: number) => new Float64Array(n).fill(1);
const advantagesOf = (
  small: readonly SmallRow[],
  recipe: Parameters<typeof groupAdvantages>[2],
  weight: ArrayLike<number> = ones(small.length),
) => groupAdvantages(curationRows(small), weight, recipe);

const anyGroup = fc.array(
  fc.record({
    reward: fc.double({ min: -5, max: 5, noNaN: true }),
    weight: fc.double({ min: 0.25, max: 4, noNaN: true }),
    simulator: fc.constantFrom('x', 'y', 'z'),
  }),
  { minLength: 2, maxLength: 12 },
);

describe('advantages of full groups', () => {
  it('are rewards less their weighted mean', () => {
    expect([...advantagesOf(rewarded([1, 0, 0, 1]), PLAIN).advantage]).toEqual([0.5, -0.5, -0.5, 0.5]);
    expect([...advantagesOf(rewarded([1, 0]), PLAIN, [3, 1]).advantage]).toEqual([0.25, -0.75]);
  });

  it('sum to 0 under the weights: in the group, and for each simulator by its own baseline', () => {
    fc.assert(
      fc.property(anyGroup, fc.boolean(), (group, normalise) => {
        const small = group.map((row, i) => ({ ...row, content: `${i}` }));
        const weight = group.map((row) => row.weight);
        const total = (advantage: Float64Array, of: string | null) =>
          sum(advantage.map((a, i) => (of === null || group[i]!.simulator === of ? a * weight[i]! : 0)));
        const size = normalise ? 1e-6 : 1e-12;
        expect(
          Math.abs(total(advantagesOf(small, { ...PLAIN, normalise }, weight).advantage, null)),
        ).toBeLessThan(size * 100);
        const { advantage } = advantagesOf(small, { ...SIMULATOR, normalise }, weight);
        for (const name of ['x', 'y', 'z']) expect(Math.abs(total(advantage, name))).toBeLessThan(size * 100);
      }),
    );
  });

  it('by simulator do not pay for an easy user', () => {
    const small = rewarded([1, 0.8, 0.2, 0], ['easy', 'easy', 'hard', 'hard']);
    advantagesOf(small, SIMULATOR).advantage.forEach((value, i) => {
      expect(value).toBeCloseTo([0.1, -0.1, 0.1, -0.1][i]!, 12);
    });
    expect(advantagesOf(small, PLAIN).advantage[1]).toBeCloseTo(0.3, 12);
  });

  it('are 0 for a lone row, which is counted', () => {
    const mixed = advantagesOf(rewarded([1, 0, 0.7], ['x', 'x', 'y']), SIMULATOR);
    expect([...mixed.advantage]).toEqual([0.5, -0.5, 0]);
    expect(mixed.account).toEqual({ baseline: 'simulator', groups: 1, lone: 1, missing: 0 });
    const single = advantagesOf(rewarded([3, null]), PLAIN);
    expect([...single.advantage]).toEqual([0, Number.NaN]);
    expect(single.account).toEqual({ baseline: 'weighted', groups: 1, lone: 1, missing: 1 });
  });

  it('are missing without a reward or a group, and such rows move no other', () => {
    const small = [...rewarded([1, 0, null]), { content: 'free', group: null, reward: 9 }];
    const { advantage, account } = advantagesOf(small, PLAIN);
    expect([...advantage]).toEqual([0.5, -0.5, Number.NaN, Number.NaN]);
    expect(account).toMatchObject({ groups: 1, lone: 0, missing: 2 });
  });

  it('of equal rewards are exactly 0, normalised or not', () => {
    for (const recipe of [PLAIN, SIMULATOR, NORMALISED])
      expect([...advantagesOf(rewarded([0.1, 0.1, 0.1]), recipe, [0.3, 0.7, 1.1]).advantage]).toEqual([
        0, 0, 0,
      ]);
  });

  it('normalised have weighted deviation 1, but for the floor', () => {
    const weight = [1, 2, 3, 0.5];
    const { advantage } = advantagesOf(rewarded([1, 0, 0.5, 3]), NORMALISED, weight);
    const squares = sum(advantage.map((a, i) => weight[i]! * a * a)) / sum(weight);
    expect(Math.sqrt(squares)).toBeCloseTo(1, 5);
    const tiny = advantagesOf(rewarded([2 * DEVIATION_FLOOR, 0]), NORMALISED).advantage;
    expect(tiny[0]).toBeCloseTo(0.5, 9);
  });

  it('take multipliers of simulators after normalising, which would undo them', () => {
    const small = rewarded([1, 0, 1, 0], ['x', 'x', 'y', 'y']).map((row, i) => ({
      ...row,
      group: i < 2 ? 'a' : 'b',
    }));
    const { advantage } = groupAdvantages(curationRows(small), ones(4), NORMALISED, [0.5, 1.5]);
    [0.5, -0.5, 1.5, -1.5].forEach((wanted, i) => {
      expect(advantage[i]).toBeCloseTo(wanted, 4);
    });
  });

  it('do not depend on the order of rows, to the last bit', () => {
    fc.assert(
      fc.property(anyGroup, fc.nat(), (group, turn) => {
        const small = group.map((row, i) => ({ ...row, content: `${i}` }));
        const order = small.map((_, i) => (i + turn) % small.length).reverse();
        const recipe = { baseline: 'simulator', normalise: true } as const;
        const weights = (of: readonly number[]) => of.map((i) => group[i]!.weight);
        const plain = advantagesOf(small, recipe, weights([...small.keys()])).advantage;
        const turned = advantagesOf(
          order.map((i) => small[i]!),
          recipe,
          weights(order),
        ).advantage;
        order.forEach((i, at) => {
          expect(turned[at]).toBe(plain[i]);
        });
      }),
    );
  });
});
