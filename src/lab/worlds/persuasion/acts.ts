import { PERSUADEE_ACTS, PERSUADER_ACTS, type PersuaderAct } from '../../people/acts.ts';

/** Dollars of each decision, the payment of Persuasion for Good being two. */
export const AMOUNTS = [0, 0.1, 0.25, 0.5, 1, 2] as const;
export const DECISIONS = ['give-0', 'give-0.10', 'give-0.25', 'give-0.50', 'give-1', 'give-2'] as const;

export const AGENT_ACTS: readonly string[] = PERSUADER_ACTS;
/** What a user says while the dialogue goes on, then `leave`, then the decisions. */
export const USER_ACTS: readonly string[] = [...PERSUADEE_ACTS, 'leave', ...DECISIONS];

/** Acts after which the dialogue goes on. */
export const REPLIES = PERSUADEE_ACTS.length;
/**
 * Walking out, donating nothing. An act of its own, not a count of refusals: its chance is then in the law, exact at
 * every history, and a refusal stays what it is among people, something one may come back from.
 */
export const LEAVE = REPLIES;
export const FIRST_DECISION = LEAVE + 1;

export const APPEALS = ['logic', 'emotion', 'source', 'rapport'] as const;

/** Which appeal a strategy makes; those not named make none. */
const APPEAL: Partial<Record<PersuaderAct, (typeof APPEALS)[number]>> = {
  logic: 'logic',
  information: 'logic',
  emotion: 'emotion',
  personal: 'emotion',
  credibility: 'source',
  rapport: 'rapport',
  inquire: 'rapport',
  greet: 'rapport',
};

/** By agent act: index in APPEALS, -1 = none. */
export const APPEAL_OF: Int8Array = Int8Array.from(PERSUADER_ACTS, (act) => {
  const appeal = APPEAL[act];
  return appeal === undefined ? -1 : APPEALS.indexOf(appeal);
});

const agentAct = (act: PersuaderAct) => PERSUADER_ACTS.indexOf(act);
export const CLOSE = agentAct('close');
export const PROPOSE = agentAct('propose');
export const ASK_AMOUNT = agentAct('ask-amount');
export const FOOT_IN_DOOR = agentAct('foot-in-door');
