import { CHECK_LEVEL, type Check, checkOf, shareFigure } from './check-result.ts';

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
 * Which share of repeated 95 % intervals holds the truth. The promise is about places where most are not marked
 * `approximate`; elsewhere the share is reported. All data sets count either way: those that happen to escape the mark
 * where few do are a selection by their own data.
 */
export function coverageCheck(
  id: string,
  what: string,
  intervals: readonly Interval[],
  truth: number,
  note: string,
): Check {
  const told = intervals.filter(({ low, high }) => low !== null && high !== null);
  const marked = told.filter(({ approximate }) => approximate === true).length;
  const promised = told.length > 0 && marked < told.length / 2;
  const lost = intervals.length - told.length;
  return checkOf({
    id,
    statement: `95 % intervals of ${what} hold the truth${promised ? ' in at least 92 % of data sets' : ''}`,
    claim: promised ? 'at least' : 'none',
    exact: promised ? PROMISED : null,
    estimate:
      told.length === 0
        ? { value: null, low: null, high: null, n: 0, method: 'none', reason: 'no interval' }
        : shareFigure(told.filter((one) => holds(one, truth)).length, told.length, CHECK_LEVEL),
    note:
      `${intervals.length} data sets` +
      `${marked === 0 ? '' : `, ${marked} marked approximate`}${lost === 0 ? '' : `, ${lost} without an interval`}; ${note}`,
  });
}

/** Exact bounds differ from the truth by rounding alone. */
const holds = ({ low, high }: Interval, truth: number): boolean =>
  low! <= truth + 1e-9 && high! >= truth - 1e-9;
