import { conditionalPoisson, MOST_UNITS } from './conditional-poisson.ts';

export interface WorkingWeights {
  /** Infinity for targets of 1. */
  readonly weights: Float64Array;
  readonly rounds: number;
  /** Largest |reached - wanted| / wanted of the inclusion probabilities. */
  readonly error: number;
  /** error <= 1e-9 */
  readonly converged: boolean;
}

const TOLERANCE = 1e-9;
const MOST_ROUNDS = 1000;
/**
 * Power of the odds' ratio in a round. The error of the logarithms is multiplied by 1 - damping * lambda, lambda the
 * eigenvalues of the correlations of the indicators: these are a graph's normalised Laplacian, so at most 2 (two units:
 * a power of 1 would swing for ever) and near 1 for many units. Two thirds gives a third in both cases.
 */
const DAMPING = 2 / 3;

/**
 * Working weights under which conditional Poisson sampling keeps unit i with probability targets[i], e.g. with
 * chances proportional to given weights (`cappedShares`). They exist and are unique up to a factor (Chen, Dempster &
 * Liu 1994). Found by multiplying each weight by (odds wanted / odds reached)^(2/3) until every probability agrees to
 * 1e-9 of itself, at most 1000 rounds; `converged` says whether they did.
 *
 * Targets lie in (0, 1] and add up to a whole number m >= 1 within 1e-9 n, and those of 1 leave something to draw
 * (else all are 1): else a RangeError.
 */
export function workingWeightsFor(targets: ArrayLike<number>): WorkingWeights {
  const n = targets.length;
  if (n > MOST_UNITS) throw new RangeError(`at most ${MOST_UNITS} units, got ${n}`);
  let total = 0;
  for (let i = 0; i < n; i++) {
    if (!(targets[i]! > 0 && targets[i]! <= 1))
      throw new RangeError(`target of unit ${i} must lie in (0, 1], got ${targets[i]}`);
    total += targets[i]!;
  }
  const m = Math.round(total);
  if (m < 1 || Math.abs(total - m) > 1e-9 * n)
    throw new RangeError(`targets must add up to a whole number of at least 1, got ${total}`);
  const wanted = Float64Array.from(targets, odds);
  const weights = wanted.slice();
  if (m === n) return { weights, rounds: 0, error: 0, converged: true };
  for (let rounds = 0; ; rounds++) {
    const { pi } = conditionalPoisson(weights, m);
    let error = 0;
    for (let i = 0; i < n; i++) error = Math.max(error, Math.abs(pi[i]! - targets[i]!) / targets[i]!);
    if (error <= TOLERANCE || rounds === MOST_ROUNDS)
      return { weights, rounds, error, converged: error <= TOLERANCE };
    for (let i = 0; i < n; i++) {
      if (wanted[i] === Number.POSITIVE_INFINITY) continue;
      const ratio = (wanted[i]! / odds(pi[i]!)) ** DAMPING;
      // A probability that rounds to 0 or 1 has no odds.
      weights[i]! *= Math.min(Math.max(ratio, 1e-3), 1e3);
    }
  }
}

const odds = (p: number) => p / (1 - p);
