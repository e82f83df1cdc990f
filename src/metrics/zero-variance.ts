import { type Figure, missing } from './figure.ts';
import { type IntervalOptions, jackknifeFigure, jackknifePlan } from './interval.ts';
import { type RewardRange, rangeLength } from './rewards.ts';

/** Rewarded rollouts as columns; rows without a reward are not among them. */
export interface GroupedRollouts {
  /** GRPO group of each rollout. */
  readonly group: ArrayLike<number>;
  readonly unit: ArrayLike<number>;
  readonly reward: ArrayLike<number>;
  /** Says whether two rollouts went the same way (e.g. hash of both sides' turn classes); null = not known. */
  readonly behaviour: ArrayLike<string | null>;
}

export interface ZeroVariance {
  /** Groups of >= 2 rollouts. */
  readonly groups: number;
  /** Share of them without any variance of the reward: no gradient comes from these. */
  readonly share: Figure;
  /** Parts of the zero-variance groups; every rollout went the same way, whatever the reward. */
  readonly sameBehaviour: number;
  /** Different ways, all at the bottom (top) of the reward range. */
  readonly allFail: number;
  readonly allPass: number;
  /** Different ways to one reward in between. */
  readonly other: number;
}

/** Zero-variance groups and why they are so; `sameBehaviour` is looked at first, because it explains the reward. */
export function zeroVariance(
  rollouts: GroupedRollouts,
  range: RewardRange,
  options: IntervalOptions = {},
): ZeroVariance {
  const slack = 1e-9 * rangeLength(range);
  const members = new Map<number, number[]>();
  for (let row = 0; row < rollouts.group.length; row++) {
    const list = members.get(rollouts.group[row]!);
    if (list === undefined) members.set(rollouts.group[row]!, [row]);
    else list.push(row);
  }
  const counts = { sameBehaviour: 0, allFail: 0, allPass: 0, other: 0 };
  const groups: { unit: number; zero: boolean }[] = [];
  let n = 0;
  for (const rows of members.values()) {
    if (rows.length < 2) continue;
    n += rows.length;
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    let unit = Number.POSITIVE_INFINITY;
    const ways = new Set<string | null>();
    for (const row of rows) {
      low = Math.min(low, rollouts.reward[row]!);
      high = Math.max(high, rollouts.reward[row]!);
      unit = Math.min(unit, rollouts.unit[row]!);
      ways.add(rollouts.behaviour[row]!);
    }
    const zero = high - low <= slack;
    groups.push({ unit, zero });
    if (!zero) continue;
    if (ways.size === 1 && !ways.has(null)) counts.sameBehaviour += 1;
    else if (high <= range[0] + slack) counts.allFail += 1;
    else if (low >= range[1] - slack) counts.allPass += 1;
    else counts.other += 1;
  }
  return { groups: groups.length, share: shareOf(groups, n, options), ...counts };
}

function shareOf(
  groups: readonly { unit: number; zero: boolean }[],
  n: number,
  options: IntervalOptions,
): Figure {
  if (groups.length === 0) return missing('no group of 2 rollouts with a reward', n);
  const units = [...new Set(groups.map(({ unit }) => unit))].sort((a, b) => a - b);
  const plan = jackknifePlan([{ units }]);
  const { groupOf, groups: count } = plan.components[0]!;
  const all = new Float64Array(count);
  const zero = new Float64Array(count);
  let zeros = 0;
  for (const group of groups) {
    all[groupOf[group.unit]!]! += 1;
    if (group.zero) {
      zero[groupOf[group.unit]!]! += 1;
      zeros += 1;
    }
  }
  return jackknifeFigure(
    plan,
    (deletion) =>
      deletion === null
        ? zeros / groups.length
        : (zeros - zero[deletion.group]!) / (groups.length - all[deletion.group]!),
    { ...options, n, tested: units.length >= 50, count: 'each', undefinedReason: 'no group' },
  );
}
