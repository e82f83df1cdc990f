import { axisX, dot, plot, ruleX, ruleY, text } from '@observablehq/plot';
import type { Figure } from '../../src/metrics/figure.ts';
import { count, intervalText, pointText } from './format.ts';

export interface WhiskerRow {
  readonly label: string;
  readonly figure: Figure;
  readonly tone: 'people' | 'simulator' | 'pool' | 'quiet';
}

export interface Threshold {
  readonly at: number;
  readonly label: string;
  readonly tone?: 'warn' | 'people' | 'quiet';
  /** Holds for the first rows only (default: for all). */
  readonly rows?: number;
}

const ROW = 42;
const COLOURS = {
  people: 'var(--people)',
  simulator: 'var(--simulator)',
  pool: 'var(--ink)',
  quiet: 'var(--muted)',
  warn: 'var(--present)',
} as const;

/**
 * Dots with whiskers, one row a figure: its name above the line, its number at the right end, thresholds as
 * dashed rules. Names above the line keep long ones readable on a phone.
 */
export function whiskers(
  rows: readonly WhiskerRow[],
  options: {
    readonly width: number;
    readonly thresholds?: readonly Threshold[];
    readonly domain?: readonly [number, number];
  },
) {
  const { width, thresholds = [] } = options;
  const placed = rows.map((row, at) => ({ ...row, at }));
  const shown = placed.filter((row) => row.figure.value !== null);
  const [low, high] = domainOf(rows, thresholds, options.domain);
  const endText = (row: WhiskerRow) =>
    width < 560 ? valueText(row.figure) : `${valueText(row.figure)}   n ${count(row.figure.n)}`;
  const ends = shown.map(endText);
  const endWidth = Math.max(...ends.map((end) => end.length), 8) * 6.6;
  const above = (row: { at: number }) => row.at + 0.36;
  const line = (row: { at: number }) => row.at + 0.74;
  const colour = (row: WhiskerRow) => COLOURS[row.tone];
  const stagger = thresholds.length > 1 ? 2 : 1;
  const ordered = [...thresholds].sort((a, b) => a.at - b.at);
  return plot({
    className: 'plot',
    width,
    height: rows.length * ROW + 34 + stagger * 16,
    marginTop: 8 + stagger * 16,
    marginBottom: 26,
    marginLeft: 10,
    marginRight: 12,
    style: { fontSize: '12.5px', background: 'none', overflow: 'visible' },
    x: { domain: [low, high], nice: false },
    y: { domain: [Math.max(rows.length, 1), 0], axis: null },
    marks: [
      axisX({ ticks: width < 480 ? 4 : 8, tickSize: 4, color: 'var(--muted)', label: null, fontSize: 12 }),
      ruleY(placed, { y: line, stroke: 'var(--line)' }),
      ordered.flatMap((threshold, at) => [
        // Faint through the names, strong in the lane of each dot.
        ruleX([threshold.at], {
          y1: 0,
          y2: threshold.rows ?? rows.length,
          stroke: COLOURS[threshold.tone ?? 'quiet'],
          strokeOpacity: 0.18,
        }),
        ruleX(placed.slice(0, threshold.rows), {
          x: () => threshold.at,
          y1: (row: { at: number }) => row.at + 0.56,
          y2: (row: { at: number }) => row.at + 0.92,
          stroke: COLOURS[threshold.tone ?? 'quiet'],
          strokeWidth: 1.6,
        }),
        text([threshold.at], {
          x: (value: number) => value,
          frameAnchor: 'top',
          dy: -10 - (at % stagger) * 15,
          text: () => threshold.label,
          textAnchor:
            threshold.at > low + (high - low) * 0.72
              ? 'end'
              : threshold.at < low + (high - low) * 0.15
                ? 'start'
                : 'middle',
          fill: COLOURS[threshold.tone ?? 'quiet'],
          fontSize: 11.5,
        }),
      ]),
      shown
        .filter((row) => row.figure.low !== null && row.figure.high !== null)
        .map((row) =>
          ruleY([row], {
            y: line,
            x1: () => Math.max(low, row.figure.low ?? low),
            x2: () => Math.min(high, row.figure.high ?? high),
            stroke: colour(row),
            strokeWidth: 3,
            strokeOpacity: 0.45,
            strokeLinecap: 'round',
          }),
        ),
      dot(shown, {
        x: (row: WhiskerRow) => row.figure.value,
        y: line,
        r: 5,
        fill: colour,
        stroke: 'var(--surface)',
        strokeWidth: 1.5,
      }),
      text(placed, {
        frameAnchor: 'left',
        y: above,
        text: (row: WhiskerRow) => row.label,
        textAnchor: 'start',
        textOverflow: 'ellipsis-end',
        lineWidth: Math.max(6, (width - endWidth - 34) / 12.5),
        fill: 'var(--ink)',
        stroke: 'var(--surface)',
        strokeWidth: 4,
      }),
      text(shown, {
        frameAnchor: 'right',
        y: above,
        text: endText,
        textAnchor: 'end',
        fill: 'var(--muted)',
        stroke: 'var(--surface)',
        strokeWidth: 4,
        fontVariant: 'tabular-nums',
      }),
      text(
        placed.filter((row) => row.figure.value === null),
        {
          frameAnchor: 'left',
          y: line,
          dy: -1,
          text: (row: WhiskerRow) => `not measured: ${row.figure.reason ?? 'no reason given'}`,
          textAnchor: 'start',
          textOverflow: 'ellipsis-end',
          lineWidth: (width - 34) / 12.5,
          fill: 'var(--muted)',
          stroke: 'var(--surface)',
          strokeWidth: 4,
          fontStyle: 'italic',
        },
      ),
    ],
  });
}

function valueText(figure: Figure): string {
  if (figure.value === null) return '';
  const value = `${figure.approximate === true ? '≈' : ''}${pointText(figure)}`;
  return `${value} ${intervalText(figure) ?? ''}`.trim();
}

/** The description a screen reader gets in place of the drawing. */
export function whiskerLabel(title: string, rows: readonly WhiskerRow[]): string {
  const parts = rows
    .slice(0, 12)
    .map(({ label, figure }) =>
      figure.value === null ? `${label} not measured` : `${label} ${valueText(figure)}, n ${count(figure.n)}`,
    );
  const left = rows.length - 12;
  return `${title}: ${parts.join('; ')}${left > 0 ? `; ${left} more in the table` : ''}`;
}

function domainOf(
  rows: readonly WhiskerRow[],
  thresholds: readonly Threshold[],
  wanted: readonly [number, number] | undefined,
): [number, number] {
  const values = rows.flatMap(({ figure }) => [figure.low, figure.value, figure.high]);
  const all = [...values, ...thresholds.map(({ at }) => at), ...(wanted ?? [])].filter(
    (value): value is number => value !== null && Number.isFinite(value),
  );
  if (all.length === 0) return [0, 1];
  const low = Math.min(...all);
  const high = Math.max(...all);
  const room = (high - low || 1) * 0.03;
  return [wanted !== undefined && low >= wanted[0] ? low : low - room, high + room];
}
