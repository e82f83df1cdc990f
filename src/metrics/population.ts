import type { IntervalOptions, JackknifePlan } from './interval.ts';
import { jackknifePlan } from './interval.ts';
import { canonicalOrder, type GroupSums, groupSums, insideRegime, type Tally } from './tally.ts';

/** `equal`, `traffic` (by rows, held fixed in the interval), or one weight a simulator, in their order. */
export type Weights = 'equal' | 'traffic' | readonly number[];

export interface PopulationOptions extends IntervalOptions {
  /** Default `equal`. */
  readonly weights?: Weights;
}

/** Simulators ready to be left out of together; members of weight 0 and the names' order are gone. */
export interface Population {
  readonly k: number;
  readonly tallies: readonly Tally[];
  /** Sum to 1. */
  readonly weights: readonly number[];
  readonly n: number;
  readonly plan: JackknifePlan;
  readonly sums: readonly GroupSums[];
  readonly tested: boolean;
}

/** Throws RangeError where codebooks differ or the weights are negative, too few or all 0. */
export function populationOf(tallies: readonly Tally[], weights: Weights = 'equal'): Population {
  return populationsOf([tallies], weights)[0]!;
}

/**
 * Several populations (epochs) that lose the same units together, for figures across them. One list of weights
 * must fit each. `plan` of each speaks of its own members; components are shared.
 */
export function populationsOf(
  lists: readonly (readonly Tally[])[],
  weights: Weights = 'equal',
): Population[] {
  const members = lists.map((tallies) => weighted(tallies, weights));
  const plan = jackknifePlan(members.flatMap(({ tallies }) => tallies));
  let from = 0;
  return members.map(({ tallies, shares }) => {
    const own: JackknifePlan = {
      components: plan.components,
      componentOf: plan.componentOf.slice(from, from + tallies.length),
    };
    from += tallies.length;
    const sums = tallies.map((tally, sample) => {
      const { groupOf, groups } = plan.components[own.componentOf[sample]!]!;
      return groupSums(tally, groupOf, groups);
    });
    return {
      k: tallies[0]?.k ?? 0,
      tallies,
      weights: shares,
      n: tallies.reduce((rows, { n }) => rows + n, 0),
      plan: own,
      sums,
      tested: tallies.every(insideRegime),
    };
  });
}

function weighted(tallies: readonly Tally[], weights: Weights): { tallies: Tally[]; shares: number[] } {
  const raw =
    weights === 'equal'
      ? tallies.map(() => 1)
      : weights === 'traffic'
        ? tallies.map(({ n }) => n)
        : [...weights];
  if (raw.length !== tallies.length || raw.some((w) => !(w >= 0) || !Number.isFinite(w)))
    throw new RangeError('one finite weight of at least 0 for each simulator');
  const order = canonicalOrder(tallies, raw).filter((index) => raw[index]! > 0);
  const total = order.reduce((sum, index) => sum + raw[index]!, 0);
  if (tallies.length > 0 && !(total > 0)) throw new RangeError('no simulator has a weight');
  const kept = order.map((index) => tallies[index]!);
  for (const { k } of kept)
    if (k !== kept[0]!.k) throw new RangeError(`codebooks of ${kept[0]!.k} and ${k} cells`);
  return { tallies: kept, shares: order.map((index) => raw[index]! / total) };
}
