import { mean, type Random } from '../../math/index.ts';
import type { Epsilon } from '../../metrics/index.ts';
import { atLevel, bounds, CHECK_LEVEL, type Check, checkOf, digits } from './check-result.ts';
import { byUnit, drawnErrors, type HistoryPool, playedErrors, poolErrors } from './history-pool.ts';
import { coverageCheck } from './repetitions.ts';

export interface EpsilonCheckOptions {
  readonly id: string;
  /** Ends a sentence: "... over visited histories of persuasion". */
  readonly where: string;
  readonly law: Epsilon['law'];
  readonly pool: HistoryPool;
  /** Where the truth is known in closed form; else it is summed over the pool. */
  readonly truth?: { readonly disagreement: number; readonly epsilon: number };
  /** Contexts of a data set. */
  readonly units: number;
  /** Data sets for coverage; 0: none. */
  readonly dataSets: number;
  readonly random: Random;
}

/**
 * G2 and epsilon of one law, averaged over the visited histories of a pool: the figures of the replies that were drawn
 * in play, then the coverage of intervals over smaller data sets drawn from the pool. Epsilon has no unbiased estimate from few replies, so what must hold it is its
 * bracket: from the lower bound of the plug-in value to the upper bound of the leave-one-out value.
 */
export function epsilonChecks(options: EpsilonCheckOptions): Check[] {
  const { id, where, law, pool, units, dataSets, random } = options;
  const exact = options.truth ?? poolErrors(pool);
  const played = playedErrors(pool, law);
  const g2 = atLevel(played.disagreement, CHECK_LEVEL);
  const checks = [
    checkOf({
      id: `${id}.disagreement`,
      statement: `1 - sum phi^2 ${where}`,
      claim: 'equal',
      exact: exact.disagreement,
      estimate: g2,
      note: `95 % interval ${bounds(played.disagreement)}, ${played.histories} histories`,
    }),
    checkOf({
      id: `${id}.epsilon`,
      statement: `1 - max phi ${where}, inside the bracket of plug-in and leave-one-out`,
      claim: 'equal',
      exact: exact.epsilon,
      estimate: bracketOf(played, CHECK_LEVEL),
      note: `leave-one-out alone, 95 %: ${digits(played.epsilon.value ?? Number.NaN)} ${bounds(played.epsilon)}`,
    }),
  ];
  if (dataSets === 0) return checks;
  const lists = byUnit(pool);
  const drawn = Array.from({ length: dataSets }, (_, d) =>
    drawnErrors(lists, units, law, random.fork(`data/${d}`)),
  );
  const average = (of: (errors: Epsilon) => number | null) =>
    digits(mean(drawn.map((errors) => of(errors) ?? Number.NaN)));
  const alone = drawn.filter(
    ({ epsilon: { low, high } }) => low !== null && low <= exact.epsilon && high! >= exact.epsilon,
  );
  checks.push(
    coverageCheck(
      `${id}.disagreement.coverage`,
      `G2 ${where}`,
      drawn.map(({ disagreement }) => disagreement),
      exact.disagreement,
      `mean estimate ${average(({ disagreement }) => disagreement.value)}, truth ${digits(exact.disagreement)}`,
    ),
    coverageCheck(
      `${id}.epsilon.coverage`,
      `epsilon (bracket) ${where}`,
      drawn.map((errors) => bracketOf(errors, 0.05)),
      exact.epsilon,
      `means: plug-in ${average(({ bracket }) => bracket.plugIn.value)}, truth ${digits(exact.epsilon)}, ` +
        `leave-one-out ${average(({ epsilon }) => epsilon.value)}, whose own interval holds it in ${alone.length}`,
    ),
  );
  return checks;
}

/** Value: leave-one-out, the headline. Interval: from the lower end of plug-in to the upper end of leave-one-out. */
function bracketOf({ epsilon, bracket }: Epsilon, level: number) {
  const low = atLevel(bracket.plugIn, level);
  const high = atLevel(bracket.leaveOneOut, level);
  return { ...epsilon, low: low.low, high: high.high, method: `bracket of ${high.method}` };
}
