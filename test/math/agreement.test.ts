import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  adjustedMutualInformation,
  adjustedRand,
  entropy,
  mean,
  mutualInformation,
  seeded,
} from '../../src/math/index.ts';

/** Labels that both languages make alike: x <- (m x + 11) mod 10007 from 7, label x mod k. */
function labels(n: number, m: number, k: number): number[] {
  let x = 7;
  return Array.from({ length: n }, () => {
    x = (x * m + 11) % 10007;
    return x % k;
  });
}

// Values: scikit-learn 1.9.1. `mixed` takes every second label from the first labelling (mod 3).
test.each([
  [60, [131, 4], [17, 6], false, -0.01806548836940554, 0.01001643810683063, 0.12198754413592007],
  [60, [131, 4], [17, 6], true, 0.0997610932704867, 0.12750881743558923, 0.2791123204869482],
  [500, [131, 24], [977, 169], false, 0.0011854081566666974, 0.0007220267528436954, 1.963808388226857],
  [500, [131, 24], [977, 169], true, 0.22540614304625659, 0.10845431150444869, 1.7342796373737843],
  [40, [3, 40], [5, 2], false, -0.03540446295094189, -0.011346917387185844, 0.3128438732564872],
  [40, [3, 40], [5, 2], true, 0.012326014726026449, 0.011210260744202232, 0.595998723207225],
] as const)(
  'agrees with scikit-learn: %d items, labels %j and %j, mixed %s',
  (n, [m1, k1], [m2, k2], mixed, ami, ari, mi) => {
    const a = labels(n, m1, k1);
    const b = labels(n, m2, k2).map((label, i) => (mixed && i % 2 === 1 ? a[i]! % 3 : label));
    expect(adjustedMutualInformation(a, b)).toBeCloseTo(ami, 10);
    expect(adjustedRand(a, b)).toBeCloseTo(ari, 12);
    expect(mutualInformation(a, b)).toBeCloseTo(mi, 12);
  },
);

test('equal partitions agree fully, whatever their labels', () => {
  for (const a of [
    [0, 0, 1, 1, 2],
    [3, 3, 3],
    [0, 1, 2],
  ]) {
    const b = a.map((label) => 9 - label);
    expect(adjustedMutualInformation(a, b)).toBe(1);
    expect(adjustedRand(a, b)).toBe(1);
  }
});

test('one class against all apart is no agreement', () => {
  expect(adjustedMutualInformation([0, 0, 0], [0, 1, 2])).toBe(0);
  expect(adjustedRand([0, 0, 0], [0, 1, 2])).toBe(0);
});

test('no items give NaN and unequal lengths are refused', () => {
  expect(adjustedMutualInformation([], [])).toBeNaN();
  expect(adjustedRand([], [])).toBeNaN();
  expect(mutualInformation([], [])).toBeNaN();
  expect(entropy([])).toBeNaN();
  expect(() => adjustedRand([1], [1, 2])).toThrow(RangeError);
});

test('entropy of K equal classes is log K and of one class 0', () => {
  expect(entropy([5, 5, 5, 5])).toBeCloseTo(Math.log(4), 14);
  expect(entropy([7, 0, 0])).toBe(0);
});

test('independent labellings agree at 0 on average, after correction only', () => {
  const random = seeded('independent');
  const draw = (k: number) => Array.from({ length: 60 }, () => random.integer(k));
  const pairs = Array.from({ length: 300 }, () => [draw(12), draw(8)] as const);
  expect(Math.abs(mean(pairs.map(([a, b]) => adjustedMutualInformation(a, b))))).toBeLessThan(0.01);
  expect(Math.abs(mean(pairs.map(([a, b]) => adjustedRand(a, b))))).toBeLessThan(0.01);
  expect(mean(pairs.map(([a, b]) => mutualInformation(a, b)))).toBeGreaterThan(0.4);
});

test('permuting items, renaming labels or swapping the two changes no bit', () => {
  const items = fc.array(fc.tuple(fc.nat(6), fc.nat(9)), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(items, fc.string(), (list, seed) => {
      const moved = seeded(seed).shuffle([...list]);
      for (const measure of [adjustedMutualInformation, adjustedRand, mutualInformation]) {
        const first = measure(
          list.map(([a]) => a),
          list.map(([, b]) => b),
        );
        const second = measure(
          moved.map(([, b]) => 1000 - 7 * b),
          moved.map(([a]) => a * a),
        );
        expect(second).toBe(first);
        expect(first).toBeLessThanOrEqual(measure === mutualInformation ? Math.log(10) : 1 + 1e-12);
      }
    }),
  );
});
