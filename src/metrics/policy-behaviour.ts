import type { Random } from '../math/random.ts';
import { mean } from '../math/summary.ts';
import { type Figure, missing } from './figure.ts';
import { type IntervalOptions, jackknifeFigure, jackknifePlan } from './interval.ts';
import { populationOf } from './population.ts';
import { correctedEntropies, entropyOf, pooledStatistic } from './scd-pooled.ts';
import type { Tally } from './tally.ts';

/** Classes of the policy's turns, episode by episode. */
export interface PolicyEpisodes {
  /** Policy turn classes of the codebook. */
  readonly k: number;
  readonly unit: ArrayLike<number>;
  /** Simulator of each episode: any numbers that tell them apart. */
  readonly simulator: ArrayLike<number>;
  /** Per episode: class of each of the policy's turns, in order. */
  readonly turns: ArrayLike<ArrayLike<number>>;
}

/** The same, all turns in one list: for many episodes. */
export interface FlatEpisodes {
  readonly k: number;
  readonly unit: ArrayLike<number>;
  readonly simulator: ArrayLike<number>;
  /** Turns of episode e: `classes[start[e]]` .. `classes[start[e + 1] - 1]`. */
  readonly start: Int32Array;
  readonly classes: Int32Array;
}

export function flatEpisodes(episodes: PolicyEpisodes | FlatEpisodes): FlatEpisodes {
  if ('start' in episodes) return episodes;
  const { k, unit, simulator, turns } = episodes;
  const start = new Int32Array(turns.length + 1);
  for (let row = 0; row < turns.length; row++) start[row + 1] = start[row]! + turns[row]!.length;
  const classes = new Int32Array(start[turns.length]!);
  for (let row = 0; row < turns.length; row++) classes.set(turns[row]!, start[row]!);
  return { k, unit, simulator, start, classes };
}

/** Entropy (nats, 0 to log K) of the classes of the policy's turns, one tally row a turn; corrected as SCD `pooled`. */
export function policyEntropy(turns: Tally, options: IntervalOptions = {}): Figure {
  const noun = options.unitNoun ?? 'context';
  if (turns.n === 0) return missing('no policy turn', 0);
  if (turns.k < 2) return missing('a codebook of one class', turns.n);
  if (turns.units.length < 2) return missing(`fewer than 2 ${noun}s`, turns.n);
  const population = populationOf([turns]);
  const collapse = pooledStatistic(population);
  return jackknifeFigure(population.plan, (deletion) => (1 - collapse(deletion)) * Math.log(turns.k), {
    ...options,
    n: turns.n,
    tested: population.tested,
    centre: correctedEntropies(population).mixture,
    count: 'union',
    unit: 'nats',
    undefinedReason: 'not defined',
  });
}

export interface PermutationOptions extends IntervalOptions {
  readonly random: Random;
  /** At most this many permutations (default 200); fewer, but at least 10, for very many turns. */
  readonly permutations?: number;
}

/** Turns moved in all permutations together: keeps a report over 1e5 episodes within its second. */
const PERMUTED_TURNS = 5e6;

export function permutationCount(turns: number, wanted = 200): number {
  return Math.min(wanted, Math.max(10, Math.floor(PERMUTED_TURNS / Math.max(1, turns))));
}

/**
 * I(context; class of the policy's turn), nats, minus its mean when episodes are permuted over contexts: 0 = the policy
 * answers every context alike, which its entropy alone does not show. Can be slightly negative.
 */
export function contextInformation(
  episodes: PolicyEpisodes | FlatEpisodes,
  options: PermutationOptions,
): Figure {
  const { k } = episodes;
  const noun = options.unitNoun ?? 'context';
  const turns = sortedTurns(flatEpisodes(episodes));
  const { units, places } = turns;
  const n = places.length;
  if (n === 0) return missing('no policy turn', 0);
  if (units.length < 2) return missing(`fewer than 2 ${noun}s`, n);
  if (units.length === n) return missing(`${noun}s do not repeat`, n);
  const plan = jackknifePlan([{ units }]);
  const { groups, groupOf } = plan.components[0]!;
  const observed = informationSums(turns, k);
  // What each group holds, so that leaving it out is a subtraction.
  const columns = new Float64Array(groups * k);
  const inner = new Float64Array(groups);
  units.forEach((unit, row) => {
    const group = groupOf[unit]!;
    inner[group]! += observed.inner[row]!;
    for (let cell = 0; cell < k; cell++) columns[group * k + cell]! += observed.table[row * k + cell]!;
  });
  const without = (left: number): number => {
    const kept = new Float64Array(k);
    let rest = 0;
    for (let group = 0; group < groups; group++) {
      if (group === left) continue;
      rest += inner[group]!;
      for (let cell = 0; cell < k; cell++) kept[cell]! += columns[group * k + cell]!;
    }
    return informationOf(kept, rest);
  };
  const random = options.random.fork('context-information');
  const chance = Array.from({ length: permutationCount(turns.classes.length, options.permutations) }, () => {
    random.shufflePart(places);
    const sums = informationSums(turns, k);
    return informationOf(
      sums.columns,
      sums.inner.reduce((sum, x) => sum + x, 0),
    );
  });
  return jackknifeFigure(plan, (deletion) => without(deletion?.group ?? -1), {
    ...options,
    n,
    tested: false,
    centre: without(-1) - mean(chance),
    count: 'union',
    unit: 'nats',
    undefinedReason: 'not defined',
  });
}

/** Turns of the episodes that have any, in an order of their content: permutations then do not depend on the rows'. */
interface SortedTurns {
  /** Ascending. */
  readonly units: readonly number[];
  /** Position of each episode's unit among `units`. */
  readonly places: Int32Array;
  readonly start: Int32Array;
  readonly classes: Int32Array;
}

function sortedTurns({ unit, start, classes }: FlatEpisodes): SortedTurns {
  const compare = (a: number, b: number): number => {
    const apart = unit[a]! - unit[b]!;
    if (apart !== 0) return apart;
    const [from, other] = [start[a]!, start[b]!];
    const length = start[a + 1]! - from;
    if (length !== start[b + 1]! - other) return length - (start[b + 1]! - other);
    for (let turn = 0; turn < length; turn++)
      if (classes[from + turn] !== classes[other + turn])
        return classes[from + turn]! - classes[other + turn]!;
    return 0;
  };
  const order = byUnit(unit, start);
  const sorted = {
    units: [] as number[],
    places: new Int32Array(order.length),
    start: new Int32Array(order.length + 1),
    classes: new Int32Array(classes.length),
  };
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && unit[order[to]!] === unit[order[from]!]) to++;
    order.subarray(from, to).sort(compare);
    sorted.places.fill(sorted.units.length, from, to);
    sorted.units.push(unit[order[from]!]!);
  }
  let at = 0;
  for (let place = 0; place < order.length; place++) {
    const row = order[place]!;
    for (let turn = start[row]!; turn < start[row + 1]!; turn++) sorted.classes[at++] = classes[turn]!;
    sorted.start[place + 1] = at;
  }
  return sorted;
}

/** Episodes that have turns, units ascending. */
export function byUnit(unit: ArrayLike<number>, start: Int32Array): Int32Array {
  const rows: number[] = [];
  let highest = -1;
  for (let row = 0; row < unit.length; row++) {
    if (start[row + 1] === start[row]) continue;
    rows.push(row);
    highest = Math.max(highest, unit[row]!);
  }
  const next = new Int32Array(highest + 2);
  for (const row of rows) next[unit[row]! + 1]! += 1;
  for (let at = 0; at <= highest; at++) next[at + 1]! += next[at]!;
  const order = new Int32Array(rows.length);
  for (const row of rows) order[next[unit[row]!]!++] = row;
  return order;
}

/** n log n of small n: counts of a unit's turns mostly are. */
const LOGS = Float64Array.from({ length: 4096 }, (_, n) => (n > 1 ? n * Math.log(n) : 0));

function timesLog(n: number): number {
  return n < LOGS.length ? LOGS[n]! : n * Math.log(n);
}

/** Counts by unit and class; `inner` = size log size - sum count log count of each unit: size times its entropy. */
function informationSums(
  { places, units, start, classes }: SortedTurns,
  k: number,
): { table: Int32Array; columns: Float64Array; inner: Float64Array } {
  const table = new Int32Array(units.length * k);
  for (let row = 0; row < places.length; row++) {
    const from = places[row]! * k;
    for (let turn = start[row]!; turn < start[row + 1]!; turn++) table[from + classes[turn]!]! += 1;
  }
  const columns = new Float64Array(k);
  const inner = new Float64Array(units.length);
  for (let unit = 0; unit < units.length; unit++) {
    let size = 0;
    let within = 0;
    for (let cell = 0; cell < k; cell++) {
      const count = table[unit * k + cell]!;
      size += count;
      columns[cell]! += count;
      within -= timesLog(count);
    }
    inner[unit] = within + timesLog(size);
  }
  return { table, columns, inner };
}

function informationOf(columns: Float64Array, inner: number): number {
  const total = columns.reduce((sum, count) => sum + count, 0);
  return entropyOf(columns.map((count) => count / total)) - inner / total;
}
