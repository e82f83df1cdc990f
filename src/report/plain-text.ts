import type { Figure } from '../metrics/figure.ts';

/**
 * Text a terminal prints as it stands: accents dropped, everything else outside printable ASCII a `?`. A name
 * in a rollout file may hold escape sequences; none of them reaches the screen.
 */
export function ascii(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/\u2026/g, '...')
    .replace(/\u2248/g, '~')
    .replace(/\s+/g, ' ')
    .replace(/[^\x20-\x7e]/gu, '?')
    .trim();
}

/** At most `width` characters, the cut marked. */
export function clip(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 2))}..`;
}

/** Words broken into lines of at most `width`, later lines indented by `indent`. */
export function wrap(text: string, width: number, indent = ''): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const next = line === '' ? word : `${line} ${word}`;
    if (next.length <= width) {
      line = next;
      continue;
    }
    if (line !== '') lines.push(line);
    line = clip(`${lines.length > 0 ? indent : ''}${word}`, width);
  }
  if (line !== '') lines.push(line);
  return lines;
}

/** `0.43`, `-0.01`, `12.3`, `1,240`: two decimals, fewer where the number is large. */
export function decimal(value: number): string {
  const size = Math.abs(value);
  const digits = size >= 1000 ? 0 : size >= 100 ? 1 : 2;
  const text = value.toFixed(digits);
  const plain = Number(text) === 0 ? text.replace('-', '') : text;
  return size >= 1000 ? plain.replace(/\B(?=(\d{3})+(?!\d))/g, ',') : plain;
}

/** `0.43 [0.38, 0.49]`, `0.43` where the figure has no interval, `-` where it was not measured. */
export function figureText(figure: Figure): string {
  if (figure.value === null) return '-';
  const interval =
    figure.low === null || figure.high === null ? '' : ` [${decimal(figure.low)}, ${decimal(figure.high)}]`;
  return `${decimal(figure.value)}${interval}`;
}

/**
 * The same where words stand beside that the numbers must bear out: an end of the interval that would round to 0,
 * and a value whose interval leaves 0 out, have as many decimals as tell their sign. `-0.04 [-0.08, -0.0005]`
 */
export function signText(figure: Figure): string {
  const { value, low, high } = figure;
  if (value === null || low === null || high === null) return figureText(figure);
  const point = low > 0 || high < 0 ? tellingDecimal(value) : decimal(value);
  return `${point} [${tellingDecimal(low)}, ${tellingDecimal(high)}]`;
}

function tellingDecimal(value: number): string {
  const text = decimal(value);
  if (value === 0 || !Number.isFinite(value) || /[1-9]/.test(text)) return text;
  const digits = Math.ceil(-Math.log10(Math.abs(value)));
  return digits > 6 ? value.toExponential(0) : value.toFixed(digits);
}

/** The same with its reason or sample size, for a line of its own. */
export function figureLine(figure: Figure): string {
  if (figure.value === null) return `not measured: ${ascii(figure.reason ?? 'no reason given')}`;
  return `${figureText(figure)}, n ${figure.n}${figure.approximate === true ? ', approximate' : ''}`;
}
