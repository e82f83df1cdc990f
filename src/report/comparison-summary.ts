import type { ComparedFigure, Comparison } from './comparison.ts';
import { ascii, clip, figureText } from './plain-text.ts';

const WIDTH = 100;

/** The comparison as a person reads it in a terminal: printable ASCII, at most 100 columns. */
export function comparisonSummary(comparison: Comparison): string {
  const { a, b } = comparison;
  const measured = comparison.figures.filter((figure) => figure.a.value !== null || figure.b.value !== null);
  return [
    clip(`A  ${ascii(a.label)}: ${ascii(a.headline)}`, WIDTH),
    clip(`B  ${ascii(b.label)}: ${ascii(b.headline)}`, WIDTH),
    '',
    line('', 'A', 'B', 'B - A'),
    ...(measured.length === 0 ? ['nothing was measured on either side'] : measured.map(figureRow)),
    '',
    clip(`One space, ${ascii(comparison.space.id)}, K = ${comparison.space.k}.`, WIDTH),
  ].join('\n');
}

function figureRow({ label, a, b, difference }: ComparedFigure): string {
  return line(label, figureText(a), figureText(b), figureText(difference));
}

function line(label: string, a: string, b: string, difference: string): string {
  return `${clip(label, 39).padEnd(40)}${a.padEnd(20)}${b.padEnd(20)}${difference}`.trimEnd().slice(0, WIDTH);
}
