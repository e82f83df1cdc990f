import { entropyOf } from '../../src/metrics/index.ts';

/** Total variation, half the L1 distance: 0..1. */
export function totalVariation(p: ArrayLike<number>, q: ArrayLike<number>): number {
  let sum = 0;
  for (let x = 0; x < p.length; x++) sum += Math.abs(p[x]! - q[x]!);
  return sum / 2;
}

/** Kullback-Leibler divergence in nats. */
export function relativeEntropy(p: ArrayLike<number>, q: ArrayLike<number>): number {
  let sum = 0;
  for (let x = 0; x < p.length; x++) if (p[x]! > 0) sum += p[x]! * Math.log(p[x]! / q[x]!);
  return sum;
}

/** sum_i w_i p_i. */
export function mixture(laws: readonly ArrayLike<number>[], weights: readonly number[]): Float64Array {
  const mixed = new Float64Array(laws[0]!.length);
  laws.forEach((law, i) => {
    for (let x = 0; x < mixed.length; x++) mixed[x]! += weights[i]! * law[x]!;
  });
  return mixed;
}

/** Generalised Jensen-Shannon divergence (Lin 1991) in nats, from relative entropies: not from the split it is tested in. */
export function jensenShannon(laws: readonly ArrayLike<number>[], weights: readonly number[]): number {
  const mixed = mixture(laws, weights);
  return laws.reduce((sum, law, i) => sum + weights[i]! * relativeEntropy(law, mixed), 0);
}

/** Law of a function of the outcomes: what is left when only `classOf` is looked at. */
export function pushed(law: ArrayLike<number>, classOf: (outcome: number) => string): Map<string, number> {
  const found = new Map<string, number>();
  for (let x = 0; x < law.length; x++) found.set(classOf(x), (found.get(classOf(x)) ?? 0) + law[x]!);
  return found;
}

/** Two laws of a function of the outcomes, as arrays over the same classes. */
export function pushedPair(
  p: ArrayLike<number>,
  q: ArrayLike<number>,
  classOf: (outcome: number) => string,
): [Float64Array, Float64Array] {
  const [a, b] = [pushed(p, classOf), pushed(q, classOf)];
  const classes = [...new Set([...a.keys(), ...b.keys()])].sort();
  return [
    Float64Array.from(classes, (name) => a.get(name) ?? 0),
    Float64Array.from(classes, (name) => b.get(name) ?? 0),
  ];
}

export const meanEntropy = (laws: readonly ArrayLike<number>[], weights: readonly number[]): number =>
  laws.reduce((sum, law, i) => sum + weights[i]! * entropyOf(law), 0);
