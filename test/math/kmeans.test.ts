import fc from 'fast-check';
import { expect, test } from 'vitest';
import { adjustedRand, kMeans, nearest, seeded } from '../../src/math/index.ts';

/** Rows around `k` well separated centres, cell c having 10 (c + 1) rows. */
function blobs(k: number, columns: number, seed: string) {
  const random = seeded(seed);
  const labels = Array.from({ length: k }, (_, c) => new Array<number>(10 * (c + 1)).fill(c)).flat();
  random.shuffle(labels);
  const data = Float32Array.from({ length: labels.length * columns }, (_, i) => {
    const c = labels[Math.floor(i / columns)]!;
    return (i % columns === c % columns ? 20 * (1 + Math.floor(c / columns)) : 0) + random.normal();
  });
  return { data, labels, rows: labels.length };
}

test('finds well separated groups, the largest first', () => {
  const { data, labels, rows } = blobs(7, 5, 'blobs');
  const { assignment, centroids, inertia } = kMeans(data, rows, 5, 7, seeded(1));
  expect(adjustedRand(labels, assignment)).toBe(1);
  const sizes = new Array(7).fill(0);
  for (const c of assignment) sizes[c]++;
  expect(sizes).toEqual([70, 60, 50, 40, 30, 20, 10]);
  expect(centroids.length).toBe(35);
  // Chi-squared: rows x columns normals less the fitted means.
  expect(inertia / (5 * (rows - 7))).toBeCloseTo(1, 0);
});

test('is the same for the same rows and seed, and does not read the stream it is given', () => {
  const { data, rows } = blobs(5, 3, 'seed');
  const random = seeded('s');
  const first = kMeans(data, rows, 3, 8, random);
  random.next();
  expect(kMeans(data, rows, 3, 8, random)).toEqual(first);
  expect(kMeans(data, rows, 3, 8, seeded('s'))).toEqual(first);
});

test('centroids are the means of their cells and rows lie in their nearest cell', () => {
  const shape = fc.record({
    rows: fc.integer({ min: 1, max: 60 }),
    columns: fc.integer({ min: 1, max: 6 }),
    k: fc.integer({ min: 1, max: 8 }),
    seed: fc.string(),
  });
  fc.assert(
    fc.property(shape, ({ rows, columns, k: wanted, seed }) => {
      const k = Math.min(wanted, rows);
      const random = seeded(seed);
      const data = Float32Array.from({ length: rows * columns }, () => random.normal());
      const { centroids, assignment, inertia } = kMeans(data, rows, columns, k, seeded(seed));
      const placed = nearest(data, rows, columns, centroids, k);
      expect(placed.cell).toEqual(assignment);
      expect(placed.distance.reduce((a, b) => a + b, 0)).toBeCloseTo(inertia, 3);
      const sizes = new Array<number>(k).fill(0);
      for (const c of assignment) sizes[c]!++;
      for (let c = 0; c < k; c++) {
        expect(sizes[c]).toBeGreaterThan(0);
        if (c > 0) expect(sizes[c]).toBeLessThanOrEqual(sizes[c - 1]!);
        for (let j = 0; j < columns; j++) {
          let total = 0;
          for (let r = 0; r < rows; r++) if (assignment[r] === c) total += data[r * columns + j]!;
          expect(centroids[c * columns + j]).toBeCloseTo(total / sizes[c]!, 4);
        }
      }
    }),
  );
});

test('more restarts never give a worse fit', () => {
  const random = seeded('noise');
  const data = Float32Array.from({ length: 400 * 4 }, () => random.normal());
  let before = Number.POSITIVE_INFINITY;
  for (const restarts of [1, 2, 4, 8]) {
    const { inertia } = kMeans(data, 400, 4, 12, seeded(9), { restarts });
    expect(inertia).toBeLessThanOrEqual(before);
    before = inertia;
  }
});

test('one cell is the mean; as many cells as rows leave no distance', () => {
  const data = new Float32Array([0, 0, 2, 0, 4, 6]);
  expect(Array.from(kMeans(data, 3, 2, 1, seeded(1)).centroids)).toEqual([2, 2]);
  expect(kMeans(data, 3, 2, 3, seeded(1)).inertia).toBe(0);
});

test('fewer distinct rows than cells leave cells empty and finite', () => {
  const data = new Float32Array([1, 1, 1, 1, 5, 5]);
  const { centroids, assignment, inertia } = kMeans(data, 6, 1, 4, seeded(1));
  expect(inertia).toBe(0);
  expect(new Set(assignment).size).toBe(2);
  expect(centroids.every(Number.isFinite)).toBe(true);
});

test('refuses more cells than rows', () => {
  expect(() => kMeans(new Float32Array(4), 2, 2, 3, seeded(1))).toThrow(RangeError);
  expect(() => kMeans(new Float32Array(4), 2, 2, 0, seeded(1))).toThrow(RangeError);
});
