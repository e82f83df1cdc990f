import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  hypergeometricAtLeast,
  logChoose,
  logGamma,
  normalCdf,
  normalQuantile,
  studentTCdf,
  studentTQuantile,
} from '../../src/math/index.ts';

/** Relative closeness: the tails are what matters. */
const near = (got: number, want: number, tolerance = 1e-10) =>
  expect(Math.abs(got - want), `${got} against ${want}`).toBeLessThanOrEqual(tolerance * Math.abs(want));

// Values of the tables in this file: SciPy 1.17.1.
test.each([
  [0.975, 49, 2.0095752371292392],
  [0.975, 1, 12.706204736174694],
  [0.975, 7, 2.364624251592784],
  [0.8, 49, 0.8490183985380773],
  [0.9, 2.5, 1.7302509288071766],
  [0.99999, 3, 47.92772837600671],
  [0.6, 0.7, 0.35603136523468015],
  [0.975, 1e6, 1.959966356814107],
  [0.975, Number.POSITIVE_INFINITY, 1.959963984540054],
])("Student's t quantile at %d with %d degrees of freedom", (p, df, want) =>
  near(studentTQuantile(p, df), want),
);

test.each([
  [2, 7, 0.957190335718512],
  [-40, 3, 1.7190340394579253e-5],
  [0.1, 1.5, 0.5339792732565186],
  [-1, 1000, 0.15877620904233627],
  [-12, 200, 1.2110680026233124e-25],
  [0, 5, 0.5],
])("Student's t distribution at %d with %d degrees of freedom", (t, df, want) =>
  near(studentTCdf(t, df), want),
);

test.each([
  [-37, 5.7255712225239266e-300],
  [-6, 9.865876450376946e-10],
  [-3.0001, 0.0013494549132607172],
  [-2.9999, 0.001350341282954925],
  [-1, 0.15865525393145707],
  [0.5, 0.6914624612740131],
  [1.96, 0.9750021048517795],
  [5, 0.9999997133484281],
])('normal distribution at %d', (x, want) => near(normalCdf(x), want, 1e-12));

test.each([
  [1e-300, -37.0470962993612],
  [1e-12, -7.034483825301131],
  [0.001, -3.090232306167813],
  [0.975, 1.959963984540054],
  [0.9999, 3.719016485455709],
])('normal quantile at %d', (p, want) => near(normalQuantile(p), want, 1e-11));

test.each([
  [1e-5, 11.512919692895826],
  [0.5, 0.5723649429247],
  [1.5, -0.12078223763524526],
  [9.99, 12.779315214350195],
  [100, 359.1342053695754],
  [1e6, 12815504.569147611],
])('log gamma at %d', (x, want) => near(logGamma(x), want, 1e-13));

test.each([
  [5, 50, 10, 2, 0.2581000207668636],
  [3, 100, 50, 2, 0.5],
  [400, 1000, 300, 140, 0.003096464844294071],
  [20, 24, 10, 8, 0.8221343873517786],
  [7000, 20000, 400, 190, 1.3745566554002325e-7],
])(
  'hypergeometric tail: %d marked of %d, %d drawn, at least %d',
  (successes, population, draws, least, want) =>
    near(hypergeometricAtLeast(successes, population, draws, least), want, 1e-11),
);

test('gives infinite quantiles at 0 and 1 and NaN outside', () => {
  expect(studentTQuantile(1, 5)).toBe(Number.POSITIVE_INFINITY);
  expect(studentTQuantile(0, 5)).toBe(Number.NEGATIVE_INFINITY);
  expect(normalQuantile(0)).toBe(Number.NEGATIVE_INFINITY);
  expect(studentTQuantile(1.2, 5)).toBeNaN();
  expect(studentTQuantile(0.5, 0)).toBeNaN();
  expect(hypergeometricAtLeast(5, 4, 1, 1)).toBeNaN();
});

test('quantile and distribution undo each other', () => {
  const p = fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true });
  const df = fc.double({ min: 0.5, max: 1e5, noNaN: true });
  fc.assert(
    fc.property(p, df, (share, freedom) => {
      near(studentTCdf(studentTQuantile(share, freedom), freedom), share, 1e-9);
      near(normalCdf(normalQuantile(share)), share, 1e-10);
    }),
  );
});

test('hypergeometric tails fall from 1 to 0 and equal the complement seen from the unmarked', () => {
  const counts = fc
    .integer({ min: 1, max: 60 })
    .chain((n) => fc.tuple(fc.constant(n), fc.integer({ min: 0, max: n }), fc.integer({ min: 0, max: n })));
  fc.assert(
    fc.property(counts, ([n, marked, drawn]) => {
      expect(hypergeometricAtLeast(marked, n, drawn, 0)).toBe(1);
      expect(hypergeometricAtLeast(marked, n, drawn, drawn + 1)).toBe(0);
      for (let x = 1; x <= drawn; x++) {
        const tail = hypergeometricAtLeast(marked, n, drawn, x);
        expect(tail).toBeLessThanOrEqual(hypergeometricAtLeast(marked, n, drawn, x - 1) + 1e-12);
        // At least x marked is the same as not at least drawn - x + 1 unmarked.
        expect(tail).toBeCloseTo(1 - hypergeometricAtLeast(n - marked, n, drawn, drawn - x + 1), 10);
        expect(tail).toBeCloseTo(hypergeometricAtLeast(drawn, n, marked, x), 10);
      }
    }),
  );
});

test('drawing none of the marked has the chance counted by combinations', () => {
  const none = Math.exp(logChoose(40, 10) - logChoose(50, 10));
  near(1 - hypergeometricAtLeast(10, 50, 10, 1), none);
  expect(logChoose(5, 6)).toBe(Number.NEGATIVE_INFINITY);
  near(Math.exp(logChoose(10, 3)), 120, 1e-13);
});
