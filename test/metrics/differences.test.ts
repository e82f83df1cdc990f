import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Figure,
  figureDifference,
  type MeasuredRows,
  meanFigure,
  missing,
  point,
  standardisedDifference,
} from '../../src/metrics/index.ts';
import { expectScaled, expectSound } from './figures.ts';
import { shuffledIndexes } from './tallies.ts';

const quarter = fc.integer({ min: -40, max: 40 }).map((x) => x / 4);
const mean = (values: readonly number[]): Figure =>
  meanFigure(values, { n: values.length, undefinedReason: 'no context' });
const anyFigure: fc.Arbitrary<Figure> = fc.oneof(
  { weight: 4, arbitrary: fc.array(quarter, { minLength: 8, maxLength: 14 }).map(mean) },
  { weight: 1, arbitrary: fc.array(quarter, { maxLength: 7 }).map(mean) },
  { weight: 1, arbitrary: quarter.map((value) => point(value, 3)) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(quarter, fc.nat(8), fc.nat(8))
      .map(([value, below, above]) => ({ ...point(value, 9), low: value - below, high: value + above })),
  },
  { weight: 1, arbitrary: fc.constant(missing('not measured', 2)) },
);

describe('difference of two figures', () => {
  it('turns its sign with the order and holds its value', () => {
    fc.assert(
      fc.property(anyFigure, anyFigure, (a, b) => {
        const figure = figureDifference(a, b);
        expectSound(figure);
        expectScaled(figureDifference(b, a), figure, -1);
        expect(figure.n).toBe(Math.min(a.n, b.n));
        if (a.value === null || b.value === null) expect(figure.value).toBeNull();
        else expect(figure.value).toBe(a.value - b.value);
      }),
      { numRuns: 100 },
    );
  });

  it('is never narrower than either side, nor wider than both together', () => {
    fc.assert(
      fc.property(anyFigure, anyFigure, (a, b) => {
        const figure = figureDifference(a, b);
        if (figure.se === undefined || a.se === undefined || b.se === undefined) return;
        expect(figure.se).toBeGreaterThanOrEqual(Math.max(a.se, b.se) - 1e-12);
        expect(figure.se).toBeLessThanOrEqual(a.se + b.se + 1e-12);
        expect(figure.df).toBeGreaterThanOrEqual(Math.min(a.df!, b.df!) - 1e-9);
        expect(figure.df).toBeLessThanOrEqual(a.df! + b.df! + 1e-9);
      }),
      { numRuns: 100 },
    );
  });

  it('keeps the interval of one side where the other is certain', () => {
    fc.assert(
      fc.property(anyFigure, quarter, (a, value) => {
        const sure = { ...point(value, 100), low: value, high: value };
        const figure = figureDifference(a, sure);
        if (a.low === null) {
          expect(figure.low).toBeNull();
          return;
        }
        expect(figure.low).toBeCloseTo(a.low - value, 9);
        expect(figure.high).toBeCloseTo(a.high! - value, 9);
      }),
      { numRuns: 60 },
    );
  });
});

const anyMeasured: fc.Arbitrary<MeasuredRows> = fc
  .array(
    fc.tuple(
      fc.nat(11),
      fc.oneof({ weight: 9, arbitrary: quarter }, { arbitrary: fc.constant(Number.NaN), weight: 1 }),
    ),
    {
      maxLength: 40,
      size: 'max',
    },
  )
  .map((rows) => ({ unit: rows.map(([unit]) => unit), value: rows.map(([, value]) => value) }));

const changed = (rows: MeasuredRows, change: (x: number) => number): MeasuredRows => ({
  unit: rows.unit,
  value: Array.from(rows.value, change),
});

describe('standardised difference', () => {
  it('is sound and does not depend on the order of rows or the names of units', () => {
    fc.assert(
      fc.property(
        anyMeasured.chain((a) => fc.tuple(fc.constant(a), shuffledIndexes(a.unit.length))),
        anyMeasured,
        ([a, order], b) => {
          const figure = standardisedDifference(a, b);
          expectSound(figure);
          const moved = { unit: order.map((i) => a.unit[i]!), value: order.map((i) => a.value[i]!) };
          expectScaled(standardisedDifference(moved, b), figure);
          const renamed = (rows: MeasuredRows) => ({
            ...rows,
            unit: Array.from(rows.unit, (u) => 3 * u + 2),
          });
          expectScaled(standardisedDifference(renamed(a), renamed(b)), figure);
        },
      ),
      { numRuns: 80 },
    );
  });

  it('has no unit: shifting and stretching both changes nothing, a mirror turns the sign', () => {
    fc.assert(
      fc.property(anyMeasured, anyMeasured, quarter, fc.constantFrom(0.5, 2, 8), (a, b, shift, stretch) => {
        const figure = standardisedDifference(a, b);
        const affine = (x: number) => stretch * x + shift;
        expectScaled(standardisedDifference(changed(a, affine), changed(b, affine)), figure);
        const mirror = (x: number) => -x;
        expectScaled(standardisedDifference(changed(a, mirror), changed(b, mirror)), figure, -1);
      }),
      { numRuns: 80 },
    );
  });

  it('is 0 between rows and themselves, and moves by one where the data do by one deviation', () => {
    fc.assert(
      fc.property(anyMeasured, quarter, (a, shift) => {
        const same = standardisedDifference(a, a);
        if (same.value === null) return;
        expectScaled(same, { ...same, value: 0, low: same.low && 0, high: same.high && 0 });
        const known = Array.from(a.value).filter((x) => !Number.isNaN(x));
        const centre = known.reduce((sum, x) => sum + x, 0) / known.length;
        const deviation = Math.sqrt(
          known.reduce((sum, x) => sum + (x - centre) ** 2, 0) / (known.length - 1),
        );
        const moved = standardisedDifference(
          changed(a, (x) => x + shift * deviation),
          a,
        );
        expect(moved.value).toBeCloseTo(shift, 6);
      }),
      { numRuns: 80 },
    );
  });

  it('is null where the reference does not vary, whatever its one value', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -10, max: 10, noNaN: true }),
        fc.integer({ min: 2, max: 30 }),
        (value, count) => {
          const unit = Array.from({ length: count }, (_, row) => row);
          const flat = { unit, value: unit.map(() => value) };
          const figure = standardisedDifference({ unit: [0, 1, 2], value: [1, 2, 4] }, flat);
          expect(figure).toMatchObject({ value: null, reason: 'the feature does not vary in the reference' });
        },
      ),
      { numRuns: 100 },
    );
  });
});
