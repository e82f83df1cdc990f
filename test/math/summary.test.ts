import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mean, quantile, sum, variance } from '../../src/math/index.ts';

test('sums without losing small terms beside large ones', () => {
  expect(sum([1e100, 1, -1e100])).toBe(1);
  expect(sum(new Array(10).fill(0.1))).toBe(1);
  expect(sum([])).toBe(0);
  expect(sum([1, Number.POSITIVE_INFINITY])).toBe(Number.POSITIVE_INFINITY);
  expect(sum([1, Number.NaN])).toBeNaN();
});

test('gives NaN, not 0, where there is nothing to summarise', () => {
  expect(mean([])).toBeNaN();
  expect(variance([1])).toBeNaN();
  expect(quantile([], 0.5)).toBeNaN();
});

test('divides squares by n - 1 and keeps digits far from the origin', () => {
  expect(variance([2, 4, 4, 4, 5, 5, 7, 9])).toBeCloseTo(32 / 7, 12);
  expect(variance([1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16])).toBe(30);
});

test("interpolates quantiles as R's type 7", () => {
  expect(quantile([1, 2, 3, 4], 0.25)).toBe(1.75);
  expect(quantile([1, 2, 3, 4], 1)).toBe(4);
  expect(quantile([10], 0.3)).toBe(10);
  expect(quantile([0, Number.POSITIVE_INFINITY], 0)).toBe(0);
});

test('quantiles rise with p and stay within the data', () => {
  const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1 });
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(values, share, share, (list, p, q) => {
      const sorted = [...list].sort((a, b) => a - b);
      const [low, high] = [quantile(sorted, Math.min(p, q)), quantile(sorted, Math.max(p, q))];
      const slack = 1e-9;
      expect(low).toBeLessThanOrEqual(high + slack);
      expect(low).toBeGreaterThanOrEqual(sorted[0]! - slack);
      expect(high).toBeLessThanOrEqual(sorted.at(-1)! + slack);
    }),
  );
});
