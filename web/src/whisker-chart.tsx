import { useCallback } from 'preact/hooks';
import { Chart, FigureBlock } from './chart.tsx';
import { number } from './format.ts';
import { Missing } from './number.tsx';
import { type Column, Table } from './table.tsx';
import { type Threshold, type WhiskerRow, whiskerLabel, whiskers } from './whiskers.ts';

/** Dots and whiskers, or, where nothing was measured, the reasons instead of an empty frame. */
export function WhiskerChart({
  title,
  rows,
  draw,
}: {
  title: string;
  rows: readonly WhiskerRow[];
  draw: (width: number) => SVGSVGElement | HTMLElement;
}) {
  if (rows.some(({ figure }) => figure.value !== null))
    return <Chart draw={draw} label={whiskerLabel(title, rows)} />;
  const reasons = [...new Set(rows.map(({ figure }) => figure.reason ?? 'no reason given'))];
  return <Missing>Not measured: {reasons.length === 0 ? 'nothing to measure' : reasons.join('; ')}.</Missing>;
}

/** A row of a figure with what its table says beside. */
export interface Entry extends WhiskerRow {
  readonly meaning?: string;
}

export const FIGURE_COLUMNS: readonly Column<Entry>[] = [
  { id: 'what', header: 'Figure', text: ({ label }) => label },
  { id: 'value', header: 'Value', figure: ({ figure }) => figure },
  { id: 'method', header: 'Method', text: ({ figure }) => figure.method },
  {
    id: 'detectable',
    header: 'Detectable change',
    hint: 'Smallest change this sample could have shown with 80 % power',
    number: ({ figure }) => figure.detectable ?? null,
    format: (value) => number(value),
  },
  { id: 'meaning', header: 'Meaning', node: ({ meaning }) => meaning ?? '' },
];

/** A figure of dots and whiskers with the same numbers as a table. */
export function WhiskerBlock({
  title,
  lead,
  rows,
  table = rows,
  thresholds,
  domain,
}: {
  title: string;
  lead: string;
  rows: readonly Entry[];
  table?: readonly Entry[];
  thresholds?: readonly Threshold[];
  domain?: readonly [number, number];
}) {
  const draw = useCallback(
    (width: number) =>
      whiskers(rows, {
        width,
        ...(thresholds === undefined ? {} : { thresholds }),
        ...(domain === undefined ? {} : { domain }),
      }),
    [rows, thresholds, domain],
  );
  return (
    <FigureBlock
      title={title}
      lead={lead}
      table={<Table caption={title} columns={FIGURE_COLUMNS} rows={table} />}
    >
      <WhiskerChart title={title} rows={rows} draw={draw} />
    </FigureBlock>
  );
}
