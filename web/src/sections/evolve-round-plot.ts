import { areaY, axisX, axisY, dot, gridY, lineY, plot, rectY, ruleX, ruleY, text } from '@observablehq/plot';
import type { BreakerLevel } from '../../../src/diagnosis/breaker.ts';
import type { Figure } from '../../../src/metrics/figure.ts';
import type { Stretch } from '../../../src/report/evolve-standing.ts';

export interface RoundPoint {
  readonly round: number;
  readonly figure: Figure;
}

/** A line, or, where `joined` is false, dots with whiskers. */
export interface RoundSeries {
  readonly points: readonly RoundPoint[];
  readonly colour: string;
  readonly dash?: string;
  /** Stands at its end where there are several. */
  readonly letter?: string;
  readonly joined?: boolean;
}

/** A level that the figure is held against. */
export interface RoundBar {
  readonly at: number;
  readonly label: string;
  readonly colour: string;
}

/** What was decided in a round; drawn at the foot. */
export interface RoundMark {
  readonly round: number;
  readonly kind: 'accepted' | 'rolled back';
}

export interface RoundPlot {
  readonly series: readonly RoundSeries[];
  readonly bars?: readonly RoundBar[];
  readonly marks?: readonly RoundMark[];
  readonly stretches?: readonly Stretch[];
  /** A round that stands out, e.g. the one selected. */
  readonly chosen?: number | null;
  readonly rounds: readonly [first: number, last: number];
  /** Always shown; wider where the data are. */
  readonly range: readonly [low: number, high: number];
}

const HEIGHT = 216;
const MARGINS = { top: 22, right: 18, bottom: 46, left: 40 };
const SOFT: Readonly<Record<BreakerLevel, string>> = {
  green: 'none',
  yellow: 'var(--yellow-soft)',
  red: 'var(--red-soft)',
  'half-open': 'var(--half-open-soft)',
};
/** Letters, for whom colours say nothing. */
export const LEVEL_LETTERS: Readonly<Record<BreakerLevel, string>> = {
  green: 'G',
  yellow: 'Y',
  red: 'R',
  'half-open': 'H',
};
/** Room of the name of a bar, in pixels. */
const LABEL = 130;
/** Least distance of two letters at the ends of lines, in pixels. */
const LETTER = 13;
/** Pixels a round below which drawings say less. */
const DENSE = 14;
/** Least pixels for a letter of a level. */
const ROOM = 9;

/** Figures over rounds above the level of the breaker, with what they are held against and what was decided. */
export function roundPlot(
  { series, bars = [], marks = [], stretches = [], chosen = null, rounds: [first, last], range }: RoundPlot,
  width: number,
) {
  const rows = ({ points }: RoundSeries) =>
    points.map(({ round, figure }) => ({
      round,
      value: figure.value ?? Number.NaN,
      low: figure.low ?? figure.value ?? Number.NaN,
      high: figure.high ?? figure.value ?? Number.NaN,
    }));
  const known = [
    ...range,
    ...bars.map(({ at }) => at),
    ...series.flatMap((one) => rows(one).flatMap(({ value, low, high }) => [value, low, high])),
  ].filter(Number.isFinite);
  const [low, high] = endsOf(known);
  const room = (high - low || 1) * 0.04;
  const step = (width - MARGINS.left - MARGINS.right) / (last - first + 1);
  /** Whether something is drawn where the name of a bar would stand at the right. */
  const crowded = (bar: number) => {
    const from = last - (last - first + 1) * (LABEL / width);
    const [below, above] = [bar - room, bar + (high - low) * 0.12];
    return series.some((one) =>
      rows(one).some(({ round, low: least, high: most }) => round >= from && least <= above && most >= below),
    );
  };
  const bands = stretches.filter(({ level }) => level !== 'green');
  const ends = series.flatMap((one) => {
    const end = rows(one).findLast(({ value }) => !Number.isNaN(value));
    return end === undefined || one.letter === undefined ? [] : [{ ...end, ...one }];
  });
  const ticks = Math.max(2, Math.min(last - first + 1, Math.floor(width / 34)));
  return plot({
    className: 'plot',
    width,
    height: HEIGHT,
    marginTop: MARGINS.top,
    marginRight: MARGINS.right,
    marginBottom: MARGINS.bottom,
    marginLeft: MARGINS.left,
    style: { background: 'none', fontSize: '12px', overflow: 'visible' },
    color: { type: 'identity' },
    x: { type: 'linear', domain: [first - 0.5, last + 0.5] },
    y: { domain: [low - room, high + room] },
    marks: [
      rectY(bands, {
        x1: ({ from }: Stretch) => from - 0.5,
        x2: ({ to }: Stretch) => to + 0.5,
        y1: low - room,
        y2: high + room,
        fill: ({ level }: Stretch) => SOFT[level],
      }),
      text(
        bands.filter(({ from, to }) => (to - from + 1) * step >= ROOM),
        {
          x: ({ from, to }: Stretch) => (from + to) / 2,
          frameAnchor: 'top',
          dy: -10,
          text: ({ level }: Stretch) => LEVEL_LETTERS[level],
          fill: ({ level }: Stretch) => `var(--level-${level})`,
          fontWeight: 700,
        },
      ),
      gridY({ stroke: 'var(--line)', strokeOpacity: 1, ticks: 4 }),
      low < 0 ? ruleY([0], { stroke: 'var(--muted)' }) : null,
      chosen === null || chosen < first || chosen > last
        ? null
        : ruleX([chosen], { stroke: 'var(--ink)', strokeWidth: 1.2, strokeDasharray: '2 3' }),
      axisX({
        ticks,
        tickFormat: (value: number) => (Number.isInteger(value) ? String(value) : ''),
        tickSize: 0,
        tickPadding: 16,
        color: 'var(--muted)',
        label: 'round',
        labelAnchor: 'center',
        labelArrow: 'none',
        labelOffset: 42,
      }),
      axisY({ ticks: 4, color: 'var(--muted)', tickSize: 0, label: null }),
      bars.map(({ at, colour }) => ruleY([at], { stroke: colour, strokeWidth: 1.3, strokeDasharray: '5 3' })),
      series
        .filter(({ joined }) => joined !== false)
        .map((one) =>
          areaY(rows(one), { x: 'round', y1: 'low', y2: 'high', fill: one.colour, fillOpacity: 0.17 }),
        ),
      series.map((one) =>
        ruleX(one.joined === false ? rows(one) : lone(rows(one)), {
          x: 'round',
          y1: 'low',
          y2: 'high',
          stroke: one.colour,
          strokeWidth: 2,
          strokeOpacity: one.joined === false ? 1 : 0.45,
        }),
      ),
      series
        .filter(({ joined }) => joined !== false)
        .map((one) =>
          lineY(rows(one), {
            x: 'round',
            y: 'value',
            stroke: one.colour,
            strokeWidth: 2,
            ...(one.dash === undefined ? {} : { strokeDasharray: one.dash }),
          }),
        ),
      series.map((one) =>
        // On a line of many rounds they would only break it up.
        dot(step < DENSE && one.joined !== false ? lone(rows(one)) : rows(one), {
          x: 'round',
          y: 'value',
          r: step < DENSE ? 2.2 : 3.2,
          fill: one.colour,
          stroke: 'var(--surface)',
        }),
      ),
      text(apart(ends, ((high - low + 2 * room) * LETTER) / (HEIGHT - MARGINS.top - MARGINS.bottom)), {
        x: 'round',
        y: 'value',
        dx: 6,
        text: 'letter',
        textAnchor: 'start',
        fill: 'colour',
        stroke: 'var(--surface)',
        strokeWidth: 3,
        fontWeight: 700,
      }),
      bars.map(({ at, label, colour }) =>
        text([at], {
          y: () => at,
          frameAnchor: crowded(at) ? 'left' : 'right',
          dy: -6,
          text: () => label,
          textAnchor: crowded(at) ? 'start' : 'end',
          fill: colour,
          stroke: 'var(--surface)',
          strokeWidth: 3,
          fontSize: 11,
        }),
      ),
      dot(
        marks.filter(({ kind }) => kind === 'accepted'),
        {
          x: 'round',
          frameAnchor: 'bottom',
          dy: 9,
          symbol: 'triangle',
          r: step < DENSE ? 2.6 : 4,
          fill: 'var(--level-green)',
        },
      ),
      dot(
        marks.filter(({ kind }) => kind === 'rolled back'),
        {
          x: 'round',
          frameAnchor: 'bottom',
          dy: 9,
          symbol: 'times',
          r: step < DENSE ? 2.4 : 3.6,
          stroke: 'var(--level-red)',
          strokeWidth: 2,
        },
      ),
    ],
  });
}

/** From the lowest up, each letter as far above the one before as it needs. */
function apart<End extends { readonly value: number }>(ends: readonly End[], least: number): End[] {
  let below = Number.NEGATIVE_INFINITY;
  return [...ends]
    .sort((a, b) => a.value - b.value)
    .map((end) => {
      below = Math.max(end.value, below + least);
      return { ...end, value: below };
    });
}

/** Points between gaps, which have no line and no band to stand in. */
function lone<Row extends { readonly value: number }>(rows: readonly Row[]): Row[] {
  const known = (row: Row | undefined) => row !== undefined && !Number.isNaN(row.value);
  return rows.filter((row, at) => known(row) && !known(rows[at - 1]) && !known(rows[at + 1]));
}

/** Of a run of any length: more numbers than a call takes. */
function endsOf(values: readonly number[]): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return [low, high];
}
