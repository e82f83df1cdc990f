import { type Figure, missing } from './figure.ts';
import { groupLost, type IntervalOptions, jackknifeFigure, jackknifePlan } from './interval.ts';
import { type GroupSums, groupSums, insideRegime, type Tally } from './tally.ts';

/**
 * Share of coinciding pairs among pairs of rows from different units, without one group (-1: all):
 * (sum_k n_k^2 - sum_ck n_ck^2) / (n^2 - sum_c n_c^2). NaN where there is no such pair.
 * Unbiased for sum_k p_k^2 when units are independent (Simpson 1949, on pairs across units).
 */
export function concentrationWithout(sums: GroupSums, group: number): number {
  const { tally } = sums;
  const from = group * tally.k;
  const left = group >= 0;
  let coincide = 0;
  for (let cell = 0; cell < tally.k; cell++)
    coincide += (tally.counts[cell]! - (left ? sums.counts[from + cell]! : 0)) ** 2;
  const n = tally.n - (left ? sums.n[group]! : 0);
  const same = sums.sameTotal - (left ? sums.same[group]! : 0);
  const pairs = n * n - (sums.squareTotal - (left ? sums.square[group]! : 0));
  return pairs > 0 ? (coincide - same) / pairs : Number.NaN;
}

/**
 * MCI of one simulator: 1/K (equal modes) to 1 (one mode); the estimate may fall below 1/K. The interval is one of
 * log MCI: small estimates come with small standard errors, and a symmetric one missed 3-8 % of truths above it.
 */
export function modeConcentration(tally: Tally, options: IntervalOptions = {}): Figure {
  const noun = options.unitNoun ?? 'context';
  if (tally.k < 2) return missing('too few episodes to fit two modes', tally.n);
  if (tally.units.length < 2) return missing(`fewer than 2 ${noun}s`, tally.n);
  const plan = jackknifePlan([tally]);
  const { groupOf, groups } = plan.components[0]!;
  const sums = groupSums(tally, groupOf, groups);
  return jackknifeFigure(plan, (deletion) => concentrationWithout(sums, deletion?.group ?? -1), {
    ...options,
    n: tally.n,
    tested: insideRegime(tally),
    count: 'each',
    scale: 'log',
    undefinedReason: `no pair of rows from different ${noun}s`,
  });
}

/** Effective number of modes, 1 / max(MCI, 1/K): 1 to K (Hill 1973, order 2). The interval is MCI's, turned over. */
export function effectiveModes(concentration: Figure, k: number): Figure {
  const { value, low, high, n, method } = concentration;
  if (value === null) return { ...concentration, unit: 'modes' };
  const turn = (mci: number) => 1 / Math.min(1, Math.max(mci, 1 / k));
  return {
    value: turn(value),
    low: high === null ? null : turn(high),
    high: low === null ? null : turn(low),
    n,
    method,
    unit: 'modes',
    ...(concentration.reason === undefined ? {} : { reason: concentration.reason }),
    ...(concentration.approximate ? { approximate: true } : {}),
  };
}

/** MCI of `a` minus MCI of `b`: shared units leave both at once, else variances add. */
export function concentrationDifference(a: Tally, b: Tally, options: IntervalOptions = {}): Figure {
  const noun = options.unitNoun ?? 'context';
  const n = a.n + b.n;
  if (Math.min(a.k, b.k) < 2) return missing('too few episodes to fit two modes', n);
  if (Math.min(a.units.length, b.units.length) < 2) return missing(`fewer than 2 ${noun}s`, n);
  if (a.k !== b.k) throw new RangeError(`codebooks of ${a.k} and ${b.k} cells`);
  const plan = jackknifePlan([a, b]);
  const [first, second] = [a, b].map((tally, sample) => {
    const { groupOf, groups } = plan.components[plan.componentOf[sample]!]!;
    return groupSums(tally, groupOf, groups);
  }) as [GroupSums, GroupSums];
  return jackknifeFigure(
    plan,
    (deletion) =>
      concentrationWithout(first, groupLost(plan, 0, deletion)) -
      concentrationWithout(second, groupLost(plan, 1, deletion)),
    {
      ...options,
      n,
      tested: insideRegime(a) && insideRegime(b),
      count: 'each',
      undefinedReason: `no pair of rows from different ${noun}s`,
    },
  );
}
