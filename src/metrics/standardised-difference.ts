import { type Figure, missing } from './figure.ts';
import { groupLost, type IntervalOptions, jackknifeFigure, jackknifePlan } from './interval.ts';

/** One measured quantity of a sample's rows; NaN = missing. */
export interface MeasuredRows {
  readonly unit: ArrayLike<number>;
  readonly value: ArrayLike<number>;
}

/**
 * Mean of `data` minus mean of `reference`, in standard deviations of the reference (Glass's delta; Glass 1976).
 * Interval by the jackknife over units, the deviation recomputed each time. Missing values are left out.
 */
export function standardisedDifference(
  data: MeasuredRows,
  reference: MeasuredRows,
  options: IntervalOptions = {},
): Figure {
  const samples = [data, reference].map(known);
  const n = samples[0]!.value.length;
  if (n < 2 || samples[1]!.value.length < 2)
    return missing('fewer than 2 rows where the feature is known', n);
  const present = samples.map(({ unit }) => distinct(unit));
  const plan = jackknifePlan(present.map((units) => ({ units })));
  // Sums about the reference's mean: squares of small differences lose no digits.
  let total = 0;
  for (const value of samples[1]!.value) total += value;
  const origin = total / samples[1]!.value.length;
  const parts = samples.map((rows, sample) => {
    const { groups, groupOf } = plan.components[plan.componentOf[sample]!]!;
    return momentsWithout(rows, origin, groups, groupOf);
  });
  return jackknifeFigure(
    plan,
    (deletion) => {
      const own = parts[0]!(groupLost(plan, 0, deletion));
      const other = parts[1]!(groupLost(plan, 1, deletion));
      const variance = (other.second - other.first ** 2 / other.n) / (other.n - 1);
      return (own.first / own.n - other.first / other.n) / Math.sqrt(variance);
    },
    {
      ...options,
      n,
      unit: 'reference SD',
      tested: present.every((units) => units.length >= 50),
      count: 'each',
      undefinedReason: 'the feature does not vary in the reference',
    },
  );
}

interface Moments {
  readonly n: number;
  readonly first: number;
  readonly second: number;
}

/** Rows, and sums of their distances from `origin` and of the squares, as a function of the group left out (-1: none). */
function momentsWithout(
  { unit, value }: KnownRows,
  origin: number,
  groups: number,
  groupOf: Int32Array,
): (group: number) => Moments {
  const rowsIn = new Float64Array(groups);
  const firstIn = new Float64Array(groups);
  const secondIn = new Float64Array(groups);
  let first = 0;
  let second = 0;
  for (let row = 0; row < value.length; row++) {
    const group = groupOf[unit[row]!]!;
    const off = value[row]! - origin;
    rowsIn[group]! += 1;
    firstIn[group]! += off;
    secondIn[group]! += off * off;
    first += off;
    second += off * off;
  }
  const all = { n: value.length, first, second };
  return (group) =>
    group < 0
      ? all
      : {
          n: all.n - rowsIn[group]!,
          first: all.first - firstIn[group]!,
          second: all.second - secondIn[group]!,
        };
}

interface KnownRows {
  readonly unit: Int32Array;
  readonly value: Float64Array;
}

/** Ascending. */
function distinct(unit: Int32Array): number[] {
  let highest = -1;
  for (let row = 0; row < unit.length; row++) if (unit[row]! > highest) highest = unit[row]!;
  const seen = new Uint8Array(highest + 1);
  for (let row = 0; row < unit.length; row++) seen[unit[row]!] = 1;
  const units: number[] = [];
  for (let one = 0; one <= highest; one++) if (seen[one] === 1) units.push(one);
  return units;
}

function known({ unit, value }: MeasuredRows): KnownRows {
  const units = new Int32Array(value.length);
  const values = new Float64Array(value.length);
  let kept = 0;
  for (let row = 0; row < value.length; row++) {
    if (Number.isNaN(value[row]!)) continue;
    units[kept] = unit[row]!;
    values[kept++] = value[row]!;
  }
  return { unit: units.subarray(0, kept), value: values.subarray(0, kept) };
}
