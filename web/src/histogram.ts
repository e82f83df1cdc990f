import { axisX, axisY, gridY, plot, rectY, ruleX, ruleY, text } from '@observablehq/plot';
import type { WeightsAccount } from '../../src/curation/manifest.ts';
import { number } from './format.ts';

export interface Mark {
  readonly at: number;
  readonly label: string;
  readonly tone: 'warn' | 'quiet';
}

/** Rows by weight, on a logarithmic axis where every bin allows it; bounds and 1 as rules. */
export function histogram(
  bins: WeightsAccount['histogram'],
  { width, marks }: { readonly width: number; readonly marks: readonly Mark[] },
) {
  const low = Math.min(...bins.map((bin) => bin.low), ...marks.map(({ at }) => at));
  const high = Math.max(...bins.map((bin) => bin.high), ...marks.map(({ at }) => at));
  const type = low > 0 ? 'log' : 'linear';
  const ticks = type === 'log' ? [...Array(11)].map((_, at) => 2 ** (at - 5)) : 6;
  const colour = (mark: Mark) => (mark.tone === 'warn' ? 'var(--present)' : 'var(--muted)');
  return plot({
    className: 'plot',
    width,
    height: 240,
    marginTop: 24,
    marginBottom: 40,
    marginLeft: 46,
    marginRight: 22,
    style: { background: 'none', fontSize: '12px', overflow: 'visible' },
    x: { type, domain: [low, high] },
    y: { domain: [0, Math.max(1, ...bins.map(({ count }) => count))], nice: true },
    marks: [
      gridY({ stroke: 'var(--line)', strokeOpacity: 1, ticks: 4 }),
      axisY({ ticks: 4, color: 'var(--muted)', tickSize: 0, label: null }),
      axisX({
        ticks: Array.isArray(ticks) ? ticks.filter((at) => at >= low && at <= high) : ticks,
        tickFormat: (value: number) => number(value, value < 1 ? 2 : 0),
        color: 'var(--muted)',
        label: 'weight (mean 1)',
        labelAnchor: 'center',
        labelArrow: 'none',
      }),
      rectY(bins, {
        x1: 'low',
        x2: 'high',
        y: 'count',
        fill: 'var(--simulator)',
        fillOpacity: 0.75,
        insetLeft: 0.5,
        insetRight: 0.5,
      }),
      ruleY([0], { stroke: 'var(--line-strong)' }),
      ruleX(marks, { x: 'at', stroke: colour, strokeWidth: 1.6, strokeDasharray: '4 3' }),
      marks.map((mark) =>
        text([mark], {
          x: 'at',
          frameAnchor: 'top',
          dy: -10,
          text: 'label',
          textAnchor: mark.at >= high ? 'end' : mark.at <= low ? 'start' : 'middle',
          fill: colour,
          fontSize: 11.5,
        }),
      ),
    ],
  });
}
