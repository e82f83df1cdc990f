import { expect, it } from 'vitest';
import { clopperPearson } from '../../src/math/index.ts';

// Tables of the exact interval: R's binom.test.
it.each([
  [0, 10, 0, 0.3084971],
  [2, 10, 0.02521073, 0.5560955],
  [10, 10, 0.6915029, 1],
  [50, 100, 0.3983211, 0.6016789],
  [1, 1000, 0.00002531746, 0.005558924],
])('the exact interval of %i of %i', (hits, trials, low, high) => {
  const [a, b] = clopperPearson(hits, trials);
  expect(a).toBeCloseTo(low, 6);
  expect(b).toBeCloseTo(high, 6);
});

it('is none without trials, or with more successes than trials', () => {
  expect(clopperPearson(0, 0)).toEqual([Number.NaN, Number.NaN]);
  expect(clopperPearson(3, 2)).toEqual([Number.NaN, Number.NaN]);
});
