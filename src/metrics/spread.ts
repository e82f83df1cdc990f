import { type Figure, missing } from './figure.ts';
import { groupLost, type IntervalOptions, jackknifeFigure, jackknifePlan } from './interval.ts';
import { presentUnits, type VectorRows } from './vectors.ts';

/**
 * tr Cov of the simulator's rows about their own mean, over that of the reference (people) or the pool: below 1 =
 * varies less than they do. Unbiased traces (n - 1); interval of the ratio by the jackknife over units.
 */
export function spread(simulator: VectorRows, reference: VectorRows, options: IntervalOptions = {}): Figure {
  return traceFigure([simulator], reference, ([own]) => own!, options);
}

/** Spread of `a` minus spread of `b`, over one and the same reference or pool. */
export function spreadDifference(
  a: VectorRows,
  b: VectorRows,
  reference: VectorRows,
  options: IntervalOptions = {},
): Figure {
  return traceFigure([a, b], reference, ([own, other]) => own! - other!, options);
}

function traceFigure(
  compared: readonly VectorRows[],
  reference: VectorRows,
  combine: (spreads: readonly number[]) => number,
  options: IntervalOptions,
): Figure {
  const n = compared.reduce((rows, { unit }) => rows + unit.length, 0);
  if (compared.some(({ unit }) => unit.length < 2)) return missing('fewer than 2 rows', n);
  if (reference.unit.length < 2) return missing('fewer than 2 rows to compare with', n);
  const samples = [...compared, reference];
  const units = samples.map(presentUnits);
  const plan = jackknifePlan(units.map((present) => ({ units: present })));
  // About the reference's mean, squares of shifted vectors lose no digits to a far origin.
  const origin = columnCentre(reference);
  const parts = samples.map((rows, sample) => {
    const { groups, groupOf } = plan.components[plan.componentOf[sample]!]!;
    return traceSums(rows, origin, groupOf, groups);
  });
  return jackknifeFigure(
    plan,
    (deletion) => {
      const traces = parts.map((sums, sample) => traceWithout(sums, groupLost(plan, sample, deletion)));
      const all = traces.pop()!;
      return combine(traces.map((own) => own / all));
    },
    {
      ...options,
      n,
      tested: units.every((present) => present.length >= 50),
      count: 'each',
      undefinedReason: 'the rows to compare with do not vary',
    },
  );
}

interface TraceSums {
  readonly columns: number;
  readonly rows: Float64Array;
  /** groups x columns. */
  readonly first: Float64Array;
  readonly square: Float64Array;
}

function columnCentre({ columns, data, unit }: VectorRows): Float64Array {
  const centre = new Float64Array(columns);
  for (let row = 0; row < unit.length; row++)
    for (let c = 0; c < columns; c++) centre[c]! += data[row * columns + c]! / unit.length;
  return centre;
}

function traceSums(
  { columns, data, unit }: VectorRows,
  origin: Float64Array,
  groupOf: ArrayLike<number>,
  groups: number,
): TraceSums {
  const rows = new Float64Array(groups);
  const first = new Float64Array(groups * columns);
  const square = new Float64Array(groups);
  for (let row = 0; row < unit.length; row++) {
    const group = groupOf[unit[row]!]!;
    rows[group]! += 1;
    for (let c = 0; c < columns; c++) {
      const x = data[row * columns + c]! - origin[c]!;
      first[group * columns + c]! += x;
      square[group]! += x * x;
    }
  }
  return { columns, rows, first, square };
}

/** tr Cov without one group (-1: of all rows). */
function traceWithout({ columns, rows, first, square }: TraceSums, without: number): number {
  const total = new Float64Array(columns);
  let n = 0;
  let squares = 0;
  for (let group = 0; group < rows.length; group++) {
    if (group === without) continue;
    n += rows[group]!;
    squares += square[group]!;
    for (let c = 0; c < columns; c++) total[c]! += first[group * columns + c]!;
  }
  if (n < 2) return Number.NaN;
  let centre = 0;
  for (let c = 0; c < columns; c++) centre += total[c]! ** 2;
  return Math.max(0, squares - centre / n) / (n - 1);
}
