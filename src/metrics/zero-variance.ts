import { type Figure, missing } from './figure.ts';
import { groupLost, type IntervalOptions, jackknifeFigure, jackknifePlan } from './interval.ts';
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
  const { groups, n, counts } = groupsOf(rollouts, range);
  return { groups: groups.length, share: shareFigure([{ groups, n }], ([own]) => own!, options), ...counts };
}

/** Share of zero-variance groups in `a` minus that in `b`. */
export function zeroVarianceDifference(
  a: GroupedRollouts,
  b: GroupedRollouts,
  range: RewardRange,
  options: IntervalOptions = {},
): Figure {
  return shareFigure([groupsOf(a, range), groupsOf(b, range)], ([own, other]) => own! - other!, options);
}

interface Groups {
  readonly groups: readonly { readonly unit: number; readonly zero: boolean }[];
  /** Rollouts in them. */
  readonly n: number;
}

function groupsOf(rollouts: GroupedRollouts, range: RewardRange) {
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
  return { groups, n, counts };
}

function shareFigure(
  samples: readonly Groups[],
  combine: (shares: readonly number[]) => number,
  options: IntervalOptions,
): Figure {
  const n = samples.reduce((rows, sample) => rows + sample.n, 0);
  if (samples.some(({ groups }) => groups.length === 0))
    return missing('no group of 2 rollouts with a reward', n);
  const units = samples.map(({ groups }) =>
    [...new Set(groups.map(({ unit }) => unit))].sort((a, b) => a - b),
  );
  const plan = jackknifePlan(units.map((present) => ({ units: present })));
  const shares = samples.map(({ groups }, sample) => {
    const { groupOf, groups: count } = plan.components[plan.componentOf[sample]!]!;
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
    return (lost: number) =>
      lost < 0 ? zeros / groups.length : (zeros - zero[lost]!) / (groups.length - all[lost]!);
  });
  return jackknifeFigure(
    plan,
    (deletion) => combine(shares.map((share, sample) => share(groupLost(plan, sample, deletion)))),
    {
      ...options,
      n,
      tested: units.every((present) => present.length >= 50),
      count: 'each',
      undefinedReason: 'no group',
    },
  );
}
