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
  const present = samples.map(({ unit }) => unit.slice().sort().filter(isFirst));
  const plan = jackknifePlan(present.map((units) => ({ units })));
  // Sums about the reference's mean: squares of small differences lose no digits.
  const origin = samples[1]!.value.reduce((sum, value) => sum + value, 0) / samples[1]!.value.length;
  const parts = samples.map(({ unit, value }, sample) => {
    const { groups, groupOf } = plan.components[plan.componentOf[sample]!]!;
    const sums = {
      n: new Float64Array(groups),
      first: new Float64Array(groups),
      second: new Float64Array(groups),
    };
    let [first, second] = [0, 0];
    for (let row = 0; row < value.length; row++) {
      const group = groupOf[unit[row]!]!;
      const off = value[row]! - origin;
      sums.n[group]! += 1;
      sums.first[group]! += off;
      sums.second[group]! += off * off;
      first += off;
      second += off * off;
    }
    const all = { n: value.length, first, second };
    return (group: number) =>
      group < 0
        ? all
        : {
            n: all.n - sums.n[group]!,
            first: all.first - sums.first[group]!,
            second: all.second - sums.second[group]!,
          };
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

function isFirst(value: number, at: number, sorted: Int32Array): boolean {
  return at === 0 || value !== sorted[at - 1];
}

function known({ unit, value }: MeasuredRows): { unit: Int32Array; value: Float64Array } {
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
