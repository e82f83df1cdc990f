import { lowerBound, upperBound } from '../diagnosis/index.ts';
import { studentTQuantile } from '../math/index.ts';
import {
  behaviouralMass,
  diversityDifference,
  type EqualSize,
  equalSize,
  type Figure,
  massDifference,
  pairCollapse,
  populationDifference,
  realism,
  realismDifference,
  type Tally,
} from '../metrics/index.ts';
import { hiddenLoss } from './hidden-loss.ts';

/** Levels and margins of the rule, the same for all rounds of a run. */
export interface AcceptanceRule {
  /** How much worse than the best so far an accepted population may be, in each figure. */
  readonly delta: number;
  /** One-sided level of each bound: alpha / (3 x rounds), so that a whole run errs with probability alpha at most. */
  readonly level: number;
}

/** @param alpha of a whole run; @param rounds at most so many populations are proposed */
export function acceptanceRule(delta: number, alpha: number, rounds: number): AcceptanceRule {
  return { delta, level: alpha / (3 * rounds) };
}

/** People whom BDI is measured by; null = no people, and modes count alike. */
export interface Yardstick {
  /** How often each mode is (p_ref). */
  readonly mass: Tally;
  /** People who are measured as if they were a simulator. */
  readonly ceiling: Tally;
}

/** A figure of the proposed population beside that of what it is held to, on fresh paired episodes. */
export interface Comparison {
  /** Id of the population that it is held to. */
  readonly against: string;
  readonly proposed: Figure;
  readonly other: Figure;
  /** Proposed - other. */
  readonly difference: Figure;
  /** One-sided, at the rule's level: the side that the rule looks at. Null without an interval. */
  readonly bound: number | null;
  /** By how much the bound was moved for what a jackknife cannot see (hidden-loss.ts); absent = 0. */
  readonly hidden?: number;
  readonly holds: boolean;
}

export interface AcceptanceVerdict {
  readonly accepted: boolean;
  readonly rule: AcceptanceRule;
  readonly scd2: Comparison;
  readonly bdi: Comparison;
  readonly realism: Comparison;
  /** What is better by point. */
  readonly better: 'scd2' | 'bdi' | 'both' | null;
  /** In a sentence. */
  readonly reason: string;
}

/** Episodes of one population, members not told apart: what is compared is what a policy meets. */
export interface ProbedPopulation {
  readonly id: string;
  readonly tally: Tally;
}

/**
 * Whether a proposed population may replace the one in force (metrics.md, "Acceptance"): with fresh paired probes on one
 * set of contexts, the upper bound of SCD2 - best is below delta, the lower bounds of BDI - best and of realism -
 * baseline are above -delta, and SCD2 or BDI is better by point. All tallies are of one space and number their units
 * alike; the baseline is the population that the run began with, so that realism cannot be lost in small steps. What a
 * jackknife cannot see under shared luck counts as lost: least standard errors of SCD2 and realism, hidden modes of BDI.
 */
export function judgeAcceptance(
  rule: AcceptanceRule,
  proposed: ProbedPopulation,
  best: { readonly scd2: ProbedPopulation; readonly bdi: ProbedPopulation },
  baseline: ProbedPopulation,
  people: Yardstick | null,
): AcceptanceVerdict {
  const scd2Of = ({ tally }: ProbedPopulation) => pairCollapse([tally]).pooled2;
  const size = equalSize(
    [proposed.tally, best.bdi.tally, ...(people === null ? [] : [people.ceiling])].filter(({ n }) => n > 0),
  );
  const bdiOf = ({ tally }: ProbedPopulation) => behaviouralMass(tally, people?.mass ?? null, size);
  const bdiDifference =
    people === null
      ? massDifference(proposed.tally, best.bdi.tally, null, size)
      : diversityDifference(proposed.tally, best.bdi.tally, people.ceiling, people.mass, size);
  const scd2 = compare(
    rule,
    'upper',
    proposed,
    best.scd2,
    scd2Of,
    withLeast(
      populationDifference([proposed.tally], [best.scd2.tally]).pooled2,
      rule.delta / Math.sqrt(best.scd2.tally.n * leastShare(best.scd2.tally, rule.delta)),
    ),
  );
  const bdi = compare(
    rule,
    'lower',
    proposed,
    best.bdi,
    bdiOf,
    bdiDifference,
    size === null
      ? 0
      : hiddenLoss(
          proposed.tally,
          best.bdi.tally,
          weightsOf(people, proposed.tally.k, size),
          size,
          rule.level,
        ),
  );
  const real = compare(
    rule,
    'lower',
    proposed,
    baseline,
    ({ tally }) => realism(tally),
    withLeast(
      realismDifference(proposed.tally, baseline.tally),
      Math.sqrt((rule.delta * (1 - rule.delta)) / baseline.tally.n),
    ),
  );
  const lessCollapsed = (scd2.difference.value ?? 0) < 0;
  const moreDiverse = (bdi.difference.value ?? 0) > 0;
  const better = lessCollapsed && moreDiverse ? 'both' : lessCollapsed ? 'scd2' : moreDiverse ? 'bdi' : null;
  const failed = [
    ...fault('SCD2', 'up', scd2, rule),
    ...fault('BDI', 'down', bdi, rule),
    ...fault('realism', 'down', real, rule),
    ...(better === null ? ['nothing is better by point'] : []),
  ];
  return {
    accepted: failed.length === 0,
    rule,
    scd2,
    bdi,
    realism: real,
    better,
    reason:
      failed.length === 0
        ? `accepted: ${better === 'both' ? 'SCD2 and BDI are' : better === 'scd2' ? 'SCD2 is' : 'BDI is'} better, nothing is worse by ${rule.delta}`
        : `rolled back: ${failed.join(', ')}`,
  };
}

/**
 * With the same luck on both sides few episodes differ, and a jackknife of rare changes is too sure of itself: no standard
 * error is taken below that of a loss of delta, which must be lost in so many episodes.
 */
function withLeast(difference: Figure, least: number): Figure {
  const { value, se, df } = difference;
  if (value === null || se === undefined || df === undefined || !(se < least)) return difference;
  const reach = studentTQuantile(0.975, df) * least;
  return { ...difference, se: least, low: value - reach, high: value + reach };
}

/**
 * The least share of episodes that must change for SCD2 to rise by delta, which multiplies the coincidence c by K^delta:
 * s of them into the most frequent mode, of share p, add at most 2 s p + 2 s^2.
 */
function leastShare({ counts, n, k }: Tally, delta: number): number {
  const shares = Array.from(counts, (count) => count / n);
  const top = Math.max(...shares);
  const more = shares.reduce((sum, share) => sum + share * share, 0) * (k ** delta - 1);
  return (Math.sqrt(top * top + 2 * more) - top) / 2;
}

/** What a mode that is covered for certain counts in BDI: p_ref over the ceiling, or 1 / K. */
function weightsOf(people: Yardstick | null, k: number, size: EqualSize): Float64Array {
  if (people === null) return new Float64Array(k).fill(1 / k);
  const { insideCounts } = people.mass;
  const total = insideCounts.reduce((sum, count) => sum + count, 0);
  const ceiling = behaviouralMass(people.ceiling, people.mass, size).value ?? 1;
  return insideCounts.map((count) => count / total / ceiling);
}

function fault(
  name: string,
  way: 'up' | 'down',
  { holds, difference, bound }: Comparison,
  rule: AcceptanceRule,
) {
  if (holds) return [];
  if (bound === null) return [`${name} cannot be compared (${difference.reason ?? difference.method})`];
  return [`${name} may be ${way} by ${Math.abs(bound).toFixed(3)}, which is not below ${rule.delta}`];
}

function compare(
  rule: AcceptanceRule,
  side: 'upper' | 'lower',
  proposed: ProbedPopulation,
  other: ProbedPopulation,
  of: (population: ProbedPopulation) => Figure,
  difference: Figure,
  hidden = 0,
): Comparison {
  const seen = (side === 'upper' ? upperBound : lowerBound)(difference, rule.level);
  const bound = seen === null ? null : side === 'upper' ? seen + hidden : seen - hidden;
  return {
    against: other.id,
    proposed: of(proposed),
    other: of(other),
    difference,
    bound,
    ...(hidden === 0 ? {} : { hidden }),
    holds: bound !== null && (side === 'upper' ? bound < rule.delta : bound > -rule.delta),
  };
}
