import { axisX, gridX, plot, rect, ruleX, text } from '@observablehq/plot';
import { count } from './format.ts';

export interface QuotaRow {
  readonly label: string;
  readonly wanted: number;
  readonly got: number;
  readonly shortfall: number;
}

const WIDE = 640;

/** A bar of the rows each mode has, a tick at the rows it should have, and the shortfall in words. */
export function quotaPlot(rows: readonly QuotaRow[], { width }: { readonly width: number }) {
  const wide = width >= WIDE;
  const step = wide ? 26 : 42;
  const names = wide ? Math.min(300, width * 0.36) : 10;
  const ends = wide ? 96 : 14;
  const placed = rows.map((row, at) => ({ ...row, label: row.label.replace(/\s+/g, ' '), at }));
  type Placed = (typeof placed)[number];
  const above = ({ at }: Placed) => at + (wide ? 0.5 : 0.3);
  const top = ({ at }: Placed) => at + (wide ? 0.22 : 0.56);
  const bottom = ({ at }: Placed) => at + (wide ? 0.78 : 0.88);
  return plot({
    className: 'plot',
    width,
    height: rows.length * step + 40,
    marginTop: 6,
    marginBottom: 34,
    marginLeft: names,
    marginRight: ends,
    style: { background: 'none', fontSize: '12.5px', overflow: 'visible' },
    x: { domain: [0, Math.max(1, ...rows.flatMap(({ wanted, got }) => [wanted, got]))], nice: true },
    y: { domain: [Math.max(rows.length, 1), 0], axis: null },
    marks: [
      gridX({ stroke: 'var(--line)', strokeOpacity: 1, ticks: wide ? 8 : 4 }),
      axisX({ ticks: wide ? 8 : 4, tickSize: 0, color: 'var(--muted)', label: null, fontSize: 12 }),
      rect(placed, {
        x1: 0,
        x2: 'got',
        y1: top,
        y2: bottom,
        fill: 'var(--simulator)',
        fillOpacity: 0.75,
      }),
      ruleX(placed, {
        x: 'wanted',
        y1: (row: Placed) => top(row) - 0.1,
        y2: (row: Placed) => bottom(row) + 0.1,
        stroke: 'var(--ink)',
        strokeWidth: 1.8,
      }),
      text(placed, {
        frameAnchor: 'left',
        y: above,
        dx: wide ? -names + 4 : 0,
        text: 'label',
        textAnchor: 'start',
        textOverflow: 'ellipsis-end',
        lineWidth: Math.max(6, (wide ? names - 16 : width - 130) / 12.5),
        fill: 'var(--ink)',
        stroke: 'var(--surface)',
        strokeWidth: 4,
      }),
      text(placed, {
        frameAnchor: 'right',
        y: above,
        dx: wide ? ends - 4 : 0,
        text: ({ got, shortfall }: Placed) => (shortfall > 0 ? `short by ${count(shortfall)}` : count(got)),
        textAnchor: 'end',
        fill: ({ shortfall }: Placed) => (shortfall > 0 ? 'var(--present)' : 'var(--muted)'),
        stroke: 'var(--surface)',
        strokeWidth: 4,
        fontVariant: 'tabular-nums',
      }),
    ],
  });
}
