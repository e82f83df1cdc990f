import { dot, plot, text } from '@observablehq/plot';
import type { AuditPage } from '../../src/audit/report-data.ts';

export type MapPoint = AuditPage['map']['points'][number];

/** Rows outside the support are crosses; the focus is drawn last and strongest. */
export function mapPlot(options: {
  readonly points: readonly MapPoint[];
  readonly all: readonly MapPoint[];
  readonly centroids: AuditPage['map']['centroids'];
  readonly focus: string | null;
  readonly width: number;
}) {
  const { points, all, centroids, focus, width } = options;
  const people = points.filter(({ human }) => human);
  const others = points.filter((point) => !point.human && focus !== null && point.simulator !== focus);
  const strong = points.filter((point) => !point.human && (focus === null || point.simulator === focus));
  const marks = (rows: readonly MapPoint[], colour: string, opacity: number, r: number) => [
    dot(
      rows.filter(({ outside }) => !outside),
      { x: 'x', y: 'y', r, fill: colour, fillOpacity: opacity, stroke: 'none' },
    ),
    dot(
      rows.filter(({ outside }) => outside),
      {
        x: 'x',
        y: 'y',
        r: r + 0.4,
        symbol: 'times',
        stroke: colour,
        strokeOpacity: Math.min(1, opacity + 0.15),
        strokeWidth: 1.2,
      },
    ),
  ];
  const dense = points.length > 2500 ? 0.75 : 1;
  return plot({
    className: 'plot',
    width,
    height: Math.round(Math.min(560, Math.max(300, width * 0.62))),
    margin: 12,
    style: { background: 'none', overflow: 'hidden', fontSize: '12px' },
    x: { axis: null, clamp: true, domain: frameOf(all.map(({ x }) => x)) },
    y: { axis: null, clamp: true, domain: frameOf(all.map(({ y }) => y)) },
    marks: [
      marks(others, 'var(--quiet-dot)', 0.4, 2.2),
      // Of all simulators there are many more marks: people go on top. A chosen one goes on top of people.
      focus === null ? marks(strong, 'var(--simulator)', 0.5 * dense, 2.4) : null,
      marks(people, 'var(--people)', 0.7 * dense, 2.8),
      focus === null ? null : marks(strong, 'var(--simulator)', 0.85, 3),
      text(centroids, {
        x: 'x',
        y: 'y',
        text: ({ mode }: { mode: number }) => String(mode + 1),
        fill: 'var(--ink)',
        stroke: 'var(--surface)',
        strokeWidth: 4,
        fontWeight: 650,
        fontSize: centroids.length > 24 ? 10 : 12.5,
      }),
    ],
  });
}

/**
 * The middle 98 % of the values and a margin: a few far rows would press all others into a corner. What lies
 * beyond is drawn on the edge.
 */
export function frameOf(values: readonly number[]): [number, number] {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  const first = sorted[0];
  const last = sorted.at(-1);
  if (first === undefined || last === undefined) return [-1, 1];
  const low = sorted[Math.floor(0.01 * (sorted.length - 1))] ?? first;
  const high = sorted[Math.ceil(0.99 * (sorted.length - 1))] ?? last;
  const margin = (high - low) * 0.2;
  const frame: [number, number] = [Math.max(first, low - margin), Math.min(last, high + margin)];
  return frame[0] === frame[1] ? [first - 1, first + 1] : frame;
}
