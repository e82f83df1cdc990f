import { regularisedBeta } from './distributions.ts';

/** Exact interval of a binomial probability (Clopper & Pearson 1934); covers at least `level`. 0 <= successes <= trials. */
export function clopperPearson(successes: number, trials: number, level = 0.95): readonly [number, number] {
  if (!(trials > 0 && successes >= 0 && successes <= trials)) return [Number.NaN, Number.NaN];
  const tail = (1 - level) / 2;
  const low = successes === 0 ? 0 : betaQuantile(tail, successes, trials - successes + 1);
  const high = successes === trials ? 1 : betaQuantile(1 - tail, successes + 1, trials - successes);
  return [low, high];
}

/** By bisection to the last bit: called a few times a report. */
function betaQuantile(p: number, a: number, b: number): number {
  let low = 0;
  let high = 1;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (regularisedBeta(middle, 1 - middle, a, b) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
