import { CONTEXTS, USERS } from './act-dialogue.ts';
import { type ActCounts, type Law, lawOf, type Smoothing } from './act-law.ts';
import { tiltedLaw } from './act-mixture.ts';

export interface Estimate {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

/** Fitted numbers about a population of persuadees: counts and estimates, no text. */
export interface PeopleTable {
  readonly seed: string;
  readonly n: { readonly dialogues: number; readonly people: number; readonly turns: number };
  /** Counts of PERSUADEE_ACTS by third: early, middle, late. */
  readonly thirds: readonly (readonly number[])[];
  /** [context, counts of PERSUADEE_ACTS]: contexts that occurred only. */
  readonly followed: readonly (readonly [number, readonly number[]])[];
  readonly smoothing: Smoothing;
  /** Held-out log-likelihood per turn by model, and its gain over `frequencies`. */
  readonly goodness: readonly {
    readonly model: string;
    readonly perTurn: Estimate;
    readonly gain: Estimate;
  }[];
  /** Held-out log-likelihood per turn by number of types at its best shrinkage, and its gain over one type. */
  readonly typeCounts: readonly {
    readonly types: number;
    readonly shrink: number;
    readonly perTurn: Estimate;
    readonly gain: Estimate;
  }[];
  readonly types: readonly {
    /** Of people; sum to 1 but for rounding. */
    readonly share: number;
    /** Factors on PERSUADEE_ACTS. */
    readonly tilts: readonly number[];
    /** Share of its dialogues (weighted by posterior) with a donation above 0. */
    readonly donated: Estimate;
  }[];
  readonly donation: {
    /** All dialogues with a recorded donation: counts by DONATION_GRID. */
    readonly n: number;
    readonly people: number;
    readonly counts: readonly number[];
    /** Dialogues that record both: stated and actual amounts, by bin of DONATION_GRID, and both above 0. */
    readonly both: number;
    readonly intended: readonly number[];
    readonly actual: readonly number[];
    readonly keptOfPromised: { readonly promised: number; readonly kept: number };
  };
  /** Log odds of a donation above 0 per 0.1 of the turns (acts), and per type against the first; null: no fit. */
  readonly link: {
    readonly n: number;
    readonly donated: number;
    readonly alone: Readonly<Record<string, Estimate | null>>;
    readonly together: Readonly<Record<string, Estimate | null>>;
    readonly types: readonly (Estimate | null)[];
  };
}

export function countsOf(table: Pick<PeopleTable, 'followed'>): ActCounts {
  const counts = new Float64Array(CONTEXTS * USERS);
  for (const [context, acts] of table.followed) counts.set(acts, context * USERS);
  return counts;
}

/** P(act | persuader's last act, own last act) of each type of people, in the order of `table.types`. */
export function typeLaws(table: Pick<PeopleTable, 'followed' | 'smoothing' | 'types'>): Law[] {
  const base = lawOf(countsOf(table), 'both', table.smoothing);
  return table.types.map(({ tilts }) => tiltedLaw(base, tilts));
}
