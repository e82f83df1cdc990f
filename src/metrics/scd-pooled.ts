import { type Figure, missing, point } from './figure.ts';
import { groupLost, jackknifeFigure } from './interval.ts';
import { type Population, type PopulationOptions, populationOf } from './population.ts';
import { countsWithout, rowsWithout, type Tally } from './tally.ts';

export interface PooledCollapse {
  /** 1 - H / log K, H the bias-corrected entropy of the mixture. Not clipped: can fall a little outside 0 .. 1. */
  readonly pooled: Figure;
  /** Weighted mean entropy of the single simulators, in nats, corrected by the same linear rule. */
  readonly within: Figure;
  /** Jensen-Shannon divergence of the simulators, in nats: H - within. */
  readonly between: Figure;
}

/**
 * SCD `pooled`. Plug-in entropies of p_k = sum_i w_i n_ik / n_i, corrected by the delete-one-unit jackknife
 * G H - (G-1) mean H(-c) (Quenouille 1956; Zahl 1977 for entropy); the interval comes from the replicates of
 * at most 50 groups. H = H_within + JSD holds exactly, because one linear rule corrects both.
 */
export function pooledCollapse(tallies: readonly Tally[], options: PopulationOptions = {}): PooledCollapse {
  const population = populationOf(tallies, options.weights);
  const { k, n, tested } = population;
  const noun = options.unitNoun ?? 'context';
  const reason =
    tallies.length === 0
      ? 'no simulator'
      : k < 2
        ? 'too few episodes to fit two modes'
        : population.tallies.some(({ units }) => units.length < 2)
          ? `a simulator with fewer than 2 ${noun}s`
          : null;
  if (reason !== null) {
    const none = missing(reason, n);
    return { pooled: none, within: none, between: none };
  }
  const { mixture, within } = correctedEntropies(population);
  const scale = Math.log(k);
  const pooled = jackknifeFigure(population.plan, pooledStatistic(population), {
    ...options,
    n,
    tested,
    centre: 1 - mixture / scale,
    count: 'union',
    undefinedReason: 'not defined',
  });
  const short = population.tallies.some((tally) => tally.n < 3 * k);
  const split = (value: number): Figure =>
    short
      ? missing('a simulator with fewer than 3 K rows', n)
      : { ...point(value, n, 'jackknife-corrected'), unit: 'nats' };
  return { pooled, within: split(within), between: split(mixture - within) };
}

/** Plug-in SCD, as a function of what is left out: what the interval and trends over epochs replicate. */
export function pooledStatistic(
  population: Population,
): (deletion: { component: number; group: number } | null) => number {
  const { k, sums, weights, plan } = population;
  const left = new Float64Array(k);
  const mixture = new Float64Array(k);
  return (deletion) => {
    mixture.fill(0);
    sums.forEach((sum, i) => {
      const group = groupLost(plan, i, deletion);
      const share = weights[i]! / rowsWithout(sum, group);
      countsWithout(sum, group, left);
      for (let cell = 0; cell < k; cell++) mixture[cell]! += share * left[cell]!;
    });
    return 1 - entropyOf(mixture) / Math.log(k);
  };
}

/** Entropy (nats) of probabilities that sum to 1. */
export function entropyOf(p: ArrayLike<number>): number {
  let total = 0;
  for (let cell = 0; cell < p.length; cell++) {
    const share = p[cell]!;
    if (share > 0) total -= share * Math.log(share);
    else if (Number.isNaN(share)) return Number.NaN;
  }
  return total;
}

/**
 * Jackknife-corrected H and H_within over all units (no grouping). Each component of simulators that share
 * units is corrected by itself: H + sum over components of (G-1)/G sum_c (H - H(-c)).
 */
export function correctedEntropies(population: Population): { mixture: number; within: number } {
  const { k, tallies, weights, plan } = population;
  const count = tallies.length;
  const base = new Float64Array(k);
  const shares = tallies.map((tally, i) => {
    const own = new Float64Array(k);
    for (let cell = 0; cell < k; cell++) {
      own[cell] = tally.counts[cell]! / tally.n;
      base[cell]! += weights[i]! * own[cell]!;
    }
    return own;
  });
  const alone = shares.map(entropyOf);
  const logSum = tallies.map(({ counts }) => counts.reduce((sum, rows) => sum + rows * logOf(rows), 0));
  const full = entropyOf(base);
  const fullWithin = alone.reduce((sum, h, i) => sum + weights[i]! * h, 0);
  const position = new Int32Array(count);
  /** The unit at each tally's position, -1 past its last. */
  const next = Int32Array.from(tallies, ({ units }) => units[0] ?? -1);
  const remembered = new Map<number, number>();
  const left = new Float64Array(k);
  let mixture = full;
  let within = fullWithin;
  plan.components.forEach((component, index) => {
    const members = tallies.map((_, i) => i).filter((i) => plan.componentOf[i] === index);
    const here: number[] = [];
    let lostMixture = 0;
    let lostWithin = 0;
    for (let unit = 0; unit < component.groupOf.length; unit++) {
      if (component.groupOf[unit]! < 0) continue;
      here.length = 0;
      for (const i of members) if (next[i] === unit) here.push(i);
      // Units of one row are the common case where contexts do not repeat: N K different deletions in all.
      const first = here[0]!;
      const single = here.length === 1 && tallies[first]!.size[position[first]!] === 1;
      const key = single ? first * k + tallies[first]!.cell[tallies[first]!.start[position[first]!]!]! : -1;
      let after = single ? remembered.get(key) : undefined;
      if (after === undefined) {
        left.set(base);
        for (const i of here) takeUnit(left, tallies[i]!, position[i]!, shares[i]!, weights[i]!);
        // A cell only this unit visits must come to 0, not to a rounding error below it.
        for (let cell = 0; cell < k; cell++) if (left[cell]! < 1e-15) left[cell] = 0;
        after = entropyOf(left);
        if (single) remembered.set(key, after);
      }
      lostMixture += full - after;
      for (const i of here) {
        const tally = tallies[i]!;
        lostWithin += weights[i]! * (alone[i]! - entropyWithoutUnit(tally, position[i]!, logSum[i]!));
        position[i]! += 1;
        next[i] = tally.units[position[i]!] ?? -1;
      }
    }
    const factor = (component.units - 1) / component.units;
    mixture += factor * lostMixture;
    within += factor * lostWithin;
  });
  return { mixture, within };
}

/** Takes the rows of unit u out of what the tally's shares add to `mixture`, its other rows gaining their weight. */
function takeUnit(
  mixture: Float64Array,
  { n, size, start, cell, count }: Tally,
  u: number,
  shares: Float64Array,
  weight: number,
): void {
  const rows = n - size[u]!;
  const growth = weight * (n / rows - 1);
  for (let at = 0; at < mixture.length; at++) mixture[at]! += growth * shares[at]!;
  for (let e = start[u]!; e < start[u + 1]!; e++) mixture[cell[e]!]! -= (weight * count[e]!) / rows;
}

/** H = log n - (sum_k n_k log n_k) / n, so leaving a unit out touches only the cells it visits. */
function entropyWithoutUnit(tally: Tally, u: number, logSum: number): number {
  const n = tally.n - tally.size[u]!;
  let left = logSum;
  for (let e = tally.start[u]!; e < tally.start[u + 1]!; e++) {
    const before = tally.counts[tally.cell[e]!]!;
    const after = before - tally.count[e]!;
    left += after * logOf(after) - before * logOf(before);
  }
  return Math.log(n) - left / n;
}

function logOf(rows: number): number {
  return rows > 0 ? Math.log(rows) : 0;
}
