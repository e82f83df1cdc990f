import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jackknifeCorrected } from '../../src/math/index.ts';
import { entropyOf, pairCollapse, pooledCollapse, type Tally, tallyOf } from '../../src/metrics/index.ts';
import { populationOf } from '../../src/metrics/population.ts';
import { coincidences } from '../../src/metrics/scd-pairs.ts';
import { jensenShannon, meanEntropy, mixture } from './divergence.ts';
import { printFigure } from './printed-figure.ts';

const positive = fc.double({ min: 0.01, max: 1, noNaN: true });
const scaled = (raw: readonly number[]) => {
  const total = raw.reduce((sum, x) => sum + x, 0);
  return raw.map((x) => x / total);
};
const anyLaw = (k: number) =>
  fc
    .array(fc.oneof(fc.constant(0), positive), { minLength: k, maxLength: k })
    .filter((raw) => raw.some((x) => x > 0))
    .map(scaled);
/** Laws over five modes of one to five simulators, with any weights. */
const anyPopulation = fc
  .array(fc.tuple(anyLaw(5), positive), { minLength: 1, maxLength: 5 })
  .map((members) => ({ laws: members.map(([law]) => law), weights: scaled(members.map(([, w]) => w)) }));

const dot = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce((sum, x, k) => sum + x * b[k]!, 0);
const coincidence = ({ laws, weights }: { laws: number[][]; weights: number[] }) => {
  const mixed = mixture(laws, weights);
  return {
    mix: dot(mixed, mixed),
    within: laws.reduce((sum, law, i) => sum + weights[i]! * dot(law, law), 0),
  };
};

describe('the entropy of a population', () => {
  it('is that inside its simulators plus their JSD, for any laws and any weights', () => {
    fc.assert(
      fc.property(anyPopulation, ({ laws, weights }) => {
        expect(meanEntropy(laws, weights) + jensenShannon(laws, weights)).toBeCloseTo(
          entropyOf(mixture(laws, weights)),
          10,
        );
        expect(jensenShannon(laws, weights)).toBeGreaterThan(-1e-12);
        expect(jensenShannon(laws, weights)).toBeLessThanOrEqual(entropyOf(weights) + 1e-12);
      }),
      { numRuns: 300 },
    );
  });

  it('splits so after correction too, with any numbers of rows: each part corrected by itself', () => {
    fc.assert(
      fc.property(shownRows, ({ rows, weights }) => {
        const { pooled, within, between } = pooledCollapse(rows.map(tallyOfRows), { weights });
        const shares = (left: number) =>
          rows.map((own) => {
            const counts = [0, 0, 0];
            for (const [c, cells] of own.entries())
              if (c !== left) for (const cell of cells) counts[cell]! += 1;
            return scaled(counts);
          });
        const corrected = (of: (laws: number[][]) => number) =>
          jackknifeCorrected(
            of(shares(-1)),
            rows[0]!.map((_, c) => of(shares(c))),
          );
        const known = scaled(weights);
        expect(within.value).toBeCloseTo(
          corrected((laws) => meanEntropy(laws, known)),
          9,
        );
        expect(between.value).toBeCloseTo(
          corrected((laws) => jensenShannon(laws, known)),
          9,
        );
        expect(within.value! + between.value!).toBeCloseTo((1 - pooled.value!) * Math.log(3), 9);
      }),
      { numRuns: 40 },
    );
  });

  it('can be estimated with a JSD below 0, which no law has: the split is exact, the estimate is not clipped', () => {
    const alike = [0, 1].map(() => tallyOfRows(Array.from({ length: 12 }, (_, c) => [c % 3])));
    expect(pooledCollapse(alike).between.value).toBeCloseTo(0, 12);
    const apart = [0, 1].map((i) =>
      tallyOfRows(Array.from({ length: 12 }, (_, c) => [(c + i * (c % 2)) % 3])),
    );
    const value = pooledCollapse(apart).between.value!;
    printFigure('corrected JSD of nearly equal simulators', value.toFixed(4));
    expect(value).toBeLessThan(0);
  });
});

describe('the coincidence of a population', () => {
  it('is at most that inside its simulators: log(1/c_mix) = log(1/c_within) + a part that is never below 0', () => {
    fc.assert(
      fc.property(anyPopulation, (population) => {
        const { mix, within } = coincidence(population);
        expect(Math.log(within / mix)).toBeGreaterThan(-1e-12);
        const { laws } = population;
        const even = laws.map(() => 1 / laws.length);
        const equal = coincidence({ laws, weights: even });
        expect(equal.within / equal.mix).toBeLessThanOrEqual(laws.length + 1e-9);
      }),
      { numRuns: 300 },
    );
  });

  it('splits into narrow each and all alike in what is shown, whatever the weights', () => {
    fc.assert(
      fc.property(shownRows, ({ rows, weights }) => {
        const { pooled2, within, alike, concentration } = pairCollapse(rows.map(tallyOfRows), { weights });
        if (pooled2.value === null) return;
        expect(within.value! + alike.value!).toBeCloseTo(-Math.log(concentration.value!), 10);
        expect(1 - (within.value! + alike.value!) / Math.log(3)).toBeCloseTo(pooled2.value, 10);
      }),
      { numRuns: 60 },
    );
  });

  it('reads log N as the part between N disjoint simulators, however narrow each is, at equal weights alone', () => {
    // Two simulators on modes of their own, the first on one mode, the second on `broad` of them.
    const between = (broad: number, weights: number[]) => {
      const laws = [
        [1, ...new Array<number>(broad).fill(0)],
        [0, ...new Array<number>(broad).fill(1 / broad)],
      ];
      const { mix, within } = coincidence({ laws, weights });
      return Math.log(within / mix);
    };
    for (const broad of [1, 2, 5]) expect(between(broad, [0.5, 0.5])).toBeCloseTo(Math.LN2, 12);
    // At other weights the same two disjoint simulators seem the less apart the broader the rarer one is.
    expect(between(1, [0.9, 0.1])).toBeCloseTo(-Math.log(0.9 ** 2 + 0.1 ** 2), 12);
    expect(between(5, [0.9, 0.1])).toBeLessThan(between(1, [0.9, 0.1]) - 0.05);
    printFigure(
      'between two disjoint simulators at weights .9, .1',
      `${between(1, [0.9, 0.1]).toFixed(3)} nats on one mode each, ${between(5, [0.9, 0.1]).toFixed(3)} where the rarer has five`,
    );
  });

  it('is unbiased from pairs of different contexts, though rows of a context hang together', () => {
    // Two contexts are of kind a or b, half each; both simulators' laws over two modes hang on the kind.
    const laws = { a: [0.9, 0.6], b: [0.2, 0.5] } as const;
    const sizes = [
      [1, 2],
      [2, 1],
    ];
    const weights = [0.3, 0.7];
    let [mixed, withinOne, naive] = [0, 0, 0];
    for (const kinds of [0, 1, 2, 3].map((bits) =>
      [bits & 1, bits >> 1].map((b) => (b === 1 ? 'b' : 'a') as 'a' | 'b'),
    ))
      for (let bits = 0; bits < 2 ** 6; bits++) {
        let chance = 0.25;
        let at = 0;
        const tallies = sizes.map((rows, i) => {
          const unit: number[] = [];
          const cell: number[] = [];
          rows.forEach((count, c) => {
            for (let row = 0; row < count; row++) {
              const mode = (bits >> at++) & 1;
              const first = laws[kinds[c]!][i]!;
              chance *= mode === 0 ? first : 1 - first;
              unit.push(c);
              cell.push(mode);
            }
          });
          return tallyOf({ k: 2, unit, cell, outside: cell.map(() => 0 as const) });
        });
        const shown = coincidences(populationOf(tallies, weights))(null);
        mixed += chance * shown.mixture;
        withinOne += chance * shown.within;
        // All pairs of rows of simulator 0, of one context too.
        const counts = tallies[0]!.counts;
        naive += (chance * (counts[0]! ** 2 + counts[1]! ** 2 - 3)) / 6;
      }
    const means = [0, 1].map((i) => (laws.a[i]! + laws.b[i]!) / 2).map((first) => [first, 1 - first]);
    const truth = coincidence({ laws: means, weights });
    expect(mixed).toBeCloseTo(truth.mix, 12);
    expect(withinOne).toBeCloseTo(truth.within, 12);
    expect(naive).toBeGreaterThan(dot(means[0]!, means[0]!) + 0.01);
  });
});

describe('resampling contexts with replacement', () => {
  it('makes a repeated context look like an observation: MCI + (1 - MCI) / G is its mean, exactly', () => {
    const modes = [0, 0, 1, 2];
    const of = (cells: readonly number[]) =>
      coincidences(populationOf([tallyOfRows(cells.map((cell) => [cell]))]))(null).within;
    let mean = 0;
    const resamples = modes.length ** modes.length;
    for (let code = 0; code < resamples; code++) {
      const drawn = modes.map((_, place) => modes[Math.floor(code / modes.length ** place) % modes.length]!);
      mean += of(drawn) / resamples;
    }
    const own = of(modes);
    expect(mean).toBeCloseTo(own + (1 - own) / modes.length, 12);
  });

  it('while leaving one out at a time has the estimate itself as its mean', () => {
    const modes = [0, 0, 1, 2, 1];
    const tally = (cells: readonly number[]) => populationOf([tallyOfRows(cells.map((cell) => [cell]))]);
    const left = modes.map(
      (_, gone) => coincidences(tally(modes.filter((__, c) => c !== gone)))(null).within,
    );
    expect(left.reduce((sum, x) => sum + x, 0) / modes.length).toBeCloseTo(
      coincidences(tally(modes))(null).within,
      12,
    );
  });
});

/** One to three simulators over the same 4 to 8 contexts, at least 9 rows each, of three modes; any weights. */
const shownRows = fc
  .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 4, max: 8 }))
  .chain(([simulators, contexts]) =>
    fc.record({
      rows: fc.array(
        fc.array(fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 3, maxLength: 5 }), {
          minLength: contexts,
          maxLength: contexts,
        }),
        { minLength: simulators, maxLength: simulators },
      ),
      weights: fc.array(positive, { minLength: simulators, maxLength: simulators }),
    }),
  );

/** `rows[c]` = modes of the rows of context c, of three. */
function tallyOfRows(rows: readonly (readonly number[])[]): Tally {
  const unit = rows.flatMap((cells, c) => cells.map(() => c));
  const cell = rows.flat();
  return tallyOf({ k: 3, unit, cell, outside: cell.map(() => 0 as const) });
}
