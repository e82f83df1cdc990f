import { mean, sum } from '../../math/summary.ts';
import { type Figure, missing } from '../../metrics/figure.ts';
import { withInterval } from '../../metrics/interval.ts';

/** Fewer seeds than this give a value without an interval. */
export const LEAST_SEEDS = 3;

/**
 * From here on intervals hold the truth in about 92 of 100 cases or more even where a run earns one of two values, as a
 * policy does that either finds a way or does not (.5 and .95, one in five the higher: 77 % at 3 seeds, 88 % at 10, 92 %
 * at 15). Below it an interval is approximate.
 */
export const TESTED_SEEDS = 15;

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
  return withInterval(base, Math.sqrt(squares / (n - 1) / n), n - 1, n >= TESTED_SEEDS);
}

/**
 * Mean of `one` - `other` over the seeds that both were run with: methods of one seed met the same settings with the
 * same luck. A value that a seed has not is not passed over: what has no value is seldom like the rest (a population is
 * off support where it is most collapsed), so then there is no difference either.
 */
export function pairedFigure(
  one: ReadonlyMap<number, number | null>,
  other: ReadonlyMap<number, number | null>,
  unit?: string,
): Figure {
  const seeds = [...one.keys()].filter((seed) => other.has(seed)).sort((a, b) => a - b);
  const pairs = seeds.map((seed) => [one.get(seed)!, other.get(seed)!] as const);
  const without = pairs.filter(([a, b]) => a === null || b === null).length;
  if (without > 0)
    return missing(
      `${without} of ${seeds.length} seeds have no value`,
      seeds.length - without,
      'paired-t-seed',
    );
  const figure = seedFigure(
    pairs.map(([a, b]) => a! - b!),
    'paired-t',
    unit,
  );
  return figure.n === 0 ? { ...figure, reason: 'no seed has both' } : figure;
}
