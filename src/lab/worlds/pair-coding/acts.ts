/** The agent's acts. From `edit-own` to `run-tests` they are tool calls. */
export const AGENT_ACTS = [
  'share-plan',
  'ask-plan',
  'claim-explain',
  'claim-trade',
  'claim-ask',
  'yield-overlap',
  'ask-status',
  'acknowledge',
  'warn-conflict',
  'done',
  'edit-own',
  'edit-overlap',
  'pull',
  'adapt',
  'push',
  'run-tests',
] as const;

export const A = {
  sharePlan: 0,
  askPlan: 1,
  claimExplain: 2,
  claimTrade: 3,
  claimAsk: 4,
  yield: 5,
  askStatus: 6,
  acknowledge: 7,
  warn: 8,
  done: 9,
  editOwn: 10,
  editOverlap: 11,
  pull: 12,
  adapt: 13,
  push: 14,
  runTests: 15,
} as const;

/** Acts that are messages come first. */
export const AGENT_MESSAGES = 10;

/** The partner's acts. The last three are edits that it tells nobody about. */
export const PARTNER_ACTS = [
  'share-plan',
  'ask-plan',
  'claim',
  'yield',
  'refuse-claim',
  'acknowledge',
  'vague',
  'report-edit',
  'ask-to-wait',
  'warn',
  'change-plan',
  'thanks',
  'adapt',
  'done',
  'leave',
  'edit-own',
  'edit-overlap',
  'break-promise',
] as const;

export const P = {
  sharePlan: 0,
  askPlan: 1,
  claim: 2,
  yield: 3,
  refuse: 4,
  acknowledge: 5,
  vague: 6,
  report: 7,
  wait: 8,
  warn: 9,
  changePlan: 10,
  thanks: 11,
  adapt: 12,
  done: 13,
  leave: 14,
  editOwn: 15,
  editOverlap: 16,
  breakPromise: 17,
} as const;

/** Silent edits look alike to the agent, and nobody acts after `leave`: both take its number. */
export const QUIET = P.leave;
/** Kinds of partner turns that the agent can tell apart. */
export const SEEN_ACTS = QUIET + 1;

export const APPEALS = ['explain-why', 'offer-trade', 'ask-leave'] as const;
