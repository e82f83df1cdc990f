import { type Figure, missing } from './figure.ts';
import { jackknifeFigure, jackknifePlan } from './interval.ts';
import {
  type PermutationOptions,
  type PolicyEpisodes,
  permutationCount,
  sortedEpisodes,
} from './policy-behaviour.ts';

/**
 * 1 - JSD over simulators of the policy's turn classes at the same context and depth / log N: 1 = the policy does the
 * same whoever the user is, 0 = something else for each. Adapting is legitimate: reported, not to be maximised.
 *
 * A few rows a simulator make the plug-in JSD large though the laws agree (one row each: 1 or 0). So it is set against
 * its mean D0 when simulators are permuted within context and depth: 1 - (D - D0) / (1 - D0), sums over all places
 * with two simulators of two rows or more; `null` where there is none.
 */
export function consistency(episodes: PolicyEpisodes, options: PermutationOptions): Figure {
  const noun = options.unitNoun ?? 'context';
  const places = sharedPlaces(episodes);
  const n = places.reduce((sum, { classes }) => sum + classes.length, 0);
  if (places.length === 0) return missing(`no ${noun} and depth with two simulators of two rows each`, n);
  const random = options.random.fork('consistency');
  const permutations = permutationCount(n, options.permutations);
  const units = [...new Set(places.map(({ unit }) => unit))].sort((a, b) => a - b);
  const plan = jackknifePlan([{ units }]);
  const { groups, groupOf } = plan.components[0]!;
  const excess = new Float64Array(groups);
  const room = new Float64Array(groups);
  for (const { unit, classes, sizes } of places) {
    const observed = relativeDivergence(classes, sizes, episodes.k);
    let chance = 0;
    const shuffled = [...classes];
    for (let turn = 0; turn < permutations; turn++)
      chance += relativeDivergence(random.shuffle(shuffled), sizes, episodes.k) / permutations;
    const group = groupOf[unit]!;
    excess[group]! += observed - chance;
    room[group]! += 1 - chance;
  }
  const total = (column: Float64Array) => column.reduce((sum, part) => sum + part, 0);
  const [allExcess, allRoom] = [total(excess), total(room)];
  return jackknifeFigure(
    plan,
    (deletion) =>
      deletion === null
        ? 1 - allExcess / allRoom
        : 1 - (allExcess - excess[deletion.group]!) / (allRoom - room[deletion.group]!),
    {
      ...options,
      n,
      tested: false,
      count: 'union',
      undefinedReason: 'every place shows all simulators apart by chance',
    },
  );
}

interface Place {
  readonly unit: number;
  /** Classes, simulator after simulator; `sizes` rows of each. Simulators in an order of their content. */
  readonly classes: readonly number[];
  readonly sizes: readonly number[];
}

function sharedPlaces(episodes: PolicyEpisodes): Place[] {
  const found = new Map<number, Map<number, Map<number, number[]>>>();
  for (const { unit, simulator, turns } of sortedEpisodes(episodes))
    for (let depth = 0; depth < turns.length; depth++) {
      const depths = entry(found, unit, () => new Map<number, Map<number, number[]>>());
      const simulators = entry(depths, depth, () => new Map<number, number[]>());
      entry(simulators, simulator, (): number[] => []).push(turns[depth]!);
    }
  const places: Place[] = [];
  for (const [unit, depths] of found)
    for (const depth of [...depths.keys()].sort((a, b) => a - b)) {
      const lists = [...depths.get(depth)!.values()]
        .filter((classes) => classes.length >= 2)
        .map((classes) => classes.sort((a, b) => a - b))
        .sort(compareLists);
      if (lists.length >= 2)
        places.push({ unit, classes: lists.flat(), sizes: lists.map(({ length }) => length) });
    }
  return places;
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

function compareLists(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) return a.length - b.length;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return 0;
}

/** Jensen-Shannon divergence of the simulators' class shares, equal weights, over log N. */
function relativeDivergence(classes: readonly number[], sizes: readonly number[], k: number): number {
  const mixture = new Float64Array(k);
  const own = new Float64Array(k);
  const log = (x: number) => (x > 0 ? x * Math.log(x) : 0);
  let inner = 0;
  let at = 0;
  for (const size of sizes) {
    const end = at + size;
    for (let i = at; i < end; i++) own[classes[i]!]! += 1 / size;
    for (let i = at; i < end; i++) {
      const share = own[classes[i]!]!;
      if (share === 0) continue;
      inner -= log(share) / sizes.length;
      mixture[classes[i]!]! += share / sizes.length;
      own[classes[i]!] = 0;
    }
    at = end;
  }
  let outer = 0;
  for (let cell = 0; cell < k; cell++) outer -= log(mixture[cell]!);
  return (outer - inner) / Math.log(sizes.length);
}
