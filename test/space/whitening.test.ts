import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { covariance, seeded } from '../../src/math/index.ts';
import { fitWhitening, type WhiteningOptions, whitened } from '../../src/space/index.ts';

const OPTIONS: WhiteningOptions = { weight: 1, robust: false, share: 0.999, limit: 64, shrinkage: 0 };

function correlated(rows: number, columns: number, seed: number): Float64Array {
  const random = seeded(seed);
  const data = new Float64Array(rows * columns);
  for (let i = 0; i < rows; i++) {
    const common = random.normal();
    for (let j = 0; j < columns; j++) data[i * columns + j] = (j + 1) * (random.normal() + common) + 10 * j;
  }
  return data;
}

function fitted(data: Float64Array, rows: number, columns: number, options: WhiteningOptions) {
  const whitening = fitWhitening(data, rows, columns, options);
  const kept = whitening.basis.columns;
  const out = whitened(whitening, rows, (row) => data.subarray(row * columns, (row + 1) * columns));
  return { whitening, out, kept };
}

describe('fitWhitening', () => {
  it('makes directions uncorrelated and equally long without shrinkage', () => {
    const { out, kept } = fitted(correlated(300, 5, 1), 300, 5, OPTIONS);
    const c = covariance(out, 300, kept);
    for (let a = 0; a < kept; a++)
      for (let b = 0; b < kept; b++) expect(c[a * kept + b]).toBeCloseTo(a === b ? 1 / kept : 0, 4);
  });

  it('has a total variance of weight squared, whatever the shrinkage, share and number of columns', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 12 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0.3, max: 1, noNaN: true }),
        fc.double({ min: 0.1, max: 5, noNaN: true }),
        fc.boolean(),
        (columns, shrinkage, share, weight, robust) => {
          const options = { ...OPTIONS, shrinkage, share, weight, robust };
          const { out, kept } = fitted(correlated(60, columns, columns), 60, columns, options);
          const c = covariance(out, 60, kept);
          let total = 0;
          for (let a = 0; a < kept; a++) total += c[a * kept + a]!;
          expect(total / weight ** 2).toBeCloseTo(1, 3);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('finds the same axes from the Gram matrix, with more columns than rows', () => {
    const rows = 20;
    const columns = 600;
    const { out, kept } = fitted(correlated(rows, columns, 3), rows, columns, OPTIONS);
    const c = covariance(out, rows, kept);
    expect(kept).toBeLessThan(rows);
    for (let a = 0; a < kept; a++) expect(c[a * kept + a]).toBeCloseTo(1 / kept, 3);
  });

  it('sees directions in which the fit rows never vary only where all directions are kept', () => {
    const data = Float64Array.from({ length: 80 }, (_, i) => (i % 2 === 0 ? Math.sin(i) : 0));
    const far = Float64Array.of(0, 1);
    const at = (options: WhiteningOptions) => {
      const { whitening } = fitted(data, 40, 2, options);
      return Math.hypot(...whitened(whitening, 1, () => far));
    };
    const centre = at({ ...OPTIONS, share: 0.9 });
    expect(at({ ...OPTIONS, share: 1, shrinkage: 0.1 })).toBeGreaterThan(centre + 3);
  });

  it('holds one wild value to the bounds, and units of measure do not matter', () => {
    const data = correlated(100, 3, 5);
    const scaled = Float64Array.from(data, (value, i) => value * (i % 3 === 0 ? 1000 : 1));
    const robust = { ...OPTIONS, robust: true };
    const [a, b] = [fitted(data, 100, 3, robust), fitted(scaled, 100, 3, robust)];
    a.out.forEach((value, i) => {
      expect(b.out[i]).toBeCloseTo(value, 4);
    });
    const wild = Float64Array.from(data);
    wild[0] = 1e9;
    const distance = Math.hypot(...fitted(wild, 100, 3, robust).out.subarray(0, 3));
    expect(distance).toBeLessThan(10);
  });

  it('keeps no direction of a block without variance', () => {
    const { kept, whitening } = fitted(new Float64Array(30).fill(4), 10, 3, {
      ...OPTIONS,
      share: 1,
      shrinkage: 0.5,
    });
    expect(kept).toBe(0);
    expect(whitening.variance).toBe(0);
  });
});
