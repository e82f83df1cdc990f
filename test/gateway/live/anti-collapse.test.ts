import fc from 'fast-check';
import { expect, it } from 'vitest';
import { raisedWeights } from '../../../src/gateway/live/anti-collapse.ts';

const WEIGHTS = new Map([
  ['plain', 3],
  ['warm', 3],
  ['vs', 1],
  ['vs-cot', 1],
]);
const ANTI = ['vs', 'vs-cot'];

it('gives half of the others share to anti-collapse members at yellow, red and half-open', () => {
  for (const level of ['yellow', 'red', 'half-open'] as const) {
    const { weights, share, note } = raisedWeights(WEIGHTS, ANTI, level);
    expect(share).toBe(1 - (1 - 0.25) / 2);
    expect(note).toBeNull();
    expect(Object.fromEntries(weights)).toEqual({ plain: 1.5, warm: 1.5, vs: 2.5, 'vs-cot': 2.5 });
  }
});

it('serves as configured at green', () => {
  expect(raisedWeights(WEIGHTS, ANTI, 'green')).toEqual({ weights: WEIGHTS, share: 0.25, note: null });
});

it('says so where nobody can be raised', () => {
  for (const nobody of [[], ['gone']]) {
    const { weights, share, note } = raisedWeights(WEIGHTS, nobody, 'red');
    expect(weights).toEqual(WEIGHTS);
    expect(share).toBe(0);
    expect(note).toContain('as at green');
  }
  expect(raisedWeights(new Map(), ANTI, 'red').weights.size).toBe(0);
});

it('keeps the sum of the weights and the proportions inside both sides', () => {
  const weight = fc.double({ min: 0.01, max: 100, noNaN: true });
  fc.assert(
    fc.property(
      fc.array(weight, { minLength: 1, maxLength: 6 }),
      fc.array(weight, { maxLength: 6 }),
      (anti, rest) => {
        const before = new Map([
          ...anti.map((value, i) => [`a${i}`, value] as const),
          ...rest.map((value, i) => [`r${i}`, value] as const),
        ]);
        const { weights, share } = raisedWeights(
          before,
          anti.map((_, i) => `a${i}`),
          'yellow',
        );
        const total = (values: Iterable<number>) => [...values].reduce((sum, value) => sum + value, 0);
        expect(total(weights.values())).toBeCloseTo(total(before.values()), 8);
        expect(total(anti.map((_, i) => weights.get(`a${i}`)!)) / total(weights.values())).toBeCloseTo(
          share,
          10,
        );
        rest.forEach((value, i) => {
          expect(weights.get(`r${i}`)).toBeCloseTo(value / 2, 10);
        });
        anti.forEach((value, i) => {
          expect(weights.get(`a${i}`)! / value).toBeCloseTo(weights.get('a0')! / anti[0]!, 8);
        });
      },
    ),
  );
});
