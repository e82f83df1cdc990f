import type { Figure } from '../../src/metrics/figure.ts';

const MINUS = '\u2212';

/** Decimals that show two or three significant digits at the size of `value`. */
export function decimalsFor(value: number): number {
  const size = Math.abs(value);
  if (size >= 1000) return 0;
  if (size >= 100) return 0;
  if (size >= 10) return 1;
  if (size === 0 || size >= 0.02) return 2;
  return size >= 0.002 ? 3 : 4;
}

export function number(value: number, decimals: number = decimalsFor(value)): string {
  if (!Number.isFinite(value)) return String(value);
  const text = value.toLocaleString('en', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return Number(value.toFixed(decimals)) === 0 ? text.replace('-', '') : text.replace('-', MINUS);
}

export function count(value: number): string {
  return value.toLocaleString('en');
}

export function percent(share: number): string {
  const value = share * 100;
  if (value > 0 && value < 0.5) return '<1 %';
  return `${number(value, 0)} %`;
}

/** A setting as somebody wrote it: `0.25`, `4`, no digits added. */
export function setting(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 4 }).replace('-', MINUS);
}

/** The value with the decimals of its interval; as many as tell its sign where the interval leaves 0 out. */
export function pointText(figure: Figure): string {
  const { value, low, high } = figure;
  if (value === null) return '–';
  const decimals = figureDecimals(figure);
  return low !== null && high !== null && (low > 0 || high < 0)
    ? telling(value, decimals)
    : number(value, decimals);
}

/** A bound that would round to 0 has as many decimals as tell its sign, so that numbers bear out the word beside. */
function telling(value: number, decimals: number): string {
  const text = number(value, decimals);
  if (value === 0 || !Number.isFinite(value) || /[1-9]/.test(text)) return text;
  const needed = Math.ceil(-Math.log10(Math.abs(value)));
  return needed > 6 ? value.toExponential(0).replaceAll('-', MINUS) : number(value, needed);
}

/** `0.43 [0.38, 0.49]`, the interval to the decimals of the value. */
export function figureText(figure: Figure): string {
  if (figure.value === null) return `not measured: ${figure.reason ?? 'no reason given'}`;
  const range = intervalText(figure);
  return `${pointText(figure)}${range === null ? '' : ` ${range}`}`;
}

/** Decimals that keep apart the ends of the interval as well. */
export function figureDecimals({ value, low, high }: Figure): number {
  if (value === null) return 2;
  const width = low === null || high === null ? null : (high - low) / 2;
  const wanted = width === null || width === 0 ? decimalsFor(value) : width < 0.01 ? 3 : 2;
  return Math.abs(value) >= 10 ? Math.min(1, decimalsFor(value)) : Math.min(3, wanted);
}

export function intervalText(figure: Figure): string | null {
  if (figure.value === null || figure.low === null || figure.high === null) return null;
  const decimals = figureDecimals(figure);
  return `[${telling(figure.low, decimals)}, ${telling(figure.high, decimals)}]`;
}

/** An ISO time to the minute; any other text as it stands. */
export function timeText(text: string): string {
  const [, day, minute] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::[\d.]+)?Z$/.exec(text) ?? [];
  return day === undefined ? text : `${day} ${minute} UTC`;
}

/** `1 simulator`, `3 simulators`. */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

export function pValue(p: number): string {
  return p < 0.001 ? '<0.001' : number(p, 3);
}
