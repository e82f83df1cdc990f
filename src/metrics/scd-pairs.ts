import { type Figure, missing } from './figure.ts';
import { type Deletion, groupLost, jackknifeFigure } from './interval.ts';
import { type Population, type PopulationOptions, populationOf } from './population.ts';
import { countsWithout, rowsWithout, type Tally } from './tally.ts';

export interface PairCollapse {
  /** SCD2 = 1 + log c_mix / log K. */
  readonly pooled2: Figure;
  /** log(1 / c_within), nats: how broad the simulators are, each by itself (0 = narrow each). */
  readonly within: Figure;
  /** log(c_within / c_mix), nats: how much they differ from one another (0 = all alike). */
  readonly alike: Figure;
  /** c_mix: chance that two rows of the population from different units show one mode (its MCI). */
  readonly concentration: Figure;
}

/**
 * SCD `pooled2`: c_ij = coincidence of simulators i and j over pairs of rows from different units,
 * c_mix = sum w_i w_j c_ij, c_within = sum w_i c_ii; log(1/c_mix) = log(1/c_within) + log(c_within/c_mix)
 * (Jost 2007, order 2). `null` where c_mix or c_within <= 0, or where some c_ij has no pair.
 */
export function pairCollapse(tallies: readonly Tally[], options: PopulationOptions = {}): PairCollapse {
  const population = populationOf(tallies, options.weights);
  const { k, n, plan, tested } = population;
  const noun = options.unitNoun ?? 'context';
  if (tallies.length === 0 || k < 2) {
    const none = missing(tallies.length === 0 ? 'no simulator' : 'too few episodes to fit two modes', n);
    return { pooled2: none, within: none, alike: none, concentration: none };
  }
  const replicate = coincidences(population);
  const seen = new Map<number, Coincidence>();
  // The four figures ask for the same replicates.
  const at = (deletion: Deletion | null): Coincidence => {
    const key = deletion === null ? -1 : deletion.component * 64 + deletion.group;
    const known = seen.get(key) ?? replicate(deletion);
    seen.set(key, known);
    return known;
  };
  const { mixture, within } = at(null);
  const undefinedReason =
    Number.isNaN(mixture) || Number.isNaN(within)
      ? `no pair of rows from different ${noun}s`
      : 'no two rows coincide';
  const figure = (
    statistic: (c: Coincidence) => number,
    extra: { readonly unit?: string; readonly scale?: 'log' } = {},
  ): Figure =>
    jackknifeFigure(plan, (deletion) => statistic(at(deletion)), {
      ...options,
      n,
      tested,
      count: 'union',
      undefinedReason,
      ...extra,
    });
  const log = (x: number) => (x > 0 ? Math.log(x) : Number.NaN);
  return {
    pooled2: figure((c) => 1 + log(c.mixture) / Math.log(k) + 0 * log(c.within)),
    within: figure((c) => -log(c.within), { unit: 'nats' }),
    alike: figure((c) => log(c.within) - log(c.mixture), { unit: 'nats' }),
    concentration: figure((c) => c.mixture, { scale: 'log' }),
  };
}

/** The value of SCD2 alone, without an interval; NaN where it is not defined. */
export function pairCollapseAt(tallies: readonly Tally[]): number {
  if (tallies.length === 0) return Number.NaN;
  const population = populationOf(tallies);
  const { mixture, within } = coincidences(population)(null);
  return mixture > 0 && within > 0 ? 1 + Math.log(mixture) / Math.log(population.k) : Number.NaN;
}

export interface Coincidence {
  readonly mixture: number;
  readonly within: number;
}

/** c_mix and c_within as a function of what is left out; NaN where a pair of simulators has no pair of rows. */
export function coincidences(population: Population): (deletion: Deletion | null) => Coincidence {
  const { k, tallies, weights, plan, sums } = population;
  const count = tallies.length;
  const shared = tallies.map((a, i) =>
    tallies.map((b, j) =>
      j > i && plan.componentOf[i] === plan.componentOf[j] ? sharedUnits(population, i, a, b) : null,
    ),
  );
  const left = tallies.map(() => new Float64Array(k));
  return (deletion) => {
    const lost = tallies.map((_, i) => groupLost(plan, i, deletion));
    const rows = sums.map((sum, i) => {
      countsWithout(sum, lost[i]!, left[i]!);
      return rowsWithout(sum, lost[i]!);
    });
    let mixture = 0;
    let within = 0;
    for (let i = 0; i < count; i++) {
      const own = sums[i]!;
      const group = lost[i]!;
      const [a, wi] = [left[i]!, weights[i]!];
      const same = own.sameTotal - (group < 0 ? 0 : own.same[group]!);
      const square = own.squareTotal - (group < 0 ? 0 : own.square[group]!);
      const pairs = rows[i]! ** 2 - square;
      const self = pairs > 0 ? (dot(a, a) - same) / pairs : Number.NaN;
      within += wi * self;
      mixture += wi * wi * self;
      for (let j = i + 1; j < count; j++) {
        const cross = shared[i]![j]!;
        const crossSame = cross === null ? 0 : cross.sameTotal - (group < 0 ? 0 : cross.same[group]!);
        const crossSize = cross === null ? 0 : cross.sizeTotal - (group < 0 ? 0 : cross.size[group]!);
        const crossPairs = rows[i]! * rows[j]! - crossSize;
        const value = crossPairs > 0 ? (dot(a, left[j]!) - crossSame) / crossPairs : Number.NaN;
        mixture += 2 * wi * weights[j]! * value;
      }
    }
    return { mixture, within };
  };
}

interface SharedUnits {
  /** Per group: sum over units of sum_k n_ick n_jck, and of n_ic n_jc. */
  readonly same: Float64Array;
  readonly size: Float64Array;
  readonly sameTotal: number;
  readonly sizeTotal: number;
}

/** `null` where the two share no unit: of thousands of simulators most pairs do not. */
function sharedUnits(population: Population, i: number, a: Tally, b: Tally): SharedUnits | null {
  const { groups, groupOf } = population.plan.components[population.plan.componentOf[i]!]!;
  const [units, others] = [a.units, b.units];
  let same: Float64Array | null = null;
  let size: Float64Array | null = null;
  let sameTotal = 0;
  let sizeTotal = 0;
  for (let u = 0, v = 0; u < units.length && v < others.length; ) {
    const gap = units[u]! - others[v]!;
    if (gap === 0) {
      const group = groupOf[units[u]!]!;
      const rows = a.size[u]! * b.size[v]!;
      const pairs = samePairs(a, u, b, v);
      same ??= new Float64Array(groups);
      size ??= new Float64Array(groups);
      size[group]! += rows;
      sizeTotal += rows;
      same[group]! += pairs;
      sameTotal += pairs;
    }
    if (gap <= 0) u++;
    if (gap >= 0) v++;
  }
  return same === null || size === null ? null : { same, size, sameTotal, sizeTotal };
}

/** Pairs of a row of unit u of one tally with a row of unit v of the other that lie in one cell. */
function samePairs(a: Tally, u: number, b: Tally, v: number): number {
  const [cells, others] = [a.cell, b.cell];
  const [end, stop] = [a.start[u + 1]!, b.start[v + 1]!];
  let pairs = 0;
  for (let e = a.start[u]!, f = b.start[v]!; e < end && f < stop; ) {
    const step = cells[e]! - others[f]!;
    if (step === 0) pairs += a.count[e]! * b.count[f]!;
    // Without a branch, of which nobody could guess the turn.
    e += +(step <= 0);
    f += +(step >= 0);
  }
  return pairs;
}

function dot(a: Float64Array, b: Float64Array): number {
  let total = 0;
  for (let cell = 0; cell < a.length; cell++) total += a[cell]! * b[cell]!;
  return total;
}
