import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effectiveSize, temperingExponent } from '../../src/curation/effective-size.ts';
import { gradientScale } from '../../src/curation/gradient-scale.ts';
import { modeCounts } from '../../src/curation/mode-counts.ts';
import type { WeightsRecipe } from '../../src/curation/recipe.ts';
import { boundedScale } from '../../src/curation/weight-bounds.ts';
import { trainingWeights } from '../../src/curation/weights.ts';
import { columns, type Row, shuffled, someRows } from './columns.ts';

const recipe: WeightsRecipe = {
  alpha: 1,
  neighbours: 5,
  coverage: true,
  concentration: true,
  bounds: [0.25, 4],
  ess: 0.5,
};
const only = (changes: Partial<WeightsRecipe>): WeightsRecipe => ({
  ...recipe,
  alpha: 0,
  coverage: false,
  concentration: false,
  ...changes,
});
const mean = (values: Float64Array) => values.reduce((sum, w) => sum + w, 0) / values.length;

const settings = fc.record({
  recipe: fc.record({
    alpha: fc.double({ min: 0, max: 50, noNaN: true }),
    neighbours: fc.constant(5),
    coverage: fc.boolean(),
    concentration: fc.boolean(),
    bounds: fc.tuple(
      fc.double({ min: 0.01, max: 0.99, noNaN: true }),
      fc.double({ min: 1.01, max: 50, noNaN: true }),
    ),
    ess: fc.double({ min: 0.01, max: 1, noNaN: true }),
  }),
  mci: fc.array(fc.option(fc.double({ min: 0, max: 1, noNaN: true })), { minLength: 4, maxLength: 4 }),
  reference: fc.option(
    fc
      .array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 6, maxLength: 6 })
      .map((shares) => Float64Array.from(shares)),
  ),
});

describe('training weights, any data and recipe', () => {
  it('have mean 1, stay within the bounds and keep the effective sample size', () => {
    fc.assert(
      fc.property(someRows, settings, (rows, given) => {
        const { weight, ess, kappa, atLow, atHigh, histogram } = trainingWeights(columns(rows, 6), given);
        const [low, high] = given.recipe.bounds;
        expect(Math.abs(mean(weight) - 1)).toBeLessThan(1e-9);
        for (const w of weight) expect(w >= low && w <= high).toBe(true);
        expect(kappa >= 0 && kappa <= 1).toBe(true);
        expect(ess).toBeGreaterThanOrEqual(given.recipe.ess * rows.length * (1 - 1e-9));
        expect(ess).toBeCloseTo(effectiveSize(weight), 9);
        expect(atLow).toBe(weight.filter((w) => w === low).length);
        expect(atHigh).toBe(weight.filter((w) => w === high).length);
        expect(histogram.reduce((sum, { count }) => sum + count, 0)).toBe(rows.length);
      }),
      { numRuns: 300 },
    );
  });

  it('follow their rows bit for bit when rows are permuted and names change', () => {
    fc.assert(
      fc.property(someRows, settings, fc.string(), (rows, given, seed) => {
        const order = shuffled(rows.length, seed);
        const turned = [2, 0, 3, 1];
        const moved = order.map((row) => ({
          ...rows[row]!,
          simulator: turned.indexOf(rows[row]!.simulator),
          group: rows[row]!.group === null ? null : `renamed ${rows[row]!.group}`,
        }));
        const mci = turned.map((simulator) => given.mci[simulator]!);
        const before = trainingWeights(columns(rows, 6), given);
        const after = trainingWeights(columns(moved, 6), { ...given, mci });
        expect(Array.from(after.weight)).toEqual(order.map((row) => before.weight[row]));
        expect({ ...after, weight: null }).toEqual({ ...before, weight: null });
      }),
    );
  });

  it('stay what they are when every row is there three times', () => {
    fc.assert(
      fc.property(someRows, settings, (rows, given) => {
        const once = trainingWeights(columns(rows, 6), given);
        const thrice = trainingWeights(columns([...rows, ...rows, ...rows], 6), given);
        // An exponent at the edge of ESS = n is where rounding shows: weights move by its square root.
        for (const [at, w] of thrice.weight.entries())
          expect(Math.abs(w - once.weight[at % rows.length]!)).toBeLessThan(1e-6);
      }),
    );
  });
});

describe('training weights, by hand', () => {
  const four = (modes: readonly number[], simulators = [0, 0, 0, 0]): Row[] =>
    modes.map((mode, i) => ({ content: `${i}`, simulator: simulators[i]!, mode, distance: i + 1 }));

  it('are 1 without any factor, and with kappa 0', () => {
    const plain = { mci: [null], reference: null };
    const none = trainingWeights(columns(four([0, 1, 2, 3]), 4), { ...plain, recipe: only({}) });
    expect([...none.weight]).toEqual([1, 1, 1, 1]);
    expect(none.kappa).toBe(1);
    const all = trainingWeights(columns(four([0, 1, 2, 3]), 4), {
      ...plain,
      recipe: only({ alpha: 2, ess: 1 }),
    });
    expect([...all.weight]).toEqual([1, 1, 1, 1]);
    expect([all.kappa, all.ess]).toEqual([0, 4]);
  });

  it('fall by exp(-alpha rho)', () => {
    const { weight } = trainingWeights(columns(four([0, 0, 0, 0]), 4), {
      recipe: only({ alpha: 0.5 }),
      mci: [null],
      reference: null,
    });
    const raw = [1, 2 / 3, 1 / 3, 0].map((rho) => Math.exp(-rho / 2));
    const average = raw.reduce((sum, w) => sum + w, 0) / 4;
    raw.forEach((w, i) => {
      expect(weight[i]).toBeCloseTo(w / average, 12);
    });
  });

  it('take rows outside the support as the most crowded, however lonely they are', () => {
    const rows = four([0, 0, 0, 0]).map((row, i) => ({ ...row, outside: i === 3 }));
    const { weight } = trainingWeights(columns(rows, 4), {
      recipe: only({ alpha: 0.5 }),
      mci: [null],
      reference: null,
    });
    expect(weight[3]).toBe(weight[0]);
    expect(weight[2]).toBeGreaterThan(weight[1]!);
  });

  it('are never lifted by coverage outside the support, and lowered there like their mode', () => {
    const rows = four([0, 0, 0, 1]);
    const settings = {
      recipe: only({ coverage: true, bounds: [0.01, 100] as const, ess: 0.1 }),
      mci: [null],
      reference: Float64Array.of(0.25, 0.75, 0, 0),
    };
    const of = (outside: number) =>
      trainingWeights(
        columns(
          rows.map((row, i) => ({ ...row, outside: i === outside })),
          4,
        ),
        settings,
      ).weight;
    // Mode 1 is rarer than among people: its only row lies outside, so nothing is known of the mode, and it stays.
    expect(of(3)[3]).toBeGreaterThan(of(3)[0]!);
    // Mode 0 has two rows inside (p_data 2/3, p_ref 1/4): the third, outside, falls with them.
    expect(of(0)[0]).toBeCloseTo(of(0)[1]!, 12);
  });

  it('go as 1 / MCI, floored at 1/K, and count simulators whose MCI is unknown', () => {
    const { weight, unknownConcentration } = trainingWeights(columns(four([0, 0, 0, 0], [0, 1, 2, 0]), 4), {
      recipe: only({ concentration: true, bounds: [0.01, 100], ess: 0.1 }),
      mci: [0.5, 0.05, null],
      reference: null,
    });
    // 1 / .5, 1 / (1/4), 1, 1 / .5: mean 9/4
    [2, 4, 1, 2].forEach((w, i) => {
      expect(weight[i]).toBeCloseTo(w / (9 / 4), 12);
    });
    expect(unknownConcentration).toBe(1);
  });

  it('go as p_ref / p_data inside the support, and no lower than the bound where people have no row', () => {
    const rows: Row[] = [
      { content: 'a', simulator: 0, mode: 0 },
      { content: 'a', simulator: 0, mode: 0 },
      { content: 'b', simulator: 0, mode: 1 },
      { content: 'c', simulator: 0, mode: 2 },
      { content: 'd', simulator: 0, mode: 0, outside: true },
      { content: 'e', simulator: 0, mode: -1 },
    ];
    const { counts, total } = modeCounts(columns(rows, 4));
    expect([[...counts], total]).toEqual([[1, 1, 1, 0], 3]);
    const { weight } = trainingWeights(columns(rows, 4), {
      recipe: only({ coverage: true, bounds: [0.5, 9], ess: 0.1 }),
      mci: [null],
      reference: new Float64Array([1 / 3, 2 / 3, 0, 0]),
    });
    // Boosts 1, 1, 2, 1/2 (for 0), none, none: scale 12/13, and the 1/2 is lifted to the bound.
    const scale = (6 - 0.5) / 6;
    [scale, scale, 2 * scale, 0.5, scale, scale].forEach((w, i) => {
      expect(weight[i]).toBeCloseTo(w, 12);
    });
  });

  it('are none of no rows', () => {
    const got = trainingWeights(columns([], 4, 1), { recipe, mci: [null], reference: null });
    expect([got.weight.length, got.ess, got.kappa]).toEqual([0, 0, 1]);
  });
});

describe('the exponent that keeps the effective sample size', () => {
  it('is the one that solves it for two values', () => {
    // n/2 rows at 1 and n/2 at x: ESS / n = (1 + x)^2 / (2 (1 + x^2)) = .8 at x = 1/3
    const logs = Float64Array.from([Math.log(1 / 81), 0]);
    expect(temperingExponent(logs, 0.8)).toBeCloseTo(0.25, 11);
    expect(temperingExponent(logs, 0.5)).toBe(1);
    expect(temperingExponent(logs, 1)).toBe(0);
  });

  it('is the largest: a hair more and the floor is broken', () => {
    const list = fc.array(fc.double({ min: -30, max: 0, noNaN: true }), { minLength: 2, maxLength: 40 });
    fc.assert(
      fc.property(list, fc.double({ min: 0.05, max: 0.99, noNaN: true }), (values, share) => {
        const top = Math.max(...values);
        const logs = Float64Array.from(values, (l) => l - top).sort();
        const kappa = temperingExponent(logs, share);
        const at = (x: number) => effectiveSize(logs.map((l) => Math.exp(x * l)));
        expect(at(kappa)).toBeGreaterThanOrEqual(share * logs.length * (1 - 1e-12));
        if (kappa < 1 - 1e-9) expect(at(kappa + 1e-9)).toBeLessThan(share * logs.length * (1 + 1e-12));
      }),
      { numRuns: 300 },
    );
  });
});

describe('the scale within bounds', () => {
  it('is known by hand', () => {
    expect(boundedScale(new Float64Array([1, 1, 1]), [0.5, 2])).toBe(1);
    // 1 at the low bound, 9 at the high one: .5 + 2 + s 2 = 3
    expect(boundedScale(new Float64Array([0.001, 2, 9]), [0.5, 2])).toBeCloseTo(0.25, 14);
    // Flat at 1: half the rows at each bound.
    const scale = boundedScale(new Float64Array([1e-9, 1e9]), [0.5, 1.5]);
    expect([1e-9, 1e9].map((w) => Math.min(1.5, Math.max(0.5, scale * w)))).toEqual([0.5, 1.5]);
  });

  it('refuses bounds without 1 between them, and weights that are not positive', () => {
    for (const bounds of [
      [0, 4],
      [1, 4],
      [0.5, 1],
      [2, 0.5],
      [0.5, Infinity],
      [Number.NaN, 2],
    ] as const)
      expect(() => boundedScale(new Float64Array([1]), bounds)).toThrow(RangeError);
    expect(() => boundedScale(new Float64Array([0, 1]), [0.5, 2])).toThrow(RangeError);
    expect(() => boundedScale(new Float64Array([1, Infinity]), [0.5, 2])).toThrow(RangeError);
  });
});

describe('gradient scale', () => {
  it('is (median MCI / MCI)^beta for the more concentrated half, 1 for the rest and for the unknown', () => {
    expect([...gradientScale([0.2, 0.4, 0.8, null], 1, 10)]).toEqual([1, 1, 0.5, 1]);
    expect([...gradientScale([0.2, 0.8], 2, 10)]).toEqual([1, (0.5 / 0.8) ** 2]);
    expect([...gradientScale([0.001, 0.1, 0.4], 0.5, 10)]).toEqual([1, 1, 0.5]);
    expect([...gradientScale([null, null], 1, 4)]).toEqual([1, 1]);
    expect(gradientScale([], 1, 4).length).toBe(0);
    expect(() => gradientScale([0.5], -1, 4)).toThrow(RangeError);
  });

  it('is in (0, 1], follows its simulator and falls as MCI grows', () => {
    const list = fc.array(fc.option(fc.double({ min: -0.1, max: 1, noNaN: true })), { maxLength: 12 });
    fc.assert(
      fc.property(list, fc.double({ min: 0, max: 4, noNaN: true }), fc.string(), (mci, beta, seed) => {
        const scale = gradientScale(mci, beta, 16);
        const order = shuffled(mci.length, seed);
        const moved = gradientScale(
          order.map((i) => mci[i]!),
          beta,
          16,
        );
        expect(Array.from(moved)).toEqual(order.map((i) => scale[i]));
        for (const [i, s] of scale.entries()) {
          expect(s > 0 && s <= 1).toBe(true);
          for (const [j, t] of scale.entries())
            if (mci[i] !== null && mci[j] !== null && mci[i]! < mci[j]!) expect(s).toBeGreaterThanOrEqual(t);
        }
      }),
    );
  });
});
