import type { Figure } from '../../metrics/index.ts';

type Numbers = Pick<Figure, 'value' | 'low' | 'high' | 'unit'>;

/** `0.508`; counts have no decimals; `-` where there is none. */
export function numberText(x: number | null, unit?: string): string {
  if (x === null) return '-';
  return unit === 'count' ? Math.round(x).toLocaleString('en') : x.toFixed(3);
}

/** `0.508 [0.490, 0.526]`, without brackets where there is no interval. */
export function figureText({ value, low, high, unit }: Numbers): string {
  const text = numberText(value, unit);
  return low === null || high === null
    ? text
    : `${text} [${numberText(low, unit)}, ${numberText(high, unit)}]`;
}

/** As `figureText`, with the sign of a difference. */
export function differenceText({ value, low, high, unit }: Numbers): string {
  const signed = (x: number | null) =>
    x !== null && x > 0 ? `+${numberText(x, unit)}` : numberText(x, unit);
  return low === null || high === null ? signed(value) : `${signed(value)} [${signed(low)}, ${signed(high)}]`;
}

export const probabilityText = (p: number | null): string =>
  p === null ? '-' : p < 0.001 ? '< 0.001' : p.toFixed(3);
