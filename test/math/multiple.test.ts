import fc from 'fast-check';
import { expect, test } from 'vitest';
import { holm } from '../../src/math/index.ts';

test("agrees with R's p.adjust", () => {
  const adjusted = holm([0.01, 0.02, 0.03, 0.04, 0.05]);
  [0.05, 0.08, 0.09, 0.09, 0.09].forEach((value, i) => {
    expect(adjusted[i]).toBeCloseTo(value, 12);
  });
  expect(holm([0.04, 0.001])).toEqual([0.04, 0.002]);
  expect(holm([])).toEqual([]);
});

test('never lowers a p-value, keeps their order and does not depend on position', () => {
  const values = fc.uniqueArray(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(values, (list) => {
      const adjusted = holm(list);
      list.forEach((value, i) => {
        expect(adjusted[i]).toBeGreaterThanOrEqual(value);
        expect(adjusted[i]).toBeLessThanOrEqual(1);
        list.forEach((other, j) => {
          if (value < other) expect(adjusted[i]).toBeLessThanOrEqual(adjusted[j]!);
        });
      });
      expect(holm([...list].reverse())).toEqual([...adjusted].reverse());
    }),
  );
});
