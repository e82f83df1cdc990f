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
  const scratch: Scratch = {
    mixture: new Float64Array(episodes.k),
    own: new Float64Array(episodes.k),
    seen: new Int32Array(episodes.k),
  };
  for (const { unit, classes, sizes } of places) {
    const observed = relativeDivergence(classes, sizes, scratch);
    let chance = 0;
    const shuffled = [...classes];
    for (let turn = 0; turn < permutations; turn++)
      chance += relativeDivergence(random.shuffle(shuffled), sizes, scratch) / permutations;
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
  const places: Place[] = [];
  /** Of one unit: by depth, classes by simulator. Episodes come unit by unit. */
  let depths: Map<number, number[]>[] = [];
  let current = Number.NaN;
  const close = () => {
    for (const simulators of depths) {
      const lists = [...simulators.values()]
        .filter((classes) => classes.length >= 2)
        .map((classes) => classes.sort((a, b) => a - b))
        .sort(compareLists);
      if (lists.length >= 2)
        places.push({ unit: current, classes: lists.flat(), sizes: lists.map(({ length }) => length) });
    }
    depths = [];
  };
  for (const { unit, simulator, turns } of sortedEpisodes(episodes)) {
    if (unit !== current) close();
    current = unit;
    for (let depth = 0; depth < turns.length; depth++) {
      depths[depth] ??= new Map();
      const classes = depths[depth]!.get(simulator);
      if (classes === undefined) depths[depth]!.set(simulator, [turns[depth]!]);
      else classes.push(turns[depth]!);
    }
  }
  close();
  return places;
}

function compareLists(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) return a.length - b.length;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return 0;
}

/** Jensen-Shannon divergence of the simulators' class shares, equal weights, over log N. */
function relativeDivergence(classes: readonly number[], sizes: readonly number[], scratch: Scratch): number {
  const { mixture, own, seen } = scratch;
  let inner = 0;
  let at = 0;
  let distinct = 0;
  for (const size of sizes) {
    const end = at + size;
    const one = 1 / size;
    for (let i = at; i < end; i++) own[classes[i]!]! += one;
    for (let i = at; i < end; i++) {
      const cell = classes[i]!;
      const share = own[cell]!;
      if (share === 0) continue;
      inner -= (share * Math.log(share)) / sizes.length;
      if (mixture[cell] === 0) seen[distinct++] = cell;
      mixture[cell]! += share / sizes.length;
      own[cell] = 0;
    }
    at = end;
  }
  let outer = 0;
  for (let i = 0; i < distinct; i++) {
    const share = mixture[seen[i]!]!;
    outer -= share * Math.log(share);
    mixture[seen[i]!] = 0;
  }
  return (outer - inner) / Math.log(sizes.length);
}

/** Arrays of one number a class, all 0 between calls. */
interface Scratch {
  readonly mixture: Float64Array;
  readonly own: Float64Array;
  readonly seen: Int32Array;
}
