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
export function contextInformation(episodes: PolicyEpisodes, options: PermutationOptions): Figure {
  const { k } = episodes;
  const noun = options.unitNoun ?? 'context';
  const rows = sortedEpisodes(episodes);
  const units = [...new Set(rows.map(({ unit }) => unit))];
  const n = rows.length;
  if (n === 0) return missing('no policy turn', 0);
  if (units.length < 2) return missing(`fewer than 2 ${noun}s`, n);
  if (units.length === n) return missing(`${noun}s do not repeat`, n);
  const places = rowPlaces(rows, units);
  const turns = flatTurns(rows);
  const plan = jackknifePlan([{ units }]);
  const { groups, groupOf } = plan.components[0]!;
  const observed = informationSums(places, turns, units.length, k);
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
    random.shuffle(places);
    const sums = informationSums(places, turns, units.length, k);
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

interface FlatTurns {
  readonly start: Int32Array;
  readonly classes: Int32Array;
}

function flatTurns(rows: readonly SortedEpisode[]): FlatTurns {
  const start = new Int32Array(rows.length + 1);
  rows.forEach(({ turns }, row) => {
    start[row + 1] = start[row]! + turns.length;
  });
  const classes = new Int32Array(start[rows.length]!);
  rows.forEach(({ turns }, row) => {
    for (let turn = 0; turn < turns.length; turn++) classes[start[row]! + turn] = turns[turn]!;
  });
  return { start, classes };
}

/** Position of each row's unit among `units` (ascending, as the rows are). */
function rowPlaces(rows: readonly SortedEpisode[], units: readonly number[]): number[] {
  let place = 0;
  return rows.map(({ unit }) => {
    while (units[place] !== unit) place += 1;
    return place;
  });
}

/** Counts by unit and class; `inner` = size log size - sum count log count of each unit: size times its entropy. */
function informationSums(
  places: readonly number[],
  { start, classes }: FlatTurns,
  units: number,
  k: number,
): { table: Float64Array; columns: Float64Array; inner: Float64Array } {
  const table = new Float64Array(units * k);
  for (let row = 0; row < places.length; row++) {
    const from = places[row]! * k;
    for (let turn = start[row]!; turn < start[row + 1]!; turn++) table[from + classes[turn]!]! += 1;
  }
  const columns = new Float64Array(k);
  const inner = new Float64Array(units);
  for (let unit = 0; unit < units; unit++) {
    let size = 0;
    for (let cell = 0; cell < k; cell++) {
      const count = table[unit * k + cell]!;
      if (count === 0) continue;
      size += count;
      columns[cell]! += count;
      if (count > 1) inner[unit]! -= count * Math.log(count);
    }
    if (size > 1) inner[unit]! += size * Math.log(size);
  }
  return { table, columns, inner };
}

function informationOf(columns: Float64Array, inner: number): number {
  const total = columns.reduce((sum, count) => sum + count, 0);
  return entropyOf(columns.map((count) => count / total)) - inner / total;
}

export interface SortedEpisode {
  readonly unit: number;
  readonly simulator: number;
  readonly turns: ArrayLike<number>;
}

/** Episodes with at least one turn, in an order of their content: permutations then do not depend on the rows' order. */
export function sortedEpisodes(episodes: PolicyEpisodes): readonly SortedEpisode[] {
  let sorted = SORTED.get(episodes);
  if (sorted === undefined) {
    sorted = inOrder(episodes);
    SORTED.set(episodes, sorted);
  }
  return sorted;
}

/** Two figures are read off the same episodes. */
const SORTED = new WeakMap<PolicyEpisodes, readonly SortedEpisode[]>();

function inOrder(episodes: PolicyEpisodes): SortedEpisode[] {
  const byUnit: SortedEpisode[][] = [];
  for (let row = 0; row < episodes.unit.length; row++) {
    const turns = episodes.turns[row]!;
    if (turns.length === 0) continue;
    const unit = episodes.unit[row]!;
    const list = byUnit[unit];
    const episode = { unit, simulator: episodes.simulator[row]!, turns };
    if (list === undefined) byUnit[unit] = [episode];
    else list.push(episode);
  }
  const sorted: SortedEpisode[] = [];
  for (const list of byUnit)
    if (list !== undefined)
      for (const one of list.sort((a, b) => compareTurns(a.turns, b.turns))) sorted.push(one);
  return sorted;
}

function compareTurns(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return a.length - b.length;
  for (let turn = 0; turn < a.length; turn++) if (a[turn] !== b[turn]) return a[turn]! - b[turn]!;
  return 0;
}
