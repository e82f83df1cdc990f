import { type Figure, missing } from './figure.ts';
import { type Deletion, type JackknifePlan, jackknifeFigure } from './interval.ts';
import { type Population, type PopulationOptions, populationOf, populationsOf } from './population.ts';
import { type Coincidence, coincidences, pairCollapse } from './scd-pairs.ts';
import { correctedEntropies, pooledCollapse, pooledStatistic } from './scd-pooled.ts';
import { slopeOf } from './slope.ts';
import type { Tally } from './tally.ts';

/** Collapse of one population at one step of a curve. */
export interface CurvePoint {
  readonly n: number;
  readonly scd: Figure;
  readonly scd2: Figure;
  /** MCI of the population: c_mix. */
  readonly mci: Figure;
}

/** Figures of the simulators seen at one epoch, or of their turns at one depth (turn codebook). */
export function curvePoint(tallies: readonly Tally[], options: PopulationOptions = {}): CurvePoint {
  const { lists, weights } = seen([tallies], options);
  const present = lists[0]!;
  const own = { ...options, weights };
  const pairs = pairCollapse(present, own);
  return {
    n: present.reduce((rows, { n }) => rows + n, 0),
    scd: pooledCollapse(present, own).pooled,
    scd2: pairs.pooled2,
    mci: pairs.concentration,
  };
}

export interface CurveEpoch {
  /** Epoch number or step bucket. */
  readonly step: number;
  readonly simulators: readonly Tally[];
}

export interface CollapseTrend {
  readonly scd: Figure;
  readonly scd2: Figure;
  readonly mci: Figure;
}

/**
 * Least-squares slope of each figure on the step; one jackknife that leaves the same units out of every epoch, so
 * that contexts which come again in every epoch do not count as fresh evidence.
 */
export function collapseTrend(epochs: readonly CurveEpoch[], options: PopulationOptions = {}): CollapseTrend {
  const ordered = [...epochs].sort((a, b) => a.step - b.step);
  const { lists, weights } = seen(
    ordered.map(({ simulators }) => simulators),
    options,
  );
  const n = lists.flat().reduce((rows, tally) => rows + tally.n, 0);
  const steps = ordered.map(({ step }) => step);
  const reason =
    new Set(steps).size < 2
      ? 'fewer than 2 epochs'
      : lists.some((list) => list.length === 0)
        ? 'an epoch without rows'
        : lists.flat().some(({ k }) => k < 2)
          ? 'too few episodes to fit two modes'
          : null;
  if (reason !== null) {
    const none = missing(reason, n);
    return { scd: none, scd2: none, mci: none };
  }
  const populations = populationsOf(lists, weights);
  const plan: JackknifePlan = {
    components: populations[0]!.plan.components,
    componentOf: populations.flatMap((population) => population.plan.componentOf),
  };
  const slope = (
    of: (population: Population) => (deletion: Deletion | null) => number,
    centre?: number,
  ): Figure => {
    const statistics = populations.map(of);
    return jackknifeFigure(
      plan,
      (deletion) =>
        slopeOf(
          steps,
          statistics.map((value) => value(deletion)),
        ),
      {
        ...options,
        n,
        tested: populations.every(({ tested }) => tested),
        count: 'union',
        unit: 'per step',
        undefinedReason: 'an epoch where the figure is not defined',
        ...(centre === undefined ? {} : { centre }),
      },
    );
  };
  // Each epoch by itself: the correction runs over its own units alone, as in the curve's points.
  const corrected = lists.map((list) => {
    const alone = populationOf(list, weights);
    return alone.tallies.some(({ units }) => units.length < 2)
      ? Number.NaN
      : 1 - correctedEntropies(alone).mixture / Math.log(alone.k);
  });
  const at = new Map(populations.map((population) => [population, remembered(coincidences(population))]));
  return {
    scd: slope(pooledStatistic, slopeOf(steps, corrected)),
    scd2: slope((population) => {
      const mixture = at.get(population)!;
      return (deletion) => 1 + Math.log(Math.max(0, mixture(deletion))) / Math.log(population.k);
    }),
    mci: slope((population) => at.get(population)!),
  };
}

/** c_mix by deletion, each found once. */
function remembered(
  replicate: (deletion: Deletion | null) => Coincidence,
): (deletion: Deletion | null) => number {
  const known = new Map<string, number>();
  return (deletion) => {
    const key = deletion === null ? '' : `${deletion.component}/${deletion.group}`;
    const value = known.get(key) ?? replicate(deletion).mixture;
    known.set(key, value);
    return value;
  };
}

/** Simulators without rows at a step are not part of its population; given weights need all of them. */
function seen(
  lists: readonly (readonly Tally[])[],
  options: PopulationOptions,
): { lists: Tally[][]; weights: NonNullable<PopulationOptions['weights']> } {
  const weights = options.weights ?? 'equal';
  if (typeof weights !== 'string') return { lists: lists.map((list) => [...list]), weights };
  return { lists: lists.map((list) => list.filter(({ n }) => n > 0)), weights };
}
