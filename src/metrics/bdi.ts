import { holm } from '../math/multiple.ts';
import { type Figure, missing, point } from './figure.ts';
import { groupLost, type IntervalOptions, jackknifeFigure, jackknifePlan } from './interval.ts';
import { groupSums, insideRegime, type Tally } from './tally.ts';

/** Visited modes / K, the literal ratio. A cell is visited by a row inside people's support. */
export function support(tally: Tally): Figure {
  if (tally.n === 0) return missing('no rows', 0);
  let visited = 0;
  for (const rows of tally.insideCounts) if (rows > 0) visited += 1;
  return point(visited / tally.k, tally.n);
}

/** Share of rows inside people's support, 0 to 1. */
export function realism(tally: Tally, options: IntervalOptions = {}): Figure {
  return shareInside([tally], ([own]) => own!, options);
}

/** Share of rows outside people's support, 0 to 1. */
export function outsideShare(tally: Tally, options: IntervalOptions = {}): Figure {
  return shareInside([tally], ([own]) => 1 - own!, options);
}

/** Realism of `data` minus that of `people`. */
export function realismDifference(data: Tally, people: Tally, options: IntervalOptions = {}): Figure {
  return shareInside([data, people], ([a, b]) => a! - b!, options);
}

/** Share outside of `data` minus that of `other`. */
export function outsideDifference(data: Tally, other: Tally, options: IntervalOptions = {}): Figure {
  return shareInside([data, other], ([a, b]) => b! - a!, options);
}

function shareInside(
  tallies: readonly Tally[],
  combine: (shares: readonly number[]) => number,
  options: IntervalOptions,
): Figure {
  const n = tallies.reduce((rows, tally) => rows + tally.n, 0);
  if (tallies.some((tally) => tally.n === 0)) return missing('no rows', n);
  const plan = jackknifePlan(tallies);
  const parts = tallies.map((tally, sample) => {
    const { groups, groupOf } = plan.components[plan.componentOf[sample]!]!;
    const sums = groupSums(tally, groupOf, groups);
    const inside = new Float64Array(groups);
    for (let group = 0; group < groups; group++)
      for (let cell = 0; cell < tally.k; cell++) inside[group]! += sums.inside[group * tally.k + cell]!;
    return { tally, n: sums.n, inside };
  });
  return jackknifeFigure(
    plan,
    (deletion) =>
      combine(
        parts.map((part, sample) => {
          const group = groupLost(plan, sample, deletion);
          const { tally } = part;
          return group < 0
            ? (tally.n - tally.outside) / tally.n
            : (tally.n - tally.outside - part.inside[group]!) / (tally.n - part.n[group]!);
        }),
      ),
    { ...options, n, tested: tallies.every(insideRegime), count: 'each', undefinedReason: 'no rows' },
  );
}

export interface MissingMode {
  readonly mode: number;
  /** p_ref of the mode: share of people's rows in it. */
  readonly mass: Figure;
  /** Holm-adjusted (1 - p_ref)^n over all modes people visit. */
  readonly p: number;
}

/**
 * Modes people visit and the data never does, named only where n rows drawn like people would have visited it:
 * Holm-adjusted (1 - p_ref)^n < level. Largest mass first.
 */
export function missingModes(
  data: Tally,
  reference: Tally,
  options: IntervalOptions & { readonly level?: number } = {},
): MissingMode[] {
  if (data.k !== reference.k) throw new RangeError(`codebooks of ${data.k} and ${reference.k} cells`);
  const people = reference.n - reference.outside;
  if (people === 0 || data.n === 0) return [];
  const modes = [...reference.insideCounts.keys()].filter((mode) => reference.insideCounts[mode]! > 0);
  const share = (mode: number) => reference.insideCounts[mode]! / people;
  // A mode that was visited cannot be missing: p = 1. It stays in the family, which was not picked by the data.
  const adjusted = holm(
    modes.map((mode) => (data.insideCounts[mode]! > 0 ? 1 : (1 - share(mode)) ** data.n)),
  );
  const named = modes
    .map((mode, index) => ({ mode, p: adjusted[index]! }))
    .filter(({ p }) => p < (options.level ?? 0.05))
    .sort((a, b) => share(b.mode) - share(a.mode) || a.mode - b.mode);
  if (named.length === 0) return [];
  const plan = jackknifePlan([reference]);
  const { groups, groupOf } = plan.components[0]!;
  const sums = groupSums(reference, groupOf, groups);
  const inside = new Float64Array(groups);
  for (let group = 0; group < groups; group++)
    for (let cell = 0; cell < reference.k; cell++) inside[group]! += sums.inside[group * reference.k + cell]!;
  const tested = insideRegime(reference);
  return named.map(({ mode, p }) => ({
    mode,
    p,
    mass: jackknifeFigure(
      plan,
      (deletion) =>
        deletion === null
          ? share(mode)
          : (reference.insideCounts[mode]! - sums.inside[deletion.group * reference.k + mode]!) /
            (people - inside[deletion.group]!),
      { ...options, n: reference.n, tested, count: 'each', undefinedReason: 'no people inside' },
    ),
  }));
}
