import type { Figure } from '../metrics/figure.ts';
import { lowerBound, upperBound } from './bound.ts';
import type { Bars, BreakerSettings } from './breaker-settings.ts';

/**
 * Share of alpha spent at look j (from 1). Planned T: alpha / T each; unknown: alpha / (j (j + 1)), whose sum over
 * all j is alpha (Bonferroni either way, so looks may depend on one another). Looks past T open a second budget.
 */
export function spend(look: number, settings: Pick<BreakerSettings, 'alpha' | 'looks' | 'measures'>): number {
  const alpha = settings.alpha / settings.measures.length;
  if (settings.looks !== null && look <= settings.looks) return alpha / settings.looks;
  const j = look - (settings.looks ?? 0);
  return alpha / (j * (j + 1));
}

/** Where the lower bound stands: above red, above yellow, or neither. Null without an interval. */
export function levelOf(
  figure: Figure,
  bars: Bars,
  alpha: number,
): { readonly level: 'green' | 'yellow' | 'red'; readonly low: number } | null {
  const low = lowerBound(figure, alpha);
  if (low === null) return null;
  return { level: low > bars.red ? 'red' : low > bars.yellow ? 'yellow' : 'green', low };
}

/** True where the upper bound lies below yellow by the hysteresis; null without an interval. */
export function isClean(figure: Figure | undefined, bars: Bars, settings: BreakerSettings): boolean | null {
  const high = figure === undefined ? null : upperBound(figure, settings.recoveryAlpha);
  return high === null ? null : high < bars.yellow - settings.hysteresis;
}
