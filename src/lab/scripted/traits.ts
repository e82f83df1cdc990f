import type { Random } from '../../math/index.ts';

/** How a user behaves, each 0..1. Known truth: what the metrics should find out. */
export interface Traits {
  /** Inclined to say yes. */
  readonly trust: number;
  /** Stays for many turns. */
  readonly patience: number;
  /** Gives details unasked and at once. */
  readonly disclosure: number;
  readonly politeness: number;
  /** Sentences per turn. */
  readonly expressiveness: number;
  readonly questions: number;
  readonly pushback: number;
  readonly emotion: number;
  readonly hedging: number;
  /** Corrects what it said. */
  readonly correction: number;
  /** 0 formal writing, 1 lower case without marks. */
  readonly casual: number;
}

export const TRAIT_NAMES = [
  'trust',
  'patience',
  'disclosure',
  'politeness',
  'expressiveness',
  'questions',
  'pushback',
  'emotion',
  'hedging',
  'correction',
  'casual',
] as const satisfies readonly (keyof Traits)[];

const traits = (...values: readonly number[]): Traits =>
  Object.fromEntries(TRAIT_NAMES.map((name, i) => [name, values[i] ?? 0.5])) as unknown as Traits;

/** The kinds of people there are in the lab. Columns in the order of TRAIT_NAMES. */
export const ARCHETYPES: Readonly<Record<string, Traits>> = {
  brisk: traits(0.6, 0.3, 0.8, 0.2, 0.1, 0.1, 0.2, 0.1, 0.05, 0.05, 0.6),
  chatty: traits(0.6, 0.9, 0.8, 0.6, 0.95, 0.3, 0.2, 0.5, 0.2, 0.2, 0.4),
  wary: traits(0.15, 0.7, 0.2, 0.4, 0.5, 0.7, 0.6, 0.2, 0.3, 0.1, 0.3),
  friendly: traits(0.85, 0.7, 0.7, 0.95, 0.5, 0.3, 0.05, 0.3, 0.1, 0.05, 0.1),
  angry: traits(0.2, 0.3, 0.5, 0.05, 0.6, 0.2, 0.9, 0.95, 0.0, 0.1, 0.6),
  anxious: traits(0.5, 0.6, 0.4, 0.7, 0.5, 0.5, 0.1, 0.4, 0.95, 0.5, 0.3),
  curious: traits(0.5, 0.9, 0.5, 0.5, 0.4, 0.95, 0.2, 0.1, 0.1, 0.1, 0.3),
  formal: traits(0.5, 0.6, 0.95, 0.9, 0.7, 0.3, 0.3, 0.05, 0.1, 0.1, 0.0),
  clipped: traits(0.4, 0.5, 0.1, 0.1, 0.05, 0.1, 0.3, 0.1, 0.3, 0.05, 0.95),
  haggler: traits(0.3, 0.95, 0.4, 0.4, 0.4, 0.5, 0.95, 0.3, 0.05, 0.1, 0.3),
};

const clip = (x: number) => Math.min(1, Math.max(0, x));

/** A person around a centre: every trait with normal noise, clipped to 0..1. */
export function around(centre: Traits, noise: number, random: Random): Traits {
  return Object.fromEntries(
    TRAIT_NAMES.map((name) => [name, clip(centre[name] + noise * random.normal())]),
  ) as unknown as Traits;
}

/** share = 0: a; share = 1: b. */
export function between(a: Traits, b: Traits, share: number): Traits {
  return Object.fromEntries(
    TRAIT_NAMES.map((name) => [name, a[name] + share * (b[name] - a[name])]),
  ) as unknown as Traits;
}

/** One of the kinds, by weight (equal where none are given). */
export function drawPerson(
  random: Random,
  noise = 0.1,
  weights: Readonly<Record<string, number>> = {},
): Traits {
  const kinds = Object.entries(ARCHETYPES);
  const weighed = Object.keys(weights).length > 0;
  const weightOf = (kind: string) => (weighed ? (weights[kind] ?? 0) : 1);
  let left = random.next() * kinds.reduce((sum, [kind]) => sum + weightOf(kind), 0);
  for (const [kind, centre] of kinds) {
    left -= weightOf(kind);
    if (left < 0) return around(centre, noise, random);
  }
  return around(kinds.at(-1)![1], noise, random);
}
