import type { Figure } from './figure.ts';

/**
 * SCD `conditional` = 1 - G2 K / (K - 1), from the disagreement G2 of replies at one visited history (epsilon.ts)
 * over K turn classes: 1 = every history has one reply, 0 = all K classes equally likely at each.
 */
export function conditionalCollapse(disagreement: Figure, k: number): Figure {
  if (disagreement.value === null) return disagreement;
  if (k < 2)
    return { ...disagreement, value: null, low: null, high: null, reason: 'a codebook of one class' };
  const scale = k / (k - 1);
  const turn = (g2: number | null) => (g2 === null ? null : 1 - g2 * scale);
  const { low, high, se, detectable } = disagreement;
  return {
    ...disagreement,
    value: turn(disagreement.value),
    low: turn(high),
    high: turn(low),
    ...(se === undefined ? {} : { se: se * scale }),
    ...(detectable === undefined ? {} : { detectable: detectable * scale }),
  };
}
