import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Figure,
  knnCoverage,
  type MeasuredRows,
  referenceBalls,
  spread,
  standardisedDifference,
  type VectorRows,
  withinContext,
  zeroVariance,
} from '../../src/metrics/index.ts';

/** Delete-one-unit jackknife by computing the figure again without each unit; units of both sides stand in `units`. */
function expectDeletions(figure: Figure, units: readonly number[], without: (unit: number) => Figure): void {
  if (figure.se === undefined) return;
  const left = units.map((unit) => without(unit).value!);
  const centre = left.reduce((sum, value) => sum + value, 0) / left.length;
  const squares = left.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  const se = Math.sqrt(((left.length - 1) / left.length) * squares);
  expect(Math.abs(figure.se - se)).toBeLessThanOrEqual(1e-7 * Math.max(1, se));
}

const UNITS = Array.from({ length: 9 }, (_, unit) => unit);
const coordinate = fc.integer({ min: -6, max: 6 });

/** Two rows in each unit, and some more. */
const anyVectors: fc.Arbitrary<VectorRows> = fc
  .tuple(
    fc.array(fc.tuple(coordinate, coordinate), { minLength: 18, maxLength: 18 }),
    fc.array(fc.tuple(fc.nat(8), fc.tuple(coordinate, coordinate)), { maxLength: 10 }),
  )
  .map(([each, more]) => ({
    columns: 2,
    unit: [...each.map((_, row) => row >> 1), ...more.map(([unit]) => unit)],
    data: Float64Array.from([...each.flat(), ...more.flatMap(([, row]) => row)]),
  }))
  .filter(({ data }) => new Set(data).size > 4);

function drop(rows: VectorRows, left: number): VectorRows {
  const kept = Array.from(rows.unit).flatMap((unit, row) => (unit === left ? [] : [row]));
  return {
    columns: rows.columns,
    unit: kept.map((row) => rows.unit[row]!),
    data: Float64Array.from(kept.flatMap((row) => [rows.data[2 * row]!, rows.data[2 * row + 1]!])),
  };
}
const measured = ({ unit, data }: VectorRows): MeasuredRows => ({
  unit,
  value: Array.from(unit, (_, row) => data[2 * row]!),
});

/** Mean square distance of all pairs of rows: twice the trace of the covariance. */
function pairTrace({ unit, data }: VectorRows): number {
  let total = 0;
  for (let i = 0; i < unit.length; i++)
    for (let j = 0; j < i; j++)
      total += (data[2 * i]! - data[2 * j]!) ** 2 + (data[2 * i + 1]! - data[2 * j + 1]!) ** 2;
  return total / (unit.length * (unit.length - 1));
}

describe('standard errors', () => {
  it('of spread and of distance within a context leave units out as if computed from scratch', () => {
    fc.assert(
      fc.property(anyVectors, anyVectors, (own, pool) => {
        for (const of of [spread, withinContext])
          expectDeletions(of(own, pool), UNITS, (unit) => of(drop(own, unit), drop(pool, unit)));
        expect(spread(own, pool).value).toBeCloseTo(pairTrace(own) / pairTrace(pool), 9);
        expect(spread(own, pool).se).toBeDefined();
      }),
      { numRuns: 40 },
    );
  });

  it('of distances in contexts other than the units lose every pair that a unit is part of', () => {
    fc.assert(
      fc.property(anyVectors, anyVectors, (own, pool) => {
        // Rows of three units share a context.
        const contexts = ({ unit }: VectorRows) => Array.from(unit, (u) => u % 3);
        const of = (a: VectorRows, b: VectorRows) =>
          withinContext(a, b, { contexts: { simulator: contexts(a), reference: contexts(b) } });
        expect(of(own, pool).se).toBeDefined();
        expectDeletions(of(own, pool), UNITS, (unit) => of(drop(own, unit), drop(pool, unit)));
      }),
      { numRuns: 40 },
    );
  });

  it('of a standardised difference recompute the deviation', () => {
    fc.assert(
      fc.property(anyVectors, anyVectors, (a, b) => {
        const of = (x: VectorRows, y: VectorRows) => standardisedDifference(measured(x), measured(y));
        const figure = of(a, b);
        fc.pre(UNITS.every((unit) => of(drop(a, unit), drop(b, unit)).value !== null));
        expectDeletions(figure, UNITS, (unit) => of(drop(a, unit), drop(b, unit)));
      }),
      { numRuns: 40 },
    );
  });

  it('of two samples that share no unit add their variances', () => {
    fc.assert(
      fc.property(anyVectors, anyVectors, (a, b) => {
        const apart = { ...b, unit: Array.from(b.unit, (unit) => unit + 20) };
        const { se } = spread(a, apart);
        const alone = [
          UNITS.map((unit) => spread(drop(a, unit), apart).value!),
          UNITS.map((unit) => spread(a, drop(apart, unit + 20)).value!),
        ].map((left) => {
          const centre = left.reduce((sum, value) => sum + value, 0) / left.length;
          return ((left.length - 1) / left.length) * left.reduce((sum, x) => sum + (x - centre) ** 2, 0);
        });
        expect(se).toBeCloseTo(Math.sqrt(alone[0]! + alone[1]!), 7);
      }),
      { numRuns: 40 },
    );
  });

  it('of zero-variance groups leave out all groups of a context', () => {
    const rollouts = fc
      .array(fc.tuple(fc.nat(1), fc.nat(1)), { minLength: 27, maxLength: 27 })
      .map((pairs) => ({
        group: pairs.flatMap((_, group) => [group, group]),
        unit: pairs.flatMap((_, group) => [group % 9, group % 9]),
        reward: pairs.flat(),
        behaviour: pairs.flatMap(() => [null, null]),
      }));
    fc.assert(
      fc.property(rollouts, (rows) => {
        const share = (left: number) => {
          const kept = rows.unit.flatMap((unit, row) => (unit === left ? [] : [row]));
          const pick = <T>(column: readonly T[]) => kept.map((row) => column[row]!);
          const { group, unit, reward, behaviour } = rows;
          return zeroVariance(
            { group: pick(group), unit: pick(unit), reward: pick(reward), behaviour: pick(behaviour) },
            [0, 1],
          ).share;
        };
        expect(share(-1).se).toBeDefined();
        expectDeletions(share(-1), UNITS, share);
      }),
      { numRuns: 40 },
    );
  });
});

describe('kNN coverage', () => {
  it('is the share of reference rows with a row of the data nearer than their k-th neighbour', () => {
    fc.assert(
      fc.property(anyVectors, anyVectors, fc.integer({ min: 1, max: 5 }), (data, people, k) => {
        const distance = (a: VectorRows, i: number, b: VectorRows, j: number) =>
          (a.data[2 * i]! - b.data[2 * j]!) ** 2 + (a.data[2 * i + 1]! - b.data[2 * j + 1]!) ** 2;
        const rows = Array.from(people.unit, (_, row) => row);
        const covered = rows.filter((row) => {
          const near = rows
            .filter((other) => other !== row)
            .map((other) => distance(people, row, people, other))
            .sort((x, y) => x - y);
          return Array.from(data.unit).some((_, own) => distance(people, row, data, own) < near[k - 1]!);
        });
        const { coverage } = knnCoverage(data, referenceBalls(people, { k }));
        expect(coverage.value).toBeCloseTo(covered.length / rows.length, 12);
      }),
      { numRuns: 40 },
    );
  });
});
