import { mean, sum } from '../../math/summary.ts';
import { type Figure, missing } from '../../metrics/figure.ts';
import { withInterval } from '../../metrics/interval.ts';

/** Fewer seeds than this give a value without an interval. */
export const LEAST_SEEDS = 3;

/**
 * Mean over seeds with Student's t: seeds are independent runs, and one value each. `n` counts the seeds that have a
 * value. Below `LEAST_SEEDS` the interval is null with the reason.
 */
export function seedFigure(values: readonly number[], name = 't', unit?: string): Figure {
  const n = values.length;
  const method = `${name}-seed(n=${n})`;
  if (n === 0) return missing('no seed has a value', 0, method);
  const value = mean(values);
  const base = { value, n, method, ...(unit === undefined ? {} : { unit }) };
  if (n < LEAST_SEEDS) return { ...base, low: null, high: null, reason: `fewer than ${LEAST_SEEDS} seeds` };
  const squares = sum(values.map((x) => (x - value) ** 2));
  return withInterval(base, Math.sqrt(squares / (n - 1) / n), n - 1, true);
}

/** Mean of `one` - `other` over the seeds that have both: methods of one seed met the same settings with the same luck. */
export function pairedFigure(
  one: ReadonlyMap<number, number>,
  other: ReadonlyMap<number, number>,
  unit?: string,
): Figure {
  const seeds = [...one.keys()].filter((seed) => other.has(seed)).sort((a, b) => a - b);
  const figure = seedFigure(
    seeds.map((seed) => one.get(seed)! - other.get(seed)!),
    'paired-t',
    unit,
  );
  return figure.n === 0 ? { ...figure, reason: 'no seed has both' } : figure;
}
