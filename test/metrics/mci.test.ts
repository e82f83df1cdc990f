import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seeded } from '../../src/math/random.ts';
import { concentrationDifference, effectiveModes, modeConcentration } from '../../src/metrics/mci.ts';
import { tallyOf } from '../../src/metrics/tally.ts';
import { drawPopulation, marginalLaw } from './simulated-population.ts';
import { anyRows, permuted, relabelled, repeated, shuffledIndexes, tally } from './tallies.ts';

describe('mode concentration', () => {
  it('counts coinciding pairs of rows from different contexts only', () => {
    // Pairs across contexts: 2 x 1 = 2, of which one coincides (the pair inside context 0 would coincide too).
    expect(modeConcentration(tally(3, [[0, 0], [0]])).value).toBe(1);
    expect(modeConcentration(tally(3, [[0, 1], [0]])).value).toBe(0.5);
    expect(
      modeConcentration(
        tally(3, [
          [0, 0],
          [1, 1],
        ]),
      ).value,
    ).toBe(0);
  });

  it('is null with fewer than two contexts and keeps its value without an interval below eight', () => {
    expect(modeConcentration(tally(3, [[0, 1, 2]]))).toMatchObject({
      value: null,
      reason: 'fewer than 2 contexts',
    });
    const few = modeConcentration(repeated(3, 7, [0, 1]));
    expect(few.value).toBeCloseTo(0.5, 12);
    expect(few).toMatchObject({ low: null, high: null, reason: 'fewer than 8 contexts' });
    expect(modeConcentration(repeated(3, 7, [0, 1]), { unitNoun: 'person' }).reason).toBe(
      'fewer than 8 persons',
    );
    expect(modeConcentration(repeated(3, 8, [0, 1])).low).not.toBeNull();
  });

  it('says approximate outside the tested regime', () => {
    expect(modeConcentration(repeated(2, 60, [0, 1])).approximate).toBeUndefined();
    expect(modeConcentration(repeated(2, 40, [0, 1])).approximate).toBe(true);
    expect(modeConcentration(repeated(60, 60, [0, 1])).approximate).toBe(true);
    const offMode = Array.from({ length: 60 }, (_, u) => (u < 19 ? [0, 1] : [0, 0]));
    expect(modeConcentration(tally(2, offMode)).approximate).toBe(true);
    offMode[30] = [0, 1];
    expect(modeConcentration(tally(2, offMode)).approximate).toBeUndefined();
  });

  it('names its method with contexts and groups', () => {
    expect(modeConcentration(repeated(2, 20, [0, 1])).method).toBe('jackknife-context(G=20)');
    expect(modeConcentration(repeated(2, 120, [0, 1])).method).toBe('jackknife-context(G=120, groups=50)');
  });

  it('stays the same when rows are permuted or cells relabelled', () => {
    fc.assert(
      fc.property(
        anyRows(4).chain((rows) =>
          fc.tuple(fc.constant(rows), shuffledIndexes(rows.cell.length), shuffledIndexes(4)),
        ),
        ([rows, order, cells]) => {
          const figure = modeConcentration(tallyOf(rows));
          expect(modeConcentration(tallyOf(permuted(rows, order)))).toEqual(figure);
          const other = modeConcentration(tallyOf(relabelled(rows, cells)));
          expect(other.value).toEqual(figure.value);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('lies in 0 .. 1 and turns into 1 .. K effective modes', () => {
    fc.assert(
      fc.property(anyRows(5), (rows) => {
        const figure = modeConcentration(tallyOf(rows));
        if (figure.value === null) return;
        expect(figure.value).toBeGreaterThanOrEqual(0);
        expect(figure.value).toBeLessThanOrEqual(1);
        const modes = effectiveModes(figure, 5);
        expect(modes.value).toBeGreaterThanOrEqual(1);
        expect(modes.value).toBeLessThanOrEqual(5);
        if (modes.low !== null) expect(modes.low).toBeLessThanOrEqual(modes.high!);
      }),
      { numRuns: 80 },
    );
  });

  it('is unbiased though rows of one context are alike', () => {
    const spec = {
      laws: [
        [0.5, 0.3, 0.2],
        [0.1, 0.2, 0.7],
      ],
      topic: [0.2, 0.2, 0.6],
      shared: 0.3,
      looseness: 1,
      contexts: 9,
      rows: 4,
    };
    const random = seeded('unbiased');
    const values: number[] = [];
    const differences: number[] = [];
    for (let set = 0; set < 3000; set++) {
      const [a, b] = drawPopulation(spec, random);
      values.push(modeConcentration(a!).value!);
      differences.push(concentrationDifference(a!, b!).value!);
    }
    const square = (i: number) => marginalLaw(spec, i).reduce((sum, p) => sum + p * p, 0);
    expect(distance(values, square(0))).toBeLessThan(4);
    expect(distance(differences, square(0) - square(1))).toBeLessThan(4);
  });
});

describe('difference of two concentrations', () => {
  it('lets what shared contexts have in common cancel', () => {
    const random = seeded('paired');
    const cells = Array.from({ length: 40 }, () => [random.integer(4), random.integer(4)]);
    const own = tally(4, cells);
    const same = concentrationDifference(own, own);
    expect(same).toMatchObject({ value: 0, low: 0, high: 0 });
  });

  it('adds variances where no context is shared', () => {
    const random = seeded('apart');
    const draw = (from: number) =>
      tally(
        4,
        Array.from({ length: from + 30 }, (_, u) => (u < from ? [] : [random.integer(3), random.integer(4)])),
      );
    const [a, b] = [draw(0), draw(30)];
    const difference = concentrationDifference(a, b);
    const [x, y] = [modeConcentration(a), modeConcentration(b)];
    expect(difference.value).toBeCloseTo(x.value! - y.value!, 12);
    expect(difference.se).toBeCloseTo(Math.hypot(x.se!, y.se!), 12);
    expect(difference.method).toBe('jackknife-context(G=30; G=30)');
    expect(difference.df).toBeGreaterThan(29);
  });

  it('changes sign with the order', () => {
    const [a, b] = [repeated(4, 12, [0, 1]), repeated(4, 12, [0, 0, 2])];
    const [ab, ba] = [concentrationDifference(a, b), concentrationDifference(b, a)];
    expect(ab.value).toBeCloseTo(-ba.value!, 12);
    expect(ab.se).toBeCloseTo(ba.se!, 12);
  });
});

/** Distance of the mean from `truth` in standard errors. */
function distance(values: readonly number[], truth: number): number {
  const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
  const variance = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (values.length - 1);
  return Math.abs(mean - truth) / Math.sqrt(variance / values.length);
}
