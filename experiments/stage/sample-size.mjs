import { normalQuantile, studentTQuantile } from '../../dist/math/index.js';

/** Comparisons of one family: this project against each other arm. */
export const COMPARISONS = 5;
export const ALPHA = 0.05;
export const POWER = 0.8;

/**
 * Level of Holm's first step over `comparisons` two-sided tests. Sized for it, each comparison has the stated power
 * whatever the others turn out to be.
 */
export const firstStep = (alpha, comparisons) => alpha / comparisons;

/**
 * Sessions per arm to tell two independent proportions apart, normal approximation (Fleiss 1981, without correction).
 * A reward in 0..1 has at most the variance of a proportion with its mean, so this bounds it too.
 */
export function twoProportions(p1, p2, { level, power }) {
  const pooled = (p1 + p2) / 2;
  const spread =
    normalQuantile(1 - level / 2) * Math.sqrt(2 * pooled * (1 - pooled)) +
    normalQuantile(power) * Math.sqrt(p1 * (1 - p1) + p2 * (1 - p2));
  return Math.ceil((spread / (p2 - p1)) ** 2);
}

/**
 * Variance of one context's difference of two arms' means, `rewards` of each there. Of the variance of a reward the
 * share `contextShare` lies between contexts (some are harder), and context means of the two arms correlate by
 * `correlation`; the rest is luck and simulators inside a context. `seedShare` of it is left out: see README.
 */
export function differenceVariance(p1, p2, rewards, { contextShare, correlation }) {
  const [v1, v2] = [p1 * (1 - p1), p2 * (1 - p2)];
  const between = contextShare * (v1 + v2 - 2 * correlation * Math.sqrt(v1 * v2));
  return between + ((1 - contextShare) * (v1 + v2)) / rewards;
}

/** Smallest difference shown with `power` by the paired t over `contexts` contexts: (t(1 - level/2) + t(power)) SE. */
export function detectable(variance, contexts, { level, power }) {
  if (contexts < 2) return Number.POSITIVE_INFINITY;
  const df = contexts - 1;
  const reach = studentTQuantile(1 - level / 2, df) + studentTQuantile(power, df);
  return reach * Math.sqrt(variance / contexts);
}

const MOST_CONTEXTS = 100_000;
const MOST_REPEATS = 1000;

/** Contexts that the paired design needs with so many rewards in each; null above 100,000. */
export function contextsNeeded(p1, p2, rewards, design) {
  const variance = differenceVariance(p1, p2, rewards, design);
  const enough = (contexts) => detectable(variance, contexts, design) <= Math.abs(p2 - p1);
  let high = 2;
  while (!enough(high)) {
    high *= 2;
    if (high > MOST_CONTEXTS) return null;
  }
  let low = high / 2;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (enough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * Trials with each held-out simulator that the paired design needs on a fixed number of contexts; null where no number
 * does, since contexts differ in what the arms gain there.
 */
export function trialsNeeded(p1, p2, { contexts, simulators, ...design }) {
  for (let trials = 1; trials <= MOST_REPEATS; trials++) {
    const variance = differenceVariance(p1, p2, trials * simulators, design);
    if (detectable(variance, contexts, design) <= Math.abs(p2 - p1)) return trials;
  }
  return null;
}
