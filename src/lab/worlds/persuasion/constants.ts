import type { PersuaderAct } from '../../people/acts.ts';

/**
 * Set by hand, all of it: Persuasion for Good says which acts people do, not what moves them (docs/people.md). The
 * unit of an inclination is that of the ordered logit of the decision, before SENSITIVITY.
 */

/** Inclination of a user of trust 1 before a word is said; of trust 0 it is the negative. */
export const FIRST_INCLINATION = 0.8;
/** What a fresh appeal of full affinity adds to the inclination, in a dialogue of ten turns. */
export const STRENGTH: Partial<Record<PersuaderAct, number>> = {
  logic: 0.8,
  information: 0.65,
  emotion: 0.8,
  personal: 0.7,
  credibility: 0.8,
  rapport: 0.7,
  inquire: 0.5,
  greet: 0.2,
};
/** Each use of an appeal leaves this much of its effect to the next. */
export const KEPT = 0.85;
/** A small request: what it adds at first to a user of full trust, and takes from one of none. */
export const SMALL_REQUEST = 0.5;
/** A first request to an inclined user: it is asked for, so it is considered. */
export const REQUEST = 0.4;
/** A request while disinclined, or after GENEROUS_REQUESTS others, takes this from an impatient user. */
export const PRESSED = 0.5;
export const REQUESTS_BORNE = 2;
/** Nobody asked for a donation: what that takes at the end. */
export const UNASKED = 1.2;
/** Inclinations stay within this either way. */
export const BOUND = 4;

/** Irritation by one pressing request, and by one more use of a strategy used REPEATS times. */
export const IRRITATED = 1;
export const BORED = 0.4;
export const REPEATS = 3;
/** What a turn leaves of irritation. */
export const CALMED = 0.8;
/** Log odds of leaving in a turn: at ease, and for each unit of irritation of a user without patience. */
export const LEAVING = -6;
export const LEAVING_IRRITATED = 2;

/** Log tilt of a reply by inclination and by liking of the last appeal, of a user of middling disclosure. */
export const SHOWN_INCLINATION = 0.35;
export const SHOWN_LIKING = 1.3;

/** Log odds of giving more for each unit of inclination. */
export const SENSITIVITY = 1.4;

/** Turns of the dialogues that all this is said of; longer ones move as much in more steps. */
export const USUAL_TURNS = 10;
