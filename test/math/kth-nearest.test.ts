import fc from 'fast-check';
import { expect, test } from 'vitest';
import { kthNearest, kthNearestReference, seeded } from '../../src/math/index.ts';

function cloud(rows: number, columns: number, count: number, seed: string) {
  const random = seeded(seed);
  return {
    points: Float32Array.from({ length: rows * columns }, () => random.normal()),
    sample: Float32Array.from({ length: count * columns }, () => random.normal()),
    own: Int32Array.from({ length: rows }, () => random.integer(count + 1) - 1),
  };
}

test('kernel and reference give the same bits for any shape', () => {
  const shape = fc.tuple(
    fc.integer({ min: 0, max: 30 }),
    fc.integer({ min: 0, max: 35 }),
    fc.integer({ min: 0, max: 23 }),
    fc.integer({ min: 1, max: 9 }),
    fc.string(),
  );
  fc.assert(
    fc.property(shape, ([rows, columns, count, k, seed]) => {
      const { points, sample, own } = cloud(rows, columns, count, seed);
      expect(kthNearest(points, rows, columns, own, sample, count, k)).toEqual(
        kthNearestReference(points, rows, columns, own, sample, count, k),
      );
    }),
  );
});

test('kernel and reference give the same bits over several blocks', () => {
  const { points, sample, own } = cloud(1001, 41, 130, 'blocks');
  expect(kthNearest(points, 1001, 41, own, sample, 130, 5)).toEqual(
    kthNearestReference(points, 1001, 41, own, sample, 130, 5),
  );
});

test('is the k-th smallest distance, the own row left out', () => {
  const sample = new Float32Array([0, 1, 2, 4, 8]);
  const at = (own: number, k: number) =>
    kthNearest(new Float32Array([1]), 1, 1, new Int32Array([own]), sample, 5, k)[0];
  expect([1, 2, 3, 4, 5, 6].map((k) => at(-1, k))).toEqual([0, 1, 1, 9, 49, Infinity]);
  expect([1, 2, 3, 4, 5].map((k) => at(1, k))).toEqual([1, 1, 9, 49, Infinity]);
});

test('a NaN is nobody’s neighbour, and has none', () => {
  const own = new Int32Array([-1, -1]);
  const points = new Float32Array([Number.NaN, 3]);
  const sample = new Float32Array([Number.NaN, 1, 5.5]);
  const want = new Float32Array([Infinity, 6.25]);
  expect(kthNearest(points, 2, 1, own, sample, 3, 2)).toEqual(want);
  expect(kthNearestReference(points, 2, 1, own, sample, 3, 2)).toEqual(want);
});

test('refuses arrays shorter than their shapes', () => {
  const own = new Int32Array(2);
  expect(() => kthNearest(new Float32Array(3), 2, 2, own, new Float32Array(2), 1, 1)).toThrow(RangeError);
  expect(() => kthNearest(new Float32Array(4), 2, 2, own, new Float32Array(1), 1, 1)).toThrow(RangeError);
  expect(() => kthNearest(new Float32Array(4), 2, 2, own, new Float32Array(2), 1, 0)).toThrow(RangeError);
});
