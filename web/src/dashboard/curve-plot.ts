import uPlot from 'uplot';
import type { BreakerLevel } from '../../../src/diagnosis/breaker.ts';
import type { Figure } from '../../../src/metrics/figure.ts';
import { setting } from '../format.ts';

export interface CurvePoint {
  readonly epoch: number;
  readonly figure: Figure;
  readonly level: BreakerLevel;
}

export interface CurveBar {
  readonly at: number;
  readonly level: 'yellow' | 'red';
  readonly word: string;
}

export interface CurveOptions {
  readonly width: number;
  readonly bars: readonly CurveBar[];
  /** Least range of the values shown. */
  readonly range: readonly [number, number];
  /** Joins what was measured across the epochs between: for figures that are not due in each. */
  readonly joined: boolean;
  /** The epoch under the cursor; null = none. */
  readonly onCursor: (epoch: number | null) => void;
}

export interface CurveHandle {
  readonly set: (points: readonly CurvePoint[]) => void;
  readonly redraw: () => void;
  readonly destroy: () => void;
}

export const CURVE_HEIGHT = 196;
/** A level is told by its height as well as its colour. */
const STRIP: Readonly<Record<BreakerLevel, number>> = { green: 3, yellow: 6, 'half-open': 9, red: 12 };
const STRIP_ROOM = 16;

/** A live curve: value, band of intervals, bars as dashed lines, and the breaker's level as a strip on top. */
export function curvePlot(
  host: HTMLElement,
  points: readonly CurvePoint[],
  options: CurveOptions,
): CurveHandle {
  let shown = points;
  const { joined } = options;
  const colour = (name: string) => getComputedStyle(host).getPropertyValue(name).trim();
  const font = `12px ${getComputedStyle(host).fontFamily}`;
  const plot = new uPlot(
    {
      width: options.width,
      height: CURVE_HEIGHT,
      padding: [STRIP_ROOM, 12, 0, 0],
      legend: { show: false },
      // One epoch is pointed at in all curves at once.
      cursor: { sync: { key: 'epochs' }, drag: { x: false, y: false }, y: false, points: { size: 8 } },
      scales: {
        x: { time: false, range: () => epochsOf(shown) },
        y: { range: () => rangeOf(shown, options) },
      },
      axes: [
        {
          stroke: () => colour('--muted'),
          font,
          size: 30,
          grid: { show: false },
          ticks: { stroke: () => colour('--line-strong'), size: 4, width: 1 },
          incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000],
        },
        {
          stroke: () => colour('--muted'),
          font,
          size: 42,
          grid: { stroke: () => colour('--line'), width: 1 },
          ticks: { show: false },
          values: (_, ticks) => ticks.map((value) => setting(value)),
          space: 36,
        },
      ],
      series: [
        {},
        {
          stroke: () => colour('--simulator'),
          width: 2,
          points: { show: points.length <= 60, size: 6, fill: () => colour('--simulator') },
        },
        { stroke: 'transparent', points: { show: false } },
        { stroke: 'transparent', points: { show: false } },
      ],
      bands: [
        { series: [3, 2], fill: () => `color-mix(in srgb, ${colour('--simulator')} 20%, transparent)` },
      ],
      hooks: {
        draw: [
          (self) => {
            drawBars(self, options.bars, colour, font);
            if (!joined) drawLone(self, shown, colour);
            drawStrip(self, shown, colour);
          },
        ],
        setCursor: [
          ({ cursor: { idx }, data: [epochs] }) =>
            options.onCursor(idx == null ? null : (epochs[idx] ?? null)),
        ],
      },
    },
    dataOf(points, joined),
    host,
  );
  return {
    set: (next) => {
      shown = next;
      plot.setData(dataOf(next, joined));
    },
    redraw: () => plot.redraw(false),
    destroy: () => plot.destroy(),
  };
}

function dataOf(given: readonly CurvePoint[], joined: boolean): uPlot.AlignedData {
  const points = joined ? given.filter(({ figure }) => figure.value !== null) : given;
  return [
    points.map(({ epoch }) => epoch),
    points.map(({ figure }) => figure.value),
    points.map(({ figure }) => figure.low),
    points.map(({ figure }) => figure.high),
  ];
}

/** A single epoch stands between ends that are none, so that no other one is named. All epochs, measured or not, so that the curves stand above one another. */
function epochsOf(points: readonly CurvePoint[]): [number, number] {
  const first = points[0]?.epoch ?? 0;
  const last = points.at(-1)?.epoch ?? 0;
  return first === last ? [first - 0.5, last + 0.5] : [first, last];
}

function rangeOf(points: readonly CurvePoint[], { bars, range }: CurveOptions): [number, number] {
  const values = points
    .flatMap(({ figure }) => [figure.value, figure.low, figure.high])
    .filter((value): value is number => value !== null && Number.isFinite(value));
  const all = [...values, ...bars.map(({ at }) => at), ...range];
  return [Math.min(...all), Math.max(...all)];
}

function drawBars(
  plot: uPlot,
  bars: readonly CurveBar[],
  colour: (name: string) => string,
  font: string,
): void {
  const { ctx, bbox } = plot;
  const ratio = uPlot.pxRatio;
  ctx.save();
  for (const { at, level, word } of bars) {
    const y = plot.valToPos(at, 'y', true);
    ctx.strokeStyle = colour(`--level-${level}`);
    ctx.fillStyle = ctx.strokeStyle;
    ctx.lineWidth = 1.5 * ratio;
    ctx.setLineDash(level === 'red' ? [] : [5 * ratio, 4 * ratio]);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    ctx.font = font.replace('12px', `${11 * ratio}px`);
    ctx.textAlign = 'left';
    ctx.textBaseline = 'bottom';
    ctx.fillText(word, bbox.left + 4 * ratio, y - 2 * ratio);
  }
  ctx.restore();
}

/** A band needs two neighbours: a point that stands alone has its interval as a line, and is always a dot. */
function drawLone(plot: uPlot, points: readonly CurvePoint[], colour: (name: string) => string): void {
  const { ctx } = plot;
  ctx.save();
  ctx.strokeStyle = `color-mix(in srgb, ${colour('--simulator')} 45%, transparent)`;
  ctx.fillStyle = colour('--simulator');
  ctx.lineWidth = 3 * uPlot.pxRatio;
  points.forEach(({ epoch, figure: { value, low, high } }, at) => {
    const lone = (of: (figure: Figure) => number | null) =>
      [points[at - 1], points[at + 1]].every((other) => other === undefined || of(other.figure) === null);
    const x = plot.valToPos(epoch, 'x', true);
    if (value !== null && lone((figure) => figure.value)) {
      ctx.beginPath();
      ctx.arc(x, plot.valToPos(value, 'y', true), 3 * uPlot.pxRatio, 0, 2 * Math.PI);
      ctx.fill();
    }
    if (low === null || high === null || !lone((figure) => figure.low)) return;
    ctx.beginPath();
    ctx.moveTo(x, plot.valToPos(low, 'y', true));
    ctx.lineTo(x, plot.valToPos(high, 'y', true));
    ctx.stroke();
  });
  ctx.restore();
}

/** From half an epoch before to half an epoch after each look. */
function drawStrip(plot: uPlot, points: readonly CurvePoint[], colour: (name: string) => string): void {
  const { ctx, bbox } = plot;
  const ratio = uPlot.pxRatio;
  const right = bbox.left + bbox.width;
  const base = bbox.top - 2 * ratio;
  ctx.save();
  points.forEach(({ epoch, level }, at) => {
    const before = points[at - 1]?.epoch;
    const after = points[at + 1]?.epoch;
    const from = plot.valToPos(before === undefined ? epoch - 0.5 : (before + epoch) / 2, 'x', true);
    const to = plot.valToPos(after === undefined ? epoch + 0.5 : (after + epoch) / 2, 'x', true);
    const [x, end] = [Math.round(Math.max(bbox.left, from)), Math.round(Math.min(right, to))];
    ctx.fillStyle = colour(`--level-${level}`);
    ctx.fillRect(x, base - STRIP[level] * ratio, Math.max(1, end - x), STRIP[level] * ratio);
  });
  ctx.restore();
}
