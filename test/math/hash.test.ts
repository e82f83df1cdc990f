import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hash32, hashOrder } from '../../src/math/index.ts';

test('is an unsigned 32-bit integer that depends on text and seed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer(), (text, seed) => {
      const value = hash32(text, seed);
      expect(Number.isInteger(value) && value >= 0 && value < 2 ** 32).toBe(true);
      expect(hash32(text, seed)).toBe(value);
    }),
  );
  expect(hash32('a')).not.toBe(hash32('a', 1));
  expect(hash32('a')).not.toBe(hash32('a\0'));
  expect(hash32('')).not.toBe(hash32('\0'));
});

test('gives the stored values, so that seeds and splits survive a release', () => {
  expect([hash32(''), hash32('a'), hash32('context', 7), hash32('größer 🙂')]).toMatchInlineSnapshot(`
    [
      0,
      1867108634,
      1321689670,
      3208209982,
    ]
  `);
  expect(hashOrder('3f2a', 1)).toMatchInlineSnapshot(`0.5237195040504307`);
});

test('hardly ever collides and spreads evenly over buckets', () => {
  const values = Array.from({ length: 20_000 }, (_, i) => hash32(`row ${i}`));
  // Expected pairs among 2^32 values: 0.05.
  expect(new Set(values).size).toBeGreaterThan(19_997);
  const buckets = new Array(20).fill(0);
  for (const value of values) buckets[value % 20]++;
  for (const count of buckets) expect(Math.abs(count - 1000)).toBeLessThan(160);
});

test('orders rows without ties, in another order for another seed', () => {
  const keys = (seed: number) => Array.from({ length: 20_000 }, (_, i) => hashOrder(i.toString(16), seed));
  const first = keys(1);
  expect(new Set(first).size).toBe(first.length);
  expect(first.every((key) => key >= 0 && key < 1)).toBe(true);
  const second = keys(2);
  const below = first.filter((key, i) => key < 0.1 && second[i]! < 0.1).length;
  // Independent orders share a hundredth.
  expect(Math.abs(below - 200)).toBeLessThan(60);
});
