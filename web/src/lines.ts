import { areaY, axisX, axisY, dot, gridY, lineY, plot, ruleY } from '@observablehq/plot';
import type { Figure } from '../../src/metrics/figure.ts';

export interface LinePoint {
  readonly at: number;
  readonly figure: Figure;
}

/** One figure over epochs or depth: line, band of intervals, gaps where it was not measured. */
export function lines(
  points: readonly LinePoint[],
  options: { readonly width: number; readonly label: string; readonly from?: number },
) {
  const { width } = options;
  const rows = points.map(({ at, figure }) => ({
    at,
    value: figure.value ?? Number.NaN,
    low: figure.low ?? Number.NaN,
    high: figure.high ?? Number.NaN,
  }));
  const finite = rows.flatMap(({ value, low, high }) => [value, low, high]).filter(Number.isFinite);
  const low = Math.min(options.from ?? Number.POSITIVE_INFINITY, ...finite);
  const high = Math.max(...finite);
  const whole = [...new Set(points.map(({ at }) => at))];
  return plot({
    className: 'plot',
    width,
    height: 190,
    marginLeft: 38,
    marginBottom: 34,
    marginTop: 10,
    marginRight: 10,
    style: { background: 'none', fontSize: '12px', overflow: 'visible' },
    x: { type: 'linear', domain: whole.length === 1 ? [whole[0]! - 1, whole[0]! + 1] : undefined },
    y: { domain: [low, high], nice: true },
    marks: [
      gridY({ stroke: 'var(--line)', strokeOpacity: 1, ticks: 4 }),
      low < 0 ? ruleY([0], { stroke: 'var(--muted)' }) : null,
      axisX({
        ticks: whole.length <= 8 ? whole : Math.min(8, Math.floor(width / 50)),
        tickFormat: (value: number) => (Number.isInteger(value) ? String(value) : ''),
        color: 'var(--muted)',
        label: options.label,
        labelAnchor: 'center',
        labelArrow: 'none',
      }),
      axisY({ ticks: 4, color: 'var(--muted)', tickSize: 0, label: null }),
      areaY(rows, { x: 'at', y1: 'low', y2: 'high', fill: 'var(--simulator)', fillOpacity: 0.18 }),
      lineY(rows, { x: 'at', y: 'value', stroke: 'var(--simulator)', strokeWidth: 2 }),
      dot(rows, { x: 'at', y: 'value', r: 3.2, fill: 'var(--simulator)', stroke: 'var(--surface)' }),
    ],
  });
}
