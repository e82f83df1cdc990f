import { normalQuantile, studentTQuantile } from '../../math/index.ts';
import type { Figure } from '../../metrics/index.ts';

export const CHECK_SCHEMA = 'collapse-aware/lab-check@1';

/**
 * Level of every check's interval, two-sided. More than two hundred checks are made at once: at 5 % each some would
 * fail with nothing wrong. At this level all of them together fail so in about one of twenty seeds at most (Bonferroni).
 */
export const CHECK_LEVEL = 0.0002;

/** What is held against the exact value; `none`: nothing was promised, the figure is shown. */
export type Claim = 'equal' | 'at most' | 'at least' | 'none';

export type CheckVerdict = 'inside' | 'outside' | 'reported';

/** A known truth and what the project's own estimator makes of it. */
export interface Check {
  readonly id: string;
  readonly statement: string;
  readonly claim: Claim;
  /** By closed form, or summed exactly over a finite population; null where `claim` is `none`. */
  readonly exact: number | null;
  /** Interval at `CHECK_LEVEL`. */
  readonly estimate: Figure;
  readonly verdict: CheckVerdict;
  readonly note: string;
}

/** Plain data, the same for the same options. */
export interface LabCheck {
  readonly schema: typeof CHECK_SCHEMA;
  readonly seed: number | string;
  readonly runs: number;
  readonly level: number;
  /** False where a check is outside. */
  readonly passed: boolean;
  readonly checks: readonly Check[];
}

/** Bounds that are exact differ from the truth by rounding alone. */
const ROUNDING = 1e-9;

/** An estimate without an interval can show nothing, so it is outside of what was promised. */
export function checkOf(found: Omit<Check, 'verdict'>): Check {
  const { estimate: figure } = found;
  const estimate = {
    ...figure,
    value: plain(figure.value),
    low: plain(figure.low),
    high: plain(figure.high),
  };
  const check = { ...found, exact: plain(found.exact), estimate };
  const { claim, exact } = check;
  if (claim === 'none' || exact === null) return { ...check, verdict: 'reported' };
  const { low, high } = estimate;
  const above = low !== null && low <= exact + ROUNDING;
  const below = high !== null && high >= exact - ROUNDING;
  const inside = claim === 'at most' ? above : claim === 'at least' ? below : above && below;
  return { ...check, verdict: inside ? 'inside' : 'outside' };
}

/** -0, which logarithms of 1 leave, would come back from JSON as 0. */
const plain = (x: number | null): number | null => (x === null ? null : x + 0);

/** The same figure with its interval at another level, two-sided: from its standard error and degrees of freedom. */
export function atLevel(figure: Figure, level: number): Figure {
  const { value, se, df, scale } = figure;
  if (value === null || figure.low === null || se === undefined || df === undefined) return figure;
  const reach = se === 0 ? 0 : studentTQuantile(1 - level / 2, df) * se;
  return {
    ...figure,
    low: scale === 'log' ? value * Math.exp(-reach / value) : value - reach,
    high: scale === 'log' ? value * Math.exp(reach / value) : value + reach,
    method: `${figure.method}, ${percent(1 - level)}`,
  };
}

/** A share with Wilson's (1927) interval. @throws RangeError without trials. */
export function shareFigure(count: number, n: number, level: number): Figure {
  if (!(n > 0 && count >= 0 && count <= n)) throw new RangeError(`${count} of ${n}`);
  const z2 = normalQuantile(1 - level / 2) ** 2;
  const p = count / n;
  const centre = (p + z2 / (2 * n)) / (1 + z2 / n);
  const reach = Math.sqrt(z2 * ((p * (1 - p)) / n + z2 / (4 * n * n))) / (1 + z2 / n);
  return {
    value: p,
    low: count === 0 ? 0 : centre - reach,
    high: count === n ? 1 : centre + reach,
    n,
    method: `wilson, ${percent(1 - level)}`,
  };
}

/** Of 0.9998: `99.98 %`. */
export const percent = (share: number): string => `${Number((100 * share).toPrecision(6))} %`;

/** Three digits after the point, and of small numbers enough to tell them from 0. */
export const digits = (x: number): string =>
  x === 0 || Math.abs(x) >= 0.0005 ? x.toFixed(3) : x.toExponential(1);

/** `[0.12, 0.14]`. */
export const bounds = ({ low, high }: Figure): string =>
  low === null || high === null ? 'no interval' : `[${digits(low)}, ${digits(high)}]`;
