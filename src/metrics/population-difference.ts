import { type Figure, missing } from './figure.ts';
import { type Deletion, type JackknifePlan, jackknifeFigure } from './interval.ts';
import { type Population, type PopulationOptions, populationOf, populationsOf } from './population.ts';
import { type Coincidence, coincidences } from './scd-pairs.ts';
import { correctedEntropies, pooledStatistic } from './scd-pooled.ts';
import type { Tally } from './tally.ts';

export type PopulationDifferenceOptions = PopulationOptions & { readonly weights?: 'equal' | 'traffic' };

/** SCD of population `a` minus that of `b`, estimator by estimator. */
export interface PopulationDifference {
  readonly pooled: Figure;
  /** Of log(1 / c_within), nats: below 0 = the simulators of `a` are narrower, each by itself. */
  readonly pooled2Within: Figure;
  /** Of log(c_within / c_mix), nats: below 0 = the simulators of `a` are more alike. */
  readonly pooled2Alike: Figure;
  readonly pooled2: Figure;
}

/**
 * Jackknife of the difference: a unit that both populations hold leaves both at once, so what it does to both
 * cancels; where they share none, variances add. Exactly antisymmetric in its arguments, 0 for equal populations.
 */
export function populationDifference(
  a: readonly Tally[],
  b: readonly Tally[],
  options: PopulationDifferenceOptions = {},
): PopulationDifference {
  const { pooled2, within, alike } = pairDifference(a, b, options);
  return {
    pooled: pooledDifference(a, b, options),
    pooled2,
    pooled2Within: within,
    pooled2Alike: alike,
  };
}

/** SCD `pooled` of `a` minus that of `b`: the corrected values, the interval from plug-in replicates. */
export function pooledDifference(
  a: readonly Tally[],
  b: readonly Tally[],
  options: PopulationDifferenceOptions = {},
): Figure {
  const n = rowsIn(a, b);
  const noun = options.unitNoun ?? 'context';
  const reason =
    lacking(a, b) ??
    ([...a, ...b].some(({ units }) => units.length < 2) ? `a simulator with fewer than 2 ${noun}s` : null);
  if (reason !== null) return missing(reason, n);
  const pair = pairOf(a, b, options);
  const [first, second] = [pooledStatistic(pair.a), pooledStatistic(pair.b)];
  // Each by itself: the correction runs over a population's own units alone.
  const [own, other] = [a, b].map((tallies) => {
    const alone = populationOf(tallies, options.weights);
    return 1 - correctedEntropies(alone).mixture / Math.log(alone.k);
  }) as [number, number];
  return jackknifeFigure(pair.plan, (deletion) => first(deletion) - second(deletion), {
    ...options,
    n,
    tested: pair.a.tested && pair.b.tested,
    centre: own - other,
    count: 'each',
    undefinedReason: 'not defined',
  });
}

function pairDifference(
  a: readonly Tally[],
  b: readonly Tally[],
  options: PopulationDifferenceOptions,
): { pooled2: Figure; within: Figure; alike: Figure } {
  const n = rowsIn(a, b);
  const reason = lacking(a, b);
  if (reason !== null) {
    const none = missing(reason, n);
    return { pooled2: none, within: none, alike: none };
  }
  const pair = pairOf(a, b, options);
  const replicates = [coincidences(pair.a), coincidences(pair.b)] as const;
  const seen = new Map<number, readonly [Coincidence, Coincidence]>();
  // The three figures ask for the same replicates.
  const at = (deletion: Deletion | null) => {
    const key = deletion === null ? -1 : deletion.component * 64 + deletion.group;
    const known = seen.get(key) ?? ([replicates[0](deletion), replicates[1](deletion)] as const);
    seen.set(key, known);
    return known;
  };
  const figure = (statistic: (c: Coincidence) => number, unit?: string): Figure =>
    jackknifeFigure(
      pair.plan,
      (deletion) => {
        const [own, other] = at(deletion);
        return statistic(own) - statistic(other);
      },
      {
        ...options,
        n,
        tested: pair.a.tested && pair.b.tested,
        count: 'each',
        undefinedReason: 'no two rows coincide, or no pair of rows from different units',
        ...(unit === undefined ? {} : { unit }),
      },
    );
  const log = (x: number) => (x > 0 ? Math.log(x) : Number.NaN);
  return {
    pooled2: figure((c) => 1 + log(c.mixture) / Math.log(pair.a.k) + 0 * log(c.within)),
    within: figure((c) => -log(c.within), 'nats'),
    alike: figure((c) => log(c.within) - log(c.mixture), 'nats'),
  };
}

interface Pair {
  readonly a: Population;
  readonly b: Population;
  readonly plan: JackknifePlan;
}

function pairOf(a: readonly Tally[], b: readonly Tally[], options: PopulationDifferenceOptions): Pair {
  const [first, second] = populationsOf([a, b], options.weights) as [Population, Population];
  if (first.k !== second.k) throw new RangeError(`codebooks of ${first.k} and ${second.k} cells`);
  return { a: first, b: second, plan: planOf(first, second) };
}

/** The shared plan, with the least units and groups of either *population* (not of each of its simulators). */
function planOf(a: Population, b: Population): JackknifePlan {
  return {
    componentOf: [...a.plan.componentOf, ...b.plan.componentOf],
    components: a.plan.components.map((component, index) => {
      let { units: leastUnits, groups: leastGroups } = component;
      for (const { tallies, plan } of [a, b]) {
        const units = new Set<number>();
        tallies.forEach((tally, i) => {
          if (plan.componentOf[i] === index) for (const unit of tally.units) units.add(unit);
        });
        if (units.size === 0) continue;
        leastUnits = Math.min(leastUnits, units.size);
        leastGroups = Math.min(leastGroups, new Set([...units].map((unit) => component.groupOf[unit])).size);
      }
      return { ...component, leastUnits, leastGroups };
    }),
  };
}

function lacking(a: readonly Tally[], b: readonly Tally[]): string | null {
  if (a.length === 0 || b.length === 0) return 'no simulator';
  return a[0]!.k < 2 ? 'too few episodes to fit two modes' : null;
}

function rowsIn(...lists: readonly (readonly Tally[])[]): number {
  return lists.flat().reduce((rows, { n }) => rows + n, 0);
}
