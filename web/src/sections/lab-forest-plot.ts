import { axisX, dot, plot, rect, ruleX, ruleY, text } from '@observablehq/plot';
import type { Figure } from '../../../src/metrics/figure.ts';
import { intervalText, pointText } from '../format.ts';

export interface ForestLane {
  readonly figure: Figure;
  readonly tone: 'people' | 'simulator' | 'pool' | 'quiet';
}

export interface ForestRow {
  readonly label: string;
  /** A band behind the row: what the others are held against. */
  readonly marked: boolean;
  /** One or two figures, the first the one that rows are sorted by. */
  readonly lanes: readonly ForestLane[];
  /** Somebody else's figure in the same unit, drawn hollow; null = none. */
  readonly hollow: number | null;
}

export interface ForestRule {
  readonly at: number;
  readonly label: string;
  readonly tone: 'warn' | 'quiet';
}

const WIDE = 600;
const COLOURS = {
  people: 'var(--people)',
  simulator: 'var(--simulator)',
  pool: 'var(--ink)',
  quiet: 'var(--muted)',
  warn: 'var(--present)',
} as const;

interface Placed extends ForestLane {
  readonly row: number;
  readonly y: number;
}

/** Rows of dots and whiskers: names left of the lanes, or above them on a phone; numbers at the right end. */
export function forest(
  rows: readonly ForestRow[],
  options: {
    readonly width: number;
    readonly rule?: ForestRule;
    /** Where values can lie: intervals beyond are cut there. */
    readonly within?: readonly [number, number];
    readonly number?: (figure: Figure) => string;
  },
) {
  const { width, rule, within, number = pointText } = options;
  const wide = width >= WIDE;
  const lanes = Math.max(1, ...rows.map((row) => row.lanes.length));
  const head = wide ? 0 : 18;
  const step = head + 8 + lanes * (wide ? 16 : 14);
  const names = wide ? Math.min(250, width * 0.32) : 10;
  const ends = wide ? 178 : 14;
  const [low, high] = domainOf(rows, rule, within);
  // Of a row's height, where lane `lane` of `of` lies.
  const at = (lane: number, of: number) => (head + (step - head) * ((lane + 0.5) / of)) / step;
  const placed = rows.flatMap((row, place) =>
    row.lanes.map((lane, index): Placed => {
      // Lanes lie close around the middle, so that a row is seen as one.
      const spread = row.lanes.length === 1 ? 0.5 : 0.5 + (index - 0.5) * ((wide ? 16 : 14) / (step - head));
      return { ...lane, row: place, y: place + at(0, 1) + (spread - 0.5) * ((step - head) / step) };
    }),
  );
  const shown = placed.filter(({ figure }) => figure.value !== null);
  const whiskers = shown.filter(({ figure }) => figure.low !== null && figure.high !== null);
  const hollow = rows.flatMap((row, place) =>
    row.hollow === null
      ? []
      : [{ value: row.hollow, y: placed.find((one) => one.row === place)?.y ?? place }],
  );
  const endText = ({ figure }: Placed) =>
    figure.value === null ? 'no value' : `${number(figure)} ${intervalText(figure) ?? 'no interval'}`;
  const clamp = (value: number) => Math.min(high, Math.max(low, value));
  const top = rule === undefined ? 6 : 24;
  return plot({
    className: 'plot',
    width,
    height: rows.length * step + top + 28,
    marginTop: top,
    marginBottom: 28,
    marginLeft: names,
    marginRight: ends,
    style: { background: 'none', fontSize: '12.5px', overflow: 'visible' },
    x: { domain: [low, high], nice: false },
    y: { domain: [Math.max(rows.length, 1), 0], axis: null },
    marks: [
      rect(
        rows.flatMap(({ marked }, place) => (marked ? [place] : [])),
        {
          x1: low,
          x2: high,
          y1: (place: number) => place + 0.03,
          y2: (place: number) => place + 0.97,
          insetLeft: -names,
          insetRight: -ends,
          fill: 'var(--sunken)',
        },
      ),
      axisX({ ticks: width < 480 ? 4 : 8, tickSize: 4, color: 'var(--muted)', label: null, fontSize: 12 }),
      ruleY(
        rows.map((_, place) => place),
        { y: (place: number) => place + 1, stroke: 'var(--line)', insetLeft: -names, insetRight: -ends },
      ),
      rule === undefined
        ? null
        : [
            // Not through the names and numbers above the lanes.
            ruleX(rows, {
              x: () => rule.at,
              y1: (_: ForestRow, place: number) => place + (wide ? 0 : head + 2) / step,
              y2: (_: ForestRow, place: number) => place + 1,
              stroke: COLOURS[rule.tone],
              strokeWidth: 1.4,
              strokeDasharray: '4 3',
            }),
            text([rule.at], {
              x: (value: number) => value,
              frameAnchor: 'top',
              dy: -12,
              text: () => rule.label,
              textAnchor:
                rule.at > low + (high - low) * 0.7
                  ? 'end'
                  : rule.at < low + (high - low) * 0.3
                    ? 'start'
                    : 'middle',
              fill: COLOURS[rule.tone],
              fontSize: 12,
            }),
          ],
      ruleY(whiskers, {
        y: 'y',
        x1: ({ figure }: Placed) => clamp(figure.low!),
        x2: ({ figure }: Placed) => clamp(figure.high!),
        stroke: ({ tone }: Placed) => COLOURS[tone],
        strokeWidth: 3,
        strokeOpacity: 0.45,
        strokeLinecap: 'round',
      }),
      dot(shown, {
        x: ({ figure }: Placed) => figure.value,
        y: 'y',
        r: 4.6,
        fill: ({ tone }: Placed) => COLOURS[tone],
        stroke: 'var(--surface)',
        strokeWidth: 1.5,
      }),
      dot(hollow, {
        x: 'value',
        y: 'y',
        r: 5,
        symbol: 'diamond',
        fill: 'none',
        stroke: 'var(--ink)',
        strokeWidth: 1.6,
      }),
      text(rows, {
        frameAnchor: 'left',
        y: (_: ForestRow, place: number) => place + (wide ? at(0, 1) : 10 / step),
        dx: wide ? -names + 4 : 0,
        text: 'label',
        textAnchor: 'start',
        textOverflow: 'ellipsis-end',
        lineWidth: Math.max(6, (wide ? names - 16 : width - 150) / 12.5),
        fill: 'var(--ink)',
      }),
      text(wide ? placed : placed.filter((one) => one.figure === rows[one.row]?.lanes[0]?.figure), {
        frameAnchor: 'right',
        y: (one: Placed) => (wide ? one.y : one.row + 10 / step),
        dx: wide ? ends - 4 : 0,
        text: endText,
        textAnchor: 'end',
        fill: ({ tone }: Placed) => (lanes > 1 ? COLOURS[tone] : 'var(--muted)'),
        fontVariant: 'tabular-nums',
      }),
    ],
  });
}

/** The description a screen reader gets in place of the drawing. */
export function forestLabel(title: string, rows: readonly ForestRow[]): string {
  const parts = rows.slice(0, 12).map(({ label, lanes }) => {
    const figure = lanes[0]?.figure;
    if (figure === undefined || figure.value === null) return `${label} no value`;
    return `${label} ${pointText(figure)} ${intervalText(figure) ?? ''}`.trim();
  });
  const left = rows.length - 12;
  return `${title}: ${parts.join('; ')}${left > 0 ? `; ${left} more in the table` : ''}`;
}

function domainOf(
  rows: readonly ForestRow[],
  rule: ForestRule | undefined,
  within: readonly [number, number] | undefined,
): [number, number] {
  const cut = (value: number) =>
    within === undefined ? value : Math.min(within[1], Math.max(within[0], value));
  const all = rows
    .flatMap(({ lanes, hollow }) => [
      ...lanes.flatMap(({ figure }) => [figure.low, figure.value, figure.high]),
      hollow,
    ])
    .filter((value): value is number => value !== null && Number.isFinite(value))
    .map(cut);
  if (rule !== undefined) all.push(rule.at);
  if (all.length === 0) return [0, 1];
  const low = Math.min(...all);
  const high = Math.max(...all);
  const room = (high - low || 0.1) * 0.03;
  return [low - room, high + room];
}
