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
  /** At most this many permutations (default 200); fewer, but at least 20, for very many turns. */
  readonly permutations?: number;
}

/** Turns moved in all permutations together: keeps a report over 1e5 episodes within its second. */
const PERMUTED_TURNS = 2e7;

export function permutationCount(turns: number, wanted = 200): number {
  return Math.min(wanted, Math.max(20, Math.floor(PERMUTED_TURNS / Math.max(1, turns))));
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
  const at = new Map(units.map((unit, index) => [unit, index]));
  const places = rows.map(({ unit }) => at.get(unit)!);
  const table = new Float64Array(units.length * k);
  const fill = (): Float64Array => {
    table.fill(0);
    rows.forEach(({ turns }, row) => {
      const from = places[row]! * k;
      for (let turn = 0; turn < turns.length; turn++) table[from + turns[turn]!]! += 1;
    });
    return table;
  };
  const plan = jackknifePlan([{ units }]);
  const { groupOf } = plan.components[0]!;
  const group = units.map((unit) => groupOf[unit]!);
  const whole = fill().slice();
  const without = (left: number) => tableInformation(whole, k, (row) => group[row] !== left);
  const random = options.random.fork('context-information');
  const turns = rows.reduce((sum, row) => sum + row.turns.length, 0);
  const chance = Array.from({ length: permutationCount(turns, options.permutations) }, () => {
    random.shuffle(places);
    return tableInformation(fill(), k, () => true);
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

/** Mutual information of row and column over the rows kept. */
function tableInformation(table: Float64Array, k: number, keep: (row: number) => boolean): number {
  const columns = new Float64Array(k);
  let total = 0;
  let inner = 0;
  for (let row = 0; row * k < table.length; row++) {
    if (!keep(row)) continue;
    let size = 0;
    for (let cell = 0; cell < k; cell++) {
      const count = table[row * k + cell]!;
      if (count === 0) continue;
      size += count;
      columns[cell]! += count;
      inner -= count * Math.log(count);
    }
    if (size > 0) inner += size * Math.log(size);
    total += size;
  }
  for (let cell = 0; cell < k; cell++) columns[cell]! /= total;
  return entropyOf(columns) - inner / total;
}

export interface SortedEpisode {
  readonly unit: number;
  readonly simulator: number;
  readonly turns: ArrayLike<number>;
}

/** Episodes with at least one turn, in an order of their content: permutations then do not depend on the rows' order. */
export function sortedEpisodes(episodes: PolicyEpisodes): SortedEpisode[] {
  return Array.from({ length: episodes.unit.length }, (_, row) => ({
    unit: episodes.unit[row]!,
    simulator: episodes.simulator[row]!,
    turns: episodes.turns[row]!,
  }))
    .filter(({ turns }) => turns.length > 0)
    .sort((a, b) => a.unit - b.unit || compareTurns(a.turns, b.turns));
}

function compareTurns(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return a.length - b.length;
  for (let turn = 0; turn < a.length; turn++) if (a[turn] !== b[turn]) return a[turn]! - b[turn]!;
  return 0;
}
