import { USER, USER_ACTS, type UserAct } from './acts.ts';

/** Ways of talking beside the traits: factors on the weights of acts; what is not named has 1. */
const TABLE: readonly Partial<Record<UserAct, number>>[] = [
  {},
  // Asks before it answers.
  { 'ask-back': 3, 'tell-all': 0.4 },
  // Argues and complains.
  { complain: 3.5, insist: 2, 'push-back': 1.5 },
];

export const HABIT_COUNT = TABLE.length;

/** Row-major habits x acts. */
export const HABITS: Float64Array = (() => {
  const flat = new Float64Array(HABIT_COUNT * USER_ACTS.length).fill(1);
  TABLE.forEach((row, habit) => {
    for (const [act, factor] of Object.entries(row))
      flat[habit * USER_ACTS.length + USER[act as UserAct]] = factor;
  });
  return flat;
})();
