import { normalQuantile } from '../math/distributions.ts';
import { type Figure, missing } from './figure.ts';
import { withInterval } from './interval.ts';

/** Degrees of freedom where only an interval is known: as good as normal. */
const MANY = 1e6;

/**
 * `a` minus `b` of two figures that say nothing of what they share: variances add, df by Welch-Satterthwaite.
 * Where they share units the interval is wider than need be. A figure with an interval but no standard error
 * (someone else's report) keeps its half widths; the standard error is then read off them as if normal.
 */
export function figureDifference(a: Figure, b: Figure): Figure {
  const n = Math.min(a.n, b.n);
  if (a.value === null || b.value === null)
    return missing((a.value === null ? a.reason : b.reason) ?? 'one side has no value', n, 'difference');
  const value = a.value - b.value;
  const unit = a.unit === undefined ? {} : { unit: a.unit };
  if (a.low === null || a.high === null || b.low === null || b.high === null)
    return {
      value,
      low: null,
      high: null,
      n,
      method: 'difference of points',
      ...unit,
      reason: a.low === null ? (a.reason ?? 'no interval') : (b.reason ?? 'no interval'),
    };
  const base = { value, n, method: 'difference, variances add', ...unit };
  if (a.se !== undefined && a.df !== undefined && b.se !== undefined && b.df !== undefined) {
    const spread = a.se ** 4 / a.df + b.se ** 4 / b.df;
    const df = spread === 0 ? Math.min(a.df, b.df) : (a.se ** 2 + b.se ** 2) ** 2 / spread;
    return withInterval(base, Math.hypot(a.se, b.se), df, false);
  }
  const se = Math.hypot(a.high - a.low, b.high - b.low) / (2 * normalQuantile(0.975));
  return {
    ...base,
    low: value - Math.hypot(a.value - a.low, b.high - b.value),
    high: value + Math.hypot(a.high - a.value, b.value - b.low),
    se,
    df: MANY,
    detectable: (normalQuantile(0.975) + normalQuantile(0.8)) * se,
    approximate: true,
  };
}
