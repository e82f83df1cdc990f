import { Divergence } from './divergence.ts';
import { type Figure, missing } from './figure.ts';
import { jackknifeFigure, jackknifePlan } from './interval.ts';
import {
  byUnit,
  type FlatEpisodes,
  flatEpisodes,
  type PermutationOptions,
  type PolicyEpisodes,
  permutationCount,
} from './policy-behaviour.ts';

/**
 * 1 - JSD over simulators of the policy's turn classes at the same context and depth / log N: 1 = the policy does the
 * same whoever the user is, 0 = something else for each. Adapting is legitimate: reported, not to be maximised.
 *
 * A few rows a simulator make the plug-in JSD large though the laws agree (one row each: 1 or 0). So it is set against
 * its mean D0 when simulators are permuted within context and depth: 1 - (D - D0) / (1 - D0), sums over all places
 * with two simulators of two rows or more; `null` where there is none.
 */
export function consistency(episodes: PolicyEpisodes | FlatEpisodes, options: PermutationOptions): Figure {
  const noun = options.unitNoun ?? 'context';
  const { unit, parts, classes, first, sizes } = sharedPlaces(flatEpisodes(episodes));
  const n = classes.length;
  if (unit.length === 0) return missing(`no ${noun} and depth with two simulators of two rows each`, n);
  const random = options.random.fork('consistency');
  const permutations = permutationCount(n, options.permutations);
  const units = [...new Set(unit)];
  const plan = jackknifePlan([{ units }]);
  const { groups, groupOf } = plan.components[0]!;
  const excess = new Float64Array(groups);
  const room = new Float64Array(groups);
  const divergence = new Divergence(sizes, episodes.k);
  for (let place = 0; place < unit.length; place++) {
    const from = first[parts[place]!]!;
    const to = first[parts[place + 1]!]!;
    const own = sizes.subarray(parts[place]!, parts[place + 1]!);
    const observed = divergence.of(classes, from, own);
    let chance = 0;
    for (let turn = 0; turn < permutations; turn++) {
      random.shufflePart(classes, from, to);
      chance += divergence.of(classes, from, own) / permutations;
    }
    const group = groupOf[unit[place]!]!;
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

/** Contexts and depths at which two simulators have two rows or more, units ascending. */
interface Places {
  /** Of each place. */
  readonly unit: readonly number[];
  /** Simulators of place p: parts[p] .. parts[p + 1] - 1, in an order of their content. */
  readonly parts: readonly number[];
  /** Rows of each simulator there, and where their classes begin; the last of `first` is where all end. */
  readonly sizes: Int32Array;
  readonly first: Int32Array;
  readonly classes: Int32Array;
}

function sharedPlaces({ unit, simulator, start, classes }: FlatEpisodes): Places {
  const order = byUnit(unit, start);
  const kept = new Int32Array(classes.length);
  const here = new Int32Array(order.length);
  const lists: { begin: number; end: number }[] = [];
  const compare = (a: { begin: number; end: number }, b: { begin: number; end: number }): number => {
    if (a.end - a.begin !== b.end - b.begin) return a.end - a.begin - (b.end - b.begin);
    for (let i = a.begin, j = b.begin; i < a.end; i++, j++)
      if (here[i] !== here[j]) return here[i]! - here[j]!;
    return 0;
  };
  const [units, parts, first]: [number[], number[], number[]] = [[], [0], []];
  let end = 0;
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && unit[order[to]!] === unit[order[from]!]) to++;
    const rows = order.subarray(from, to).sort((a, b) => simulator[a]! - simulator[b]!);
    let depths = 0;
    for (const row of rows) depths = Math.max(depths, start[row + 1]! - start[row]!);
    for (let depth = 0; depth < depths; depth++) {
      lists.length = 0;
      let used = 0;
      for (let at = 0; at < rows.length; ) {
        const who = simulator[rows[at]!]!;
        const begin = used;
        for (; at < rows.length && simulator[rows[at]!] === who; at++) {
          const turn = start[rows[at]!]! + depth;
          if (turn < start[rows[at]! + 1]!) here[used++] = classes[turn]!;
        }
        if (used - begin < 2) continue;
        sortPart(here, begin, used);
        lists.push({ begin, end: used });
      }
      if (lists.length < 2) continue;
      for (const { begin, end: stop } of lists.sort(compare)) {
        first.push(end);
        for (let i = begin; i < stop; i++) kept[end++] = here[i]!;
      }
      units.push(unit[order[from]!]!);
      parts.push(first.length);
    }
  }
  const sizes = Int32Array.from(first, (begin, part) => (first[part + 1] ?? end) - begin);
  return {
    unit: units,
    parts,
    sizes,
    first: Int32Array.from([...first, end]),
    classes: kept.subarray(0, end),
  };
}

/** Sorts `items[from]` .. `items[to - 1]`: by insertion where they are few, which most are. */
function sortPart(items: Int32Array, from: number, to: number): void {
  if (to - from > 32) {
    items.subarray(from, to).sort();
    return;
  }
  for (let i = from + 1; i < to; i++) {
    const item = items[i]!;
    let at = i;
    for (; at > from && items[at - 1]! > item; at--) items[at] = items[at - 1]!;
    items[at] = item;
  }
}
