import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mean, seeded, variance } from '../../src/math/index.ts';

const draws = (seed: number | string, count = 5) => {
  const random = seeded(seed);
  return Array.from({ length: count }, () => random.next());
};

test('gives the same stream for the same seed, as a number or as text', () => {
  expect(draws(17)).toEqual(draws('17'));
  expect(draws(17)).not.toEqual(draws(18));
});

test('gives the stored stream, so that saved results can be made again', () => {
  expect(draws('collapse', 3)).toMatchInlineSnapshot(`
    [
      0.233785526449942,
      0.8076900689816842,
      0.5326232992770009,
    ]
  `);
});

test('stays in [0, 1) and is uniform to within its standard error', () => {
  const values = draws('uniform', 40_000);
  expect(values.every((value) => value >= 0 && value < 1)).toBe(true);
  expect(Math.abs(mean(values) - 0.5)).toBeLessThan(4 * Math.sqrt(1 / 12 / 40_000));
  const counts = new Array(16).fill(0);
  for (const value of values) counts[Math.floor(value * 16)]++;
  const chi = counts.reduce((total, count) => total + (count - 2500) ** 2 / 2500, 0);
  // 99.9 % quantile of chi-squared with 15 degrees of freedom.
  expect(chi).toBeLessThan(37.7);
});

test('makes normals of mean 0, variance 1 and kurtosis 3', () => {
  const random = seeded('normal');
  const values = Array.from({ length: 40_000 }, () => random.normal());
  expect(Math.abs(mean(values))).toBeLessThan(0.02);
  expect(variance(values)).toBeCloseTo(1, 1);
  expect(mean(values.map((value) => value ** 4))).toBeCloseTo(3, 0);
});

test('forks by label alone, whatever was drawn before', () => {
  const early = seeded(3).fork('a');
  const parent = seeded(3);
  parent.normal();
  parent.next();
  expect(parent.fork('a').next()).toBe(early.next());
  expect(seeded(3).fork('a').next()).not.toBe(seeded(3).fork('b').next());
  expect(seeded(3).fork('a').next()).not.toBe(seeded(3).next());
});

test('shuffles in place to a permutation, each order about as often', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.string(), (items, seed) => {
      const copy = [...items];
      expect(seeded(seed).shuffle(copy)).toBe(copy);
      expect([...copy].sort()).toEqual([...items].sort());
    }),
  );
  const random = seeded('orders');
  const counts = new Map<string, number>();
  for (let i = 0; i < 6000; i++) {
    const order = random.shuffle([1, 2, 3]).join('');
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  expect(counts.size).toBe(6);
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(130);
});

test('draws every integer below n and none beside', () => {
  const random = seeded('integers');
  const seen = new Set(Array.from({ length: 500 }, () => random.integer(7)));
  expect([...seen].sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
});
