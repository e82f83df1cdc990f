import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seeded } from '../../src/math/index.ts';
import {
  diversityDifference,
  equalSize,
  type Figure,
  massDifference,
  outsideDifference,
  pairCollapse,
  pooledCollapse,
  populationDifference,
  spreadDifference,
  type Tally,
  tallyOf,
  zeroVarianceDifference,
} from '../../src/metrics/index.ts';
import { drawPopulation, type SimulatedPopulation } from './simulated-population.ts';

const K = 8;

function power(steepness: number, shift = 0): number[] {
  const raw = Array.from({ length: K }, (_, i) => (((i + shift) % K) + 1) ** -steepness);
  const total = raw.reduce((sum, x) => sum + x, 0);
  return raw.map((x) => x / total);
}

const LAWS = [0, 1, 2].map((i) => power(1, 2 * i));
const NARROW = [0, 1, 2, 0, 1, 2].map((i) => power(2, i));
const SPEC: SimulatedPopulation = {
  laws: [...LAWS, ...LAWS],
  topic: power(0.3),
  shared: 0.25,
  looseness: 4,
  contexts: 60,
  rows: 3,
};

/** Two populations of one law: in the same contexts, or each in its own. */
function drawPair(spec: SimulatedPopulation, seed: string, sharing: boolean): [Tally[], Tally[]] {
  const random = seeded(seed);
  if (sharing) {
    const all = drawPopulation(spec, random);
    return [all.slice(0, 3), all.slice(3)];
  }
  const [a, b] = [spec.laws.slice(0, 3), spec.laws.slice(3)];
  return [
    drawPopulation({ ...spec, laws: a }, random),
    drawPopulation({ ...spec, laws: b }, random, spec.contexts),
  ];
}

const NAMES = ['pooled', 'pooled2', 'pooled2Within', 'pooled2Alike'] as const;

function expectOpposite(forth: Figure, back: Figure): void {
  if (forth.value === null) {
    expect(back.value).toBeNull();
    return;
  }
  expect(forth.value + back.value!).toBe(0);
  expect(forth.se).toBe(back.se);
  expect(forth.detectable).toBe(back.detectable);
  if (forth.low !== null) expect(forth.low + back.high!).toBe(0);
}

const anyTally = fc
  .array(fc.tuple(fc.nat(14), fc.nat(K - 1), fc.boolean()), { minLength: 4, maxLength: 60 })
  .map((rows) =>
    tallyOf({
      k: K,
      unit: rows.map(([unit]) => unit),
      cell: rows.map(([, cell]) => cell),
      outside: rows.map(([, , outside]) => outside),
    }),
  );
const anyPopulation = fc.array(anyTally, { minLength: 1, maxLength: 4 });

describe('the difference of two populations', () => {
  it('is 0, surely, between a population and itself', () => {
    fc.assert(
      fc.property(anyPopulation, (a) => {
        const difference = populationDifference(a, a);
        for (const name of NAMES) {
          const { value, se } = difference[name];
          if (value !== null) expect(value).toBe(0);
          if (se !== undefined) expect(se).toBe(0);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('turns its sign, to the last digit, when the populations change places', () => {
    fc.assert(
      fc.property(anyPopulation, anyPopulation, (a, b) => {
        const [forth, back] = [populationDifference(a, b), populationDifference(b, a)];
        for (const name of NAMES) expectOpposite(forth[name], back[name]);
      }),
      { numRuns: 60 },
    );
  });

  it('turns its sign where simulators stand in contexts of their own', () => {
    const own = (first: number) =>
      drawPopulation({ ...SPEC, laws: [LAWS[0]!] }, seeded(`own/${first}`), first);
    const a = [...own(0), ...own(60), ...own(120)];
    const b = [...own(180), ...own(240)];
    const [forth, back] = [populationDifference(a, b), populationDifference(b, a)];
    for (const name of NAMES) expectOpposite(forth[name], back[name]);
    expect(forth.pooled2.method).toContain('; ');
  });

  it('is the difference of the two figures', () => {
    const [a, b] = drawPair({ ...SPEC, laws: [...LAWS, ...LAWS.map(() => power(2))] }, 'values', true);
    const difference = populationDifference(a, b);
    const [x, y] = [pairCollapse(a), pairCollapse(b)];
    expect(difference.pooled2.value).toBe(x.pooled2.value! - y.pooled2.value!);
    expect(difference.pooled2Within.value).toBe(x.within.value! - y.within.value!);
    expect(difference.pooled.value).toBe(pooledCollapse(a).pooled.value! - pooledCollapse(b).pooled.value!);
    expect(difference.pooled2.high).toBeLessThan(0);
  });

  it('is sharper where the populations share contexts than where they do not', () => {
    const [a, b] = drawPair({ ...SPEC, shared: 0.7 }, 'sharp', true);
    const apart = b.map((tally) => ({ ...tally, units: tally.units.map((unit) => unit + 60) }));
    expect(populationDifference(a, b).pooled2.se).toBeLessThan(populationDifference(a, apart).pooled2.se!);
  });

  it.each([
    { name: 'broad, the same 60 contexts x 3', sharing: true, spec: SPEC, most: 0.98 },
    { name: 'broad, contexts of their own', sharing: false, spec: SPEC, most: 0.98 },
    { name: 'narrow, the same 60 contexts x 3', sharing: true, spec: { ...SPEC, laws: NARROW }, most: 0.98 },
    // Near equal modes the first order vanishes, and the interval is too wide (metrics.md, "Intervals").
    {
      name: 'nearly equal modes, the same 80 contexts x 1',
      sharing: true,
      spec: { ...SPEC, shared: 0.6, rows: 1, contexts: 80 },
      most: 1,
    },
  ])('covers 0 in 92 % or more of 300 pairs of equal populations: $name', ({ name, sharing, spec, most }) => {
    let hits = 0;
    for (let at = 0; at < 300; at++) {
      const [a, b] = drawPair(spec, `${name}/${at}`, sharing);
      const { low, high } = populationDifference(a, b).pooled2;
      if (low! <= 0 && high! >= 0) hits += 1;
    }
    expect(hits / 300).toBeGreaterThanOrEqual(0.92);
    expect(hits / 300).toBeLessThanOrEqual(most);
  });

  it('says no more than that there is none where a side has no simulator', () => {
    expect(populationDifference([], [drawPair(SPEC, 'x', true)[0][0]!]).pooled2).toMatchObject({
      value: null,
      reason: 'no simulator',
    });
  });

  it('gives no interval where one population has fewer than 8 contexts, however many the other has', () => {
    const [a] = drawPair(SPEC, 'few', true);
    const b = drawPopulation({ ...SPEC, contexts: 5 }, seeded('few')).slice(0, 3);
    expect(populationDifference(a, b).pooled2).toMatchObject({ low: null, reason: 'fewer than 8 contexts' });
  });
});

describe('differences of coverage, support, spread and groups', () => {
  it('turn their signs when the sides change places, and are 0 for equal sides', () => {
    fc.assert(
      fc.property(anyTally, anyTally, anyTally, (a, b, people) => {
        const size = equalSize([a, b, people]);
        const of = (x: Tally, y: Tally) => [
          massDifference(x, y, people, size),
          massDifference(x, y, null, size),
          diversityDifference(x, y, people, people, size),
          outsideDifference(x, y),
        ];
        const [forth, back] = [of(a, b), of(b, a)];
        forth.forEach((figure, at) => {
          expectOpposite(figure, back[at]!);
        });
        for (const { value } of of(a, a)) if (value !== null) expect(value).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  it('holds for spread over one pool', () => {
    const random = seeded('spread');
    const rows = (n: number, scale: number) => ({
      columns: 3,
      data: Float64Array.from({ length: 3 * n }, () => scale * random.normal()),
      unit: Array.from({ length: n }, (_, row) => row % 20),
    });
    const [a, b, pool] = [rows(60, 1), rows(60, 0.5), rows(200, 1)];
    const figure = spreadDifference(b, a, pool);
    expectOpposite(figure, spreadDifference(a, b, pool));
    expect(figure.high).toBeLessThan(0);
    expect(spreadDifference(a, a, pool)).toMatchObject({ value: 0, low: 0, high: 0 });
  });

  it('holds for groups without reward variance', () => {
    const groups = (zero: number) => {
      const group = Array.from({ length: 80 }, (_, row) => row >> 1);
      return {
        group,
        unit: group.map((g) => g % 20),
        reward: group.map((g, row) => (g % 10 < zero ? 1 : row % 2)),
        behaviour: group.map(() => null),
      };
    };
    const figure = zeroVarianceDifference(groups(8), groups(2), [0, 1]);
    expect(figure.value).toBeCloseTo(0.6, 12);
    expectOpposite(figure, zeroVarianceDifference(groups(2), groups(8), [0, 1]));
  });
});
