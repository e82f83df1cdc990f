import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seeded, sumsReference, VectorTable } from '../../src/math/index.ts';

function table(rows: number, columns: number, seed: string): Float32Array {
  const random = seeded(seed);
  return Float32Array.from({ length: rows * columns }, () => random.normal());
}

function lists(count: number, rows: number, seed: string) {
  const random = seeded(seed);
  const starts = new Uint32Array(count + 1);
  for (let i = 0; i < count; i++) starts[i + 1] = starts[i]! + random.integer(6);
  const total = starts[count]!;
  return {
    starts,
    indices: Uint32Array.from({ length: total }, () => random.integer(rows)),
    weights: Float32Array.from({ length: total }, () => random.normal()),
  };
}

test('kernel and reference give the same bits for any shape', () => {
  const shape = fc.tuple(
    fc.integer({ min: 1, max: 20 }),
    fc.integer({ min: 0, max: 70 }),
    fc.integer({ min: 0, max: 12 }),
    fc.string(),
  );
  fc.assert(
    fc.property(shape, ([rows, columns, count, seed]) => {
      const data = table(rows, columns, seed);
      const wanted = lists(count, rows, seed);
      expect(new VectorTable(data, rows, columns).sums(wanted)).toEqual(sumsReference(data, columns, wanted));
    }),
  );
});

test('gives the same bits over several blocks, call after call', () => {
  const [rows, columns] = [50, 129];
  const data = table(rows, columns, 'blocks');
  const kept = new VectorTable(data, rows, columns);
  for (const count of [5000, 1, 3000]) {
    const wanted = lists(count, rows, `${count}`);
    const want = sumsReference(data, columns, wanted);
    expect(kept.sums(wanted).every((value, i) => value === want[i])).toBe(true);
  }
});

test('weighs rows and leaves an empty list at zero', () => {
  const kept = new VectorTable(new Float32Array([1, 2, 3, 10, 20, 30]), 2, 3);
  const sums = kept.sums({
    starts: new Uint32Array([0, 2, 2, 3]),
    indices: new Uint32Array([0, 1, 1]),
    weights: new Float32Array([2, 0.5, -1]),
  });
  expect(Array.from(sums)).toEqual([7, 14, 21, 0, 0, 0, -10, -20, -30]);
});

test('lists may start behind the first pair', () => {
  const kept = new VectorTable(new Float32Array([1, 2]), 2, 1);
  const sums = kept.sums({
    starts: new Uint32Array([1, 2]),
    indices: new Uint32Array([0, 1]),
    weights: new Float32Array([5, 7]),
  });
  expect(Array.from(sums)).toEqual([14]);
});

test('does not change with the array it was made from', () => {
  const data = new Float32Array([1, 2]);
  const kept = new VectorTable(data, 2, 1);
  data[0] = 9;
  const one = {
    starts: new Uint32Array([0, 1]),
    indices: new Uint32Array([0]),
    weights: new Float32Array([1]),
  };
  expect(kept.sums(one)[0]).toBe(1);
});

test('refuses rows outside the table and lists out of bounds', () => {
  const kept = new VectorTable(new Float32Array(6), 2, 3);
  const weights = new Float32Array([1]);
  const indices = new Uint32Array([0]);
  expect(() => new VectorTable(new Float32Array(5), 2, 3)).toThrow(RangeError);
  expect(() =>
    kept.sums({ starts: new Uint32Array([0, 1]), indices: new Uint32Array([2]), weights }),
  ).toThrow(/row 2 of a table of 2/);
  expect(() => kept.sums({ starts: new Uint32Array([0, 2]), indices, weights })).toThrow(RangeError);
  expect(() => kept.sums({ starts: new Uint32Array([1, 0]), indices, weights })).toThrow(RangeError);
  expect(() => kept.sums({ starts: new Uint32Array([]), indices, weights })).toThrow(RangeError);
});
