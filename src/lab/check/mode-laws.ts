import type { Random } from '../../math/random.ts';
import { entropyOf, type Tally, tallyOf } from '../../metrics/index.ts';
import { drawFrom, sharpen } from '../simulators/index.ts';

/** P(mode) of each simulator of a population, all of one length K. */
export type ModeLaws = readonly Float64Array[];

export interface ExactCollapse {
  readonly pooled: number;
  readonly pooled2: number;
  /** Order 1, nats: mean entropy of the simulators, Jensen-Shannon divergence. */
  readonly within: number;
  readonly between: number;
  /** Order 2, nats: log(1 / c_within), log(c_within / c_mix). */
  readonly within2: number;
  readonly alike2: number;
}

/** By the definitions, with equal weights. */
export function exactCollapse(laws: ModeLaws): ExactCollapse {
  const k = laws[0]!.length;
  const mixture = new Float64Array(k);
  for (const law of laws) for (let mode = 0; mode < k; mode++) mixture[mode]! += law[mode]! / laws.length;
  const square = (law: Float64Array) => law.reduce((sum, p) => sum + p * p, 0);
  const mean = (of: (law: Float64Array) => number) =>
    laws.reduce((sum, law) => sum + of(law), 0) / laws.length;
  const entropy = entropyOf(mixture);
  const within = mean(entropyOf);
  const [mix, own] = [square(mixture), mean(square)];
  return {
    pooled: 1 - entropy / Math.log(k),
    pooled2: 1 + Math.log(mix) / Math.log(k),
    within,
    between: entropy - within,
    within2: -Math.log(own),
    alike2: Math.log(own / mix),
  };
}

/**
 * Families that share a mode and differ a little beside it, phi_ref geometric over `k` kinds with one kind of each
 * family's own, served as phi_ref^gamma: gamma 0 is uniform, and with gamma the population collapses to one mode.
 */
export function geometricLaws(members: number, k: number, gamma: number, ratio = 0.85): Float64Array[] {
  return Array.from({ length: members }, (_, i) => {
    const law = Float64Array.from({ length: k }, (_, mode) => ratio ** mode * (mode === i + 1 ? 1.1 : 1));
    const total = law.reduce((sum, p) => sum + p, 0);
    const reference = law.map((p) => p / total);
    if (gamma === 0) return reference.fill(1 / k);
    sharpen(reference, gamma);
    return reference;
  });
}

/** The exponent at which such a population has this SCD2, in (0, 1). */
export function gammaAt(collapse: number, members: number, k: number): number {
  let [low, high] = [0, 200];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (exactCollapse(geometricLaws(members, k, middle)).pooled2 < collapse) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

export interface EpisodePlan {
  readonly contexts: number;
  readonly perContext: number;
  /** Member of each rollout drawn by chance, or all members alike in every context. */
  readonly members: 'drawn' | 'crossed';
  /**
   * Chance that a rollout does what its member does in this context anyway (one draw a context and member). Contexts
   * then matter, and the law of pairs from different contexts stays what it is.
   */
  readonly habit: number;
}

/** Rows of one epoch as the audit counts them: a tally a member, by context and mode. */
export function drawTallies(laws: ModeLaws, plan: EpisodePlan, random: Random): Tally[] {
  const k = laws[0]!.length;
  const units: number[][] = laws.map(() => []);
  const cells: number[][] = laws.map(() => []);
  const habits = new Int32Array(laws.length);
  for (let context = 0; context < plan.contexts; context++) {
    for (const [i, law] of laws.entries()) habits[i] = plan.habit > 0 ? drawFrom(law, random) : -1;
    for (let rollout = 0; rollout < plan.perContext; rollout++)
      for (const member of plan.members === 'crossed' ? laws.keys() : [random.integer(laws.length)]) {
        units[member]!.push(context);
        const habitual = plan.habit > 0 && random.next() < plan.habit;
        cells[member]!.push(habitual ? habits[member]! : drawFrom(laws[member]!, random));
      }
  }
  return laws.map((_, i) =>
    tallyOf({
      k,
      unit: units[i]!,
      cell: cells[i]!,
      outside: new Uint8Array(cells[i]!.length) as ArrayLike<0>,
    }),
  );
}
