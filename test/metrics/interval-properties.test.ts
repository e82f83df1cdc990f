import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bound,
  concentrationDifference,
  effectiveModes,
  type Figure,
  holmFamily,
  meanFigure,
  modeConcentration,
  pValue,
  tallyOf,
} from '../../src/metrics/index.ts';
import { expectScaled, expectSound, expectWithin } from './figures.ts';
import { anyRows } from './tallies.ts';

const values = fc.array(
  fc.integer({ min: -40, max: 40 }).map((x) => x / 4),
  { maxLength: 20, size: 'max' },
);
const mean = (list: readonly number[]): Figure =>
  meanFigure(list, { n: list.length, undefinedReason: 'no context' });

describe('mean over contexts', () => {
  it('follows shift, scale and mirror, and does not depend on the order', () => {
    fc.assert(
      fc.property(values, fc.constantFrom(-4, -1, 0.5, 2), (list, scale) => {
        const figure = mean(list);
        expectSound(figure);
        if (figure.value !== null) expectWithin(figure, Math.min(...list), Math.max(...list));
        expectScaled(mean([...list].reverse()), figure);
        expectScaled(mean(list.map((x) => scale * x)), figure, scale);
        const shifted = mean(list.map((x) => x + 16));
        if (figure.value !== null) expect(shifted.value).toBeCloseTo(figure.value + 16, 9);
        if (figure.se !== undefined) expect(shifted.se).toBeCloseTo(figure.se, 9);
      }),
      { numRuns: 80 },
    );
  });
});

describe('bounds and p-values', () => {
  it('bound lower and upper in mirror, wider for more certainty, and where the p-value says so', () => {
    fc.assert(
      fc.property(values, fc.double({ min: 0.6, max: 0.99, noNaN: true }), (list, level) => {
        const [figure, mirror] = [mean(list), mean(list.map((x) => -x))];
        const [low, high] = [bound(figure, 'lower', level), bound(figure, 'upper', level)];
        if (figure.se === undefined || low === null || high === null) {
          expect([low, high, pValue(figure)]).toEqual([null, null, null]);
          return;
        }
        expect(bound(mirror, 'upper', level)).toBeCloseTo(-low, 9);
        expect(low).toBeLessThanOrEqual(figure.value!);
        expect(high).toBeGreaterThanOrEqual(figure.value!);
        expect(bound(figure, 'lower', level + 0.005)).toBeLessThanOrEqual(low);
        if (figure.se === 0) return;
        expect(pValue(figure, low, 'greater')).toBeCloseTo(1 - level, 6);
        expect(pValue(figure, high, 'less')).toBeCloseTo(1 - level, 6);
      }),
      { numRuns: 80 },
    );
  });

  it('have p-values in 0 .. 1 whose sides add to one and turn with the sign', () => {
    fc.assert(
      fc.property(values, fc.integer({ min: -10, max: 10 }), (list, against) => {
        const [figure, mirror] = [mean(list), mean(list.map((x) => -x))];
        if (figure.se === undefined) return;
        const [more, less] = [pValue(figure, against, 'greater')!, pValue(figure, against, 'less')!];
        const two = pValue(figure, against)!;
        for (const p of [more, less, two]) {
          expect(p).toBeGreaterThanOrEqual(0);
          expect(p).toBeLessThanOrEqual(1);
        }
        if (figure.se > 0) expect(more + less).toBeCloseTo(1, 9);
        expect(pValue(mirror, -against, 'less')).toBeCloseTo(more, 9);
        expect(two).toBeCloseTo(Math.min(1, 2 * Math.min(more, less)), 9);
      }),
      { numRuns: 80 },
    );
  });

  it('are adjusted by Holm: never smaller, in the same order, null where there was none, whatever the order', () => {
    fc.assert(
      fc.property(fc.array(values, { maxLength: 6 }), (lists) => {
        const figures = lists.map(mean);
        const raw = figures.map((figure) => pValue(figure));
        const adjusted = holmFamily(figures);
        expect(holmFamily([...figures].reverse()).reverse()).toEqual(adjusted);
        raw.forEach((p, i) => {
          if (p === null) expect(adjusted[i]).toBeNull();
          else {
            expect(adjusted[i]).toBeGreaterThanOrEqual(p);
            expect(adjusted[i]).toBeLessThanOrEqual(1);
            raw.forEach((other, j) => {
              if (other !== null && other >= p) expect(adjusted[j]).toBeGreaterThanOrEqual(adjusted[i]!);
            });
          }
        });
      }),
      { numRuns: 80 },
    );
  });
});

describe('concentration', () => {
  it('has a difference that turns its sign, is 0 for equal rows and that of the two figures', () => {
    fc.assert(
      fc.property(anyRows(4), anyRows(4), (first, second) => {
        const [a, b] = [tallyOf(first), tallyOf(second)];
        const figure = concentrationDifference(a, b);
        expectSound(figure);
        expectWithin(figure, -1, 1);
        expectScaled(concentrationDifference(b, a), figure, -1);
        const same = concentrationDifference(a, a);
        if (same.value !== null) expect(same).toMatchObject({ value: 0, low: same.low && 0 });
        if (figure.value !== null)
          expect(figure.value).toBeCloseTo(modeConcentration(a).value! - modeConcentration(b).value!, 12);
      }),
      { numRuns: 60 },
    );
  });

  it('falls as effective modes rise, with the interval turned over', () => {
    fc.assert(
      fc.property(anyRows(4), anyRows(4), (first, second) => {
        const [a, b] = [first, second].map((rows) => modeConcentration(tallyOf(rows)));
        const [m, n] = [a!, b!].map((figure) => effectiveModes(figure, 4));
        expectSound(m!);
        expectWithin(m!, 1, 4);
        if (a!.value !== null && b!.value !== null && a!.value <= b!.value)
          expect(m!.value).toBeGreaterThanOrEqual(n!.value!);
      }),
      { numRuns: 60 },
    );
  });
});
