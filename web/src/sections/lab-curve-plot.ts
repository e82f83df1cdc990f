import { areaY, axisX, axisY, dot, gridY, lineY, plot, ruleY, text } from '@observablehq/plot';
import type { LabCurvePoint } from '../../../src/report/lab-payload.ts';

export interface CurveSeries {
  /** From 0 while highlighted; null for a quiet line. */
  readonly slot: number | null;
  readonly points: readonly LabCurvePoint[];
}

/** Colour and dash of the lines that are told apart; both, so that neither is needed alone. */
export const SLOTS: readonly { readonly colour: string; readonly dash: string }[] = [
  { colour: 'var(--lab-1)', dash: '' },
  { colour: 'var(--lab-2)', dash: '7 3' },
  { colour: 'var(--lab-3)', dash: '2.5 2.5' },
  { colour: 'var(--lab-4)', dash: '9 3 2 3' },
  { colour: 'var(--lab-5)', dash: '12 4' },
  { colour: 'var(--lab-6)', dash: '5 2 1 2 1 2' },
];
export const LETTERS = 'ABCDEF';
const HEIGHT = 210;
const MARGINS = { top: 10, bottom: 34 };
/** Least distance of two letters at the ends of lines, in pixels. */
const LETTER = 12;

interface End {
  readonly slot: number;
  readonly step: number;
  readonly value: number;
}

interface Letter extends End {
  /** Where the letter stands. */
  readonly at: number;
}

/** One figure over the steps of training: a line a method, bands of intervals for those that are highlighted. */
export function curves(
  series: readonly CurveSeries[],
  {
    width,
    steps: [first, last],
  }: {
    readonly width: number;
    /** First and last step of all figures, so that they can be read below one another. */
    readonly steps: readonly [number, number];
  },
) {
  const rows = ({ points }: CurveSeries) =>
    points.map(({ step, value, low, high }) => ({
      step,
      value: value ?? Number.NaN,
      low: low ?? Number.NaN,
      high: high ?? Number.NaN,
    }));
  const loud = series.filter(({ slot }) => slot !== null).sort((a, b) => b.slot! - a.slot!);
  const quiet = series.filter(({ slot }) => slot === null);
  // A band of three seeds may be wider than anything that happened: it is cut, the lines are not.
  const values = series.flatMap(({ points }) => points.flatMap(({ value }) => value ?? []));
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const room = (most - least || Math.abs(most) || 1) * 0.25;
  const bounds = loud.flatMap(({ points }) =>
    points.flatMap(({ low, high }) => [low ?? least, high ?? most]),
  );
  const bottom = Math.max(least - room, Math.min(least, ...bounds));
  const top = Math.min(most + room, Math.max(most, ...bounds));
  const ends = loud.flatMap((one) => {
    const end = rows(one).findLast(({ value }) => !Number.isNaN(value));
    return end === undefined ? [] : [{ slot: one.slot!, step: end.step, value: end.value }];
  });
  const letters = apart(ends, (LETTER * (top - bottom)) / (HEIGHT - MARGINS.top - MARGINS.bottom), [
    bottom,
    top,
  ]);
  return plot({
    className: 'plot',
    width,
    height: HEIGHT,
    marginLeft: 38,
    marginBottom: MARGINS.bottom,
    marginTop: MARGINS.top,
    marginRight: 20,
    style: { background: 'none', fontSize: '12px' },
    x: { type: 'linear', domain: first === last ? [first - 1, last + 1] : [first, last] },
    y: { domain: [bottom, top], nice: true, clamp: true },
    marks: [
      gridY({ stroke: 'var(--line)', strokeOpacity: 1, ticks: 4 }),
      bottom < 0 ? ruleY([0], { stroke: 'var(--muted)' }) : null,
      axisX({
        ticks: Math.min(8, Math.floor(width / 60)),
        tickFormat: (value: number) => (Number.isInteger(value) ? String(value) : ''),
        color: 'var(--muted)',
        label: 'step',
        labelAnchor: 'center',
        labelArrow: 'none',
      }),
      axisY({ ticks: 4, color: 'var(--muted)', tickSize: 0, label: null }),
      quiet.map((one) =>
        lineY(rows(one), { x: 'step', y: 'value', stroke: 'var(--quiet-dot)', strokeWidth: 1 }),
      ),
      loud.map((one) =>
        areaY(rows(one), {
          x: 'step',
          y1: 'low',
          y2: 'high',
          fill: SLOTS[one.slot!]!.colour,
          fillOpacity: 0.14,
        }),
      ),
      loud.map((one) => {
        const { colour, dash } = SLOTS[one.slot!]!;
        return lineY(rows(one), {
          x: 'step',
          y: 'value',
          stroke: colour,
          strokeWidth: 2.2,
          ...(dash === '' ? {} : { strokeDasharray: dash }),
        });
      }),
      loud
        .filter(({ points }) => points.length === 1)
        .map((one) => dot(rows(one), { x: 'step', y: 'value', r: 4, fill: SLOTS[one.slot!]!.colour })),
      text(letters, {
        x: 'step',
        y: 'at',
        dx: 5,
        text: ({ slot }: Letter) => LETTERS[slot]!,
        textAnchor: 'start',
        fill: ({ slot }: Letter) => SLOTS[slot]!.colour,
        fontWeight: 650,
      }),
    ],
  });
}

/** Letters of lines that end together stand one over the other, about their own middle. */
function apart(ends: readonly End[], least: number, [bottom, top]: readonly [number, number]): Letter[] {
  const sorted = [...ends].sort((a, b) => a.value - b.value || b.slot - a.slot);
  const groups: { middle: number; members: End[] }[] = [];
  for (const end of sorted) {
    groups.push({ middle: end.value, members: [end] });
    for (let last = groups.length - 1; last > 0; last--) {
      const [below, above] = [groups[last - 1]!, groups[last]!];
      const needed = (least * (below.members.length + above.members.length)) / 2;
      if (above.middle - below.middle >= needed) break;
      const members = [...below.members, ...above.members];
      const middle = members.reduce((sum, { value }) => sum + value, 0) / members.length;
      groups.splice(last - 1, 2, { middle, members });
    }
  }
  return groups.flatMap(({ middle, members }) => {
    const half = ((members.length - 1) / 2) * least;
    const about = Math.max(bottom + half, Math.min(top - half, middle));
    return members.map((end, place) => ({ ...end, at: about - half + place * least }));
  });
}
