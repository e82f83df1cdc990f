import fc from 'fast-check';
import { expect, test } from 'vitest';
import { products, productsReference, seeded } from '../../src/math/index.ts';

test('kernel and reference give the same bits for any shape', () => {
  const shape = fc.tuple(
    fc.integer({ min: 0, max: 300 }),
    fc.integer({ min: 0, max: 12 }),
    fc.integer({ min: 0, max: 40 }),
    fc.string(),
  );
  fc.assert(
    fc.property(shape, ([rows, columns, kept, seed]) => {
      const random = seeded(seed);
      const left = Float64Array.from({ length: rows * columns }, () => random.normal());
      const basis = Float32Array.from({ length: columns * kept }, () => random.normal());
      expect(products(left, rows, columns, basis, kept)).toEqual(
        productsReference(left, rows, columns, basis, kept),
      );
    }),
  );
});

test('multiplies', () => {
  const left = Float64Array.of(1, 2, 3, 4);
  expect([...products(left, 2, 2, Float32Array.of(1, 10, 100, 1000), 2)]).toEqual([201, 2010, 403, 4030]);
});

test('refuses arrays shorter than their shapes', () => {
  expect(() => products(new Float64Array(3), 2, 2, new Float32Array(4), 2)).toThrow(RangeError);
});
