import type { Random } from '../../../math/random.ts';
import { shareOf } from '../../people/act-dialogue.ts';
import { PERSUADEE_ACTS } from '../../people/acts.ts';
import { LINKED } from '../../people/fit-people.ts';
import { type Coefficient, logistic } from '../../people/logistic.ts';
import type { Met } from './calibration.ts';

/**
 * Log odds of a donation above 0 per 0.1 more of the replies, each kind of reply alone: what `link.alone` is of P4G,
 * here of about `n` dialogues, drawn in proportion to whom they stand for. Nothing is calibrated to it. Intervals
 * speak of the simulation only.
 */
export function associations(
  met: readonly Met[],
  cuts: readonly number[],
  n: number,
  random: Random,
): Readonly<Record<string, Coefficient | null>> {
  const whole = met.reduce((sum, { weight }) => sum + weight, 0);
  const drawn: Met[] = [];
  let carried = random.next();
  for (const one of met) {
    carried += (n * one.weight) / whole;
    for (; carried >= 1; carried--) drawn.push(one);
  }
  const outcomes = drawn.map(({ resolve }) => random.next() < 1 / (1 + Math.exp(cuts[0]! - resolve)));
  const clusters = drawn.map((_, i) => String(i));
  return Object.fromEntries(
    Object.entries(LINKED).map(([name, acts]) => {
      const places = acts.map((act) => PERSUADEE_ACTS.indexOf(act));
      const rows = drawn.map(({ replies }) => [
        replies.length === 0 ? 0 : 10 * shareOf({ id: '', person: '', contexts: [], acts: replies }, places),
      ]);
      return [name, logistic(rows, outcomes, clusters)?.[1] ?? null];
    }),
  );
}
