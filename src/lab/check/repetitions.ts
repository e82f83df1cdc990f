import { CHECK_LEVEL, type Check, checkOf, digits, shareFigure } from './check-result.ts';

export const FULL_RUNS = 1000;
export const QUICK_RUNS = 100;

/** Nothing is shown by fewer. @throws RangeError */
export function checkRuns(runs: number): void {
  if (!(Number.isInteger(runs) && runs >= 20))
    throw new RangeError(`runs must be a whole number of at least 20, found ${runs}`);
}

/** Coverage of nominal 95 % intervals that the metrics' documentation promises, at least. */
export const PROMISED = 0.92;

export interface Interval {
  readonly low: number | null;
  readonly high: number | null;
  /** Outside the regime for which coverage is promised. */
  readonly approximate?: boolean;
}

/**
 * Which share of repeated 95 % intervals holds the truth. The promise is about intervals that are not marked
 * `approximate`; where all are, nothing was promised and the share of them all is reported.
 */
export function coverageCheck(
  id: string,
  what: string,
  intervals: readonly Interval[],
  truth: number,
  note: string,
): Check {
  const told = intervals.filter(({ low, high }) => low !== null && high !== null);
  const tested = told.filter(({ approximate }) => approximate !== true);
  const shareOf = (list: readonly Interval[]) =>
    shareFigure(list.filter((one) => holds(one, truth)).length, list.length, CHECK_LEVEL);
  const promised = tested.length > 0;
  const marked = told.length - tested.length;
  const all =
    marked === 0 || told.length === 0
      ? ''
      : `, ${marked} marked approximate (of all ${digits(shareOf(told).value!)})`;
  const lost = intervals.length - told.length;
  return checkOf({
    id,
    statement: `95 % intervals of ${what} hold the truth in at least 92 % of data sets`,
    claim: promised ? 'at least' : 'none',
    exact: promised ? PROMISED : null,
    estimate:
      told.length === 0
        ? { value: null, low: null, high: null, n: 0, method: 'none', reason: 'no interval' }
        : shareOf(promised ? tested : told),
    note: `${intervals.length} data sets${all}${lost === 0 ? '' : `, ${lost} without an interval`}; ${note}`,
  });
}

/** Exact bounds differ from the truth by rounding alone. */
const holds = ({ low, high }: Interval, truth: number): boolean =>
  low! <= truth + 1e-9 && high! >= truth - 1e-9;
