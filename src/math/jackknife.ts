import { studentTQuantile } from './distributions.ts';
import { mean, sum } from './summary.ts';

/** A statistic on all groups, and without each group in turn. */
export interface LeaveOneOut {
  readonly full: number;
  readonly leaveOut: readonly number[];
}

export interface Jackknife {
  readonly estimate: number;
  readonly se: number;
  /** 95 % interval: estimate -+ t(0.975, df) se. NaN, with `se`, for fewer than two groups. */
  readonly low: number;
  readonly high: number;
  /** Groups the variance rests on; callers give no interval below 8. */
  readonly groups: number;
  readonly df: number;
}

/**
 * Delete-one-group jackknife (Tukey 1958) around `full`: se^2 = (G-1)/G sum_g (theta_(-g) - mean)^2, df = G-1.
 * A leave-one-out value that is not finite makes the interval NaN.
 */
export function jackknife(full: number, leaveOut: readonly number[]): Jackknife {
  const groups = leaveOut.length;
  return interval(full, jackknifeVariance(leaveOut), groups - 1, groups);
}

/** Quenouille's bias-corrected value G theta - (G-1) mean theta_(-g). */
export function jackknifeCorrected(full: number, leaveOut: readonly number[]): number {
  const groups = leaveOut.length;
  return groups * full - (groups - 1) * mean(leaveOut);
}

/**
 * Interval of a - b. `paired`: both leave out the same group at the same index, so what they share cancels.
 * Else the variances add, with Welch-Satterthwaite degrees of freedom.
 * For samples that share some groups only, pass the union as paired, with `full` where a sample lacks a group.
 */
export function jackknifeDifference(a: LeaveOneOut, b: LeaveOneOut, paired: boolean): Jackknife {
  if (paired) {
    if (a.leaveOut.length !== b.leaveOut.length)
      throw new RangeError(`paired samples have ${a.leaveOut.length} and ${b.leaveOut.length} groups`);
    return jackknife(
      a.full - b.full,
      a.leaveOut.map((value, group) => value - b.leaveOut[group]!),
    );
  }
  const groups = Math.min(a.leaveOut.length, b.leaveOut.length);
  const [va, vb] = [jackknifeVariance(a.leaveOut), jackknifeVariance(b.leaveOut)];
  const weight = va ** 2 / (a.leaveOut.length - 1) + vb ** 2 / (b.leaveOut.length - 1);
  // Both constant: the interval is a point, whatever its degrees of freedom.
  const df = weight === 0 ? groups - 1 : (va + vb) ** 2 / weight;
  return interval(a.full - b.full, va + vb, df, groups);
}

/**
 * Spreads units (in an order that no name decides, e.g. that of their content hashes) round robin over
 * min(limit, units) groups. Returns the unit indexes of each group.
 */
export function groupsOf(unitsInOrder: readonly unknown[], limit = 50): number[][] {
  const count = Math.min(limit, unitsInOrder.length);
  const groups: number[][] = Array.from({ length: count }, () => []);
  for (let unit = 0; unit < unitsInOrder.length; unit++) groups[unit % count]!.push(unit);
  return groups;
}

function jackknifeVariance(leaveOut: readonly number[]): number {
  const groups = leaveOut.length;
  if (groups < 2) return Number.NaN;
  const centre = mean(leaveOut);
  return ((groups - 1) / groups) * sum(leaveOut.map((value) => (value - centre) ** 2));
}

function interval(estimate: number, variance: number, df: number, groups: number): Jackknife {
  const se = Math.sqrt(variance);
  const reach = studentTQuantile(0.975, df) * se;
  return { estimate, se, low: estimate - reach, high: estimate + reach, groups, df };
}
