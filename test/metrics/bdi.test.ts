import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hypergeometricAtLeast } from '../../src/math/distributions.ts';
import { seeded } from '../../src/math/random.ts';
import {
  behaviouralDiversity,
  behaviouralMass,
  equalSize,
  knnCoverage,
  massDifference,
  massTrend,
  missingModes,
  outsideShare,
  realism,
  realismDifference,
  referenceBalls,
  relativeGrowth,
  sameLawCoverage,
  support,
  type Tally,
  tallyOf,
} from '../../src/metrics/index.ts';
import { drawPopulation, marginalLaw, massOfLaw, visitLaw } from './simulated-population.ts';
import { anyRows, permuted, repeated, rowsOf, shuffledIndexes, tally } from './tallies.ts';

const random = seeded('bdi');

/** mass(g0) by drawing contexts and rows, as its definition says. */
function drawnMass(data: Tally, pRef: readonly number[], size: { contexts: number; rows: number }): number {
  const units = [...data.units.keys()].filter((u) => data.size[u]! >= size.rows);
  const draws = 6000;
  let mass = 0;
  for (let draw = 0; draw < draws; draw++) {
    const visits = new Array<number>(data.k).fill(0);
    for (const u of random.shuffle([...units]).slice(0, size.contexts)) {
      const rows: number[] = [];
      for (let e = data.start[u]!; e < data.start[u + 1]!; e++)
        for (let row = 0; row < data.count[e]!; row++) rows.push(row < data.inside[e]! ? data.cell[e]! : -1);
      for (const cell of new Set(random.shuffle(rows).slice(0, size.rows))) if (cell >= 0) visits[cell]! += 1;
    }
    pRef.forEach((p, cell) => {
      if (visits[cell]! >= 2) mass += p / draws;
    });
  }
  return mass;
}

/** Without the unit, from scratch. */
function dropUnit(data: Tally, unit: number): Tally {
  const rows = { unit: [] as number[], cell: [] as number[], outside: [] as boolean[] };
  data.units.forEach((own, u) => {
    if (own === unit) return;
    for (let e = data.start[u]!; e < data.start[u + 1]!; e++)
      for (let row = 0; row < data.count[e]!; row++) {
        rows.unit.push(own);
        rows.cell.push(data.cell[e]!);
        rows.outside.push(row >= data.inside[e]!);
      }
  });
  return tallyOf({ k: data.k, ...rows });
}

function uneven(k: number, units: number, from = 0): Tally {
  const cells = Array.from({ length: from + units }, (_, u) =>
    u < from ? [] : Array.from({ length: 2 + random.integer(3) }, () => Math.floor(k * random.next() ** 2)),
  );
  const rows = rowsOf(k, cells);
  return tallyOf({ ...rows, outside: Array.from(rows.cell, () => random.next() < 0.1) });
}

describe('mass of behaviour', () => {
  it('equals what drawing contexts and rows gives', () => {
    const people = repeated(6, 20, [0, 0, 0, 1, 1, 2, 3, 4, 5]);
    const pRef = [3, 2, 1, 1, 1, 1].map((count) => count / 9);
    for (const rows of [1, 2, 3]) {
      const data = uneven(6, 14);
      const size = { contexts: 4, rows };
      expect(behaviouralMass(data, people, size).value).toBeCloseTo(drawnMass(data, pRef, size), 1.5);
    }
  });

  it('is the hypergeometric chance where every context gives all its rows', () => {
    const data = tally(3, [
      [0, 1],
      [0, 0],
      [0, 1],
      [0, 2],
      [0, 0],
      [0, 1],
      [0, 0],
      [0, 0],
    ]);
    const people = repeated(3, 8, [0, 1, 2]);
    const chance = (v: number) => hypergeometricAtLeast(v, 8, 4, 2);
    const mass = behaviouralMass(data, people, { contexts: 4, rows: 2 });
    expect(mass.value).toBeCloseTo((chance(8) + chance(3) + chance(1)) / 3, 12);
    expect(chance(1)).toBe(0);
  });

  it('leaves contexts out as if computed from scratch', () => {
    const [data, people] = [uneven(5, 12), uneven(5, 11, 20)];
    const size = { contexts: 4, rows: 2 };
    const mass = behaviouralMass(data, people, size);
    const part = (tallies: Tally[]) => {
      const g = tallies.length;
      const mean = tallies.reduce((sum, one) => sum + value(one), 0) / g;
      return ((g - 1) / g) * tallies.reduce((sum, one) => sum + (value(one) - mean) ** 2, 0);
    };
    let value = (one: Tally) => behaviouralMass(one, people, size).value!;
    const own = part([...data.units].map((unit) => dropUnit(data, unit)));
    value = (one: Tally) => behaviouralMass(data, one, size).value!;
    const reference = part([...people.units].map((unit) => dropUnit(people, unit)));
    expect(mass.se).toBeCloseTo(Math.sqrt(own + reference), 9);
  });

  it('deletes shared contexts from data, ceiling and people at once', () => {
    const [data, ceiling, people] = [uneven(5, 12), uneven(5, 12), uneven(5, 12)];
    const size = { contexts: 4, rows: 2 };
    const figure = massDifference(data, ceiling, people, size);
    const values = [...data.units].map(
      (unit) =>
        massDifference(dropUnit(data, unit), dropUnit(ceiling, unit), dropUnit(people, unit), size).value!,
    );
    const mean = values.reduce((sum, x) => sum + x, 0) / 12;
    const variance = (11 / 12) * values.reduce((sum, x) => sum + (x - mean) ** 2, 0);
    expect(figure.se).toBeCloseTo(Math.sqrt(variance), 9);
  });

  it('is unbiased for the mass of the law', () => {
    const spec = {
      laws: [[0.6, 0.2, 0.1, 0.07, 0.03]],
      topic: [0.2, 0.2, 0.2, 0.2, 0.2],
      shared: 0.2,
      looseness: 2,
      contexts: 16,
      rows: 3,
    };
    const people = repeated(5, 10, [0, 1, 2, 3, 4]);
    const flat = new Array(5).fill(0.2);
    for (const rows of [1, 3]) {
      const size = { contexts: 8, rows };
      const values = Array.from(
        { length: 800 },
        () => behaviouralMass(drawPopulation(spec, random)[0]!, people, size).value!,
      );
      const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
      const sd = Math.sqrt(values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length);
      const truth = massOfLaw(flat, visitLaw(spec, 0, rows), 8);
      expect(Math.abs(mean - truth)).toBeLessThan((4 * sd) / Math.sqrt(values.length));
      expect(marginalLaw(spec, 0).reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
    }
  });

  it('lies in 0 .. 1, does not depend on the order of rows, and counts no row outside', () => {
    fc.assert(
      fc.property(
        anyRows(4).chain((rows) => fc.tuple(fc.constant(rows), shuffledIndexes(rows.cell.length))),
        ([rows, order]) => {
          const data = tallyOf(rows);
          const people = repeated(4, 9, [0, 1, 1, 3]);
          const size = equalSize([data]);
          const mass = behaviouralMass(data, people, size);
          expect(behaviouralMass(tallyOf(permuted(rows, order)), people, size)).toEqual(mass);
          if (mass.value === null) return;
          expect(mass.value).toBeGreaterThanOrEqual(0);
          expect(mass.value).toBeLessThanOrEqual(1 + 1e-12);
          const none = tallyOf({ ...rows, outside: Array.from(rows.cell, () => true) });
          expect(behaviouralMass(none, people, size).value).toBe(0);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('scores people against people about 1 and a single mode its share', () => {
    const people = (from: number) =>
      tally(
        8,
        Array.from({ length: from + 60 }, (_, u) => (u < from ? [] : [0, 1, 2].map(() => random.integer(8)))),
      );
    const [reference, ceiling, own] = [people(0), people(60), people(120)];
    const size = equalSize([own, ceiling]);
    const headline = behaviouralDiversity(own, ceiling, reference, size);
    expect(headline.value).toBeCloseTo(1, 1);
    const one = behaviouralMass(repeated(8, 60, [0, 0, 0]), reference, size);
    expect(one.value).toBeCloseTo(reference.counts[0]! / reference.n, 12);
    expect(massDifference(repeated(8, 60, [0, 0, 0]), ceiling, reference, size).high).toBeLessThan(0);
  });
});

describe('size of the comparison', () => {
  it('takes half of the fewest contexts at their count of rows', () => {
    expect(equalSize([repeated(2, 20, [0, 1, 0]), repeated(2, 50, [0, 1, 0])])).toEqual({
      contexts: 10,
      rows: 3,
    });
  });

  it('is not dragged down by one short context', () => {
    const cells = Array.from({ length: 40 }, (_, u) => (u === 0 ? [0] : [0, 1, 0, 1]));
    expect(equalSize([tally(2, cells)])).toEqual({ contexts: 19, rows: 4 });
  });

  it('is null where two contexts cannot be drawn', () => {
    expect(equalSize([repeated(2, 3, [0, 1])])).toBeNull();
    expect(equalSize([])).toBeNull();
    const people = repeated(2, 9, [0, 1]);
    expect(behaviouralMass(repeated(2, 3, [0]), people, null).value).toBeNull();
    expect(behaviouralMass(repeated(2, 3, [0]), people, { contexts: 4, rows: 1 }).reason).toBe(
      'fewer contexts than are drawn',
    );
  });
});

describe('figures beside mass', () => {
  const rows = rowsOf(4, [
    [0, 1],
    [0, 2],
    [0, 0],
  ]);
  const data = tallyOf({ ...rows, outside: [0, 0, 0, 1, 0, 0] });

  it('counts as visited and real only what lies inside', () => {
    expect(support(data).value).toBe(0.5);
    expect(realism(data).value).toBeCloseTo(5 / 6, 12);
    expect(outsideShare(data).value).toBeCloseTo(1 / 6, 12);
    expect(realismDifference(data, repeated(4, 3, [0])).value).toBeCloseTo(-1 / 6, 12);
    expect(support(tally(4, [])).reason).toBe('no rows');
  });

  it('names a missing mode only where chance does not explain it', () => {
    const people = repeated(5, 20, [0, 0, 0, 0, 1, 1, 1, 2, 2, 3]);
    const missed = missingModes(repeated(5, 10, [0, 0]), people);
    // 20 rows: 0.7^20 and 0.8^20 are below any level, 0.9^20 = 0.12 is not; mode 4 people do not visit.
    expect(missed.map(({ mode }) => mode)).toEqual([1, 2]);
    expect(missed[0]!.p).toBeCloseTo(4 * 0.7 ** 20, 9);
    expect(missed[0]!.mass.value).toBeCloseTo(0.3, 12);
    expect(missingModes(repeated(5, 10, [0, 1, 2, 3]), people)).toEqual([]);
  });

  it('measures growth between two rounds at one size', () => {
    const [before, after] = [repeated(6, 20, [0, 1]), repeated(6, 20, [0, 1, 2])];
    const size = equalSize([before, after]);
    const equal = relativeGrowth(before, before, size);
    expect(equal).toMatchObject({ value: 0, low: 0, high: 0 });
    expect(relativeGrowth(before, after, { contexts: 10, rows: 2 }).value).toBeGreaterThan(0.3);
    const trend = massTrend(
      [
        { step: 1, data: after },
        { step: 0, data: before },
      ],
      null,
      { contexts: 10, rows: 2 },
    );
    expect(trend.value).toBeGreaterThan(0.1);
  });

  it('expects of fresh people what they score', () => {
    const cloud = (n: number) => ({
      columns: 3,
      data: Float64Array.from({ length: 3 * n }, () => random.normal()),
      unit: Array.from({ length: n }, (_, i) => i),
    });
    let mean = 0;
    for (let set = 0; set < 150; set++)
      mean += knnCoverage(cloud(20), referenceBalls(cloud(40), { k: 3 })).coverage.value! / 150;
    expect(mean).toBeCloseTo(sameLawCoverage(40, 20, 3), 1.5);
    const cut = knnCoverage(cloud(50), referenceBalls(cloud(40), { limit: 30 }), { limit: 30 });
    expect(cut.coverage.method).toBe('prdc(k=5, N=30, M=30)');
    expect(knnCoverage(cloud(5), referenceBalls(cloud(4))).coverage.value).toBeNull();
  });
});
