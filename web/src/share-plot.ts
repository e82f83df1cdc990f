import { axisX, dot, gridX, link, plot, ruleX, text } from '@observablehq/plot';
import type { ModeAccount } from '../../src/curation/manifest.ts';
import { percent } from './format.ts';

/** `kept` and `after` are null where there was no such stage. */
export interface ShareRow extends Omit<ModeAccount, 'mode' | 'kept' | 'after'> {
  readonly kept: number | null;
  readonly after: number | null;
  /** Its name stands out. */
  readonly marked?: boolean;
}

const WIDE = 640;

/**
 * Shares of each mode on one line: hollow before, solid after, people as an upright tick, the rows kept and the
 * weight small between. Names stand left of the lines, or above them on a phone.
 */
export function sharePlot(rows: readonly ShareRow[], { width }: { readonly width: number }) {
  const wide = width >= WIDE;
  const step = wide ? 28 : 44;
  const names = wide ? Math.min(300, width * 0.36) : 10;
  const placed = rows.map((row, at) => ({ ...row, label: row.label.replace(/\s+/g, ' '), at }));
  type Placed = (typeof placed)[number];
  const line = ({ at }: Placed) => at + (wide ? 0.5 : 0.72);
  const above = ({ at }: Placed) => at + (wide ? 0.5 : 0.3);
  const ends = wide ? 100 : 14;
  const highest = Math.max(
    0.01,
    ...placed.flatMap(({ before, kept, weighted, after, people }) =>
      [before, kept ?? 0, weighted ?? 0, after ?? 0, people ?? 0].filter(Number.isFinite),
    ),
  );
  const known = (key: 'kept' | 'weighted' | 'after' | 'people') => placed.filter((row) => row[key] !== null);
  return plot({
    className: 'plot',
    width,
    height: rows.length * step + 44,
    marginTop: 8,
    marginBottom: 36,
    marginLeft: names,
    marginRight: ends,
    style: { background: 'none', fontSize: '12.5px', overflow: 'visible' },
    color: { type: 'identity' },
    x: { domain: [0, highest], nice: true },
    y: { domain: [Math.max(rows.length, 1), 0], axis: null },
    marks: [
      gridX({ stroke: 'var(--line)', strokeOpacity: 1, ticks: wide ? 8 : 4 }),
      axisX({
        ticks: wide ? 8 : 4,
        tickFormat: (value: number) => percent(value),
        tickSize: 0,
        color: 'var(--muted)',
        label: null,
        fontSize: 12,
      }),
      link(known('after'), {
        x1: 'before',
        x2: 'after',
        y1: line,
        y2: line,
        stroke: 'var(--simulator)',
        strokeWidth: 3,
        strokeOpacity: 0.35,
      }),
      ruleX(known('people'), {
        x: 'people',
        y1: (row: Placed) => line(row) - (wide ? 0.36 : 0.22),
        y2: (row: Placed) => line(row) + (wide ? 0.36 : 0.22),
        stroke: 'var(--people)',
        strokeWidth: 3,
      }),
      dot(known('kept'), { x: 'kept', y: line, r: 2.2, fill: 'var(--muted)' }),
      dot(known('weighted'), {
        x: 'weighted',
        y: line,
        r: 3.6,
        symbol: 'diamond',
        fill: 'var(--surface)',
        stroke: 'var(--ink)',
      }),
      dot(placed, {
        x: 'before',
        y: line,
        r: 4.6,
        fill: 'none',
        stroke: 'var(--muted)',
        strokeWidth: 2,
      }),
      dot(known('after'), {
        x: 'after',
        y: line,
        r: 4.6,
        fill: 'var(--simulator)',
        stroke: 'var(--surface)',
      }),
      text(placed, {
        frameAnchor: 'left',
        y: above,
        dx: wide ? -names + 4 : 0,
        text: 'label',
        textAnchor: 'start',
        textOverflow: 'ellipsis-end',
        lineWidth: Math.max(6, (wide ? names - 16 : width - 130) / 12.5),
        fill: (row: Placed) => (row.marked === true ? 'var(--present)' : 'var(--ink)'),
        stroke: 'var(--surface)',
        strokeWidth: 4,
      }),
      text(placed, {
        frameAnchor: 'right',
        y: above,
        dx: wide ? ends - 4 : 0,
        text: (row: Placed) =>
          row.after === null ? percent(row.before) : `${percent(row.before)} → ${percent(row.after)}`,
        textAnchor: 'end',
        fill: 'var(--muted)',
        stroke: 'var(--surface)',
        strokeWidth: 4,
        fontVariant: 'tabular-nums',
      }),
    ],
  });
}
