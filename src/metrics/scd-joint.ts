import { normalCdf } from '../math/distributions.ts';
import type { Random } from '../math/random.ts';
import { mean, variance } from '../math/summary.ts';
import { type Figure, missing } from './figure.ts';
import { groupLost, type IntervalOptions, jackknifeFigure } from './interval.ts';
import { type Population, populationOf } from './population.ts';
import { correctedEntropies, entropyOf } from './scd-pooled.ts';
import { countsWithout, rowsWithout, type Tally } from './tally.ts';

export interface JointOptions extends IntervalOptions {
  readonly random: Random;
  /** Permutations behind each tree edge. Default 200. */
  readonly permutations?: number;
}

export interface JointCollapse {
  readonly joint: Figure;
  /** Edges kept, out of at most N - 1, and their mutual information (nats) in all. */
  readonly edges: number;
  readonly information: number;
}

/** Permutations that rank pairs for the tree; its edges are then tested with the full number. */
const RANKING_PERMUTATIONS = 5;

/**
 * SCD `joint` = 1 - (sum_i H_i - sum over tree edges MI) / (N log K), simulators paired on the unit: the joint
 * entropy under the Chow-Liu tree (Chow & Liu 1968). A pair's table is the mean over shared units of the products of
 * the two simulators' shares there. MI is corrected by its mean over permutations of the units; an edge stays only if
 * p < 0.05 / pairs. Two hundred permutations cannot resolve that for N > 5, so p is the tail of a gamma law with
 * their mean and variance (Wilson & Hilferty 1931). Entropies are corrected as in `pooled`.
 */
export function jointCollapse(tallies: readonly Tally[], options: JointOptions): JointCollapse {
  const population = populationOf(tallies);
  const { k, n, tallies: members } = population;
  const none = (reason: string): JointCollapse => ({ joint: missing(reason, n), edges: 0, information: 0 });
  const noun = options.unitNoun ?? 'context';
  if (members.length < 2) return none('fewer than 2 simulators');
  if (k < 2) return none('too few episodes to fit two modes');
  if (members.some(({ units }) => units.length < 2)) return none(`a simulator with fewer than 2 ${noun}s`);
  const pairs: Pair[] = [];
  for (let i = 0; i < members.length; i++)
    for (let j = i + 1; j < members.length; j++) {
      const pair = pairOf(members, i, j);
      if (pair.rows === 0) return none(`two simulators that share no ${noun}`);
      if ((k - 1) ** 2 / (2 * pair.rows) > 0.1 * Math.log(k))
        return none(`too few paired rows (${pair.rows}) for ${k} modes`);
      pairs.push(pair);
    }
  const random = options.random.fork('joint');
  const ranked = pairs
    .map((pair) => ({ pair, corrected: permuted(pair, k, RANKING_PERMUTATIONS, random).corrected }))
    .filter(({ corrected }) => corrected > 0)
    .sort((a, b) => b.corrected - a.corrected);
  const edges: { pair: Pair; corrected: number }[] = [];
  for (const { pair } of spanningForest(ranked, members.length)) {
    const test = permuted(pair, k, options.permutations ?? 200, random);
    if (test.p < 0.05 / pairs.length) edges.push({ pair, corrected: test.corrected });
  }
  const information = edges.reduce((sum, { corrected }) => sum + corrected, 0);
  const scale = members.length * Math.log(k);
  const entropies = members.length * correctedEntropies(population).within;
  const joint = jackknifeFigure(
    population.plan,
    jointStatistic(
      population,
      edges.map(({ pair }) => pair),
    ),
    {
      ...options,
      n,
      tested: false,
      centre: 1 - (entropies - information) / scale,
      count: 'union',
      undefinedReason: 'not defined',
    },
  );
  return { joint, edges: edges.length, information };
}

interface Pair {
  readonly i: number;
  readonly j: number;
  /** Positions of each shared unit in the two tallies. */
  readonly left: Int32Array;
  readonly right: Int32Array;
  /** Rows that can be paired one to one: sum over units of min(n_ic, n_jc). */
  readonly rows: number;
  readonly a: Tally;
  readonly b: Tally;
}

function pairOf(members: readonly Tally[], i: number, j: number): Pair {
  const [a, b] = [members[i]!, members[j]!];
  const most = Math.min(a.units.length, b.units.length);
  const left = new Int32Array(most);
  const right = new Int32Array(most);
  let shared = 0;
  let rows = 0;
  for (let u = 0, v = 0; u < a.units.length && v < b.units.length; ) {
    const gap = a.units[u]! - b.units[v]!;
    if (gap === 0) {
      left[shared] = u;
      right[shared++] = v;
      rows += Math.min(a.size[u]!, b.size[v]!);
    }
    if (gap <= 0) u++;
    if (gap >= 0) v++;
  }
  return { i, j, left: left.subarray(0, shared), right: right.subarray(0, shared), rows, a, b };
}

/** Adds the product of the two simulators' shares at positions u and v to the k x k table. */
function addProduct(table: Float64Array, k: number, a: Tally, b: Tally, u: number, v: number): void {
  const scale = 1 / (a.size[u]! * b.size[v]!);
  for (let e = a.start[u]!; e < a.start[u + 1]!; e++) {
    const row = a.cell[e]! * k;
    const share = a.count[e]! * scale;
    for (let f = b.start[v]!; f < b.start[v + 1]!; f++) table[row + b.cell[f]!]! += share * b.count[f]!;
  }
}

/** Mutual information of the table over `total`, its rows and columns summing to the margins. */
function tableInformation(table: Float64Array, k: number, total: number): number {
  if (!(total > 0)) return Number.NaN;
  const rows = new Float64Array(k);
  const columns = new Float64Array(k);
  for (let x = 0; x < k; x++)
    for (let y = 0; y < k; y++) {
      const held = table[x * k + y]!;
      rows[x]! += held;
      columns[y]! += held;
    }
  return entropyOver(rows, total) + entropyOver(columns, total) - entropyOver(table, total);
}

/** Permuting units leaves both margins as they are: only the entropy of the table has to be found again. */
function permuted(pair: Pair, k: number, count: number, random: Random): { corrected: number; p: number } {
  const { a, b, left, right } = pair;
  const table = new Float64Array(k * k);
  const total = left.length;
  for (let at = 0; at < total; at++) addProduct(table, k, a, b, left[at]!, right[at]!);
  const observed = tableInformation(table, k, total);
  const margins = observed + entropyOver(table, total);
  // Every pair sees the same permutations, whatever its place in the list.
  const stream = random.fork(`permutations ${total}`);
  const partners = Int32Array.from(right);
  const [own, other] = [ownShares(pair, k), partnerShares(b)];
  const values = new Float64Array(count);
  for (let turn = 0; turn < count; turn++) {
    stream.shufflePart(partners);
    table.fill(0);
    addProducts(table, own, other, partners);
    values[turn] = margins - entropyOver(table, total);
  }
  const centre = mean(values);
  return { corrected: observed - centre, p: gammaTail(observed, centre, variance(values)) };
}

interface OwnShares {
  /** Shared units, those that visit few cells first: loops of one length after another are far faster. */
  readonly order: Int32Array;
  /** Entries of `order[n]` end here. */
  readonly end: Int32Array;
  /** Of each entry: where its row of the table begins, and its share of the unit. */
  readonly row: Int32Array;
  readonly share: Float64Array;
}

function ownShares({ a, left }: Pair, k: number): OwnShares {
  const keys = new Float64Array(left.length);
  for (let at = 0; at < left.length; at++)
    keys[at] = (a.start[left[at]! + 1]! - a.start[left[at]!]!) * left.length + at;
  const order = Int32Array.from(keys.sort(), (key) => key % left.length);
  const end = new Int32Array(order.length);
  const row = new Int32Array(a.cell.length);
  const share = new Float64Array(a.cell.length);
  let entry = 0;
  for (let place = 0; place < order.length; place++) {
    const u = left[order[place]!]!;
    const scale = 1 / a.size[u]!;
    for (let e = a.start[u]!; e < a.start[u + 1]!; e++, entry++) {
      row[entry] = a.cell[e]! * k;
      share[entry] = a.count[e]! * scale;
    }
    end[place] = entry;
  }
  return { order, end, row, share };
}

/** Shares of the second simulator, each unit filled up to a multiple of four entries by shares of 0. */
interface PartnerShares {
  readonly start: Int32Array;
  readonly cell: Int32Array;
  readonly share: Float64Array;
}

function partnerShares(tally: Tally): PartnerShares {
  const units = tally.units.length;
  const start = new Int32Array(units + 1);
  for (let v = 0; v < units; v++)
    start[v + 1] = start[v]! + 4 * Math.ceil((tally.start[v + 1]! - tally.start[v]!) / 4);
  const cell = new Int32Array(start[units]!);
  const share = new Float64Array(start[units]!);
  for (let v = 0; v < units; v++)
    for (let f = tally.start[v]!, to = start[v]!; f < tally.start[v + 1]!; f++, to++) {
      cell[to] = tally.cell[f]!;
      share[to] = tally.count[f]! / tally.size[v]!;
    }
  return { start, cell, share };
}

/** Adds the products of the shares of every unit with those of its partner. Most of the time of `joint` goes here. */
function addProducts(table: Float64Array, own: OwnShares, other: PartnerShares, partners: Int32Array): void {
  const { order, end, row: rows, share: owns } = own;
  const { start, cell, share } = other;
  for (let place = 0, e = 0; place < order.length; place++) {
    const partner = partners[order[place]!]!;
    const first = start[partner]!;
    const last = start[partner + 1]!;
    for (const stop = end[place]!; e < stop; e++) {
      const row = rows[e]!;
      const mine = owns[e]!;
      for (let f = first; f < last; f += 4) {
        table[row + cell[f]!]! += mine * share[f]!;
        table[row + cell[f + 1]!]! += mine * share[f + 1]!;
        table[row + cell[f + 2]!]! += mine * share[f + 2]!;
        table[row + cell[f + 3]!]! += mine * share[f + 3]!;
      }
    }
  }
}

/** Entropy of what sums to `total`, over it: log total - (sum x log x) / total. */
function entropyOver(table: Float64Array, total: number): number {
  let inner = 0;
  for (let place = 0; place < table.length; place++) {
    const x = table[place]!;
    if (x > 0) inner += x * Math.log(x);
  }
  return Math.log(total) - inner / total;
}

/** P(X >= x) of the gamma law with this mean and variance, by the cube-root normal of Wilson & Hilferty. */
function gammaTail(x: number, centre: number, spread: number): number {
  if (!(spread > 0) || !(centre > 0) || x <= 0) return 1;
  const step = spread / (9 * centre * centre);
  return normalCdf((1 - step - Math.cbrt(x / centre)) / Math.sqrt(step));
}

/** Kruskal: the heaviest forest of the ranked pairs. */
function spanningForest<T extends { readonly pair: Pair }>(ranked: readonly T[], count: number): T[] {
  const parent = Array.from({ length: count }, (_, index) => index);
  const root = (index: number): number => (parent[index] === index ? index : root(parent[index]!));
  return ranked.filter(({ pair }) => {
    const [x, y] = [root(pair.i), root(pair.j)];
    parent[x] = y;
    return x !== y;
  });
}

/** Plug-in value with the tree held fixed, as a function of what is left out. */
function jointStatistic(population: Population, edges: readonly Pair[]) {
  const { k, sums, plan, tallies } = population;
  const tables = edges.map((pair) => {
    const component = plan.components[plan.componentOf[pair.i]!]!;
    const whole = new Float64Array(k * k);
    const units = new Float64Array(component.groups);
    const members: number[][] = Array.from({ length: component.groups }, () => []);
    pair.left.forEach((u, at) => {
      const group = component.groupOf[pair.a.units[u]!]!;
      addProduct(whole, k, pair.a, pair.b, u, pair.right[at]!);
      units[group]! += 1;
      members[group]!.push(at);
    });
    return { pair, whole, units, members };
  });
  const left = new Float64Array(k);
  const part = new Float64Array(k * k);
  return (deletion: { component: number; group: number } | null): number => {
    let entropies = 0;
    sums.forEach((sum, i) => {
      const group = groupLost(plan, i, deletion);
      const rows = rowsWithout(sum, group);
      countsWithout(sum, group, left);
      for (let cell = 0; cell < k; cell++) left[cell]! /= rows;
      entropies += entropyOf(left);
    });
    let information = 0;
    for (const { pair, whole, units, members } of tables) {
      const group = groupLost(plan, pair.i, deletion);
      part.fill(0);
      if (group >= 0)
        for (const at of members[group]!)
          addProduct(part, k, pair.a, pair.b, pair.left[at]!, pair.right[at]!);
      for (let place = 0; place < part.length; place++) part[place] = whole[place]! - part[place]!;
      information += tableInformation(part, k, pair.left.length - (group < 0 ? 0 : units[group]!));
    }
    return 1 - (entropies - information) / (tallies.length * Math.log(k));
  };
}
