import { studentTCdf, studentTQuantile } from '../math/distributions.ts';
import { groupsOf } from '../math/jackknife.ts';
import { holm } from '../math/multiple.ts';
import { mean, sum } from '../math/summary.ts';
import { type Figure, missing } from './figure.ts';
import type { Sample } from './tally.ts';

/** Fewer units than this give a value without an interval. */
export const LEAST_UNITS = 8;

export type UnitNoun = 'context' | 'person' | 'episode';

export interface IntervalOptions {
  /** What the units are; only named in `method`. Default `context`. */
  readonly unitNoun?: UnitNoun;
  /** Added to what `method` says in brackets. */
  readonly note?: string;
}

/** Which group is left out of every sample of one component. */
export interface Deletion {
  readonly component: number;
  readonly group: number;
}

/**
 * How samples are left out together: samples that share a unit (directly or through others) form a component
 * and lose the same units at once, so what they share cancels; components are independent, variances add.
 */
export interface JackknifePlan {
  readonly componentOf: readonly number[];
  readonly components: readonly {
    readonly groups: number;
    readonly units: number;
    /** Unit index -> group, -1 where the component lacks the unit. */
    readonly groupOf: Int32Array;
    /** Fewest groups any of its samples stands in. */
    readonly leastGroups: number;
    readonly leastUnits: number;
  }[];
}

export function jackknifePlan(samples: readonly Sample[]): JackknifePlan {
  const parent = samples.map((_, index) => index);
  const root = (index: number): number => {
    let at = index;
    while (parent[at] !== at) at = parent[at]!;
    return at;
  };
  let highest = -1;
  for (const { units } of samples)
    if (units.length > 0) highest = Math.max(highest, units[units.length - 1]!);
  const owner = new Int32Array(highest + 1).fill(-1);
  samples.forEach(({ units }, index) => {
    for (let u = 0; u < units.length; u++) {
      const unit = units[u]!;
      if (owner[unit]! < 0) owner[unit] = index;
      else parent[root(index)] = root(owner[unit]!);
    }
  });
  // By their smallest unit: variances then add in one order, whatever the order of the samples.
  const smallest = (index: number) => owner.findIndex((sample) => sample >= 0 && root(sample) === index);
  const roots = [...new Set(samples.map((_, index) => root(index)))]
    .map((index) => ({ index, unit: smallest(index) }))
    .sort((a, b) => a.unit - b.unit)
    .map(({ index }) => index);
  const componentOf = samples.map((_, index) => roots.indexOf(root(index)));
  const components = roots.map((_, component) => {
    const groupOf = new Int32Array(highest + 1).fill(-1);
    const present: number[] = [];
    for (let unit = 0; unit <= highest; unit++)
      if (owner[unit]! >= 0 && componentOf[owner[unit]!] === component) present.push(unit);
    const groups = groupsOf(present);
    groups.forEach((members, group) => {
      for (const member of members) groupOf[present[member]!] = group;
    });
    let leastGroups = groups.length;
    let leastUnits = present.length;
    samples.forEach(({ units }, index) => {
      if (componentOf[index] !== component) return;
      const seen = new Uint8Array(groups.length);
      for (let u = 0; u < units.length; u++) seen[groupOf[units[u]!]!] = 1;
      leastGroups = Math.min(
        leastGroups,
        seen.reduce((count, one) => count + one, 0),
      );
      leastUnits = Math.min(leastUnits, units.length);
    });
    return { groups: groups.length, units: present.length, groupOf, leastGroups, leastUnits };
  });
  return { componentOf, components };
}

/** The group `sample` loses under `deletion`, -1 for none. */
export function groupLost(plan: JackknifePlan, sample: number, deletion: Deletion | null): number {
  return deletion !== null && plan.componentOf[sample] === deletion.component ? deletion.group : -1;
}

export interface JackknifeOptions extends IntervalOptions {
  /** Rows that entered. */
  readonly n: number;
  /** Centre of the interval where it is not the statistic itself (a bias-corrected value). */
  readonly centre?: number;
  /** False: outside the tested regime. */
  readonly tested: boolean;
  /** Count units per sample (comparisons) or over the union (populations). */
  readonly count: 'each' | 'union';
  readonly unit?: string;
  /** Interval of the logarithm, for positive statistics that are skewed (where the value is positive). */
  readonly scale?: 'log';
  /** Why the statistic may be undefined on all rows. */
  readonly undefinedReason: string;
}

/**
 * Delete-one-group jackknife of `statistic` (NaN = undefined there): value -+ t(0.975, df) se.
 * One component: se^2 = (G-1)/G sum (theta_(-g) - mean)^2, df = G-1. Several: variances add, df by
 * Welch-Satterthwaite. Fewer than 8 units: the value stays, `low` and `high` are null, with the reason.
 */
export function jackknifeFigure(
  plan: JackknifePlan,
  statistic: (deletion: Deletion | null) => number,
  options: JackknifeOptions,
): Figure {
  const full = statistic(null);
  const value = options.centre ?? full;
  const method = jackknifeMethod(plan, options);
  if (!Number.isFinite(value)) return missing(options.undefinedReason, options.n, method);
  const base = { value, n: options.n, method, ...(options.unit === undefined ? {} : { unit: options.unit }) };
  const units = plan.components.map(({ units: all, leastUnits }) =>
    options.count === 'each' ? leastUnits : all,
  );
  const noun = options.unitNoun ?? 'context';
  if (Math.min(...units) < LEAST_UNITS)
    return { ...base, low: null, high: null, reason: `fewer than ${LEAST_UNITS} ${noun}s` };
  let variance = 0;
  let spread = 0;
  let leastDf = Number.POSITIVE_INFINITY;
  plan.components.forEach((component, index) => {
    const values = new Float64Array(component.groups);
    for (let group = 0; group < component.groups; group++)
      values[group] = statistic({ component: index, group });
    const part = deletionVariance(values);
    const df = (options.count === 'each' ? component.leastGroups : component.groups) - 1;
    variance += part;
    spread += part ** 2 / df;
    leastDf = Math.min(leastDf, df);
  });
  if (!Number.isFinite(variance))
    return { ...base, low: null, high: null, reason: `not defined without some ${noun}s` };
  const df = spread === 0 || plan.components.length === 1 ? leastDf : variance ** 2 / spread;
  return withInterval(base, Math.sqrt(variance), df, options.tested, options.scale);
}

/** Mean over contexts of one value each (already paired), with Student's t. */
export function meanFigure(
  values: readonly number[],
  options: IntervalOptions & {
    readonly n: number;
    readonly unit?: string;
    readonly name?: string;
    readonly undefinedReason: string;
  },
): Figure {
  const count = values.length;
  const noun = options.unitNoun ?? 'context';
  const method = `${options.name ?? 't'}-${noun}(G=${count}${noted(options)})`;
  if (count === 0) return missing(options.undefinedReason, options.n, method);
  const value = mean(values);
  const base = { value, n: options.n, method, ...(options.unit === undefined ? {} : { unit: options.unit }) };
  if (count < LEAST_UNITS)
    return { ...base, low: null, high: null, reason: `fewer than ${LEAST_UNITS} ${noun}s` };
  const squares = sum(values.map((x) => (x - value) ** 2));
  return withInterval(base, Math.sqrt(squares / (count - 1) / count), count - 1, count >= 50);
}

/** One-sided bound at `probability` (0.95: exceeded by chance in 5 %), `null` where the figure has no interval. */
export function bound(figure: Figure, side: 'lower' | 'upper', probability: number): number | null {
  if (figure.value === null || figure.se === undefined || figure.df === undefined) return null;
  const reach = studentTQuantile(probability, figure.df) * figure.se;
  return moved(figure.value, side === 'lower' ? -reach : reach, figure.scale);
}

function moved(value: number, reach: number, scale: 'log' | undefined): number {
  return scale === 'log' ? value * Math.exp(reach / value) : value + reach;
}

/** p-value of the figure against a value under the null, by its t distribution; null where it has no interval. */
export function pValue(
  figure: Figure,
  against = 0,
  alternative: 'different' | 'greater' | 'less' = 'different',
): number | null {
  if (figure.value === null || figure.se === undefined || figure.df === undefined) return null;
  const distance =
    figure.scale === 'log' && against > 0
      ? figure.value * Math.log(figure.value / against)
      : figure.value - against;
  if (figure.se === 0) {
    const beyond =
      alternative === 'greater' ? distance > 0 : alternative === 'less' ? distance < 0 : distance !== 0;
    return beyond ? 0 : 1;
  }
  const below = studentTCdf(distance / figure.se, figure.df);
  const above = studentTCdf(-distance / figure.se, figure.df);
  return alternative === 'greater'
    ? above
    : alternative === 'less'
      ? below
      : Math.min(1, 2 * Math.min(below, above));
}

/** Holm-adjusted p-values of one family of figures; figures without an interval are not part of it and stay null. */
export function holmFamily(
  figures: readonly Figure[],
  against = 0,
  alternative: 'different' | 'greater' | 'less' = 'different',
): (number | null)[] {
  const raw = figures.map((figure) => pValue(figure, against, alternative));
  const adjusted = holm(raw.filter((p): p is number => p !== null));
  let at = 0;
  return raw.map((p) => (p === null ? null : adjusted[at++]!));
}

export function withInterval(
  base: { readonly value: number; readonly n: number; readonly method: string; readonly unit?: string },
  se: number,
  df: number,
  tested: boolean,
  scale?: 'log',
): Figure {
  const t = studentTQuantile(0.975, df);
  const log = scale === 'log' && base.value > 0 ? scale : undefined;
  return {
    ...base,
    low: moved(base.value, -t * se, log),
    high: moved(base.value, t * se, log),
    detectable: (t + studentTQuantile(0.8, df)) * se,
    se,
    df,
    ...(log === undefined ? {} : { scale: log }),
    ...(tested ? {} : { approximate: true }),
  };
}

function deletionVariance(values: Float64Array): number {
  const groups = values.length;
  if (groups < 2) return Number.NaN;
  const centre = mean(values);
  const squares = new Float64Array(groups);
  for (let group = 0; group < groups; group++) squares[group] = (values[group]! - centre) ** 2;
  return ((groups - 1) / groups) * sum(squares);
}

function jackknifeMethod(plan: JackknifePlan, options: JackknifeOptions): string {
  const noun = options.unitNoun ?? 'context';
  const parts = plan.components
    .map(({ units, groups }) => (units === groups ? `G=${units}` : `G=${units}, groups=${groups}`))
    .sort();
  return `jackknife-${noun}(${parts.join('; ')}${noted(options)})`;
}

function noted({ note }: IntervalOptions): string {
  return note === undefined ? '' : `, ${note}`;
}
