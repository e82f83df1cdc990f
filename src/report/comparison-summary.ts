import { type ComparedFigure, type Comparison, comparedFigures } from '../audit/compare-data.ts';
import type { Figure } from '../metrics/figure.ts';
import { ascii, clip, decimal, figureText, wrap } from './plain-text.ts';

const WIDTH = 100;
const SHOWN = 6;

/** The comparison as a person reads it in a terminal: printable ASCII, at most 100 columns. */
export function comparisonSummary(comparison: Comparison): string {
  const { a, b, space, units } = comparison;
  const measured = comparedFigures(comparison).filter((figure) => isMeasured(figure));
  const shared = units === null ? '' : `; ${units.shared} ${space.unit}s shared (A ${units.a}, B ${units.b})`;
  return [
    ...wrap(ascii(comparison.headline), WIDTH).slice(0, 4),
    '',
    clip(`A  ${ascii(a.label)}: ${ascii(a.headline)}`, WIDTH),
    clip(`B  ${ascii(b.label)}: ${ascii(b.headline)}`, WIDTH),
    '',
    line('', 'A', 'B', 'B - A', ''),
    ...(measured.length === 0 ? ['nothing was measured on either side'] : measured.map(figureRow)),
    ...growth(comparison),
    ...simulatorRows(comparison),
    '',
    ...comparison.confounds.flatMap(({ text }, at) =>
      wrap(`${at === 0 ? 'Confounds ' : '          '}${ascii(text)}`, WIDTH, ' '.repeat(10)),
    ),
    ...wrap(
      `One space, ${ascii(space.id)}, K = ${space.k}, control ${space.control}, unit ${space.unit}${shared}.`,
      WIDTH,
    ),
    ...(comparison.basis === 'reports' ? wrap(`From two reports: ${ascii(comparison.method)}.`, WIDTH) : []),
  ].join('\n');
}

function isMeasured({ a, b }: ComparedFigure): boolean {
  return a.value !== null || b.value !== null;
}

function figureRow({ label, a, b, difference, change, holm }: ComparedFigure): string {
  return line(
    label,
    valueText(a),
    valueText(b),
    figureText(difference),
    changeText(change, difference, holm),
  );
}

function valueText({ value }: Figure): string {
  return value === null ? '-' : decimal(value);
}

/** What was shown; else the smallest change that could have been, so that silence is not read as "equal". */
function changeText(change: ComparedFigure['change'], difference: Figure, holm: number | null): string {
  const { detectable, value, low, high } = difference;
  if (change !== 'no difference shown') return value === null ? ascii(difference.reason ?? '') : change;
  // The interval by itself leaves 0 out: say what took the word away.
  if (low !== null && high !== null && holm !== null && (low > 0 || high < 0))
    return `none shown (Holm p ${decimal(holm)})`;
  return detectable === undefined || detectable === 0
    ? change
    : `none shown (detectable ${decimal(detectable)})`;
}

function growth({ bdi }: Comparison): string[] {
  const { relative } = bdi;
  if (relative.value === null) return [];
  const percent = (share: number) => {
    const whole = Math.round(100 * share);
    return `${whole > 0 ? '+' : ''}${whole === 0 ? 0 : whole} %`;
  };
  const interval =
    relative.low === null || relative.high === null
      ? ''
      : ` [${percent(relative.low)}, ${percent(relative.high)}]`;
  return [`Growth of the covered modes from A to B: ${percent(relative.value)}${interval}`];
}

function simulatorRows({ simulators }: Comparison): string[] {
  const both = simulators.filter(({ mci, outside }) => isBoth(mci) || isBoth(outside));
  if (both.length === 0) return [];
  const rows = both
    .slice(0, SHOWN)
    .flatMap(({ id, mci, spread, bdi, outside }) =>
      [mci, spread, bdi, outside]
        .filter(isBoth)
        .map((figure) => figureRow({ ...figure, label: `${clip(ascii(id), 26)}  ${figure.label}` })),
    );
  const left = both.length - SHOWN;
  return ['', ...rows, ...(left > 0 ? [`... and ${left} more simulators: see the page or --json`] : [])];
}

function isBoth({ a, b }: ComparedFigure): boolean {
  return a.value !== null && b.value !== null;
}

function line(label: string, a: string, b: string, difference: string, change: string): string {
  const text = `${clip(label, 35).padEnd(36)}${a.padEnd(6)}${b.padEnd(6)}${difference.padEnd(22)}${change}`;
  return clip(text.trimEnd(), WIDTH);
}
