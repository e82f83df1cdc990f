import { symmetricEigen } from '../math/matrix.ts';
import { minimum } from '../math/summary.ts';
import { type Figure, missing, point } from './figure.ts';
import {
  type Deletion,
  groupLost,
  type IntervalOptions,
  jackknifeFigure,
  jackknifePlan,
} from './interval.ts';
import { effectiveCount, firstRows, presentUnits, unitLength, type VectorRows } from './vectors.ts';

/** Above this dimension 50 eigen-decompositions take seconds: the figure has no interval. */
const INTERVAL_DIMENSION = 96;

/**
 * SCD `kernel` = 1 - S / log d, S = von Neumann entropy (nats) of the centred cosine kernel, read off the d x d
 * covariance of the L2-normalised rows scaled to trace 1 (same non-zero spectrum; Friedman & Dieng 2023 for the
 * entropy). Every simulator enters with as many rows as the smallest has; `null` below 5 d rows in all, where the
 * spectrum of the sample says little about that of the law.
 */
export function kernelCollapse(simulators: readonly VectorRows[], options: IntervalOptions = {}): Figure {
  const directions = simulators.map(unitLength);
  const d = simulators[0]?.columns ?? 0;
  const each = minimum(directions.map(({ unit }) => unit.length));
  const n = simulators.length === 0 ? 0 : each * simulators.length;
  if (n === 0) return missing('no rows', 0);
  if (d < 2) return missing('vectors of fewer than 2 dimensions', n);
  if (n < 5 * d) return missing(`fewer than 5 d = ${5 * d} rows at equal n`, n);
  const samples = directions.map((rows) => firstRows(rows, each));
  const plan = jackknifePlan(samples.map((rows) => ({ units: presentUnits(rows) })));
  const moments = samples.map((rows, sample) => {
    const { groups, groupOf } = plan.components[plan.componentOf[sample]!]!;
    return groupMoments(rows, groupOf, groups);
  });
  const order = canonical(moments);
  const statistic = (deletion: Deletion | null): number => {
    const first = new Float64Array(d);
    const second = new Float64Array(d * d);
    let rows = 0;
    for (const sample of order) {
      const { whole, groups } = moments[sample]!;
      const group = groupLost(plan, sample, deletion);
      const lost = group < 0 ? null : groups[group]!;
      rows += whole.rows - (lost?.rows ?? 0);
      for (let c = 0; c < d; c++) first[c]! += whole.first[c]! - (lost?.first[c] ?? 0);
      for (let c = 0; c < d * d; c++) second[c]! += whole.second[c]! - (lost?.second[c] ?? 0);
    }
    let trace = 0;
    for (let a = 0; a < d; a++)
      for (let b = 0; b < d; b++) {
        const value = second[a * d + b]! / rows - (first[a]! / rows) * (first[b]! / rows);
        second[a * d + b] = value;
        if (a === b) trace += value;
      }
    if (!(trace > 1e-12)) return 1; // All rows point one way: no spread, S = 0.
    return 1 - Math.log(effectiveCount(symmetricEigen(second, d).values)) / Math.log(d);
  };
  if (d > INTERVAL_DIMENSION) return point(statistic(null), n);
  return jackknifeFigure(plan, statistic, {
    ...options,
    n,
    tested: false,
    count: 'union',
    undefinedReason: 'not defined',
  });
}

interface Moments {
  rows: number;
  readonly first: Float64Array;
  readonly second: Float64Array;
}

function groupMoments(
  rows: VectorRows,
  groupOf: ArrayLike<number>,
  groups: number,
): { whole: Moments; groups: Moments[] } {
  const d = rows.columns;
  const empty = (): Moments => ({ rows: 0, first: new Float64Array(d), second: new Float64Array(d * d) });
  const parts = Array.from({ length: groups }, empty);
  for (let row = 0; row < rows.unit.length; row++) {
    const part = parts[groupOf[rows.unit[row]!]!]!;
    const at = row * d;
    part.rows += 1;
    for (let a = 0; a < d; a++) {
      const x = rows.data[at + a]!;
      part.first[a]! += x;
      for (let b = 0; b < d; b++) part.second[a * d + b]! += x * rows.data[at + b]!;
    }
  }
  const whole = empty();
  for (const part of parts) {
    whole.rows += part.rows;
    for (let c = 0; c < d; c++) whole.first[c]! += part.first[c]!;
    for (let c = 0; c < d * d; c++) whole.second[c]! += part.second[c]!;
  }
  return { whole, groups: parts };
}

/** Simulators by their sums, so that their names move no digit. */
function canonical(moments: readonly { whole: Moments }[]): number[] {
  return moments
    .map((_, index) => index)
    .sort((x, y) => {
      const [a, b] = [moments[x]!.whole.first, moments[y]!.whole.first];
      for (let c = 0; c < a.length; c++) if (a[c] !== b[c]) return a[c]! - b[c]!;
      return 0;
    });
}
