import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hiddenLoss } from '../../src/loop/hidden-loss.ts';
import { clopperPearson, seeded } from '../../src/math/index.ts';
import { type Tally, tallyOf } from '../../src/metrics/index.ts';

const LEVEL = 0.05 / 18;
const HALF = { contexts: 50, rows: 1 };

/** A row a context: `shown` says its mode. */
const rows = (
  k: number,
  contexts: number,
  shown: (context: number) => number,
  unit = (c: number) => c,
): Tally => {
  const all = Array.from({ length: contexts }, (_, c) => c);
  return tallyOf({ k, unit: all.map(unit), cell: all.map(shown), outside: all.map(() => false) });
};
const alike = (k: number) => new Float64Array(k).fill(1 / k);

/** Episodes of a few modes with few rows a context, some off support: two populations that share most of them. */
const pairs = fc
  .record({
    k: fc.integer({ min: 1, max: 6 }),
    contexts: fc.integer({ min: 1, max: 30 }),
    perContext: fc.integer({ min: 1, max: 3 }),
    changed: fc.double({ min: 0, max: 1, noNaN: true }),
    seed: fc.integer(),
  })
  .map(({ k, contexts, perContext, changed, seed }) => {
    const random = seeded(`hidden/${seed}`);
    const place = () => Math.floor(random.next() ** 2 * k);
    const listed = Array.from({ length: contexts * perContext }, (_, at) => {
      const cell = place();
      const unit = at % contexts;
      const now = random.next() < changed ? place() : cell;
      return { unit, cell, now, outside: random.next() < 0.1, off: random.next() < 0.1 };
    });
    return { k, listed };
  });
type Listed = { unit: number; cell: number; now: number; outside: boolean; off: boolean };
const both = (k: number, listed: readonly Listed[]) => {
  const unit = listed.map((row) => row.unit);
  return [
    tallyOf({ k, unit, cell: listed.map(({ now }) => now), outside: listed.map(({ off }) => off) }),
    tallyOf({ k, unit, cell: listed.map(({ cell }) => cell), outside: listed.map(({ outside }) => outside) }),
  ] as const;
};

describe('what one mode can hide', () => {
  it('is nothing to speak of where both populations show every mode in many contexts', () => {
    const population = rows(4, 100, (c) => c % 4);
    expect(hiddenLoss(population, population, alike(4), HALF, LEVEL)).toBeLessThan(0.01);
    const more = rows(4, 400, (c) => c % 4);
    expect(hiddenLoss(more, more, alike(4), { contexts: 200, rows: 1 }, LEVEL)).toBeLessThan(1e-9);
  });

  it('is most of the weight of a mode that neither has shown', () => {
    const population = rows(4, 100, (c) => c % 3);
    const weights = [0.1, 0.1, 0.1, 0.7];
    // None lost in 100 contexts: up to a share of .07 may be, which half of them cover with chance .87.
    const share = clopperPearson(0, 100, 1 - (2 * LEVEL) / 3)[1];
    const covered = 1 - (1 - share) ** 50 - 50 * share * (1 - share) ** 49;
    expect(covered).toBeGreaterThan(0.8);
    expect(hiddenLoss(population, population, weights, HALF, LEVEL)).toBeCloseTo(0.7 * covered, 12);
  });

  it('falls with contexts, and grows with the weight of the mode and with a stricter level', () => {
    const of = (contexts: number, weight: number, level: number) => {
      const population = rows(4, contexts, (c) => c % 3);
      return hiddenLoss(population, population, [0.1, 0.1, 0.1, weight], HALF, level);
    };
    expect(of(400, 0.5, LEVEL)).toBeLessThan(of(100, 0.5, LEVEL));
    expect(of(100, 0.6, LEVEL)).toBeGreaterThan(of(100, 0.5, LEVEL));
    expect(of(100, 0.5, LEVEL / 10)).toBeGreaterThan(of(100, 0.5, LEVEL));
  });

  it('does not count what a jackknife sees: a mode that is lost in five contexts', () => {
    const best = rows(2, 100, (c) => (c < 5 ? 1 : 0));
    const four = rows(2, 100, (c) => (c === 4 ? 1 : 0));
    const none = rows(2, 100, () => 0);
    expect(hiddenLoss(none, best, alike(2), HALF, LEVEL)).toBeLessThan(0.01);
    expect(hiddenLoss(four, best, alike(2), HALF, LEVEL)).toBeGreaterThan(0.05);
  });

  it('is no loss where the proposed population shows a mode more, in contexts enough to tell', () => {
    const best = rows(2, 100, () => 0);
    for (const more of [5, 20, 60])
      expect(
        hiddenLoss(
          rows(2, 100, (c) => (c < more ? 1 : 0)),
          best,
          [0, 1],
          HALF,
          LEVEL,
        ),
      ).toBe(0);
  });

  it('is nothing for modes without weight, and of one mode that both show everywhere', () => {
    const population = rows(3, 40, () => 0);
    expect(hiddenLoss(population, population, [1, 0, 0], HALF, LEVEL)).toBeLessThan(1e-9);
    expect(hiddenLoss(population, population, [0, 0, 0], HALF, LEVEL)).toBe(0);
    const single = rows(1, 40, () => 0);
    expect(hiddenLoss(single, single, [1], HALF, LEVEL)).toBeLessThan(1e-9);
  });

  it('does not count rows off support as showing their mode', () => {
    const contexts = Array.from({ length: 100 }, (_, c) => c);
    const off = tallyOf({
      k: 2,
      unit: contexts,
      cell: contexts.map((c) => c % 2),
      outside: contexts.map((c) => c % 2 === 1),
    });
    const never = rows(2, 100, () => 0);
    const of = (population: Tally) => hiddenLoss(population, population, [0, 1], HALF, LEVEL);
    expect(of(off)).toBe(of(never));
  });

  it('has no bound where the two populations were met in no context together', () => {
    const [here, there] = [
      rows(2, 20, (c) => c % 2),
      rows(
        2,
        20,
        (c) => c % 2,
        (c) => 100 + c,
      ),
    ];
    const none = tallyOf({ k: 2, unit: [], cell: [], outside: [] });
    for (const other of [there, none]) {
      expect(hiddenLoss(here, other, alike(2), HALF, LEVEL)).toBe(1);
      expect(hiddenLoss(other, here, alike(2), HALF, LEVEL)).toBe(1);
    }
  });

  it('is from 0 to the largest weight, for any populations that met a context together, one context among them', () => {
    fc.assert(
      fc.property(
        pairs,
        fc.array(fc.double({ min: 0, max: 3, noNaN: true }), { minLength: 6, maxLength: 6 }),
        fc.integer({ min: 2, max: 40 }),
        fc.integer({ min: 1, max: 4 }),
        fc.double({ min: 1e-9, max: 0.2, noNaN: true }),
        ({ k, listed }, weights, contexts, perContext, level) => {
          const [proposed, other] = both(k, listed);
          const most = hiddenLoss(proposed, other, weights, { contexts, rows: perContext }, level);
          expect(most).toBeGreaterThanOrEqual(0);
          expect(most).toBeLessThanOrEqual(Math.max(...weights.slice(0, k)) + 1e-12);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('hangs on no order of rows, and on no name of a context or a mode', () => {
    fc.assert(
      fc.property(pairs, fc.integer(), ({ k, listed }, seed) => {
        const weights = Array.from({ length: k }, (_, mode) => (mode + 1) / k);
        const of = (given: readonly Listed[], weigh: readonly number[]) =>
          hiddenLoss(...both(k, given), weigh, { contexts: 10, rows: 1 }, LEVEL);
        const plain = of(listed, weights);
        const random = seeded(`order/${seed}`);
        const shuffled = listed
          .map((row) => ({ row, at: random.next() }))
          .sort((a, b) => a.at - b.at)
          .map(({ row }) => row);
        expect(of(shuffled, weights)).toBe(plain);
        expect(
          of(
            listed.map((row) => ({ ...row, unit: 500 - 7 * row.unit })),
            weights,
          ),
        ).toBe(plain);
        const turned = (mode: number) => (mode + 1) % k;
        const moved = listed.map((row) => ({ ...row, cell: turned(row.cell), now: turned(row.now) }));
        const reweighed = weights.map((_, mode) => weights[(mode + k - 1) % k]!);
        expect(of(moved, reweighed)).toBe(plain);
      }),
      { numRuns: 40 },
    );
  });
});
