import { hashOrder } from '../math/index.ts';
import type { ReferencePart } from './space.ts';

/** What the split needs to know of an episode of people. */
export interface PersonFacts {
  readonly hash: string;
  readonly person: string | null;
  readonly simulator: string;
}

/**
 * Splits people by person into fit (half), mass (a quarter) and ceiling (a quarter): content hash -> part.
 * Persons stand in the order of hashOrder(smallest content hash, seed), so neither names nor the order of rows
 * matter. An episode without a person is a person of its own; persons who share an episode are one.
 */
export function splitReference(people: readonly PersonFacts[], seed: number): Map<string, ReferencePart> {
  const persons = personsOf(people);
  const order = [...persons.keys()].sort((a, b) => byOrder(a, b, seed));
  const fit = Math.round(order.length / 2);
  const mass = Math.ceil((order.length - fit) / 2);
  const parts = new Map<string, ReferencePart>();
  order.forEach((first, rank) => {
    const part = rank < fit ? 'fit' : rank < fit + mass ? 'mass' : 'ceiling';
    for (const hash of persons.get(first)!) parts.set(hash, part);
  });
  return parts;
}

/**
 * Parts of people in a space that was fitted before: those it knows keep their part; the others took no part in
 * the fit and are shared by person between mass and ceiling.
 */
export function placeReference(
  people: readonly PersonFacts[],
  known: ReadonlyMap<string, ReferencePart>,
  seed: number,
): Map<string, ReferencePart> {
  const parts = new Map<string, ReferencePart>();
  for (const [first, hashes] of personsOf(people)) {
    const familiar = hashes.find((hash) => known.has(hash));
    const part =
      familiar !== undefined ? known.get(familiar)! : hashOrder(first, seed) < 0.5 ? 'mass' : 'ceiling';
    for (const hash of hashes) parts.set(hash, part);
  }
  return parts;
}

/** Smallest content hash of a person -> that person's hashes, ascending. */
function personsOf(people: readonly PersonFacts[]): Map<string, string[]> {
  const parent = new Map<string, string>();
  const root = (key: string): string => {
    let at = key;
    for (let up = parent.get(at)!; up !== at; up = parent.get(at)!) {
      parent.set(at, parent.get(up)!);
      at = up;
    }
    return at;
  };
  for (const { hash, person, simulator } of people) {
    const episode = `e${hash}`;
    if (!parent.has(episode)) parent.set(episode, episode);
    if (person === null) continue;
    const owner = `p${JSON.stringify([simulator, person])}`;
    if (!parent.has(owner)) parent.set(owner, owner);
    parent.set(root(owner), root(episode));
  }
  const groups = new Map<string, string[]>();
  for (const hash of [...new Set(people.map((row) => row.hash))].sort()) {
    const top = root(`e${hash}`);
    const group = groups.get(top);
    if (group === undefined) groups.set(top, [hash]);
    else group.push(hash);
  }
  return new Map([...groups.values()].map((hashes) => [hashes[0]!, hashes]));
}

function byOrder(a: string, b: string, seed: number): number {
  return hashOrder(a, seed) - hashOrder(b, seed) || (a < b ? -1 : 1);
}
