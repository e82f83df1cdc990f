import { type Figure, missing, point } from './figure.ts';
import { firstRows, type VectorRows } from './vectors.ts';

export interface KnnCoverage {
  readonly coverage: Figure;
  /** What fresh rows of the same law would score at these sizes; null where there is no coverage. */
  readonly expected: number | null;
}

/** Reference rows with the distance to their k-th nearest reference neighbour: found once for all data compared. */
export interface ReferenceBalls {
  readonly k: number;
  readonly rows: VectorRows;
  /** Squared; empty where there are not more than k rows. */
  readonly radius: Float64Array;
}

/** `limit` cuts the reference to N rows, the first in hash order. */
export function referenceBalls(
  reference: VectorRows,
  options: { readonly k?: number; readonly limit?: number } = {},
): ReferenceBalls {
  const k = options.k ?? 5;
  const rows = options.limit === undefined ? reference : firstRows(reference, options.limit);
  const n = rows.unit.length;
  if (n <= k) return { k, rows, radius: new Float64Array(0) };
  const nearest = Array.from({ length: n }, () => new Float64Array(k).fill(Number.POSITIVE_INFINITY));
  for (let row = 0; row < n; row++)
    for (let other = row + 1; other < n; other++) {
      const [a, b] = [nearest[row]!, nearest[other]!];
      const distance = squareDistance(rows, row, rows, other, Math.max(a[k - 1]!, b[k - 1]!));
      insert(a, distance);
      insert(b, distance);
    }
  return { k, rows, radius: Float64Array.from(nearest, (list) => list[k - 1]!) };
}

/**
 * PRDC coverage (Naeem et al. 2020): share of reference rows whose ball up to their k-th nearest reference neighbour
 * holds a row of the data. `limit` cuts the data to M rows, the first in hash order, so that figures are at equal N
 * and M.
 */
export function knnCoverage(
  data: VectorRows,
  { k, rows: people, radius }: ReferenceBalls,
  options: { readonly limit?: number } = {},
): KnnCoverage {
  const own = options.limit === undefined ? data : firstRows(data, options.limit);
  const [n, m] = [people.unit.length, own.unit.length];
  if (radius.length === 0)
    return { coverage: missing(`fewer than ${k + 1} reference rows`, m), expected: null };
  if (m === 0) return { coverage: missing('no rows', 0), expected: null };
  if (people.columns !== own.columns) throw new RangeError(`${people.columns} and ${own.columns} columns`);
  let covered = 0;
  for (let row = 0; row < n; row++)
    for (let other = 0; other < m; other++)
      if (squareDistance(people, row, own, other, radius[row]!) < radius[row]!) {
        covered += 1;
        break;
      }
  return {
    coverage: point(covered / n, m, `prdc(k=${k}, N=${n}, M=${m})`),
    expected: sameLawCoverage(n, m, k),
  };
}

/**
 * Expected coverage where data and reference are of one continuous law: 1 - prod_{i<k} (N-1-i) / (N-1+M-i). The ball
 * misses the data when the k nearest of the N - 1 + M other rows are all reference rows.
 */
export function sameLawCoverage(reference: number, data: number, k: number): number {
  let missed = 1;
  for (let i = 0; i < k; i++) missed *= (reference - 1 - i) / (reference - 1 + data - i);
  return 1 - missed;
}

/** Squared distance, or anything >= `enough` once it is known to be that large. */
function squareDistance(a: VectorRows, i: number, b: VectorRows, j: number, enough: number): number {
  const { columns } = a;
  let square = 0;
  let x = i * columns;
  let y = j * columns;
  for (const end = x + columns; x < end; ) {
    const stop = Math.min(end, x + 8);
    for (; x < stop; x++, y++) square += (a.data[x]! - b.data[y]!) ** 2;
    if (square >= enough) return square;
  }
  return square;
}

/** Keeps the smallest values, ascending. */
function insert(sorted: Float64Array, value: number): void {
  let at = sorted.length - 1;
  if (value >= sorted[at]!) return;
  while (at > 0 && sorted[at - 1]! > value) {
    sorted[at] = sorted[at - 1]!;
    at -= 1;
  }
  sorted[at] = value;
}
