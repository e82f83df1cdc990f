import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BatchPlan, planBatches } from '../../src/curation/batches.ts';
import type { BatchesRecipe } from '../../src/curation/recipe.ts';
import { type CurationRows, hashOf } from '../../src/curation/rows.ts';
import { seeded } from '../../src/math/index.ts';
import { columns, type Row, shuffled, someRows } from './columns.ts';

const recipes: fc.Arbitrary<BatchesRecipe> = fc.record({
  size: fc.integer({ min: 1, max: 20 }),
  balance: fc.constantFrom('mode', 'none'),
});

const batchesOf = (plan: BatchPlan) =>
  Array.from({ length: plan.count }, (_, b) => [...plan.rows.subarray(plan.offsets[b], plan.offsets[b + 1])]);
const contents = (rows: CurationRows, plan: BatchPlan) =>
  batchesOf(plan).map((batch) => batch.map((row) => `${hashOf(rows, row)} ${rows.mode[row]}`));
const lone = (modes: readonly number[]): Row[] =>
  modes.map((mode, i) => ({ content: `row ${i}`, simulator: 0, mode }));
const repeat = (mode: number, n: number) => new Array<number>(n).fill(mode);

describe('batches of any rows', () => {
  it('hold no row twice and groups whole, and account for every row', () => {
    fc.assert(
      fc.property(someRows, recipes, fc.integer(), (rows, recipe, seed) => {
        const data = columns(rows, 6);
        const plan = planBatches(data, null, recipe, seed);
        expect(new Set(plan.rows).size).toBe(plan.rows.length);
        expect(plan.rows.length + plan.leftOut.rows).toBe(rows.length);
        expect(plan.offsets[plan.count]).toBe(plan.rows.length);
        batchesOf(plan).forEach((batch, b) => {
          expect(batch.length).toBeGreaterThan(0);
          for (const row of batch) expect(plan.batchOf[row]).toBe(b);
        });
        expect(plan.batchOf.filter((b) => b === -1).length).toBe(plan.leftOut.rows);
        for (const name of new Set(data.group))
          if (name >= 0)
            expect(new Set(plan.batchOf.filter((_, row) => data.group[row] === name)).size).toBe(1);
        if (recipe.balance === 'none') expect(plan.leftOut).toEqual({ rows: 0, groups: 0 });
        for (const { mode, wanted, exists, got, shortfall } of plan.modes) {
          expect(exists).toBe(data.mode.filter((m) => m === mode).length);
          expect(got).toBe(plan.rows.filter((row) => data.mode[row] === mode).length);
          expect(shortfall).toBe(Math.max(0, wanted - got));
        }
        expect(plan.withoutMode.got).toBe(plan.rows.filter((row) => data.mode[row]! < 0).length);
      }),
      { numRuns: 300 },
    );
  });

  it('are about as large as asked: off by less than half a group, the last and single groups apart', () => {
    fc.assert(
      fc.property(someRows, recipes, fc.integer(), (rows, recipe, seed) => {
        const data = columns(rows, 6);
        const plan = planBatches(data, null, recipe, seed);
        const sizeOf = (row: number) =>
          data.group[row]! < 0 ? 1 : data.group.filter((name) => name === data.group[row]).length;
        const split = batchesOf(plan).filter((batch) => sizeOf(batch[0]!) < recipe.size);
        const largest = Math.max(1, ...split.flat().map(sizeOf));
        split.slice(0, -1).forEach((batch) => {
          expect(Math.abs(batch.length - recipe.size)).toBeLessThanOrEqual(largest / 2);
        });
        for (const batch of batchesOf(plan))
          if (sizeOf(batch[0]!) >= recipe.size) expect(batch.length).toBe(sizeOf(batch[0]!));
      }),
    );
  });

  it('are the same by content when rows are permuted, and ids, simulators and groups renamed', () => {
    fc.assert(
      fc.property(someRows, recipes, fc.integer(), fc.string(), (rows, recipe, seed, how) => {
        const order = shuffled(rows.length, how);
        const moved = order.map((row) => ({
          ...rows[row]!,
          simulator: 3 - rows[row]!.simulator,
          group: rows[row]!.group === null ? null : `z${rows[row]!.group}`,
        }));
        const [before, after] = [columns(rows, 6), columns(moved, 6)];
        const [one, other] = [before, after].map((data) => planBatches(data, null, recipe, seed));
        expect(contents(after, other!)).toEqual(contents(before, one!));
        expect(other!.modes).toEqual(one!.modes);
      }),
      { numRuns: 200 },
    );
  });

  it('are others with another seed, of equal counts where rows stand alone', () => {
    const data = columns(lone([...repeat(0, 90), ...repeat(1, 30)]), 2);
    const [one, two] = [1, 2].map((seed) => planBatches(data, null, { size: 10, balance: 'mode' }, seed));
    expect([...one!.rows]).not.toEqual([...two!.rows]);
    expect(one!.modes).toEqual(two!.modes);
  });
});

describe('balance over modes', () => {
  it('gives each mode the equal share, or all there is of it, where rows stand alone', () => {
    const modes = fc.array(fc.integer({ min: -1, max: 5 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(modes, fc.integer(), (list, seed) => {
        const plan = planBatches(columns(lone(list), 6), null, { size: 8, balance: 'mode' }, seed);
        const n = list.filter((mode) => mode >= 0).length;
        const present = new Set(list.filter((mode) => mode >= 0)).size;
        const share = present === 0 ? 0 : Math.ceil(n / present);
        for (const { mode, wanted, got } of plan.modes) {
          expect(wanted).toBe(share);
          expect(got).toBe(Math.min(share, list.filter((m) => m === mode).length));
        }
      }),
    );
  });

  it('is known by hand: 70 + 20 + 10 rows of four modes', () => {
    const data = columns(lone([...repeat(0, 70), ...repeat(1, 20), ...repeat(2, 10)]), 4);
    const plan = planBatches(data, null, { size: 16, balance: 'mode' }, 7);
    expect(plan.modes).toEqual([
      { mode: 0, wanted: 34, exists: 70, got: 34, shortfall: 0 },
      { mode: 1, wanted: 34, exists: 20, got: 20, shortfall: 14 },
      { mode: 2, wanted: 34, exists: 10, got: 10, shortfall: 24 },
      { mode: 3, wanted: 34, exists: 0, got: 0, shortfall: 34 },
    ]);
    expect(plan.leftOut).toEqual({ rows: 36, groups: 36 });
    expect(batchesOf(plan).map((batch) => batch.length)).toEqual([16, 16, 16, 16]);
  });

  it('is spread over the batches: each holds every mode’s share, give or take one', () => {
    const data = columns(lone([...repeat(0, 300), ...repeat(1, 60), ...repeat(2, 30), ...repeat(3, 5)]), 4);
    const plan = planBatches(data, null, { size: 20, balance: 'mode' }, 3);
    const kept = plan.rows.length;
    for (const batch of batchesOf(plan))
      for (const { mode, got } of plan.modes) {
        const here = batch.filter((row) => data.mode[row] === mode).length;
        expect(Math.abs(here - (got * batch.length) / kept)).toBeLessThan(2);
      }
  });

  it('evens out modes of whole groups, pure and mixed', () => {
    const random = seeded('groups');
    const rows: Row[] = [];
    for (let g = 0; g < 400; g++) {
      const own = g % 10 < 7 ? 0 : g % 10 < 9 ? 1 : 2;
      for (let i = 0; i < 8; i++)
        rows.push({
          content: `${g}/${i}`,
          simulator: 0,
          mode: random.next() < 0.8 ? own : random.integer(4),
          group: `${g}`,
        });
    }
    const data = columns(rows, 4);
    const shares = (counts: readonly number[]) => {
      const total = counts.reduce((sum, n) => sum + n, 0);
      return counts.reduce((sum, n) => sum + (n / total) ** 2, 0);
    };
    const { modes, count, offsets } = planBatches(data, null, { size: 64, balance: 'mode' }, 1);
    const concentration = shares(modes.map(({ got }) => got));
    expect(concentration).toBeLessThan(shares(modes.map(({ exists }) => exists)) - 0.1);
    for (let b = 0; b + 1 < count; b++) expect(offsets[b + 1]! - offsets[b]!).toBe(64);
  });

  it('keeps rows without a mode at the rate of the others', () => {
    const data = columns(lone([...repeat(0, 80), ...repeat(1, 20), ...repeat(-1, 50)]), 2);
    const plan = planBatches(data, null, { size: 10, balance: 'mode' }, 1);
    expect(plan.modes.map(({ got }) => got)).toEqual([50, 20]);
    expect(plan.withoutMode).toEqual({ exists: 50, got: 35 });
    const unknown = planBatches(columns(lone(repeat(-1, 7)), 2), null, { size: 3, balance: 'mode' }, 1);
    expect(unknown.leftOut.rows).toBe(0);
  });
});

it('gives each batch its mean weight', () => {
  const data = columns(lone([0, 0, 0, 0, 0]), 1);
  const weight = new Float64Array([1, 2, 3, 4, 5]);
  const plan = planBatches(data, weight, { size: 2, balance: 'none' }, 1);
  batchesOf(plan).forEach((batch, b) => {
    expect(plan.meanWeight[b]).toBeCloseTo(
      batch.reduce((sum, row) => sum + weight[row]!, 0) / batch.length,
      12,
    );
  });
});

it('plans no batch of no rows, and refuses sizes below 1', () => {
  const plan = planBatches(columns([], 3, 1), null, { size: 4, balance: 'mode' }, 1);
  expect([plan.count, plan.groups, plan.rows.length]).toEqual([0, 0, 0]);
  expect(() => planBatches(columns([], 3, 1), null, { size: 0, balance: 'none' }, 1)).toThrow(RangeError);
});
