export const AGENT_ACTS = [
  'ask-goal',
  'ask-identity',
  'ask-order',
  'ask-detail',
  'look-up',
  'explain',
  'confirm-plan',
  'ask-code',
  'do-cancel',
  'do-refund',
  'do-exchange',
  'do-address',
  'deny',
  'offer-alternative',
  'apologise',
  'close',
] as const;

export const USER_ACTS = [
  'tell-all',
  'state-goal',
  'hint',
  'give-identity',
  'give-order',
  'give-wrong-order',
  'give-detail',
  'not-sure',
  'correct-self',
  'change-goal',
  'accept',
  'push-back',
  'insist',
  'ask-back',
  'thanks',
  'complain',
  'tool-done',
  'leave',
] as const;

export type AgentAct = (typeof AGENT_ACTS)[number];
export type UserAct = (typeof USER_ACTS)[number];

const indexes = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name, at) => [name, at])) as Readonly<Record<Name, number>>;

/** Place of each act by name. */
export const AGENT = indexes(AGENT_ACTS);
export const USER = indexes(USER_ACTS);

/** What calms somebody who is turned down, in the order of a user's affinities. */
export const APPEALS = ['explanation', 'apology', 'alternative'] as const;
