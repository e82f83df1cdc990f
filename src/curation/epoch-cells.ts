import { sum } from '../math/summary.ts';
import type { CellReward, EpochCell, EpochCells, UncoveredMode } from './allocation.ts';
import type { CurationRows } from './rows.ts';

export interface EpochOptions {
  /** Lowest and highest reward that there can be; default: the lowest and highest seen. */
  readonly rewardRange?: readonly [number, number] | null;
  /** People's share of each mode, `k` numbers that sum to 1; without it no mode counts as uncovered. */
  readonly people?: ArrayLike<number> | null;
  /** Width of the interval of each simulator's figure; without it none is uncertain. */
  readonly widths?: EpochCells['widths'];
}

/** What the rows of an epoch show, for `planAllocation`. Rows without a reward count as rollouts alone. */
export function epochCells(rows: CurationRows, options: EpochOptions = {}): EpochCells {
  const byCell = new Map<number, number[]>();
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < rows.size; row++) {
    const cell = rows.context[row]! * rows.simulators.length + rows.simulator[row]!;
    const list = byCell.get(cell);
    if (list === undefined) byCell.set(cell, [row]);
    else list.push(row);
    const reward = rows.reward[row]!;
    if (Number.isNaN(reward)) continue;
    low = Math.min(low, reward);
    high = Math.max(high, reward);
  }
  const seen = options.rewardRange ?? (low <= high ? ([low, high] as const) : ([0, 1] as const));
  // Only shares of the range count; squares of rewards near the largest number would overflow.
  const unit =
    Math.max(...seen.map(Math.abs), Math.abs(low), Math.abs(high)) > 2 ** 500 && low <= high ? 2 ** 600 : 1;
  const rewardRange = [seen[0] / unit, seen[1] / unit] as const;
  const slack = 1e-9 * (rewardRange[1] - rewardRange[0]);
  const cells: EpochCell[] = [];
  for (const own of byCell.values())
    cells.push({
      context: rows.contexts[rows.context[own[0]!]!]!,
      simulator: rows.simulators[rows.simulator[own[0]!]!]!,
      rollouts: own.length,
      reward: rewardOf(rows, own, slack, unit),
    });
  return {
    rewardRange,
    cells,
    uncovered: options.people ? uncoveredModes(rows, options.people) : [],
    widths: options.widths ?? [],
  };
}

/** Variance inside groups, since that is what a group-relative advantage sees; rows of no group are one. */
function rewardOf(
  rows: CurationRows,
  own: readonly number[],
  slack: number,
  unit: number,
): CellReward | null {
  const groups = new Map<number, number[]>();
  for (const row of own) {
    const reward = rows.reward[row]! / unit;
    if (Number.isNaN(reward)) continue;
    const list = groups.get(rows.group[row]!);
    if (list === undefined) groups.set(rows.group[row]!, [reward]);
    else list.push(reward);
  }
  if (groups.size === 0) return null;
  const all: number[] = [];
  const squares: number[] = [];
  let freedom = 0;
  let zeroVariance = 0;
  for (const rewards of groups.values()) {
    // By size: the order of rows must not reach the last digit.
    rewards.sort((a, b) => a - b);
    all.push(...rewards);
    if (rewards.length < 2) continue;
    const centre = sum(rewards) / rewards.length;
    squares.push(sum(rewards.map((reward) => (reward - centre) ** 2)));
    freedom += rewards.length - 1;
    if (rewards.at(-1)! - rewards[0]! <= slack) zeroVariance += 1;
  }
  return {
    mean: sum(all.sort((a, b) => a - b)) / all.length,
    variance: freedom === 0 ? 0 : sum(squares.sort((a, b) => a - b)) / freedom,
    freedom,
    groups: groups.size,
    zeroVariance,
  };
}

/** Modes that people show more often than the data, each simulator counted the same; rows outside visit none. */
function uncoveredModes(rows: CurationRows, people: ArrayLike<number>): UncoveredMode[] {
  const { k } = rows;
  const bySimulator = new Float64Array(rows.simulators.length * k);
  const ofSimulator = new Float64Array(rows.simulators.length);
  const byContext = new Float64Array(rows.contexts.length * k);
  const ofContext = new Float64Array(rows.contexts.length);
  for (let row = 0; row < rows.size; row++) {
    const mode = rows.mode[row]!;
    if (mode < 0) continue;
    ofSimulator[rows.simulator[row]!]! += 1;
    ofContext[rows.context[row]!]! += 1;
    if (rows.outside[row] === 1) continue;
    bySimulator[rows.simulator[row]! * k + mode]! += 1;
    byContext[rows.context[row]! * k + mode]! += 1;
  }
  const placed = ofSimulator.filter((count) => count > 0).length;
  const modes: UncoveredMode[] = [];
  for (let mode = 0; mode < k && placed > 0; mode++) {
    const simulators = rows.simulators.map((simulator, at) => ({
      simulator,
      rate: ofSimulator[at] === 0 ? 0 : bySimulator[at * k + mode]! / ofSimulator[at]!,
    }));
    const share = sum(simulators.map(({ rate }) => rate).sort((a, b) => a - b)) / placed;
    const mass = people[mode]! - share;
    if (!(mass > 0)) continue;
    // One row of the data's own share: a context that did not show the mode yet may still.
    const contexts = rows.contexts.map((context, at) => ({
      context,
      rate: (byContext[at * k + mode]! + share) / (ofContext[at]! + 1),
    }));
    modes.push({ mode, mass, simulators, contexts });
  }
  return modes;
}
