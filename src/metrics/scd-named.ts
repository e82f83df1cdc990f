import { type Figure, missing, point } from './figure.ts';
import type { Tally } from './tally.ts';

/** Entropy estimators offered by name; none is used unasked. */
export type EntropyEstimator = 'chao-shen' | 'miller-madow' | 'plug-in';

/**
 * 1 - H / log K of the pooled counts (each row weighs the same) with a named estimator of H. All three take counts
 * as multinomial, which rows that share a context are not: no interval is given.
 */
export function namedCollapse(tallies: readonly Tally[], estimator: EntropyEstimator): Figure {
  const k = tallies[0]?.k ?? 0;
  const counts = new Float64Array(k);
  for (const tally of tallies) for (let cell = 0; cell < k; cell++) counts[cell]! += tally.counts[cell]!;
  const n = counts.reduce((rows, count) => rows + count, 0);
  if (n === 0) return missing('no rows', 0, estimator);
  if (k < 2) return missing('too few episodes to fit two modes', n, estimator);
  return point(1 - countEntropy(counts, estimator) / Math.log(k), n, estimator);
}

/** Entropy in nats of multinomial counts. */
export function countEntropy(counts: ArrayLike<number>, estimator: EntropyEstimator): number {
  let n = 0;
  let seen = 0;
  let once = 0;
  for (let cell = 0; cell < counts.length; cell++) {
    const count = counts[cell]!;
    n += count;
    if (count > 0) seen += 1;
    if (count === 1) once += 1;
  }
  // All seen once: coverage would be 0 and the estimator undefined (Chao & Shen 2003 take f1 = n - 1).
  const coverage = 1 - (once === n ? n - 1 : once) / n;
  let plugIn = 0;
  let chaoShen = 0;
  for (let cell = 0; cell < counts.length; cell++) {
    const share = counts[cell]! / n;
    if (share === 0) continue;
    plugIn -= share * Math.log(share);
    const covered = coverage * share;
    if (covered > 0) chaoShen -= (covered * Math.log(covered)) / (1 - (1 - covered) ** n);
  }
  if (estimator === 'plug-in') return plugIn;
  // Miller 1955: + (visited cells - 1) / 2n.
  return estimator === 'miller-madow' ? plugIn + (seen - 1) / (2 * n) : chaoShen;
}
