import { studentTQuantile } from '../../math/index.ts';

export interface Coefficient {
  /** Log odds per unit of the covariate. */
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Logistic regression by Newton's method: intercept first, then one coefficient a column of `rows`. Intervals are
 * 95 %, from the sandwich variance clustered by `clusters` (Liang & Zeger 1986) and t(clusters - 1). `null` where
 * the likelihood has no maximum that is found (a column that separates the outcomes, collinear columns).
 */
export function logistic(
  rows: readonly (readonly number[])[],
  outcomes: readonly boolean[],
  clusters: readonly string[],
): Coefficient[] | null {
  const x = rows.map((row) => [1, ...row]);
  const width = x[0]!.length;
  const beta = new Array<number>(width).fill(0);
  let bread: number[][] | null = null;
  let settled = false;
  for (let round = 0; round < 50 && !settled; round++) {
    const information = square(width);
    const gradient = new Array<number>(width).fill(0);
    x.forEach((row, i) => {
      const p = chance(row, beta);
      for (let a = 0; a < width; a++) {
        gradient[a]! += row[a]! * ((outcomes[i] ? 1 : 0) - p);
        for (let b = 0; b < width; b++) information[a]![b]! += row[a]! * row[b]! * p * (1 - p);
      }
    });
    bread = inverse(information);
    if (bread === null) return null;
    const step = bread.map((line) => line.reduce((sum, value, a) => sum + value * gradient[a]!, 0));
    step.forEach((value, a) => {
      beta[a]! += value;
    });
    settled = Math.max(...step.map(Math.abs)) < 1e-10;
    if (!beta.every((value) => Math.abs(value) < 100)) return null;
  }
  if (!settled || bread === null) return null;
  const scores = new Map<string, number[]>();
  x.forEach((row, i) => {
    const residual = (outcomes[i] ? 1 : 0) - chance(row, beta);
    const score = scores.get(clusters[i]!) ?? new Array<number>(width).fill(0);
    scores.set(
      clusters[i]!,
      score.map((value, a) => value + row[a]! * residual),
    );
  });
  const count = scores.size;
  const reach = studentTQuantile(0.975, count - 1);
  return beta.map((estimate, a) => {
    let variance = 0;
    for (const score of scores.values())
      variance += bread[a]!.reduce((sum, value, b) => sum + value * score[b]!, 0) ** 2;
    const se = Math.sqrt((variance * count) / (count - 1));
    return { estimate, low: estimate - reach * se, high: estimate + reach * se };
  });
}

function chance(row: readonly number[], beta: readonly number[]): number {
  return 1 / (1 + Math.exp(-row.reduce((sum, value, a) => sum + value * beta[a]!, 0)));
}

const square = (width: number) => Array.from({ length: width }, () => new Array<number>(width).fill(0));

/** Gauss-Jordan with row pivots; null for a matrix that is singular to rounding. */
function inverse(matrix: readonly (readonly number[])[]): number[][] | null {
  const n = matrix.length;
  const work = matrix.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))]);
  for (let column = 0; column < n; column++) {
    let pivot = column;
    for (let row = column + 1; row < n; row++)
      if (Math.abs(work[row]![column]!) > Math.abs(work[pivot]![column]!)) pivot = row;
    const held = work[pivot]!;
    if (!(Math.abs(held[column]!) > 1e-10)) return null;
    work[pivot] = work[column]!;
    work[column] = held.map((value) => value / held[column]!);
    for (let row = 0; row < n; row++) {
      if (row === column) continue;
      const factor = work[row]![column]!;
      work[row] = work[row]!.map((value, j) => value - factor * work[column]![j]!);
    }
  }
  return work.map((row) => row.slice(n));
}
