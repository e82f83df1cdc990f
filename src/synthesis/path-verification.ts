import { type Figure, missing } from '../metrics/figure.ts';
import { bound, holmFamily, type JackknifeOptions, jackknifeFigure } from '../metrics/interval.ts';
import { slopeOf } from '../metrics/slope.ts';
import { distinctRows } from './distinct-rows.ts';
import { ModeLaws } from './mode-laws.ts';
import type { PathPlan } from './path-plan.ts';
import type { PlacedRow } from './placed-row.ts';
import { rowShare } from './row-share.ts';
import { unitsOf } from './row-units.ts';

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
  readonly outside: Figure;
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
 * repeat). Ends are the rows of the steps at lambda 0 and 1 and those of `a` and `b` themselves.
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
  const ends = { 0: plan.a.id, 1: plan.b.id } as Readonly<Record<number, string>>;
  const namesOf = (lambda: number) =>
    new Set([
      ...plan.steps.filter((step) => step.lambda === lambda).map(({ member }) => member.id),
      ends[lambda],
    ]);
  const lambdas = [...new Set([0, ...plan.steps.map(({ lambda }) => lambda), 1])];
  const names = lambdas.map(namesOf);
  const known = new Set(names.flatMap((set) => [...set]));
  const all = distinctRows(rows.filter(({ simulator }) => known.has(simulator)));
  const units = unitsOf(all);
  const samples = names.map((set) => [...all.keys()].filter((at) => set.has(all[at]!.simulator)));
  const unitsFor = (sample: readonly number[]) => ({
    ...units,
    of: Int32Array.from(sample, (at) => units.of[at]!),
  });

  const shown = plan.steps.map(({ lambda, member }) => ({
    lambda,
    member: member.id,
    at: lambdas.indexOf(lambda),
  }));
  const outsideOf = (at: number) =>
    rowShare(
      samples[at]!.map((row) => all[row]!.outside),
      unitsFor(samples[at]!),
    );
  const without = (reason: string, distance: Figure): PathVerification => ({
    kind: 'path',
    distance,
    steps: shown.map(({ lambda, member, at }, i) => {
      const n = samples[at]!.length;
      const none = missing(n === 0 ? 'no episode' : reason, n);
      return {
        lambda,
        member,
        n,
        position: none,
        offLine: none,
        outside: outsideOf(at),
        rise: i === 0 ? null : none,
      };
    }),
    slope: missing(reason, all.length),
    verdict: 'not told apart',
    reason,
  });
  const [a, b] = [0, lambdas.length - 1];
  if (samples[a]!.length === 0 || samples[b]!.length === 0) {
    const reason = `no episode of ${samples[a]!.length === 0 ? 'a' : 'b'}`;
    return without(reason, missing(reason, all.length));
  }

  const present = [...samples.keys()].filter((at) => samples[at]!.length > 0);
  const laws = new ModeLaws(
    present.map((at) => ({
      cells: samples[at]!.map((row) => all[row]!.cell),
      units: unitsFor(samples[at]!).of,
    })),
    k,
  );
  const place = new Map(present.map((at, i) => [at, i]));
  const [first, last] = [place.get(a)!, place.get(b)!];
  const figure = (
    n: number,
    statistic: Parameters<typeof jackknifeFigure>[1],
    undefinedReason: string,
  ): Figure =>
    jackknifeFigure(laws.plan, statistic, {
      n,
      tested: laws.tested,
      count: 'each',
      unitNoun: units.noun,
      undefinedReason,
    } satisfies JackknifeOptions);
  const nAt = (...ats: number[]) => ats.reduce((sum, at) => sum + samples[at]!.length, 0);
  const distance = figure(
    nAt(a, b),
    (deletion) => laws.squaredDistance(first, last, deletion),
    `no pair of rows from different ${units.noun}s`,
  );
  const apart = bound(distance, 'lower', 0.95);
  if (apart === null) return without(distance.reason ?? 'a and b cannot be told apart', distance);
  if (apart <= 0) return without('a and b are not told apart', distance);

  const noPair = `no pair of rows from different ${units.noun}s`;
  const positionAt = (at: number, deletion: Parameters<ModeLaws['position']>[3]) =>
    laws.position(place.get(at)!, first, last, deletion);
  const steps = shown.map(({ lambda, member, at }, i): PathPoint => {
    const n = samples[at]!.length;
    const outside = outsideOf(at);
    const none = missing('no episode', n);
    if (n === 0)
      return { lambda, member, n, position: none, offLine: none, outside, rise: i === 0 ? null : none };
    const before = shown
      .slice(0, i)
      .filter((step) => samples[step.at]!.length > 0)
      .at(-1);
    return {
      lambda,
      member,
      n,
      position: figure(n, (deletion) => positionAt(at, deletion), noPair),
      offLine: figure(n, (deletion) => laws.offLine(place.get(at)!, first, last, deletion), noPair),
      outside,
      rise:
        i === 0
          ? null
          : before === undefined
            ? missing('no episode before', n)
            : figure(
                nAt(before.at, at),
                (deletion) => positionAt(at, deletion) - positionAt(before.at, deletion),
                noPair,
              ),
    };
  });
  const seen = shown.filter(({ at }) => samples[at]!.length > 0);
  const slope =
    seen.length < 2
      ? missing('fewer than two steps with episodes', all.length)
      : figure(
          nAt(...seen.map(({ at }) => at)),
          (deletion) =>
            slopeOf(
              seen.map(({ lambda }) => lambda),
              seen.map(({ at }) => positionAt(at, deletion)),
            ),
          noPair,
        );
  return { kind: 'path', distance, steps, slope, ...judged(steps, slope, tolerance) };
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
          ? 'a step has no episode'
          : `the step to lambda ${unsure.lambda} may fall by ${tolerance} of the way or more`,
    };
  return {
    verdict: 'monotone',
    reason: `the slope is positive, and no step falls by ${tolerance} of the way`,
  };
}
