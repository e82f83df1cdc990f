import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { nearest, nearestReference, seeded } from '../../src/math/index.ts';
import { instantiate } from '../../src/math/kernels.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

function cloud(rows: number, columns: number, k: number, seed: string) {
  const random = seeded(seed);
  const points = Float32Array.from({ length: rows * columns }, () => random.normal());
  const centroids = Float32Array.from({ length: k * columns }, () => random.normal());
  return { points, centroids };
}

test('the kernel runs here, so that the tests below compare two things', () => {
  expect(instantiate()).not.toBeNull();
});

test('kernel and reference give the same bits for any shape', () => {
  const shape = fc.tuple(
    fc.integer({ min: 0, max: 40 }),
    fc.integer({ min: 0, max: 35 }),
    fc.integer({ min: 1, max: 13 }),
    fc.string(),
  );
  fc.assert(
    fc.property(shape, ([rows, columns, k, seed]) => {
      const { points, centroids } = cloud(rows, columns, k, seed);
      expect(nearest(points, rows, columns, centroids, k)).toEqual(
        nearestReference(points, rows, columns, centroids, k),
      );
    }),
  );
});

test('kernel and reference give the same bits over several blocks and beside a large call', () => {
  for (const [rows, columns, k] of [
    [3001, 129, 24],
    [65, 4, 300],
    [5, 1537, 3],
  ] as const) {
    const { points, centroids } = cloud(rows, columns, k, `${rows}`);
    expect(nearest(points, rows, columns, centroids, k)).toEqual(
      nearestReference(points, rows, columns, centroids, k),
    );
  }
});

test('agrees with 64-bit distances to 1e-4 and takes the nearest cell where it is clear', () => {
  const [rows, columns, k] = [300, 61, 9];
  const { points, centroids } = cloud(rows, columns, k, 'double');
  const { cell, distance } = nearest(points, rows, columns, centroids, k);
  for (let row = 0; row < rows; row++) {
    const squares = Array.from({ length: k }, (_, c) => {
      let total = 0;
      for (let j = 0; j < columns; j++)
        total += (points[row * columns + j]! - centroids[c * columns + j]!) ** 2;
      return total;
    });
    const least = Math.min(...squares);
    expect(Math.abs(distance[row]! / least - 1)).toBeLessThan(1e-4);
    expect(squares[cell[row]!]! / least - 1).toBeLessThan(1e-4);
  }
});

test('takes the lower index on a tie and reports 0 on the spot', () => {
  const centroids = new Float32Array([1, 1, -1, -1, 1, 1, 5, 5, 1, 1]);
  const { cell, distance } = nearest(new Float32Array([1, 1, 0, 0, 5, 5]), 3, 2, centroids, 5);
  expect(Array.from(cell)).toEqual([0, 0, 3]);
  expect(Array.from(distance)).toEqual([0, 2, 0]);
});

test('puts a point with a NaN nowhere near: cell 0 at an infinite distance', () => {
  const points = new Float32Array([Number.NaN, 1, 1, 1]);
  const got = nearest(points, 2, 2, new Float32Array([9, 9, 1, 1]), 2);
  expect(Array.from(got.distance)).toEqual([Number.POSITIVE_INFINITY, 0]);
  expect(Array.from(got.cell)).toEqual([0, 1]);
  expect(nearestReference(points, 2, 2, new Float32Array([9, 9, 1, 1]), 2)).toEqual(got);
});

test('refuses arrays shorter than their shapes', () => {
  expect(() => nearest(new Float32Array(3), 2, 2, new Float32Array(2), 1)).toThrow(RangeError);
  expect(() => nearest(new Float32Array(4), 2, 2, new Float32Array(2), 2)).toThrow(RangeError);
  expect(() => nearest(new Float32Array(4), 2, 2, new Float32Array(2), 0)).toThrow(RangeError);
});

test('gives the same where WebAssembly cannot run', async () => {
  const { points, centroids } = cloud(20, 6, 4, 'without');
  const want = nearest(points, 20, 6, centroids, 4);
  vi.resetModules();
  vi.stubGlobal('WebAssembly', undefined);
  const fresh = await import('../../src/math/index.ts');
  const kernels = await import('../../src/math/kernels.ts');
  expect(kernels.instantiate()).toBeNull();
  expect(fresh.nearest(points, 20, 6, centroids, 4)).toEqual(want);
  const table = new fresh.VectorTable(points, 20, 6);
  const lists = {
    starts: new Uint32Array([0, 2]),
    indices: new Uint32Array([3, 4]),
    weights: new Float32Array([0.5, 2]),
  };
  expect(table.sums(lists)).toEqual(fresh.sumsReference(points, 6, lists));
});
