import fc from 'fast-check';
import { expect, test } from 'vitest';
import { floatOrder } from '../../src/math/index.ts';

test('orders as a comparing sort does, equal values by index, NaN last', () => {
  const value = fc.oneof(
    fc.float(),
    fc.integer({ min: -3, max: 3 }),
    fc.constantFrom(0, -0, Infinity, -Infinity),
  );
  fc.assert(
    fc.property(fc.array(value, { maxLength: 80 }), (list) => {
      const values = Float32Array.from(list);
      const rank = (x: number) => (Number.isNaN(x) ? 1 : 0);
      const want = list
        .map((_, i) => i)
        .sort((a, b) => {
          const [x, y] = [values[a]!, values[b]!];
          return rank(x) - rank(y) || (x < y ? -1 : x > y ? 1 : 0) || a - b;
        });
      expect([...floatOrder(values)]).toEqual(want);
    }),
  );
});
