import { symmetricEigen } from '../math/matrix.ts';
import { type Figure, missing, point } from './figure.ts';
import { effectiveCount, unitLength, type VectorRows } from './vectors.ts';

/**
 * Vendi score of order 1 with the cosine kernel (Friedman & Dieng 2023): exp of the entropy of the eigenvalues of
 * K / n. 1 for identical rows, n for orthogonal ones. Computed on the smaller of the n x n kernel and the d x d
 * second moment, which share their non-zero spectrum. Grows with n: compare at equal n.
 */
export function vendi(rows: VectorRows): Figure {
  const { data, columns, unit } = unitLength(rows);
  const n = unit.length;
  if (n === 0) return missing('no rows', 0);
  const size = Math.min(n, columns);
  const matrix = new Float64Array(size * size);
  const overRows = n > columns;
  for (let a = 0; a < size; a++)
    for (let b = a; b < size; b++) {
      let product = 0;
      if (overRows)
        for (let row = 0; row < n; row++) product += data[row * columns + a]! * data[row * columns + b]!;
      else for (let c = 0; c < columns; c++) product += data[a * columns + c]! * data[b * columns + c]!;
      matrix[a * size + b] = product / n;
      matrix[b * size + a] = product / n;
    }
  return { ...point(effectiveCount(symmetricEigen(matrix, size).values), n), unit: 'rows' };
}
