import { covariance, symmetricEigen } from '../math/matrix.ts';
import { type Figure, missing, point } from './figure.ts';
import { effectiveCount, type VectorRows } from './vectors.ts';

/**
 * Effective rank of the rows' covariance: exp of the entropy of its eigenvalues' shares (Roy & Vetterli 2007);
 * 1 to the dimension. Grows with n: compare at equal n only. A figure, not evidence: no interval.
 */
export function effectiveRank(rows: VectorRows): Figure {
  const n = rows.unit.length;
  if (n < 2) return missing('fewer than 2 rows', n);
  const { columns } = rows;
  const { values } = symmetricEigen(covariance(rows.data, n, columns), columns);
  if (!(values[0]! > 0)) return { ...point(1, n), unit: 'dimensions' }; // All rows equal: nothing varies.
  return { ...point(effectiveCount(values), n), unit: 'dimensions' };
}
