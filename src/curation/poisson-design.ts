import type { Random } from '../math/random.ts';
import { cappedShares, type InclusionDesign } from './inclusion.ts';

/**
 * Every unit stands for itself: kept with pi_i = min(1, c w_i), sum pi_i = m, independently of all others, so that
 * pi_ij = pi_i pi_j. The number kept is random and may be 0 or 1: such a draw holds no pair and counts 0, it is not
 * drawn again (that would change the probabilities). This is the design of PAIR (arXiv 2608.11368).
 */
export function poissonDesign(weights: ArrayLike<number>, m: number): InclusionDesign {
  const pi = cappedShares(weights, m);
  const n = pi.length;
  return {
    name: 'poisson',
    n,
    m: Math.min(m, n),
    pi,
    joint(i) {
      const both = pi.map((other) => other * pi[i]!);
      both[i] = pi[i]!;
      return both;
    },
    draw(random: Random) {
      const kept = new Uint8Array(n);
      for (let i = 0; i < n; i++) kept[i] = random.next() < pi[i]! ? 1 : 0;
      return kept;
    },
  };
}
