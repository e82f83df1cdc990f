import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seeded } from '../../src/math/random.ts';
import {
  collapseTrend,
  conditionalCollapse,
  countEntropy,
  curvePoint,
  entropyOf,
  jointCollapse,
  kernelCollapse,
  namedCollapse,
  pairCollapse,
  pooledCollapse,
  type Tally,
  tallyOf,
  turnCollapse,
  type VectorRows,
} from '../../src/metrics/index.ts';
import { drawPopulation, marginalLaw } from './simulated-population.ts';
import { anyRows, repeated, shuffledIndexes, tally } from './tallies.ts';

const spec = {
  laws: [
    [0.5, 0.3, 0.2, 0],
    [0.1, 0.2, 0.3, 0.4],
    [0.25, 0.25, 0.25, 0.25],
  ],
  topic: [0.2, 0.2, 0.5, 0.1],
  shared: 0.3,
  looseness: 2,
  contexts: 20,
  rows: 3,
};
const random = seeded('scd');
const population = () => drawPopulation(spec, random);

describe('pooled collapse', () => {
  it('splits into within and between exactly, for any weights', () => {
    for (const weights of ['equal', 'traffic', [0.6, 0.3, 0.1]] as const) {
      const { pooled, within, between } = pooledCollapse(population(), { weights });
      const entropy = (1 - pooled.value!) * Math.log(4);
      expect(within.value! + between.value!).toBeCloseTo(entropy, 12);
    }
  });

  it('gives no split where a simulator has fewer than 3 K rows', () => {
    const simulators = [repeated(4, 20, [0, 1]), repeated(4, 5, [2, 3])];
    const { pooled, within, between } = pooledCollapse(simulators);
    expect(pooled.value).not.toBeNull();
    expect(within.value).toBeNull();
    expect(between.reason).toBe('a simulator with fewer than 3 K rows');
  });

  it('applies the jackknife rule over single contexts', () => {
    const [one] = population();
    const without = (unit: number) => {
      const counts = Float64Array.from(one!.counts);
      const u = one!.units.indexOf(unit);
      for (let e = one!.start[u]!; e < one!.start[u + 1]!; e++) counts[one!.cell[e]!]! -= one!.count[e]!;
      return entropyOf(counts.map((count) => count / (one!.n - one!.size[u]!)));
    };
    const g = one!.units.length;
    const mean = [...one!.units].reduce((sum, unit) => sum + without(unit) / g, 0);
    const corrected = g * entropyOf(one!.counts.map((count) => count / one!.n)) - (g - 1) * mean;
    expect((1 - pooledCollapse([one!]).pooled.value!) * Math.log(4)).toBeCloseTo(corrected, 12);
  });

  it('is null where a simulator has one context, and for one mode', () => {
    expect(pooledCollapse([tally(4, [[0, 1, 2]])]).pooled.value).toBeNull();
    expect(pooledCollapse([repeated(1, 9, [0])]).pooled.reason).toBe('too few episodes to fit two modes');
    expect(pooledCollapse([]).pooled.reason).toBe('no simulator');
  });
});

describe('collapse by pairs', () => {
  it('splits into narrow each and all alike exactly', () => {
    const { pooled2, within, alike } = pairCollapse(population());
    expect(within.value! + alike.value!).toBeCloseTo((1 - pooled2.value!) * Math.log(4), 12);
  });

  it('has an unbiased coincidence of the mixture, though simulators share what contexts ask for', () => {
    const values = Array.from({ length: 2000 }, () => pairCollapse(population()).concentration.value!);
    const mixture = [0, 1, 2, 3].map((k) =>
      [0, 1, 2].reduce((sum, i) => sum + marginalLaw(spec, i)[k]! / 3, 0),
    );
    const truth = mixture.reduce((sum, p) => sum + p * p, 0);
    const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
    const sd = Math.sqrt(values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length);
    expect(Math.abs(mean - truth)).toBeLessThan((4 * sd) / Math.sqrt(values.length));
  });

  it('is null where no two rows coincide or no pair exists', () => {
    const apart = tally(4, [[0], [1], [2], [3]]);
    expect(pairCollapse([apart]).pooled2).toMatchObject({ value: null, reason: 'no two rows coincide' });
    expect(pairCollapse([tally(4, [[0, 0]])]).pooled2.value).toBeNull();
  });
});

describe('figures of a population', () => {
  const figures = (simulators: readonly Tally[], weights?: readonly number[]) => {
    const options = weights === undefined ? {} : { weights };
    return [pooledCollapse(simulators, options), pairCollapse(simulators, options)];
  };

  it('do not move by a digit when simulators change places', () => {
    const simulators = population();
    const weights = [0.5, 0.3, 0.2];
    fc.assert(
      fc.property(shuffledIndexes(3), (order) => {
        expect(
          figures(
            order.map((i) => simulators[i]!),
            order.map((i) => weights[i]!),
          ),
        ).toEqual(figures(simulators, weights));
      }),
    );
  });

  it('do not change when every simulator stands in twice', () => {
    const simulators = population();
    const [one, two] = [figures(simulators), figures([...simulators, ...simulators])];
    expect(two[0]).toMatchObject({
      pooled: { value: expect.closeTo((one[0] as never as { pooled: { value: number } }).pooled.value, 12) },
    });
    expect(two[1]).toMatchObject({
      pooled2: {
        value: expect.closeTo((one[1] as never as { pooled2: { value: number } }).pooled2.value, 12),
      },
    });
  });

  it('never give a value without a reason or a number', () => {
    fc.assert(
      fc.property(fc.array(anyRows(3), { minLength: 1, maxLength: 3 }), (rows) => {
        const simulators = rows.map(tallyOf);
        const { pooled } = pooledCollapse(simulators);
        const { pooled2 } = pairCollapse(simulators);
        for (const figure of [pooled, pooled2])
          if (figure.value === null) expect(figure.reason).toBeTruthy();
          else expect(Number.isFinite(figure.value)).toBe(true);
        if (pooled2.value !== null) expect(pooled2.value).toBeLessThanOrEqual(1 + 1e-12);
      }),
      { numRuns: 60 },
    );
  });

  it('reject weights that do not fit', () => {
    expect(() => pooledCollapse(population(), { weights: [1, 1] })).toThrow(RangeError);
    expect(() => pairCollapse(population(), { weights: [1, -1, 1] })).toThrow(RangeError);
    expect(() => pairCollapse(population(), { weights: [0, 0, 0] })).toThrow(RangeError);
  });
});

describe('joint collapse', () => {
  it('finds simulators that copy one another', () => {
    const draws = Array.from({ length: 120 }, () => random.integer(4));
    const copies = [0, 1, 2].map(() =>
      tally(
        4,
        draws.map((cell) => [cell]),
      ),
    );
    const { joint, edges, information } = jointCollapse(copies, { random: seeded(2) });
    expect(edges).toBe(2);
    expect(information).toBeGreaterThan(2 * 0.9 * Math.log(4));
    expect(joint.value).toBeCloseTo(2 / 3, 1);
  });

  it('resolves the edge level for many simulators', () => {
    const draws = Array.from({ length: 120 }, () => random.integer(3));
    const copies = Array.from({ length: 9 }, () =>
      tally(
        3,
        draws.map((cell) => [random.next() < 0.8 ? cell : random.integer(3)]),
      ),
    );
    expect(jointCollapse(copies, { random: seeded(3) }).edges).toBe(8);
  });

  it('seldom finds an edge between independent simulators that both follow their own law', () => {
    let edges = 0;
    for (let set = 0; set < 60; set++) {
      const simulators = [0, 1, 2].map(() =>
        tally(
          3,
          Array.from({ length: 50 }, () => [random.integer(3), random.integer(2)]),
        ),
      );
      edges += jointCollapse(simulators, { random: seeded(set), permutations: 60 }).edges;
    }
    expect(edges).toBeLessThan(10);
  });

  it('is null where the table is too large for the paired rows, or no context is shared', () => {
    const wide = [0, 1].map(() => repeated(30, 20, [0, 7, 20]));
    expect(jointCollapse(wide, { random: seeded(1) }).joint.reason).toBe(
      'too few paired rows (60) for 30 modes',
    );
    const apart = [tally(2, [[0], [1], [], []]), tally(2, [[], [], [0], [1]])];
    expect(jointCollapse(apart, { random: seeded(1) }).joint.reason).toBe(
      'two simulators that share no context',
    );
  });

  it('does not depend on the order of simulators', () => {
    const simulators = drawPopulation({ ...spec, contexts: 60 }, random);
    const one = jointCollapse(simulators, { random: seeded(5) });
    expect(jointCollapse([...simulators].reverse(), { random: seeded(5) })).toEqual(one);
  });
});

describe('kernel collapse', () => {
  const rows = (
    count: number,
    columns: number,
    make: (row: number, column: number) => number,
  ): VectorRows => ({
    columns,
    data: Float64Array.from({ length: count * columns }, (_, i) =>
      make(Math.floor(i / columns), i % columns),
    ),
    unit: Array.from({ length: count }, (_, row) => row % 20),
  });

  it('is near 0 for directions spread evenly and 1 for a single direction', () => {
    const even = rows(400, 6, () => random.normal());
    expect(kernelCollapse([even]).value).toBeLessThan(0.02);
    expect(kernelCollapse([rows(100, 6, (_, c) => c + 1)]).value).toBe(1);
    const line = rows(100, 6, (row, c) => (c === 0 ? (row % 2) * 2 - 1 : 0));
    expect(kernelCollapse([line]).value).toBeCloseTo(1, 9);
  });

  it('takes as many rows of each simulator and is null below 5 d in all', () => {
    const [many, few] = [rows(100, 6, () => random.normal()), rows(12, 6, () => random.normal())];
    expect(kernelCollapse([many]).n).toBe(100);
    expect(kernelCollapse([many, few])).toMatchObject({ value: null, n: 24 });
    const pair = [many, rows(40, 6, () => random.normal())];
    expect(kernelCollapse(pair).n).toBe(80);
    expect(kernelCollapse([...pair].reverse())).toEqual(kernelCollapse(pair));
  });
});

describe('collapse by name', () => {
  it('corrects entropies the way the estimators are published', () => {
    const counts = [5, 3, 1, 1, 0];
    const plugIn = countEntropy(counts, 'plug-in');
    expect(countEntropy(counts, 'miller-madow')).toBeCloseTo(plugIn + 3 / 20, 12);
    const covered = [5, 3, 1, 1].map((count) => (0.8 * count) / 10);
    const chao = covered.reduce((sum, p) => sum - (p * Math.log(p)) / (1 - (1 - p) ** 10), 0);
    expect(countEntropy(counts, 'chao-shen')).toBeCloseTo(chao, 12);
    expect(countEntropy([4, 4], 'plug-in')).toBeCloseTo(Math.log(2), 12);
  });

  it('names the estimator as its method', () => {
    expect(namedCollapse([repeated(4, 10, [0, 1, 2, 3])], 'chao-shen').method).toBe('chao-shen');
    expect(namedCollapse([repeated(4, 10, [0, 1, 2, 3])], 'plug-in').value).toBeCloseTo(0, 12);
    expect(namedCollapse([], 'plug-in').value).toBeNull();
  });
});

describe('conditional collapse', () => {
  it('is 1 for deterministic replies and 0 for all classes equally likely', () => {
    const { disagreement } = turnCollapse(
      Array.from({ length: 20 }, (_, unit) => ({ unit, classes: [1, 1, 1], probability: 1 })),
      'member',
    );
    expect(conditionalCollapse(disagreement, 4)).toMatchObject({ value: 1, low: 1, high: 1 });
    const even = { ...disagreement, value: 0.75, low: 0.7, high: 0.8 };
    const figure = conditionalCollapse(even, 4);
    expect(figure.value).toBeCloseTo(0, 12);
    expect(figure.low).toBeLessThan(figure.high!);
  });
});

describe('curves over epochs and depths', () => {
  it('finds the slope of a population that collapses', () => {
    const epochs = [0, 1, 2, 3].map((step) => ({
      step,
      simulators: [0, 1].map(() =>
        tally(
          4,
          Array.from({ length: 60 }, () =>
            [0, 1, 2].map(() => (random.next() < step * 0.25 ? 0 : random.integer(4))),
          ),
        ),
      ),
    }));
    const trend = collapseTrend(epochs);
    for (const figure of [trend.scd, trend.scd2, trend.mci]) expect(figure.low).toBeGreaterThan(0);
    expect(collapseTrend([...epochs].reverse())).toEqual(trend);
    const values = epochs.map(({ simulators }) => curvePoint(simulators).scd2.value!);
    expect(trend.scd2.value).toBeCloseTo((3 * (values[3]! - values[0]!) + values[2]! - values[1]!) / 10, 9);
    expect(collapseTrend(epochs.slice(0, 1)).scd.reason).toBe('fewer than 2 epochs');
  });

  it('leaves simulators without a row at a depth out of that depth', () => {
    const point = curvePoint([repeated(3, 12, [0, 1]), tally(3, [])]);
    expect(point.scd.value).toBeCloseTo(1 - Math.log(2) / Math.log(3), 12);
    expect(point.n).toBe(24);
    expect(curvePoint([tally(3, [])]).scd2.reason).toBe('no simulator');
  });
});
