import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  groupsOf,
  jackknife,
  jackknifeCorrected,
  jackknifeDifference,
  mean,
  studentTQuantile,
  sum,
  variance,
} from '../../src/math/index.ts';

const number = fc.double({ min: -100, max: 100, noNaN: true });
const sample = fc.array(number, { minLength: 2, maxLength: 30 });
/** The mean as a statistic: its jackknife is known in closed form. */
const ofMean = (values: readonly number[]) => ({
  full: mean(values),
  leaveOut: values.map((value) => (sum(values) - value) / (values.length - 1)),
});

test('gives the textbook standard error and t interval for a mean', () => {
  fc.assert(
    fc.property(sample, (values) => {
      const { full, leaveOut } = ofMean(values);
      const got = jackknife(full, leaveOut);
      const se = Math.sqrt(variance(values) / values.length);
      expect(got.se).toBeCloseTo(se, 8);
      expect(got.high - got.estimate).toBeCloseTo(studentTQuantile(0.975, values.length - 1) * se, 6);
      expect(got.estimate - got.low).toBeCloseTo(got.high - got.estimate, 8);
      expect(got).toMatchObject({ estimate: full, groups: values.length, df: values.length - 1 });
    }),
  );
});

test('has no interval for fewer than two groups or a value that is missing', () => {
  expect(jackknife(1, [1])).toMatchObject({ estimate: 1, se: Number.NaN, low: Number.NaN, high: Number.NaN });
  expect(jackknife(1, [1, Number.NaN, 1]).low).toBeNaN();
});

test('correction removes a bias of order 1/n exactly', () => {
  // The plug-in variance divides by n; corrected it is the unbiased one (Quenouille 1956).
  const plugIn = (values: readonly number[]) => mean(values.map((value) => (value - mean(values)) ** 2));
  const values = [3, 1, 4, 1, 5, 9, 2, 6];
  const leaveOut = values.map((_, i) => plugIn(values.filter((_, j) => j !== i)));
  expect(jackknifeCorrected(plugIn(values), leaveOut)).toBeCloseTo(variance(values), 10);
});

test('a paired difference is the jackknife of the differences', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(number, number), { minLength: 2, maxLength: 20 }), (pairs) => {
      const [a, b] = [ofMean(pairs.map(([x]) => x)), ofMean(pairs.map(([, y]) => y))];
      const differences = ofMean(pairs.map(([x, y]) => x - y));
      const got = jackknifeDifference(a, b, true);
      expect(got.estimate).toBeCloseTo(differences.full, 8);
      expect(got.se).toBeCloseTo(jackknife(differences.full, differences.leaveOut).se, 8);
    }),
  );
});

test('what both share cancels when paired and does not when unpaired', () => {
  const values = [1, 5, 2, 8, 3, 9, 4, 7];
  const a = ofMean(values);
  const b = ofMean(values.map((value) => value + 1));
  expect(jackknifeDifference(b, a, true)).toMatchObject({ estimate: 1 });
  expect(jackknifeDifference(b, a, true).se).toBeCloseTo(0, 12);
  expect(jackknifeDifference(b, a, false).se).toBeCloseTo(Math.SQRT2 * jackknife(a.full, a.leaveOut).se, 12);
});

test("an unpaired difference is Welch's", () => {
  // SciPy 1.17.1, ttest_ind with equal_var=False.
  const got = jackknifeDifference(ofMean([1, 5, 2, 8, 3]), ofMean([20, 9, 4, 30]), false);
  expect(got.df).toBeCloseTo(3.275080276067992, 10);
  expect([got.low, got.high]).toEqual([
    expect.closeTo(-29.982796824112615, 8),
    expect.closeTo(6.0827968241126165, 8),
  ]);
  expect(got.groups).toBe(4);
});

test('two constant statistics differ by a point', () => {
  const a = { full: 3, leaveOut: [3, 3, 3] };
  const b = { full: 1, leaveOut: [1, 1, 1, 1] };
  expect(jackknifeDifference(a, b, false)).toMatchObject({ estimate: 2, low: 2, high: 2 });
});

test('refuses to pair samples with different groups', () => {
  expect(() => jackknifeDifference(ofMean([1, 2]), ofMean([1, 2, 3]), true)).toThrow(RangeError);
});

test('deals units to at most `limit` groups of nearly equal size, each unit once', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string(), { maxLength: 200 }),
      fc.integer({ min: 1, max: 60 }),
      (units, limit) => {
        const groups = groupsOf(units, limit);
        expect(groups.length).toBe(Math.min(limit, units.length));
        expect(groups.flat().sort((a, b) => a - b)).toEqual(units.map((_, i) => i));
        const sizes = groups.map((group) => group.length);
        if (sizes.length > 0) expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      },
    ),
  );
  expect(groupsOf(new Array(120).fill('u')).length).toBe(50);
});
