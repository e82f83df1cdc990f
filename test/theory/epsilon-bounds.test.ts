import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { historyErrors, lawErrors } from '../../src/metrics/index.ts';

const anyLaw = fc
  .array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 6 })
  .filter((raw) => raw.some((x) => x > 0))
  .map((raw) => {
    const total = raw.reduce((sum, x) => sum + x, 0);
    return raw.map((x) => x / total);
  });

/** Every list of m replies over the classes of a law, with its chance. */
function* draws(law: readonly number[], m: number): Generator<{ classes: number[]; chance: number }> {
  if (m === 0) {
    yield { classes: [], chance: 1 };
    return;
  }
  for (const rest of draws(law, m - 1))
    for (const [c, p] of law.entries())
      if (p > 0) yield { classes: [...rest.classes, c], chance: rest.chance * p };
}

function expected(law: readonly number[], m: number, of: (classes: number[]) => number): number {
  let sum = 0;
  for (const { classes, chance } of draws(law, m)) sum += chance * of(classes);
  return sum;
}

describe('epsilon and G2', () => {
  it('of one law: 1 - sqrt(1 - G2) <= epsilon <= G2', () => {
    fc.assert(
      fc.property(anyLaw, (law) => {
        const { epsilon, disagreement } = lawErrors(law);
        expect(epsilon).toBeLessThanOrEqual(disagreement + 1e-12);
        expect(epsilon).toBeGreaterThanOrEqual(1 - Math.sqrt(Math.max(0, 1 - disagreement)) - 1e-12);
      }),
      { numRuns: 500 },
    );
  });

  it('of means over histories, with any weights', () => {
    const histories = fc.array(fc.tuple(anyLaw, fc.double({ min: 0.01, max: 1, noNaN: true })), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(histories, (list) => {
        const total = list.reduce((sum, [, weight]) => sum + weight, 0);
        const mean = (of: (law: number[]) => number) =>
          list.reduce((sum, [law, weight]) => sum + (weight / total) * of(law), 0);
        const epsilon = mean((law) => lawErrors(law).epsilon);
        const disagreement = mean((law) => lawErrors(law).disagreement);
        expect(epsilon).toBeLessThanOrEqual(disagreement + 1e-12);
        expect(epsilon).toBeGreaterThanOrEqual(1 - Math.sqrt(Math.max(0, 1 - disagreement)) - 1e-12);
      }),
      { numRuns: 300 },
    );
  });

  it('meet at both ends: G2 = epsilon for equal classes, and the lower bound for many rare ones beside the mode', () => {
    const even = lawErrors([0.25, 0.25, 0.25, 0.25]);
    expect(even.epsilon).toBeCloseTo(even.disagreement, 12);
    const rare = lawErrors([0.7, ...new Array<number>(3000).fill(0.3 / 3000)]);
    expect(1 - Math.sqrt(1 - rare.disagreement)).toBeCloseTo(rare.epsilon, 4);
  });

  it('is a statement on laws, not on estimates: eight replies of two classes, four each, leave it', () => {
    const { disagreement, leaveOneOut } = historyErrors([0, 0, 0, 0, 1, 1, 1, 1]);
    expect(leaveOneOut).toBeGreaterThan(disagreement);
  });
});

describe('estimates from m replies at one history', () => {
  const laws = [
    [0.6, 0.4],
    [0.5, 0.3, 0.2],
    [0.7, 0.1, 0.1, 0.1],
    [0.34, 0.33, 0.33],
  ];

  it.each(laws.map((law) => [law]))(
    'have G2 as the mean of disagreeing pairs, for every m >= 2 (law %j)',
    (law) => {
      for (const m of [2, 3, 5, 6])
        expect(expected(law, m, (classes) => historyErrors(classes).disagreement)).toBeCloseTo(
          lawErrors(law).disagreement,
          12,
        );
    },
  );

  it.each(laws.map((law) => [law]))(
    'hold epsilon between the means of plug-in and leave-one-out (law %j)',
    (law) => {
      const { epsilon } = lawErrors(law);
      for (const m of [2, 4, 6, 7]) {
        expect(expected(law, m, (classes) => historyErrors(classes).plugIn)).toBeLessThanOrEqual(
          epsilon + 1e-12,
        );
        expect(expected(law, m, (classes) => historyErrors(classes).leaveOneOut)).toBeGreaterThanOrEqual(
          epsilon - 1e-12,
        );
      }
    },
  );

  it('of a split sample at m = 4 are the disagreeing pairs themselves', () => {
    for (const { classes } of draws([0.25, 0.25, 0.25, 0.25], 4)) {
      // Top class of two replies, of two equal ones either; its error on the other two; over all splits.
      let [error, splits] = [0, 0];
      for (let i = 0; i < 4; i++)
        for (let j = i + 1; j < 4; j++) {
          const others = classes.filter((_, at) => at !== i && at !== j);
          for (const top of [classes[i]!, classes[j]!])
            error += others.filter((c) => c !== top).length / 2 / 2;
          splits += 1;
        }
      expect(error / splits).toBeCloseTo(historyErrors(classes).disagreement, 12);
    }
  });
});
