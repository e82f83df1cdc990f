import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columnMeans, covariance, seeded, symmetricEigen } from '../../src/math/index.ts';

function symmetric(n: number, seed: string): Float64Array {
  const random = seeded(seed);
  const a = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) a[i * n + j] = a[j * n + i] = random.normal();
  return a;
}

/** Largest |A v - lambda v| and |V V' - I|. */
function faults(a: Float64Array, n: number): { residual: number; orthogonality: number } {
  const { values, vectors } = symmetricEigen(a, n);
  let [residual, orthogonality] = [0, 0];
  for (let r = 0; r < n; r++) {
    for (let i = 0; i < n; i++) {
      let image = 0;
      let product = 0;
      for (let j = 0; j < n; j++) {
        image += a[i * n + j]! * vectors[r * n + j]!;
        product += vectors[r * n + j]! * vectors[i * n + j]!;
      }
      residual = Math.max(residual, Math.abs(image - values[r]! * vectors[r * n + i]!));
      orthogonality = Math.max(orthogonality, Math.abs(product - (i === r ? 1 : 0)));
    }
  }
  return { residual, orthogonality };
}

describe('covariance', () => {
  test('equals the two-pass definition for every row count around a block of four', () => {
    const random = seeded('covariance');
    for (const rows of [2, 3, 4, 5, 8, 11]) {
      const data = Float64Array.from({ length: rows * 3 }, () => 1000 + random.normal());
      const got = covariance(data, rows, 3);
      const means = columnMeans(data, rows, 3);
      for (let i = 0; i < 3; i++) {
        for (let j = 0; j < 3; j++) {
          let want = 0;
          for (let r = 0; r < rows; r++)
            want += (data[r * 3 + i]! - means[i]!) * (data[r * 3 + j]! - means[j]!);
          expect(got[i * 3 + j]).toBeCloseTo(want / (rows - 1), 10);
          expect(got[i * 3 + j]).toBe(got[j * 3 + i]);
        }
      }
    }
  });

  test('has no value for one row', () => {
    expect(covariance(new Float32Array([1, 2]), 1, 2).every(Number.isNaN)).toBe(true);
  });
});

describe('symmetricEigen', () => {
  test('knows the spectrum of the path graph: 2 - 2 cos(pi k / (n + 1))', () => {
    const n = 40;
    const a = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      a[i * n + i] = 2;
      if (i > 0) a[i * n + i - 1] = a[(i - 1) * n + i] = -1;
    }
    const { values } = symmetricEigen(a, n);
    for (let k = 1; k <= n; k++) {
      expect(values[n - k]).toBeCloseTo(2 - 2 * Math.cos((Math.PI * k) / (n + 1)), 12);
    }
  });

  test.each([
    ['zero', new Float64Array(16)],
    ['identity', Float64Array.from({ length: 16 }, (_, i) => (i % 5 === 0 ? 1 : 0))],
    ['all ones', new Float64Array(16).fill(1)],
    [
      'rank one and tiny',
      Float64Array.from({ length: 16 }, (_, i) => 1e-160 * (1 + (i % 4)) * (1 + (i >> 2))),
    ],
    ['huge', Float64Array.from({ length: 16 }, (_, i) => 1e150 * (1 + ((i % 4) + (i >> 2))))],
  ])('solves the degenerate matrix: %s', (_, a) => {
    const { residual, orthogonality } = faults(a, 4);
    const scale = Math.max(...a.map(Math.abs), Number.MIN_VALUE);
    expect(residual / scale).toBeLessThan(1e-13);
    expect(orthogonality).toBeLessThan(1e-13);
  });

  test('solves random matrices of any size', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 24 }), fc.string(), (n, seed) => {
        const { residual, orthogonality } = faults(symmetric(n, seed), n);
        expect(residual).toBeLessThan(1e-12);
        expect(orthogonality).toBeLessThan(1e-12);
      }),
      { numRuns: 50 },
    );
    const { residual, orthogonality } = faults(symmetric(200, 'large'), 200);
    expect(residual).toBeLessThan(1e-10);
    expect(orthogonality).toBeLessThan(1e-11);
  });

  test('orders values downward and fixes the sign of vectors', () => {
    const { values, vectors } = symmetricEigen(symmetric(15, 'sign'), 15);
    for (let i = 0; i < 15; i++) {
      if (i > 0) expect(values[i]).toBeLessThanOrEqual(values[i - 1]!);
      const row = Array.from(vectors.subarray(i * 15, (i + 1) * 15));
      const peak = row.reduce((best, value) => (Math.abs(value) > Math.abs(best) ? value : best));
      expect(peak).toBeGreaterThan(0);
    }
  });

  test('leaves its input alone and refuses what is not finite or not square', () => {
    const a = symmetric(5, 'input');
    const copy = a.slice();
    symmetricEigen(a, 5);
    expect(a).toEqual(copy);
    expect(() => symmetricEigen(new Float64Array([1, Number.NaN, Number.NaN, 1]), 2)).toThrow(RangeError);
    expect(() => symmetricEigen(new Float64Array(3), 2)).toThrow(RangeError);
  });
});
