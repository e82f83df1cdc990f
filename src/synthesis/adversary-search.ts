import { CollapseAwareError } from '../errors.ts';
import { seeded } from '../math/random.ts';
import { mean } from '../math/summary.ts';
import type { Figure } from '../metrics/figure.ts';
import { expectArgument, expectList } from './argument.ts';
import { checkFloor } from './gap-verification.ts';
import { lowerEnd, reaches } from './row-share.ts';

/** Recipes as vectors: a base (one of several), and numbers from 0 to 1 whose meaning is the caller's. */
export interface SearchSpace {
  /** Ids of what a recipe is made of; different, at least one. */
  readonly bases: readonly string[];
  /** Names of the numbers; different. */
  readonly numbers: readonly string[];
}

export interface SearchCandidate {
  /** The same in every proposal of one state. */
  readonly id: string;
  /** From 1. */
  readonly generation: number;
  readonly base: string;
  readonly numbers: Readonly<Record<string, number>>;
}

/** A candidate that was played. */
export interface ScoredCandidate {
  readonly candidate: SearchCandidate;
  /** What the policy can still learn on it (learnability or regret); higher is better; null = not known. */
  readonly score: number | null;
  readonly realism: Figure;
}

/** JSON: written down and read again, the search goes on as if it had never stopped. */
export interface SearchState {
  readonly schema: typeof SEARCH_SCHEMA;
  readonly space: SearchSpace;
  readonly seed: number | string;
  /** Generations that were told. */
  readonly generation: number;
  /** Share of each base in the next draws, in the order of `space.bases`. */
  readonly shares: readonly number[];
  /** Of the normal law that each number is drawn from, cut to 0 .. 1. */
  readonly centre: readonly number[];
  readonly deviation: readonly number[];
  /** The best that was eligible; null = none so far. */
  readonly best: EligibleCandidate | null;
  readonly history: readonly Generation[];
}

export interface EligibleCandidate {
  readonly candidate: SearchCandidate;
  readonly score: number;
  readonly realism: Figure;
}

/** What one generation told. */
export interface Generation {
  readonly generation: number;
  readonly told: number;
  readonly realismFloor: number;
  /** Refused because realism is not shown to reach the floor, and because there is no score. */
  readonly belowFloor: number;
  readonly unscored: number;
  readonly best: number | null;
  /** Mean score of the elite; null where nobody was eligible. */
  readonly elite: number | null;
}

export const SEARCH_SCHEMA = 'collapse-aware/adversary-search@1';

/** Share of the eligible that the next law is fitted to, and how far it moves there. */
const ELITE = 0.25;
const LEAST_ELITE = 2;
const STEP = 0.7;
/** No number is ever settled, and no base ever lost. */
const LEAST_DEVIATION = 0.05;
const LEAST_SHARE = 0.05;

/** @throws CA_USAGE for a space without a base, or with a name twice. */
export function newSearch(space: SearchSpace, seed: number | string): SearchState {
  const { bases, numbers } = space ?? {};
  expectList(bases, 'the bases of a search');
  expectList(numbers, 'the numbers of a search');
  if (bases.length === 0 || new Set(bases).size < bases.length || new Set(numbers).size < numbers.length)
    throw new CollapseAwareError('CA_USAGE', 'the search has no base, or one name twice', {
      todo: 'give at least one base, and every base and number a name of its own',
    });
  return {
    schema: SEARCH_SCHEMA,
    space: { bases: [...bases], numbers: [...numbers] },
    seed,
    generation: 0,
    shares: bases.map(() => 1 / bases.length),
    centre: numbers.map(() => 0.5),
    // Nearly flat over 0 .. 1, cut there.
    deviation: numbers.map(() => 0.5),
    best: null,
    history: [],
  };
}

const MOST_CANDIDATES = 100_000;

function expectState(state: SearchState): void {
  expectArgument(
    state?.schema === SEARCH_SCHEMA,
    `a search of the schema ${JSON.stringify(state?.schema) ?? 'none'}`,
    `give what \`newSearch\` or \`tell\` gave: ${SEARCH_SCHEMA}`,
  );
}

/** The next n candidates: a function of the state alone. @throws CA_USAGE */
export function propose(state: SearchState, n: number): readonly SearchCandidate[] {
  expectState(state);
  expectArgument(
    Number.isInteger(n) && n >= 0 && n <= MOST_CANDIDATES,
    `${n} candidates of a generation`,
    `give 0 to ${MOST_CANDIDATES}`,
  );
  const { space, seed, shares, centre, deviation } = state;
  const generation = state.generation + 1;
  return Array.from({ length: n }, (_, i) => {
    const random = seeded(`${seed}/adversary/${generation}/${i}`);
    const base = baseUnder(space.bases, shares, random.next());
    const numbers = Object.fromEntries(
      space.numbers.map((name, at) => {
        let value = centre[at]! + deviation[at]! * random.normal();
        while (!(value >= 0 && value <= 1)) value = centre[at]! + deviation[at]! * random.normal();
        return [name, value];
      }),
    );
    return { id: `adversary-${generation}.${i + 1}`, generation, base, numbers };
  });
}

/** The base under a number of [0, 1), by shares that sum to 1; the last one where rounding leaves a rest. */
function baseUnder(bases: readonly string[], shares: readonly number[], at: number): string {
  let left = at;
  for (const [i, share] of shares.entries()) {
    left -= share;
    if (left < 0) return bases[i]!;
  }
  return bases.at(-1)!;
}

/**
 * One generation of the cross-entropy method (Rubinstein 1999): the law of the next draws moves towards the elite, the
 * best quarter of those that are eligible. A candidate is eligible only if its realism is shown to reach the floor (lower
 * end of its interval) and its score is known, so that the search never climbs to whoever merely defeats the policy: that
 * one refuses everything. With fewer than two eligible the law stays as it is.
 * @throws CA_USAGE for candidates that this state did not propose, or twice; for a floor that is no share.
 */
export function tell(
  state: SearchState,
  scored: readonly ScoredCandidate[],
  realismFloor: number,
): SearchState {
  checkFloor(realismFloor);
  expectState(state);
  expectList(scored, 'the candidates that were scored');
  const { space } = state;
  const generation = state.generation + 1;
  const seen = new Set<string>();
  for (const { candidate } of scored) {
    if (
      candidate.generation !== generation ||
      seen.has(candidate.id) ||
      !space.bases.includes(candidate.base)
    )
      throw new CollapseAwareError(
        'CA_USAGE',
        `candidate '${candidate.id}' was not proposed in this generation`,
        {
          todo: 'tell each candidate of `propose` at most once',
        },
      );
    seen.add(candidate.id);
  }
  const realistic = scored.filter(({ realism }) => reaches(realism, realismFloor));
  const eligible = realistic
    .filter((one): one is EligibleCandidate => one.score !== null && Number.isFinite(one.score))
    // Ties by what they are, not by their place.
    .sort((a, b) => b.score - a.score || (vectorText(a.candidate) < vectorText(b.candidate) ? -1 : 1));
  const elite = eligible.slice(0, Math.max(LEAST_ELITE, Math.ceil(ELITE * eligible.length)));
  const top = eligible[0] ?? null;
  const best = top !== null && (state.best === null || top.score > state.best.score) ? top : state.best;
  const law = elite.length < LEAST_ELITE ? state : movedLaw(state, elite);
  return {
    ...state,
    generation,
    shares: law.shares,
    centre: law.centre,
    deviation: law.deviation,
    best,
    history: [
      ...state.history,
      {
        generation,
        told: scored.length,
        realismFloor,
        belowFloor: scored.length - realistic.length,
        unscored: realistic.length - eligible.length,
        best: top?.score ?? null,
        elite: elite.length === 0 ? null : mean(elite.map(({ score }) => score)),
      },
    ],
  };
}

type Law = Pick<SearchState, 'shares' | 'centre' | 'deviation'>;

function movedLaw(state: SearchState, elite: readonly EligibleCandidate[]): Law {
  const { bases, numbers } = state.space;
  const towards = (from: number, to: number) => from + STEP * (to - from);
  const shares = bases.map((base, at) => {
    const own = elite.filter(({ candidate }) => candidate.base === base).length / elite.length;
    return Math.max(LEAST_SHARE / bases.length, towards(state.shares[at]!, own));
  });
  const total = shares.reduce((sum, share) => sum + share, 0);
  const values = numbers.map((name) => elite.map(({ candidate }) => candidate.numbers[name]!));
  const centres = values.map((list) => mean(list));
  return {
    shares: shares.map((share) => share / total),
    centre: centres.map((centre, at) => towards(state.centre[at]!, centre)),
    deviation: values.map((list, at) => {
      const spread = Math.sqrt(mean(list.map((value) => (value - centres[at]!) ** 2)));
      return Math.max(LEAST_DEVIATION, towards(state.deviation[at]!, spread));
    }),
  };
}

const vectorText = ({ base, numbers, id }: SearchCandidate): string => JSON.stringify([base, numbers, id]);

/** The lower end that a candidate's realism is held to the floor by; for tables. */
export const shownRealism = ({ realism }: Pick<ScoredCandidate, 'realism'>): number | null =>
  lowerEnd(realism);
