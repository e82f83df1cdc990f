import { CollapseAwareError } from '../errors.ts';
import { hash32 } from '../math/hash.ts';
import type { AllocatedCell, AllocationParts, AllocationPlan, EpochCells } from './allocation.ts';
import { type WeighedCell, weighedCells } from './allocation-weight.ts';
import { seats } from './apportionment.ts';
import type { AllocationRecipe } from './recipe.ts';

/** Of what the floor leaves: to reward variance, to uncovered modes, to wide intervals. */
export const ALLOCATION_SHARES = { variance: 0.5, coverage: 0.25, uncertainty: 0.25 } as const;

/**
 * Where the next epoch's rollouts are worth most, in whole groups. Each part of the budget (floor, variance, coverage,
 * uncertainty) is apportioned by itself, so that every group has one reason. The order of the input decides nothing,
 * names only between cells whose numbers are equal. Throws CA_CONFIG_INVALID where a number of the input is none.
 */
export function planAllocation(input: EpochCells, recipe: AllocationRecipe): AllocationPlan {
  checked(input);
  const { cells, unreached } = weighedCells(input);
  const groups = cells.length === 0 ? 0 : Math.floor(recipe.budget / recipe.group);
  const rank = ranks(cells);
  const floor = evenly(cells.length, Math.floor(groups * recipe.floor + 1e-9), rank);
  const open = groups - total(floor);
  const weights = {
    variance: cells.map(({ variance }) => variance),
    coverage: cells.map(({ coverage }) => coverage),
    uncertainty: cells.map(({ uncertainty }) => uncertainty),
  };
  const coverage = seats(weights.coverage, Math.floor(open * ALLOCATION_SHARES.coverage), rank);
  const uncertainty = seats(weights.uncertainty, Math.floor(open * ALLOCATION_SHARES.uncertainty), rank);
  const variance = seats(weights.variance, open - total(coverage) - total(uncertainty), rank);
  const by = { floor, variance, coverage, uncertainty };
  const planned = cells.flatMap(({ context, simulator, rollouts }, cell): AllocatedCell[] => {
    const because = parts(by, (given) => given[cell]! * recipe.group);
    const sum = because.floor + because.variance + because.coverage + because.uncertainty;
    return sum === 0 ? [] : [{ context, simulator, rollouts: sum, because, isNew: rollouts === 0 }];
  });
  return {
    cells: planned,
    budget: recipe.budget,
    left: recipe.budget - groups * recipe.group,
    parts: parts(by, (given) => total(given) * recipe.group),
    unreached,
  };
}

type Given = Readonly<Record<keyof AllocationParts, Float64Array>>;

function parts(by: Given, of: (given: Float64Array) => number): AllocationParts {
  return {
    floor: of(by.floor),
    variance: of(by.variance),
    coverage: of(by.coverage),
    uncertainty: of(by.uncertainty),
  };
}

function total(given: Float64Array): number {
  return given.reduce((sum, seats) => sum + seats, 0);
}

/** The same for all; what is left goes to those first in rank, which are the least rolled out. */
function evenly(cells: number, count: number, rank: Int32Array): Float64Array {
  const given = new Float64Array(cells);
  if (cells === 0) return given;
  for (let cell = 0; cell < cells; cell++)
    given[cell] = Math.floor(count / cells) + (rank[cell]! < count % cells ? 1 : 0);
  return given;
}

/** Place of each cell in the order in which ties are broken: least rolled out, then by numbers, then by names. */
function ranks(cells: readonly WeighedCell[]): Int32Array {
  const keys = cells.map(({ context, simulator }) => hash32(JSON.stringify([context, simulator])));
  const order = cells.map((_, cell) => cell);
  order.sort((a, b) => {
    const [one, other] = [cells[a]!, cells[b]!];
    return (
      one.rollouts - other.rollouts ||
      other.variance - one.variance ||
      other.coverage - one.coverage ||
      other.uncertainty - one.uncertainty ||
      keys[a]! - keys[b]! ||
      a - b
    );
  });
  const rank = new Int32Array(cells.length);
  order.forEach((cell, place) => {
    rank[cell] = place;
  });
  return rank;
}

function checked({ rewardRange, cells, uncovered, widths }: EpochCells): void {
  const hold = (good: boolean, place: string, found: unknown) => {
    if (!good)
      throw new CollapseAwareError(
        'CA_CONFIG_INVALID',
        `${place}: found ${String(found)}, expected a finite number in range`,
      );
  };
  const least = (value: number, place: string) => hold(Number.isFinite(value) && value >= 0, place, value);
  hold(rewardRange.every(Number.isFinite) && rewardRange[0] <= rewardRange[1], 'rewardRange', rewardRange);
  for (const { context, simulator, rollouts, reward } of cells) {
    const place = `cell ${context} x ${simulator}`;
    least(rollouts, `${place}: rollouts`);
    if (reward === null) continue;
    if ('passes' in reward) {
      least(reward.passes, `${place}: passes`);
      hold(Number.isFinite(reward.n) && reward.n >= reward.passes, `${place}: n`, reward.n);
    } else {
      least(reward.variance, `${place}: variance`);
      least(reward.freedom, `${place}: freedom`);
    }
  }
  for (const { mode, mass, simulators, contexts } of uncovered) {
    least(mass, `mode ${mode}: mass`);
    for (const { rate } of [...simulators, ...(contexts ?? [])]) least(rate, `mode ${mode}: rate`);
  }
  for (const { simulator, width } of widths) if (width !== null) least(width, `${simulator}: width`);
}
