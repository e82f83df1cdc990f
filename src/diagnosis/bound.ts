import { studentTCdf, studentTQuantile } from '../math/index.ts';
import type { Figure } from '../metrics/figure.ts';

/** Standard error behind a 95 % interval, with its degrees of freedom (`Infinity`: normal). */
export interface Spread {
  readonly se: number;
  readonly df: number;
}

/**
 * A figure's own `se` and `df`; where a stored report has lost them, the half width of its 95 % interval over
 * t(.975, df), with the degrees of freedom its method names (`jackknife-context(G=120, groups=50)`: 49), else normal.
 */
export function spreadOf(figure: Figure): Spread | null {
  if (figure.value === null || figure.low === null || figure.high === null) return null;
  if (figure.se !== undefined && figure.df !== undefined) return { se: figure.se, df: figure.df };
  const groups = /\bgroups=(\d+)/.exec(figure.method)?.[1] ?? /\bG=(\d+)/.exec(figure.method)?.[1];
  const df = groups === undefined ? Number.POSITIVE_INFINITY : Number(groups) - 1;
  if (!(df >= 1)) return null;
  return { se: (figure.high - figure.low) / 2 / studentTQuantile(0.975, df), df };
}

/** One-sided lower bound at level alpha: below the truth with probability 1 - alpha. Null without an interval. */
export function lowerBound(figure: Figure, alpha: number): number | null {
  const spread = spreadOf(figure);
  if (spread === null) return null;
  return spread.se === 0 ? figure.value : figure.value! - studentTQuantile(1 - alpha, spread.df) * spread.se;
}

/** One-sided upper bound at level alpha. */
export function upperBound(figure: Figure, alpha: number): number | null {
  const spread = spreadOf(figure);
  if (spread === null) return null;
  return spread.se === 0 ? figure.value : figure.value! + studentTQuantile(1 - alpha, spread.df) * spread.se;
}

/** One-sided p-value of "the truth is above `threshold`" (or below it); null without an interval. */
export function pValue(figure: Figure, side: 'above' | 'below', threshold: number): number | null {
  const spread = spreadOf(figure);
  if (spread === null) return null;
  const gap = side === 'above' ? figure.value! - threshold : threshold - figure.value!;
  if (spread.se === 0) return gap > 0 ? 0 : 1;
  // The lower tail of -t keeps its digits where 1 - cdf(t) would round to 0.
  return studentTCdf(-gap / spread.se, spread.df);
}

/** `0.43 [0.38, 0.48]`, or `unknown (reason)`. */
export function inWords(figure: Figure): string {
  if (figure.value === null) return `unknown (${figure.reason ?? 'no reason given'})`;
  // Slopes per step are small: two digits after the point would show them as 0.
  const largest = Math.max(...[figure.value, figure.low ?? 0, figure.high ?? 0].map(Math.abs));
  const places = largest > 0 && largest < 0.05 ? Math.min(6, 1 - Math.floor(Math.log10(largest))) : 2;
  const digits = (x: number) => x.toFixed(places).replace(/^-(0\.0+)$/, '$1');
  const interval =
    figure.low === null || figure.high === null
      ? ' (no interval)'
      : ` [${digits(figure.low)}, ${digits(figure.high)}]`;
  return digits(figure.value) + interval + (figure.approximate === true ? ', approximate' : '');
}
