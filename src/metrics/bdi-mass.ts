import { hypergeometricAtLeast, logChoose } from '../math/distributions.ts';
import { type Figure, missing } from './figure.ts';
import {
  type Deletion,
  groupLost,
  type IntervalOptions,
  type JackknifePlan,
  jackknifeFigure,
  jackknifePlan,
} from './interval.ts';
import { slopeOf } from './slope.ts';
import { type GroupSums, groupSums, insideRegime, type Tally } from './tally.ts';

/** The size at which data sets are compared: `contexts` drawn without replacement, `rows` of each. */
export interface EqualSize {
  readonly contexts: number;
  readonly rows: number;
}

/**
 * g0 and r for all compared data: r rows a context, g0 = min over data of floor(G_r / 2), G_r its contexts with
 * at least r rows. Of all r the one with the largest g0 r is taken (the smaller r among equals): with equal
 * counts that is the count itself, and one short context does not drag every other down to its size.
 * `null` where no r gives g0 >= 2.
 */
export function equalSize(tallies: readonly Tally[]): EqualSize | null {
  if (tallies.length === 0) return null;
  const sorted = tallies.map(({ size }) => Int32Array.from(size).sort());
  const candidates = [...new Set(sorted.flatMap((sizes) => [...sizes]))].sort((a, b) => a - b);
  let best: EqualSize | null = null;
  for (const rows of candidates) {
    let contexts = Number.POSITIVE_INFINITY;
    for (const sizes of sorted) contexts = Math.min(contexts, Math.floor(unitsHolding(sizes, rows) / 2));
    if (contexts >= 2 && (best === null || contexts * rows > best.contexts * best.rows))
      best = { contexts, rows };
  }
  return best;
}

/** Masses above this are outside the tested regime. */
const SATURATED = 0.98;

/**
 * mass(g0): p_ref-share of the modes that `size` draws of `data` visit in two different contexts or more; 0 to 1.
 * Without a reference every mode weighs 1/K: the share of modes covered.
 */
export function behaviouralMass(
  data: Tally,
  reference: Tally | null,
  size: EqualSize | null,
  options: IntervalOptions = {},
): Figure {
  return massFigure([data], reference, size, ([mass]) => mass!, options);
}

/** Headline BDI: mass of the data over mass of the ceiling people at the same size; about 1 where they are people. */
export function behaviouralDiversity(
  data: Tally,
  ceiling: Tally,
  reference: Tally,
  size: EqualSize | null,
  options: IntervalOptions = {},
): Figure {
  return massFigure([data, ceiling], reference, size, ([own, best]) => own! / best!, options);
}

/** mass(g0) of `data` minus that of `other` (people: negative = less of what people do); no reference as above. */
export function massDifference(
  data: Tally,
  other: Tally,
  reference: Tally | null,
  size: EqualSize | null,
  options: IntervalOptions = {},
): Figure {
  return massFigure([data, other], reference, size, ([a, b]) => a! - b!, options);
}

/** Headline BDI of `data` minus that of `other`, over one and the same ceiling. */
export function diversityDifference(
  data: Tally,
  other: Tally,
  ceiling: Tally,
  reference: Tally,
  size: EqualSize | null,
  options: IntervalOptions = {},
): Figure {
  return massFigure(
    [data, other, ceiling],
    reference,
    size,
    ([a, b, best]) => a! / best! - b! / best!,
    options,
  );
}

/** Growth of the modes covered (visited in >= 2 of g0 contexts) from one round to the next: later / earlier - 1. */
export function relativeGrowth(
  earlier: Tally,
  later: Tally,
  size: EqualSize | null,
  options: IntervalOptions = {},
): Figure {
  return massFigure([later, earlier], null, size, ([b, a]) => b! / a! - 1, options);
}

/** Slope of mass(g0) over epochs (least squares on the step), all epochs losing the same units together. */
export function massTrend(
  epochs: readonly { readonly step: number; readonly data: Tally }[],
  reference: Tally | null,
  size: EqualSize | null,
  options: IntervalOptions = {},
): Figure {
  const ordered = [...epochs].sort((a, b) => a.step - b.step);
  const steps = ordered.map(({ step }) => step);
  const n = ordered.reduce((rows, { data }) => rows + data.n, 0);
  if (new Set(steps).size < 2) return missing('fewer than 2 epochs', n);
  return massFigure(
    ordered.map(({ data }) => data),
    reference,
    size,
    (masses) => slopeOf(steps, masses),
    options,
  );
}

function massFigure(
  data: readonly Tally[],
  reference: Tally | null,
  size: EqualSize | null,
  combine: (masses: readonly number[]) => number,
  options: IntervalOptions,
): Figure {
  const noun = options.unitNoun ?? 'context';
  const n = data.reduce((rows, tally) => rows + tally.n, 0);
  if (data.some(({ k }) => k < 2)) return missing('too few episodes to fit two modes', n);
  if (size === null) return missing(`no two ${noun}s can be drawn from half of the data`, n);
  if (size.contexts < 2) return missing(`fewer than 2 ${noun}s to draw`, n);
  if (reference !== null && reference.n === reference.outside) return missing('no reference people', n);
  const samples = reference === null ? [...data] : [...data, reference];
  for (const { k } of samples)
    if (k !== samples[0]!.k) throw new RangeError(`codebooks of ${samples[0]!.k} and ${k} cells`);
  if (data.some((tally) => eligibleUnits(tally, size.rows) < size.contexts))
    return missing(`fewer ${noun}s than are drawn`, n);
  const plan = jackknifePlan(samples);
  const chances = data.map((tally, sample) => coverChances(tally, size, plan, sample));
  const law = referenceLaw(reference, plan, samples.length - 1, samples[0]!.k);
  const masses = (deletion: Deletion | null): number[] => {
    const people = law(reference === null ? -1 : groupLost(plan, samples.length - 1, deletion));
    return chances.map((table, sample) => {
      const chance = table[groupLost(plan, sample, deletion) + 1]!;
      let mass = 0;
      for (let cell = 0; cell < people.length; cell++) mass += people[cell]! * chance[cell]!;
      return mass;
    });
  };
  return jackknifeFigure(plan, (deletion) => combine(masses(deletion)), {
    ...options,
    n,
    // Near 1 the rarest modes alone decide, and estimates are far from normal.
    tested:
      data.every(insideRegime) &&
      (reference === null || reference.units.length >= 50) &&
      masses(null).every((mass) => mass <= SATURATED),
    count: 'each',
    undefinedReason: 'nothing is covered to compare with',
  });
}

/** p_ref over rows inside the support, by deleted group; without people every mode weighs 1/K. */
function referenceLaw(
  reference: Tally | null,
  plan: JackknifePlan,
  sample: number,
  k: number,
): (group: number) => Float64Array {
  if (reference === null) {
    const flat = new Float64Array(k).fill(1 / k);
    return () => flat;
  }
  const component = plan.components[plan.componentOf[sample]!]!;
  const sums: GroupSums = groupSums(reference, component.groupOf, component.groups);
  const into = new Float64Array(k);
  return (group) => {
    let total = 0;
    for (let cell = 0; cell < k; cell++) {
      into[cell] = reference.insideCounts[cell]! - (group < 0 ? 0 : sums.inside[group * k + cell]!);
      total += into[cell]!;
    }
    for (let cell = 0; cell < k; cell++) into[cell]! /= total;
    return into;
  };
}

/** How many of the ascending sizes are at least `rows`. */
function unitsHolding(sizes: Int32Array, rows: number): number {
  let low = 0;
  let high = sizes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sizes[middle]! < rows) low = middle + 1;
    else high = middle;
  }
  return sizes.length - low;
}

function eligibleUnits(tally: Tally, rows: number): number {
  let count = 0;
  for (const size of tally.size) if (size >= rows) count += 1;
  return count;
}

/**
 * Chance that a mode is visited in >= 2 of g0 contexts, [0] on all, [g + 1] without group g; each k long.
 *
 * A context with s >= r rows, m of them inside mode k, gives r of its rows; it shows the mode with probability
 * q = 1 - C(s-m, r) / C(s, r), independently of other contexts. So the number V of contexts that would show it is
 * Poisson-binomial, and given V = v the draw of g0 contexts is hypergeometric: E h(V), h(v) = P(>= 2 | v, G, g0).
 * This averages exactly over both draws. Contexts with fewer than r rows are left out. Groups are left out by
 * combining the law of V over the groups before with the expectation of h over the groups after.
 */
function coverChances(tally: Tally, size: EqualSize, plan: JackknifePlan, sample: number): Float64Array[] {
  const { groups, groupOf } = plan.components[plan.componentOf[sample]!]!;
  const { k } = tally;
  const { rows, contexts } = size;
  const visits: { group: number; q: number }[][] = Array.from({ length: k }, () => []);
  const eligible = new Float64Array(groups);
  let total = 0;
  const shown = showChance(rows);
  for (let u = 0; u < tally.units.length; u++) {
    const held = tally.size[u]!;
    if (held < rows) continue;
    const group = groupOf[tally.units[u]!]!;
    eligible[group]! += 1;
    total += 1;
    for (let e = tally.start[u]!; e < tally.start[u + 1]!; e++)
      if (tally.inside[e]! > 0) visits[tally.cell[e]!]!.push({ group, q: shown(held, tally.inside[e]!) });
  }
  const most = visits.reduce((longest, list) => Math.max(longest, list.length), 0);
  const laws = new Map<number, Float64Array>();
  const coverLaw = (population: number): Float64Array => {
    const known = laws.get(population) ?? coverGiven(population, contexts, most);
    laws.set(population, known);
    return known;
  };
  // Past `cap` visited contexts two of them are drawn for certain (to double precision): V need not be told apart.
  let cap = 0;
  for (const population of new Set([total, ...eligible.map((own) => total - own)])) {
    const law = coverLaw(population);
    let own = 0;
    while (own < most && !(law[own]! > 1 - 1e-15)) own += 1;
    cap = Math.max(cap, own);
  }
  const table = Array.from({ length: groups + 1 }, () => new Float64Array(k));
  visits.forEach((list, cell) => {
    list.sort((a, b) => a.group - b.group || a.q - b.q);
    modeChances(list, { groups, cap, total, eligible, coverLaw }, (group, chance) => {
      table[group + 1]![cell] = chance;
    });
  });
  return table;
}

interface Draws {
  readonly groups: number;
  readonly cap: number;
  readonly total: number;
  readonly eligible: Float64Array;
  readonly coverLaw: (population: number) => Float64Array;
}

function modeChances(
  visits: readonly { group: number; q: number }[],
  draws: Draws,
  give: (group: number, chance: number) => void,
): void {
  const { groups, total, eligible, coverLaw } = draws;
  const cap = Math.min(draws.cap, visits.length);
  const start = new Int32Array(groups + 1);
  for (const { group } of visits) start[group + 1]! += 1;
  for (let group = 0; group < groups; group++) start[group + 1]! += start[group]!;
  // before[g]: law of V over groups 0 .. g-1, mass beyond the cap gathered at the cap.
  const before: Float64Array[] = [new Float64Array(cap + 1)];
  before[0]![0] = 1;
  for (let group = 0; group < groups; group++) {
    let law = before[group]!;
    if (start[group + 1]! > start[group]!) {
      law = law.slice();
      for (let at = start[group]!; at < start[group + 1]!; at++) {
        const { q } = visits[at]!;
        if (cap > 0) law[cap]! += law[cap - 1]! * q;
        for (let v = cap - 1; v > 0; v--) law[v] = law[v]! * (1 - q) + law[v - 1]! * q;
        if (cap > 0) law[0]! *= 1 - q;
      }
    }
    before.push(law);
  }
  const expect = (law: Float64Array, values: Float64Array): number => {
    let mean = 0;
    for (let v = 0; v <= cap; v++) mean += law[v]! * values[v]!;
    return mean;
  };
  give(-1, expect(before[groups]!, coverLaw(total)));
  const sizes = new Set(eligible);
  for (const lost of sizes) {
    // after[v] = E h(v + visits in later groups), stepping back group by group.
    const after = coverLaw(total - lost).slice(0, cap + 1);
    for (let group = groups - 1; group >= 0; group--) {
      if (eligible[group] === lost) give(group, expect(before[group]!, after));
      for (let at = start[group]!; at < start[group + 1]!; at++) {
        const { q } = visits[at]!;
        for (let v = 0; v < cap; v++) after[v] = after[v]! * (1 - q) + after[v + 1]! * q;
      }
    }
  }
}

/** h(v) = P(at least 2 of v marked contexts among `draws` out of `population`), v = 0 .. most. */
export function coverGiven(population: number, draws: number, most: number): Float64Array {
  const law = new Float64Array(most + 1);
  for (let v = 0; v <= most; v++)
    law[v] =
      draws > population ? Number.NaN : hypergeometricAtLeast(Math.min(v, population), population, draws, 2);
  return law;
}

/** Chance that `rows` of `held` rows, drawn without replacement, hold at least one of `marked`. */
export function showChance(rows: number): (held: number, marked: number) => number {
  const known = new Map<number, number>();
  return (held, marked) => {
    if (marked === held || held - marked < rows) return 1;
    if (rows === 1) return marked / held;
    const key = held * 65_536 + marked;
    const chance = known.get(key) ?? 1 - Math.exp(logChoose(held - marked, rows) - logChoose(held, rows));
    known.set(key, chance);
    return chance;
  };
}
