/**
 * A number as every surface shows it: with its sample size and an interval that names its method.
 * `value: null` always has a `reason`.
 */
export interface Figure {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Rows that entered. */
  readonly n: number;
  /** e.g. `jackknife-context(G=50)`, `hypergeometric`, `point`. */
  readonly method: string;
  readonly unit?: string;
  readonly reason?: string;
  /** Outside the regime in which the interval's coverage was tested. */
  readonly approximate?: boolean;
  /** Smallest change this sample could have shown with 80 % power, (t.975 + t.80) SE. */
  readonly detectable?: number;
  /** Standard error and degrees of freedom behind the interval: bounds at other levels come from them (interval.ts). */
  readonly se?: number;
  readonly df?: number;
  /** The interval is symmetric in the logarithm: value * exp(+- t se / value). */
  readonly scale?: 'log';
}

export function missing(reason: string, n = 0, method = 'none'): Figure {
  return { value: null, low: null, high: null, n, method, reason };
}

export function point(value: number, n: number, method = 'point'): Figure {
  return { value, low: null, high: null, n, method };
}
