/** The arms of stage zero, in the order of every table. */
export const ARMS = ['base', 'single', 'ensemble-3', 'vs', 'co-training', 'collapse-aware'];

/** What the others are compared with: the strongest published method, and so the one that a claim must beat. */
export const YARDSTICK = 'co-training';

/** The arm under test. */
export const OURS = 'collapse-aware';

/** Nothing is trained in it. */
export const UNTRAINED = 'base';

export const isTrained = (arm) => arm !== UNTRAINED;
