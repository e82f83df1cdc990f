import { P, PARTNER_ACTS } from './acts.ts';

/** Ways of working: factors on the law's weights, 1 where nothing is said. */
const TABLES: readonly (readonly (readonly [number, number])[])[] = [
  // Even.
  [],
  // Talks about the work rather than doing it.
  [
    [P.sharePlan, 1.6],
    [P.report, 1.7],
    [P.warn, 1.5],
    [P.thanks, 1.8],
    [P.editOwn, 0.7],
    [P.editOverlap, 0.6],
  ],
  // Keeps its head down.
  [
    [P.editOwn, 2.2],
    [P.editOverlap, 1.8],
    [P.sharePlan, 0.5],
    [P.askPlan, 0.4],
    [P.thanks, 0.4],
    [P.wait, 0.5],
  ],
  // Settles who does what before anything else.
  [
    [P.claim, 2.2],
    [P.askPlan, 1.8],
    [P.warn, 1.6],
    [P.wait, 1.4],
    [P.editOverlap, 0.5],
  ],
  // Waits to be told, and hands back what it is given.
  [
    [P.yield, 2.4],
    [P.claim, 0.2],
    [P.acknowledge, 1.6],
    [P.askPlan, 1.5],
    [P.editOverlap, 0.25],
    [P.done, 0.8],
  ],
];

export const HABIT_COUNT = TABLES.length;

/** HABIT_COUNT rows of one factor an act. */
export const HABITS: Float64Array = new Float64Array(HABIT_COUNT * PARTNER_ACTS.length).fill(1);
TABLES.forEach((table, habit) => {
  for (const [act, factor] of table) HABITS[habit * PARTNER_ACTS.length + act] = factor;
});
