import type { BeforeAfter, ChangedFigure, CurationManifest } from '../curation/manifest.ts';
import type { Figure } from '../metrics/figure.ts';
import { NAME, row, WIDTH, whole } from './curation-line.ts';
import { ascii, clip, decimal, signText } from './plain-text.ts';

type Line = readonly [name: string, ...cells: string[]];

/** The four figures before and after, what is compared, and what a search reached. */
export function figureLines(manifest: CurationManifest): string[] {
  const { beforeAfter } = manifest;
  const judged = figuresOf(manifest);
  const table: readonly Line[] = [
    ['', 'before', 'after', 'after - before', ''],
    ...judged.map(([name, figure, better]) => figureRow(name, figure, better)),
  ];
  // A line of one cell is a reason: it widens no column.
  const widths = [1, 2, 3].map((at) =>
    Math.max(at === 3 ? 24 : 20, ...table.map((line) => (line.length > 2 ? line[at]!.length + 2 : 0))),
  );
  const rough = judged.some(([, { before, after, difference }]) =>
    [before, after, difference].some(({ value, approximate }) => value !== null && approximate === true),
  );
  return [
    ...table.map(([name, ...cells]) =>
      clip(
        `${name.padEnd(NAME)}${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('')}`.trimEnd(),
        WIDTH,
      ),
    ),
    ...(rough ? row('~', 'approximate: outside the range in which the interval was tested') : []),
    ...row('After is', beforeAfter.after, 2),
    ...row('', sizeText(beforeAfter)),
    ...searchRows(beforeAfter),
  ];
}

function figuresOf({ beforeAfter: { scd2, bdi, mass, realism }, modes }: CurationManifest) {
  // Without people every mode weighs the same.
  const peopled = modes.length === 0 || modes.some(({ people }) => people !== null);
  return [
    ['SCD2', scd2, 'lower'],
    ['BDI', bdi, 'higher'],
    [peopled ? 'BDI mass' : 'Covered', mass, 'higher'],
    ['Realism', realism, 'higher'],
  ] as const;
}

function figureRow(name: string, changed: ChangedFigure, better: 'lower' | 'higher'): Line {
  const { before, after, difference } = changed;
  if (before.value === null && after.value === null)
    return [name, `not measured: ${ascii(before.reason ?? after.reason ?? 'no reason given')}`];
  const change = difference.value === null ? ascii(difference.reason ?? '') : changeOf(changed, better);
  return [name, marked(before), marked(after), marked(difference), change];
}

function marked(figure: Figure): string {
  return `${figure.value !== null && figure.approximate === true ? '~' : ''}${signText(figure)}`;
}

/** A word only where the interval of the difference leaves 0 out. */
function changeOf({ difference: { low, high } }: ChangedFigure, better: 'lower' | 'higher'): string {
  if (low === null || high === null || (low <= 0 && high >= 0)) return 'none shown';
  return low > 0 === (better === 'higher') ? 'better' : 'worse';
}

function sizeText({ g0, rows }: BeforeAfter): string {
  const [units, rest] = g0 === null ? ['', ''] : Number(g0.toFixed(4)).toString().split('.');
  const size =
    g0 === null ? '' : `, both at g0 = ${whole(Number(units))}${rest === undefined ? '' : `.${rest}`}`;
  return `figures over ${whole(rows.before)} and ${whole(rows.after)} rows${size}`;
}

function searchRows({ search }: BeforeAfter): string[] {
  if (search === null) return [];
  const best = ({ scd2, bdi, realism }: typeof search.bestScd2) =>
    `SCD2 ${valueText(scd2)}, BDI ${valueText(bdi)}, realism ${valueText(realism)}`;
  return [
    ...row('Search', `best SCD2 found: ${best(search.bestScd2)}`),
    ...row('', `best BDI found:  ${best(search.bestBdi)}`),
    ...row(
      '',
      `${search.method}; ${whole(search.evaluations)} subsets of ${whole(search.rows)} rows, seed ${search.seed}`,
    ),
  ];
}

function valueText(value: number | null): string {
  return value === null ? '-' : decimal(value);
}
