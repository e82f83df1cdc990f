import { type Figure, missing } from '../metrics/figure.ts';
import { bound, holmFamily } from '../metrics/interval.ts';
import { slopeOf } from '../metrics/slope.ts';
import { expectArgument, expectRows } from './argument.ts';
import type { PathPlan } from './path-plan.ts';
import { PathSamples } from './path-samples.ts';
import type { PlacedRow } from './placed-row.ts';

export interface PathVerification {
  readonly kind: 'path';
  /** |p_b - p_a|^2 over mode laws, 0 to 2. */
  readonly distance: Figure;
  readonly steps: readonly PathPoint[];
  /** Least-squares slope of position on lambda: 1 where the path goes evenly from a to b. */
  readonly slope: Figure;
  readonly verdict: 'monotone' | 'not monotone' | 'not told apart';
  readonly reason: string;
}

export interface PathPoint {
  readonly lambda: number;
  readonly member: string;
  readonly n: number;
  /** <p_x - p_a, p_b - p_a> / |p_b - p_a|^2: 0 at a, 1 at b, exactly. */
  readonly position: Figure;
  /** Squared distance from the line through a and b, in units of `distance`: 0 for a mixture. */
  readonly offLine: Figure;
  /** Share of its episodes outside people's support, and inside. */
  readonly outside: Figure;
  readonly realism: Figure;
  /** Position minus that of the step before; null at the first. */
  readonly rise: Figure | null;
}

export interface PathVerificationOptions {
  /** A step may fall by less than this share of the way and the path still counts as monotone; default 0.1. */
  readonly tolerance?: number;
}

/**
 * Where the members of a path landed between its ends. Products of laws are coincidences over pairs of rows from different
 * units, so that noise of the ends moves no position; delete-one-context jackknife (episodes where contexts do not
 * repeat). Ends are the rows of the steps at lambda 0 and 1 and those of `a` and `b` themselves. Where more than half of a
 * member's rows lie outside people's support its position is null.
 *
 * monotone: the slope's 95 % lower bound is above 0, and of every step the lower bound of its rise above -tolerance.
 * not monotone: some step falls (upper bound below 0, Holm over steps), or the slope does. Else not told apart.
 * @throws RangeError for a cell outside 0 .. k-1.
 */
export function verifyPath(
  plan: PathPlan,
  rows: readonly PlacedRow[],
  k: number,
  { tolerance = 0.1 }: PathVerificationOptions = {},
): PathVerification {
  expectArgument(Array.isArray(plan?.steps), 'the plan of a path has no steps', 'give one of `planPath`');
  expectArgument(Number.isInteger(k) && k > 0, `a space of ${k} modes`, 'give a whole number of 1 or more');
  expectRows(rows);
  const samples = new PathSamples(plan, rows, k);
  const lambdas = plan.steps.map(({ lambda }) => lambda);
  const counted = (reason: string | null) =>
    lambdas.filter((lambda) => reason === null && samples.reason(lambda) === null);
  const verified = (
    distance: Figure,
    reason: string | null,
  ): Omit<PathVerification, 'verdict' | 'reason'> => {
    const seen = counted(reason);
    return {
      kind: 'path',
      distance,
      steps: plan.steps.map(({ lambda, member }, i) => {
        const n = samples.n(lambda);
        const why = samples.reason(lambda) ?? reason;
        const none = missing(why ?? '', n);
        const before = seen.filter((other) => other < lambda).at(-1);
        return {
          lambda,
          member: member.id,
          n,
          position: why === null ? samples.figure(n, (d) => samples.position(lambda, d)) : none,
          offLine: why === null ? samples.figure(n, (d) => samples.offLine(lambda, d)) : none,
          ...samples.support(lambda),
          rise: i === 0 ? null : why === null ? riseTo(samples, lambda, before) : none,
        };
      }),
      slope: reason === null ? slopeOver(samples, seen) : missing(reason, samples.n(...lambdas)),
    };
  };
  const lacking = ([0, 1] as const).find((end) => samples.reason(end) !== null);
  if (lacking !== undefined) {
    const why = samples.reason(lacking)!;
    const name = lacking === 0 ? 'a' : 'b';
    const reason = why === 'no episode' ? `no episode of ${name}` : `${name} is ${why}`;
    return { ...verified(missing(reason, samples.n(0, 1)), reason), verdict: 'not told apart', reason };
  }
  const distance = samples.distance();
  const apart = bound(distance, 'lower', 0.95);
  if (apart === null || apart <= 0) {
    const reason =
      apart === null ? (distance.reason ?? 'a and b cannot be told apart') : 'a and b are not told apart';
    return { ...verified(distance, reason), verdict: 'not told apart', reason };
  }
  const found = verified(distance, null);
  return { ...found, ...judged(found.steps, found.slope, tolerance) };
}

function riseTo(samples: PathSamples, lambda: number, before: number | undefined): Figure {
  if (before === undefined) return missing('nothing to rise from', samples.n(lambda));
  return samples.figure(
    samples.n(before, lambda),
    (deletion) => samples.position(lambda, deletion) - samples.position(before, deletion),
  );
}

function slopeOver(samples: PathSamples, lambdas: readonly number[]): Figure {
  const n = samples.n(...lambdas);
  if (lambdas.length < 2) return missing('fewer than two steps with episodes', n);
  return samples.figure(n, (deletion) =>
    slopeOf(
      lambdas,
      lambdas.map((lambda) => samples.position(lambda, deletion)),
    ),
  );
}

/** Whether a member is shown to lie between the ends: its interval holds neither. */
export function isBetween({ position }: PathPoint): boolean {
  return position.low !== null && position.high !== null && position.low > 0 && position.high < 1;
}

function judged(
  steps: readonly PathPoint[],
  slope: Figure,
  tolerance: number,
): Pick<PathVerification, 'verdict' | 'reason'> {
  const rises = steps.flatMap(({ lambda, rise }) =>
    rise === null || rise.value === null ? [] : [{ lambda, rise }],
  );
  const falls = holmFamily(
    rises.map(({ rise }) => rise),
    0,
    'less',
  );
  const fall = falls.findIndex((p) => p !== null && p < 0.05);
  if (fall >= 0)
    return {
      verdict: 'not monotone',
      reason: `the step to lambda ${rises[fall]!.lambda} falls by ${(-rises[fall]!.rise.value!).toFixed(2)} of the way`,
    };
  const [low, high] = [bound(slope, 'lower', 0.95), bound(slope, 'upper', 0.95)];
  if (high !== null && high < 0) return { verdict: 'not monotone', reason: 'the slope is negative' };
  const unsure = rises.find(({ rise }) => {
    const least = bound(rise, 'lower', 0.95);
    return least === null || least <= -tolerance;
  });
  if (low === null || low <= 0)
    return { verdict: 'not told apart', reason: 'the slope is not told apart from 0' };
  if (unsure !== undefined || rises.length < steps.length - 1)
    return {
      verdict: 'not told apart',
      reason:
        unsure === undefined
          ? 'a step has no position'
          : `the step to lambda ${unsure.lambda} may fall by ${tolerance} of the way or more`,
    };
  return {
    verdict: 'monotone',
    reason: `the slope is positive, and no step falls by ${tolerance} of the way`,
  };
}
