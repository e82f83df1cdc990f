import type { Figure } from '../../../src/metrics/figure.ts';
import type { LabDifference, LabTable } from '../../../src/report/lab-payload.ts';
import { toldApart } from '../../../src/report/lab-standing.ts';
import { intervalText, pointText } from '../format.ts';

type Described = LabTable['figures'][number];

const UNITS: Readonly<Record<string, string>> = { share: '0..1', nats: 'nats', reward: 'reward 0..1' };

/** `policy entropy, last 25 steps (nats)`; units that say nothing are left out. */
export function headOf({ title, unit }: Described): string {
  const text = title.charAt(0).toUpperCase() + title.slice(1);
  return unit === 'nats' ? `${text} (nats)` : text;
}

export function hintOf({ unit, better }: Described): string {
  const way = better === null ? 'neither way is better' : `${better} is better`;
  return `${UNITS[unit] ?? unit}; ${way}`;
}

/** The unit stands in the head of the column, not in every cell. */
export function unitless<One extends Figure>({ unit: _, ...figure }: One): Omit<One, 'unit'> {
  return figure;
}

/** `+0.04 [0.01, 0.07]`; the reason where there is no value. */
export function differenceText(figure: Figure): string {
  if (figure.value === null) return figure.reason ?? 'no reason given';
  return `${signed(figure)} ${intervalText(figure) ?? 'no interval'}`;
}

export function signed(figure: Figure): string {
  const text = pointText(figure);
  return (figure.value ?? 0) > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

export type Judgement = 'better' | 'worse' | 'higher' | 'lower' | 'not told apart' | 'no interval';

/** A word only where Holm's p tells the two apart. */
export function judgementOf(difference: LabDifference, better: Described['better']): Judgement {
  const apart = toldApart(difference);
  if (apart === null || difference.value === null) return 'no interval';
  if (!apart) return 'not told apart';
  const up = difference.value > 0;
  if (better === null) return up ? 'higher' : 'lower';
  return up === (better === 'more') ? 'better' : 'worse';
}

/** `1-4, 7`: seeds in order as stretches. */
export function seedsText(seeds: readonly number[]): string {
  const sorted = [...seeds].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let from = 0; from < sorted.length; ) {
    let to = from;
    while (sorted[to + 1] === sorted[to]! + 1) to++;
    parts.push(
      to > from ? `${sorted[from]}${to === from + 1 ? ', ' : '\u2013'}${sorted[to]}` : `${sorted[from]}`,
    );
    from = to + 1;
  }
  return parts.join(', ');
}
