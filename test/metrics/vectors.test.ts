import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  effectiveRank,
  firstRows,
  kernelCollapse,
  knnCoverage,
  referenceBalls,
  sameLawCoverage,
  spread,
  spreadDifference,
  type VectorRows,
  vendi,
  withinContext,
} from '../../src/metrics/index.ts';
import { expectScaled, expectSound, expectWithin } from './figures.ts';
import { shuffledIndexes } from './tallies.ts';

const COLUMNS = 3;

/** Vectors of small integers: sums and squares are exact in any order. */
function anyVectors(most = 40, least = 0, columns = COLUMNS): fc.Arbitrary<VectorRows> {
  const coordinate = fc.integer({ min: -6, max: 6 });
  return fc
    .array(fc.tuple(fc.nat(13), fc.array(coordinate, { minLength: columns, maxLength: columns })), {
      minLength: least,
      maxLength: most,
      size: 'max',
    })
    .map((rows) => ({
      columns,
      unit: rows.map(([unit]) => unit),
      data: Float64Array.from(rows.flatMap(([, row]) => row)),
    }));
}
const withOrder = (vectors: fc.Arbitrary<VectorRows>) =>
  vectors.chain((rows) => fc.tuple(fc.constant(rows), shuffledIndexes(rows.unit.length)));

function rowsAt({ columns, data, unit }: VectorRows, order: readonly number[]): VectorRows {
  return {
    columns,
    unit: order.map((row) => unit[row]!),
    data: Float64Array.from(order.flatMap((row) => [...data.subarray(row * columns, (row + 1) * columns)])),
  };
}
const twice = (rows: VectorRows): VectorRows => {
  const order = Array.from({ length: rows.unit.length }, (_, row) => row);
  return rowsAt(rows, [...order, ...order]);
};
const mapped = (rows: VectorRows, change: (x: number, column: number) => number): VectorRows => ({
  ...rows,
  data: Float64Array.from(rows.data, (x, at) => change(x, at % rows.columns)),
});
const renamed = (rows: VectorRows): VectorRows => ({
  ...rows,
  unit: Array.from(rows.unit, (unit) => 4 * unit + 1),
});
/** A rotation with rational entries. */
function rotated(rows: VectorRows): VectorRows {
  const data = Float64Array.from(rows.data);
  for (let at = 0; at < data.length; at += rows.columns) {
    const [x, y] = [data[at]!, data[at + 1]!];
    data[at] = 0.6 * x - 0.8 * y;
    data[at + 1] = 0.8 * x + 0.6 * y;
  }
  return { ...rows, data };
}
const varies = ({ data, columns }: VectorRows) => data.some((x, at) => x !== data[at % columns]);

describe('spread', () => {
  it('does not depend on order, names, a common rotation, shift or scale', () => {
    fc.assert(
      fc.property(withOrder(anyVectors()), anyVectors(), ([own, order], pool) => {
        fc.pre(pool.unit.length < 2 || varies(pool));
        const figure = spread(own, pool);
        expectSound(figure);
        if (figure.value !== null) expect(figure.value).toBeGreaterThanOrEqual(0);
        expectScaled(spread(rowsAt(own, order), pool), figure);
        expectScaled(spread(renamed(own), renamed(pool)), figure);
        expectScaled(spread(rotated(own), rotated(pool)), figure);
        const affine = (rows: VectorRows) => mapped(rows, (x, c) => 4 * x + c - 7);
        expectScaled(spread(affine(own), affine(pool)), figure);
      }),
      { numRuns: 60 },
    );
  });

  it('grows with the square of a stretch, is 1 against itself, and has a difference that turns its sign', () => {
    fc.assert(
      fc.property(anyVectors(), anyVectors(), anyVectors(), (a, b, pool) => {
        fc.pre(varies(pool));
        expectScaled(
          spread(
            mapped(a, (x) => 3 * x + 5),
            pool,
          ),
          spread(a, pool),
          9,
        );
        const self = spread(pool, pool);
        if (self.value !== null) expect(self.value).toBe(1);
        const figure = spreadDifference(a, b, pool);
        expectSound(figure);
        expectScaled(spreadDifference(b, a, pool), figure, -1);
        if (figure.value !== null)
          expect(figure.value).toBeCloseTo(spread(a, pool).value! - spread(b, pool).value!, 9);
      }),
      { numRuns: 60 },
    );
  });
});

describe('distance within a context', () => {
  it('does not depend on order, names, a common rotation, shift or scale', () => {
    fc.assert(
      fc.property(withOrder(anyVectors()), anyVectors(), ([own, order], pool) => {
        const figure = withinContext(own, pool);
        expectSound(figure);
        if (figure.value !== null) expect(figure.value).toBeGreaterThanOrEqual(0);
        expectScaled(withinContext(rowsAt(own, order), pool), figure);
        expectScaled(withinContext(renamed(own), renamed(pool)), figure);
        expectScaled(withinContext(rotated(own), rotated(pool)), figure);
        const affine = (rows: VectorRows) => mapped(rows, (x, c) => 4 * x + c - 7);
        expectScaled(withinContext(affine(own), affine(pool)), figure);
      }),
      { numRuns: 60 },
    );
  });

  it('grows with a stretch, does not see where a context lies, and is 1 against itself', () => {
    fc.assert(
      fc.property(anyVectors(), anyVectors(), (own, pool) => {
        const figure = withinContext(own, pool);
        expectScaled(
          withinContext(
            mapped(own, (x) => 3 * x),
            pool,
          ),
          figure,
          3,
        );
        const apart = {
          ...own,
          data: own.data.map((x, at) => x + 64 * own.unit[Math.floor(at / own.columns)]!),
        };
        expectScaled(withinContext(apart, pool), figure);
        const self = withinContext(pool, pool);
        if (self.value !== null) expect(self.value).toBe(1);
        const same = mapped(own, () => 2);
        const none = withinContext(same, pool);
        if (none.value !== null) expect(none.value).toBe(0);
      }),
      { numRuns: 60 },
    );
  });
});

describe('effective rank', () => {
  it('lies in 1 .. dimension whatever order, shift, scale, rotation or copies', () => {
    fc.assert(
      fc.property(withOrder(anyVectors(30, 2)), ([rows, order]) => {
        const figure = effectiveRank(rows);
        expectWithin(figure, 1, COLUMNS);
        expectScaled(effectiveRank(rowsAt(rows, order)), figure);
        expectScaled(effectiveRank(rotated(rows)), figure);
        expectScaled(effectiveRank(mapped(rows, (x, c) => 2 * x + 8 * c)), figure);
        expectScaled(effectiveRank(twice(rows)), figure);
        // Constant columns add nothing.
        const wide = {
          ...rows,
          columns: COLUMNS + 1,
          data: new Float64Array(rows.unit.length * (COLUMNS + 1)),
        };
        for (let row = 0; row < rows.unit.length; row++)
          for (let c = 0; c < COLUMNS; c++)
            wide.data[row * (COLUMNS + 1) + c] = rows.data[row * COLUMNS + c]!;
        expectScaled(effectiveRank(wide), figure);
      }),
      { numRuns: 50 },
    );
  });

  it('is 1 for rows on a line', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 2, maxLength: 20 }), (places) => {
        const rows = {
          columns: COLUMNS,
          unit: places,
          data: Float64Array.from(places.flatMap((x) => [x, 1 - 2 * x, 3])),
        };
        expect(effectiveRank(rows).value).toBeCloseTo(1, 6);
      }),
      { numRuns: 40 },
    );
  });
});

describe('Vendi score', () => {
  it('lies in 1 .. min(rows, dimension) whatever order, lengths, rotation or copies', () => {
    fc.assert(
      fc.property(
        withOrder(anyVectors(20, 1)),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 20, maxLength: 20 }),
        ([rows, order], lengths) => {
          const figure = vendi(rows);
          expectWithin(figure, 1, Math.min(figure.n, COLUMNS));
          expectScaled(vendi(rowsAt(rows, order)), figure);
          expectScaled(vendi(rotated(rows)), figure);
          expectScaled(vendi(twice(rows)), figure);
          const longer = {
            ...rows,
            data: rows.data.map((x, at) => x * lengths[Math.floor(at / COLUMNS)]!),
          };
          expectScaled(vendi(longer), figure);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('counts groups of orthogonal rows by the entropy of their sizes', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3), { minLength: 1, maxLength: 16 }), (axes) => {
        const data = new Float64Array(axes.length * 4);
        axes.forEach((axis, row) => {
          data[row * 4 + axis] = 2;
        });
        const shares = [0, 1, 2, 3]
          .map((axis) => axes.filter((own) => own === axis).length / axes.length)
          .filter((share) => share > 0);
        const entropy = shares.reduce((sum, share) => sum - share * Math.log(share), 0);
        expect(vendi({ columns: 4, data, unit: axes }).value).toBeCloseTo(Math.exp(entropy), 9);
      }),
      { numRuns: 40 },
    );
  });
});

describe('kNN coverage', () => {
  const of = (data: VectorRows, reference: VectorRows, k = 2) =>
    knnCoverage(data, referenceBalls(reference, { k })).coverage;

  it('lies in 0 .. 1, never falls with more data, and does not depend on order, shift or scale', () => {
    fc.assert(
      fc.property(
        withOrder(anyVectors(20, 1)),
        anyVectors(20, 1),
        anyVectors(20, 1),
        ([own, order], more, people) => {
          const figure = of(own, people);
          expectWithin(figure, 0, 1);
          expect(of(rowsAt(own, order), people)).toEqual(figure);
          const affine = (rows: VectorRows) => mapped(rows, (x, c) => 2 * x - c);
          expect(of(affine(own), affine(people))).toEqual(figure);
          const back = Array.from({ length: people.unit.length }, (_, row) => people.unit.length - 1 - row);
          expect(of(own, rowsAt(people, back))).toEqual(figure);
          if (figure.value === null) return;
          const both = {
            columns: COLUMNS,
            unit: [...Array.from(own.unit), ...Array.from(more.unit)],
            data: Float64Array.from([...own.data, ...more.data]),
          };
          expect(of(both, people).value).toBeGreaterThanOrEqual(figure.value);
          expect(of(twice(own), people).value).toBe(figure.value);
          expect(
            of(
              mapped(own, (x) => x + 1000),
              people,
            ).value,
          ).toBe(0);
          expect(of(own, people, 3).value ?? 1).toBeGreaterThanOrEqual(figure.value);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('takes the first rows up to a limit, and is whole where the data are the reference without ties', () => {
    fc.assert(
      fc.property(anyVectors(20, 4), fc.integer({ min: 1, max: 25 }), (rows, limit) => {
        const balls = referenceBalls(rows, { k: 2 });
        const cut = knnCoverage(rows, balls, { limit });
        expect(cut).toEqual(knnCoverage(firstRows(rows, limit), balls));
        expect(cut.coverage.n).toBe(Math.min(limit, rows.unit.length));
        const apart = { ...rows, data: rows.data.map((x, at) => x + 32 * at) };
        expect(of(apart, apart).value).toBe(1);
      }),
      { numRuns: 40 },
    );
  });

  it('is expected to rise with the data and with k, within 0 .. 1', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 8, max: 200 }),
        fc.integer({ min: 1, max: 300 }),
        fc.nat(5),
        (n, m, less) => {
          const k = less + 1;
          const expected = sameLawCoverage(n, m, k);
          expect(expected).toBeGreaterThan(0);
          expect(expected).toBeLessThan(1);
          expect(sameLawCoverage(n, m + 1, k)).toBeGreaterThan(expected);
          expect(sameLawCoverage(n, m, k + 1)).toBeGreaterThan(expected);
          // One neighbour: the nearest of n - 1 + m others is one of the data.
          expect(sameLawCoverage(n, m, 1)).toBeCloseTo(m / (n - 1 + m), 12);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('kernel collapse', () => {
  it('lies in 0 .. 1 whatever order, names, lengths or rotation', () => {
    fc.assert(
      fc.property(withOrder(anyVectors(40, 20)), anyVectors(40, 20), ([a, order], b) => {
        const figure = kernelCollapse([a, b]);
        expectSound(figure);
        expectWithin(figure, 0, 1);
        expect(kernelCollapse([b, a])).toEqual(figure);
        expectScaled(kernelCollapse([renamed(a), renamed(b)]), figure);
        const turned = (rows: VectorRows) => mapped(rotated(rows), (x) => 5 * x);
        expectScaled(kernelCollapse([turned(a), turned(b)]), figure, 1, 1e-6);
        // Rows of one simulator alone are all used: then their order does not matter either.
        expectScaled(kernelCollapse([rowsAt(a, order)]), kernelCollapse([a]), 1, 1e-6);
      }),
      { numRuns: 40 },
    );
  });

  it('does not change when every row stands in twice, in the same unit or in a simulator of its own', () => {
    fc.assert(
      fc.property(anyVectors(40, 16), (rows) => {
        const figure = kernelCollapse([rows]);
        if (figure.value === null) return;
        expectScaled(kernelCollapse([twice(rows)]), figure, 1, 1e-6);
        expectScaled(kernelCollapse([rows, rows]), figure, 1, 1e-6);
      }),
      { numRuns: 40 },
    );
  });
});
