import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DenseMatrix, randomisedSvd, type SparseMatrix, seeded } from '../../src/math/index.ts';

function sparseOf({ rows, columns, data }: DenseMatrix): SparseMatrix {
  const indptr = new Uint32Array(rows + 1);
  const indices: number[] = [];
  const values: number[] = [];
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      if (data[i * columns + j] === 0) continue;
      indices.push(j);
      values.push(data[i * columns + j]!);
    }
    indptr[i + 1] = indices.length;
  }
  return { rows, columns, indptr, indices: Uint32Array.from(indices), values: Float64Array.from(values) };
}

/** A matrix with the given singular values: rotated by Householder reflections on both sides. */
function withSpectrum(rows: number, columns: number, spectrum: readonly number[], seed: string): DenseMatrix {
  const random = seeded(seed);
  const data = new Float64Array(rows * columns);
  spectrum.forEach((value, i) => {
    data[i * columns + i] = value;
  });
  const unit = (n: number) => {
    const v = Array.from({ length: n }, () => random.normal());
    const norm = Math.hypot(...v);
    return v.map((x) => x / norm);
  };
  const [u, w] = [unit(rows), unit(columns)];
  for (let j = 0; j < columns; j++) {
    let share = 0;
    for (let i = 0; i < rows; i++) share += u[i]! * data[i * columns + j]!;
    for (let i = 0; i < rows; i++) data[i * columns + j]! -= 2 * share * u[i]!;
  }
  for (let i = 0; i < rows; i++) {
    let share = 0;
    for (let j = 0; j < columns; j++) share += w[j]! * data[i * columns + j]!;
    for (let j = 0; j < columns; j++) data[i * columns + j]! -= 2 * share * w[j]!;
  }
  return { rows, columns, data };
}

const rebuilt = (svd: ReturnType<typeof randomisedSvd>, i: number, j: number) => {
  let total = 0;
  for (let k = 0; k < svd.rank; k++)
    total += svd.left[i * svd.rank + k]! * svd.values[k]! * svd.right[j * svd.rank + k]!;
  return total;
};

test('rebuilds a matrix of low rank and finds its singular values', () => {
  const spectrum = [100, 30, 9, 1, 0.01];
  const matrix = withSpectrum(60, 45, spectrum, 'low rank');
  const svd = randomisedSvd(matrix, 8, seeded(1));
  spectrum.forEach((value, k) => {
    expect(Math.abs(svd.values[k]! / value - 1)).toBeLessThan(1e-6);
  });
  expect(Array.from(svd.values.subarray(5))).toEqual([0, 0, 0]);
  for (let i = 0; i < 60; i++)
    for (let j = 0; j < 45; j++) expect(rebuilt(svd, i, j)).toBeCloseTo(matrix.data[i * 45 + j]!, 6);
});

test('finds the leading values of a slowly falling spectrum', () => {
  const spectrum = Array.from({ length: 80 }, (_, i) => 1 / (1 + 0.1 * i));
  const svd = randomisedSvd(withSpectrum(120, 80, spectrum, 'slow'), 12, seeded(2), { iterations: 4 });
  for (let k = 0; k < 12; k++) expect(Math.abs(svd.values[k]! / spectrum[k]! - 1)).toBeLessThan(0.02);
});

test('treats sparse and dense forms alike', () => {
  const random = seeded('holes');
  const data = Float64Array.from({ length: 30 * 50 }, () => (random.next() < 0.1 ? random.normal() : 0));
  const dense = { rows: 30, columns: 50, data };
  expect(randomisedSvd(sparseOf(dense), 6, seeded(4))).toEqual(randomisedSvd(dense, 6, seeded(4)));
});

test('gives orthonormal vectors of fixed sign, no more than the matrix has sides', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 25 }),
      fc.string(),
      (rows, columns, rank, seed) => {
        const random = seeded(seed);
        const data = Float64Array.from({ length: rows * columns }, () => random.normal());
        const svd = randomisedSvd({ rows, columns, data }, rank, seeded(5));
        expect(svd.rank).toBe(Math.min(rank, rows, columns));
        for (const [side, length] of [
          [svd.left, rows],
          [svd.right, columns],
        ] as const) {
          for (let a = 0; a < svd.rank; a++) {
            for (let b = 0; b <= a; b++) {
              let product = 0;
              for (let i = 0; i < length; i++) product += side[i * svd.rank + a]! * side[i * svd.rank + b]!;
              // Left vectors come by division: those of tiny singular values are less exact.
              const slack = svd.values[a]! < 1e-3 * svd.values[0]! ? 1e-2 : 1e-7;
              expect(Math.abs(product - (a === b ? 1 : 0))).toBeLessThan(slack);
            }
          }
        }
        for (let k = 1; k < svd.rank; k++) expect(svd.values[k]).toBeLessThanOrEqual(svd.values[k - 1]!);
      },
    ),
    { numRuns: 60 },
  );
});

test('is the same for the same seed, and hardly moves for another', () => {
  const matrix = withSpectrum(50, 40, [9, 7, 5, 3, 1], 'seeds');
  const first = randomisedSvd(matrix, 4, seeded(1));
  expect(randomisedSvd(matrix, 4, seeded(1))).toEqual(first);
  const other = randomisedSvd(matrix, 4, seeded(2));
  other.right.forEach((value, i) => {
    expect(value).toBeCloseTo(first.right[i]!, 5);
  });
});

test('has zeros, not NaN, for a matrix of zeros', () => {
  const svd = randomisedSvd({ rows: 4, columns: 3, data: new Float64Array(12) }, 2, seeded(1));
  expect(Array.from(svd.values)).toEqual([0, 0]);
  expect(svd.left.every((value) => value === 0)).toBe(true);
});
