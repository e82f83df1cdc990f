import { type Figure, missing } from './figure.ts';
import { type IntervalOptions, jackknifeFigure, jackknifePlan, LEAST_UNITS } from './interval.ts';

/** Replies drawn again at one visited history. */
export interface ResampledHistory {
  /** Context index, as in tally.ts. */
  readonly unit: number;
  /** `turn` class of each resample; m = its length. */
  readonly classes: ArrayLike<number>;
  /** Chance with which this turn was probed, in (0, 1]; it weighs one over that. */
  readonly probability: number;
}

/** Fewer resamples than this bound epsilon only. */
export const LEAST_RESAMPLES = 6;
/** Effective number of contexts that carry the figure below which intervals are `approximate`. */
const LEAST_CARRYING = 20;
/** Histories that lost replies are left out of epsilon; below this share (by weight) of full ones there is no epsilon. */
const LONG_SHARE = 0.9;

export interface Epsilon {
  /** `member`: the session's member replies. `population`: the member is drawn again for each reply. */
  readonly law: 'member' | 'population';
  /** G2: chance that two replies at one visited history are of different classes. Unbiased for m >= 2. */
  readonly disagreement: Figure;
  /** Mean per-turn collapse error, by leave-one-out top class, over histories of m >= 6. */
  readonly epsilon: Figure;
  /** The plug-in value errs low, leave-one-out high. */
  readonly bracket: { readonly plugIn: Figure; readonly leaveOneOut: Figure };
  /** 1 - sqrt(1 - G2) <= mean epsilon <= G2, whatever the laws are. */
  readonly bounds: { readonly low: Figure; readonly high: Figure };
  readonly histories: number;
}

/**
 * Per-turn collapse error epsilon(h) = 1 - phi(mode | h) over `turn` classes, averaged over visited histories
 * (weight 1 / probing probability, Horvitz & Thompson 1952, as a ratio). Class-level: silent about wording.
 * Histories with m < 2 are left out. Intervals: delete-one-context jackknife of the weighted ratio, `approximate` below
 * 50 contexts or where fewer than 20, by effective number, carry the errors (coverage falls below the stated 92 %).
 */
export function turnCollapse(
  histories: readonly ResampledHistory[],
  law: 'member' | 'population',
  options: IntervalOptions = {},
): Epsilon {
  const used = histories.filter(({ classes }) => classes.length >= 2);
  for (const { probability } of used)
    if (!(probability > 0 && probability <= 1)) throw new RangeError(`probing probability ${probability}`);
  const single = used.map(({ classes }) => historyErrors(classes));
  const replies = used.reduce((sum, { classes }) => sum + classes.length, 0);
  const ratio = (values: readonly number[], change: (mean: number) => number = (mean) => mean): Figure =>
    weightedMean(used, values, change, options);
  const pairs = single.map(({ disagreement }) => disagreement);
  const leaveOneOut = single.map((error) => error.leaveOneOut);
  const long = used.map(({ classes }) => classes.length >= LEAST_RESAMPLES);
  const weight = (keep: (index: number) => boolean) =>
    used.reduce((sum, { probability }, index) => (keep(index) ? sum + 1 / probability : sum), 0);
  const enough = weight((index) => long[index]!) >= LONG_SHARE * weight(() => true);
  return {
    law,
    disagreement: ratio(pairs),
    epsilon: enough
      ? weightedMean(
          used.filter((_, index) => long[index]),
          leaveOneOut.filter((_, index) => long[index]),
          (mean) => mean,
          options,
        )
      : missing(`fewer than ${LEAST_RESAMPLES} resamples at too many histories: bounds only`, replies),
    bracket: { plugIn: ratio(single.map((error) => error.plugIn)), leaveOneOut: ratio(leaveOneOut) },
    bounds: { low: ratio(pairs, (g2) => 1 - Math.sqrt(1 - g2)), high: ratio(pairs) },
    histories: used.length,
  };
}

export interface HistoryErrors {
  readonly disagreement: number;
  readonly plugIn: number;
  readonly leaveOneOut: number;
}

/** The three figures at one history of m >= 2 resamples. Ties for the top class are shared evenly. */
export function historyErrors(classes: ArrayLike<number>): HistoryErrors {
  const m = classes.length;
  const counts = new Map<number, number>();
  for (let r = 0; r < m; r++) counts.set(classes[r]!, (counts.get(classes[r]!) ?? 0) + 1);
  const values = [...counts.values()];
  let agree = 0;
  let hit = 0;
  values.forEach((count, own) => {
    agree += count * (count - 1);
    // Without one of its replies this class has count - 1; it predicts that reply where it still leads.
    let leader = count - 1;
    for (const [other, rest] of values.entries()) if (other !== own) leader = Math.max(leader, rest);
    if (leader > count - 1) return;
    const tied = values.filter((rest, other) => other !== own && rest === leader).length;
    hit += count / (1 + tied);
  });
  return {
    disagreement: 1 - agree / (m * (m - 1)),
    plugIn: 1 - Math.max(...values) / m,
    leaveOneOut: 1 - hit / m,
  };
}

/** Weighted mean over histories of a known law: exact G2 = 1 - sum phi^2 and epsilon = 1 - max phi. */
export function lawErrors(phi: ArrayLike<number>): { disagreement: number; epsilon: number } {
  let square = 0;
  let top = 0;
  for (let c = 0; c < phi.length; c++) {
    square += phi[c]! ** 2;
    top = Math.max(top, phi[c]!);
  }
  return { disagreement: 1 - square, epsilon: 1 - top };
}

/**
 * Weights by which members are drawn again at a history of a sticky session: w_i prod phi_i(past turns),
 * normalised. `likelihoods[i]` holds member i's probabilities of the simulator's past turns (empty at the first
 * turn). `null` where no member could have said the past: then only first turns can be measured.
 */
export function memberPosterior(
  weights: readonly number[],
  likelihoods: readonly (readonly number[])[],
): number[] | null {
  const logs = weights.map((weight, i) =>
    likelihoods[i]!.reduce((sum, phi) => sum + Math.log(phi), Math.log(weight)),
  );
  const top = Math.max(...logs);
  if (!Number.isFinite(top)) return null;
  const raw = logs.map((log) => Math.exp(log - top));
  const total = raw.reduce((sum, weight) => sum + weight, 0);
  return raw.map((weight) => weight / total);
}

/** Class law of the population at a history: sum_i weight_i phi_i. */
export function populationLaw(
  weights: readonly number[],
  memberLaws: readonly ArrayLike<number>[],
): Float64Array {
  const law = new Float64Array(memberLaws[0]?.length ?? 0);
  memberLaws.forEach((phi, i) => {
    for (let c = 0; c < law.length; c++) law[c]! += weights[i]! * phi[c]!;
  });
  return law;
}

function weightedMean(
  histories: readonly ResampledHistory[],
  values: readonly number[],
  change: (mean: number) => number,
  options: IntervalOptions,
): Figure {
  const n = histories.reduce((sum, { classes }) => sum + classes.length, 0);
  if (histories.length === 0) return missing('no history with 2 resamples', n);
  const present = [...new Set(histories.map(({ unit }) => unit))].sort((a, b) => a - b);
  const plan = jackknifePlan([{ units: present }]);
  const { groups, groupOf } = plan.components[0]!;
  const weight = new Float64Array(groups);
  const sum = new Float64Array(groups);
  histories.forEach(({ unit, probability }, index) => {
    const group = groupOf[unit]!;
    weight[group]! += 1 / probability;
    sum[group]! += values[index]! / probability;
  });
  const share = new Map<number, number>();
  histories.forEach(({ unit, probability }, index) => {
    share.set(unit, (share.get(unit) ?? 0) + values[index]! / probability);
  });
  const total = (column: Float64Array) => column.reduce((all, part) => all + part, 0);
  const [allWeight, allSum] = [total(weight), total(sum)];
  return jackknifeFigure(
    plan,
    (deletion) =>
      deletion === null
        ? change(allSum / allWeight)
        : change((allSum - sum[deletion.group]!) / (allWeight - weight[deletion.group]!)),
    {
      ...options,
      n,
      tested: present.length >= 50 && effectiveNumber([...share.values()]) >= LEAST_CARRYING,
      count: 'each',
      undefinedReason: `fewer than ${LEAST_UNITS} contexts`,
    },
  );
}

/** (sum x)^2 / sum x^2 of values not below 0 (Kish 1965): how many equal ones would vary as much; 0 where all are 0. */
function effectiveNumber(values: readonly number[]): number {
  let [sum, squares] = [0, 0];
  for (const value of values) {
    sum += value;
    squares += value * value;
  }
  return squares === 0 ? 0 : (sum * sum) / squares;
}
