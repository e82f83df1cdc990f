import { hashOrder } from '../math/index.ts';
import type { Member } from '../population/index.ts';
import type { LoopPopulation } from './population.ts';

/** A population from shares by id; members of no share are left out. */
export function populationOfShares(
  shares: ReadonlyMap<string, number>,
  memberOf: (id: string) => Member,
): LoopPopulation {
  return [...shares]
    .filter(([, share]) => share > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, share]) => ({ member: memberOf(id), share }));
}

export const sharesOf = (population: LoopPopulation): Map<string, number> =>
  new Map(population.map(({ member, share }) => [member.id, share]));

/** Half the sum of absolute differences of shares, 0..1. */
export function shareDistance(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  const ids = [...new Set([...a.keys(), ...b.keys()])].sort();
  return ids.reduce((sum, id) => sum + Math.abs((a.get(id) ?? 0) - (b.get(id) ?? 0)), 0) / 2;
}

/** By share, from the hash of the place: whom an episode meets does not hang on the other episodes. Never empty. */
export function drawnByShare<Part extends { readonly share: number }>(
  population: readonly Part[],
  place: string,
  seed: number,
): Part {
  const at = hashOrder(place, seed);
  let sum = 0;
  for (const one of population) {
    sum += one.share;
    if (at < sum) return one;
  }
  return population.at(-1)!;
}
