import { describe, expect, it } from 'vitest';
import { pairedFigure, seedFigure } from '../../../src/lab/stage-zero/index.ts';
import { type Random, seeded } from '../../../src/math/random.ts';

const RUNS = 2000;
const laws: Readonly<Record<string, { mean: number; draw: (random: Random) => number }>> = {
  normal: { mean: 0, draw: (random) => random.normal() },
  uniform: { mean: 0.5, draw: (random) => random.next() },
  // A seed's success over a panel: 6 simulators, 48 dialogues each, with a policy that differs by seed.
  success: {
    mean: 0.75,
    draw: (random) => {
      const p = 0.6 + 0.3 * random.next();
      let won = 0;
      for (let i = 0; i < 288; i++) won += random.next() < p ? 1 : 0;
      return won / 288;
    },
  },
};

/** Runs that find a way, or do not: one in `oneIn` does. */
const twoWays = (oneIn: number, random: Random) =>
  (random.integer(oneIn) === 0 ? 0.95 : 0.5) + 0.05 * random.normal();

describe('a mean over seeds', () => {
  it.each([
    [2, 15],
    [2, 20],
    [5, 15],
    [5, 20],
  ])(
    'holds the truth nearly as often where one run in %i finds a way that others do not: %i seeds',
    (oneIn, n) => {
      const random = seeded(`seed figure/two ways/${oneIn}/${n}`);
      const truth = 0.5 + 0.45 / oneIn;
      let held = 0;
      for (let run = 0; run < RUNS; run++) {
        const { low, high } = seedFigure(Array.from({ length: n }, () => twoWays(oneIn, random)));
        if (low! <= truth && truth <= high!) held += 1;
      }
      expect(held / RUNS).toBeGreaterThanOrEqual(0.91);
      expect(held / RUNS).toBeLessThanOrEqual(0.98);
    },
  );

  it('is approximate below 15 seeds', () => {
    const few = Array.from({ length: 14 }, (_, i) => i);
    expect(seedFigure(few).approximate).toBe(true);
    expect(seedFigure([...few, 14]).approximate).toBeUndefined();
  });

  it.each(Object.keys(laws).flatMap((name) => [3, 5, 20].map((n) => [name, n] as const)))(
    'has an interval that holds the truth in 92 to 98 of 100 cases: %s, %i seeds',
    (name, n) => {
      const { mean, draw } = laws[name]!;
      const random = seeded(`seed figure/${name}/${n}`);
      let held = 0;
      for (let run = 0; run < RUNS; run++) {
        const { low, high } = seedFigure(Array.from({ length: n }, () => draw(random)));
        if (low! <= mean && mean <= high!) held += 1;
      }
      expect(held / RUNS).toBeGreaterThanOrEqual(0.92);
      expect(held / RUNS).toBeLessThanOrEqual(0.98);
    },
  );

  it('of nothing is missing, and of equal values a point', () => {
    expect(seedFigure([])).toMatchObject({ value: null, low: null, reason: 'no seed has a value' });
    expect(seedFigure([0.5, 0.5, 0.5])).toMatchObject({ value: 0.5, low: 0.5, high: 0.5 });
  });

  it('of differences takes the seeds that both have, in any order', () => {
    const one = new Map([
      [3, 0.9],
      [1, 0.5],
      [2, 0.7],
      [9, 0],
    ]);
    const other = new Map([
      [1, 0.4],
      [2, 0.5],
      [3, 0.6],
    ]);
    const found = pairedFigure(one, other);
    expect(found).toMatchObject({ n: 3, method: 'paired-t-seed(n=3)' });
    expect(found.value).toBeCloseTo(0.2, 12);
    expect(found).toEqual(pairedFigure(new Map([...one].reverse()), other));
    expect(pairedFigure(one, new Map())).toMatchObject({ value: null, reason: 'no seed has both' });
    expect(pairedFigure(one, new Map([...other, [9, null]]))).toMatchObject({
      value: null,
      n: 3,
      reason: '1 of 4 seeds have no value',
    });
  });
});
