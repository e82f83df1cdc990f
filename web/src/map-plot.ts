import { dot, plot, text } from '@observablehq/plot';
import type { AuditPage } from '../../src/audit/report-data.ts';

export type MapPoint = AuditPage['map']['points'][number];

/** People below, simulators above; rows outside the support are crosses; the focus is drawn last and strongest. */
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
    x: { axis: null, domain: extent(all.map(({ x }) => x)) },
    y: { axis: null, domain: extent(all.map(({ y }) => y)) },
    marks: [
      marks(others, 'var(--quiet-dot)', 0.4, 2.2),
      marks(people, 'var(--people)', 0.55 * dense, 2.8),
      marks(strong, 'var(--simulator)', (focus === null ? 0.5 : 0.8) * dense, focus === null ? 2.4 : 3),
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

function extent(values: readonly number[]): [number, number] {
  const finite = values.filter(Number.isFinite);
  if (finite.length === 0) return [-1, 1];
  let low = finite[0]!;
  let high = low;
  for (const value of finite) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low === high ? [low - 1, high + 1] : [low, high];
}
