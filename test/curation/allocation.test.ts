import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EpochCell, EpochCells } from '../../src/curation/allocation.ts';
import { planAllocation } from '../../src/curation/allocation-plan.ts';
import { seats } from '../../src/curation/apportionment.ts';
import { epochCells } from '../../src/curation/epoch-cells.ts';
import type { CurationRows } from '../../src/curation/rows.ts';
import { CollapseAwareError } from '../../src/errors.ts';

const RECIPE = { budget: 64, group: 8, floor: 0 };

const cell = (context: string, simulator: string, passes: number, n = 8): EpochCell => ({
  context,
  simulator,
  rollouts: n,
  reward: { passes, n },
});

const epoch = (cells: readonly EpochCell[], more: Partial<EpochCells> = {}): EpochCells => ({
  rewardRange: [0, 1],
  cells,
  uncovered: [],
  widths: [],
  ...more,
});

const given = (input: EpochCells, recipe = RECIPE) =>
  Object.fromEntries(
    planAllocation(input, recipe).cells.map((one) => [`${one.context}/${one.simulator}`, one.rollouts]),
  );

const epochs = fc
  .record({
    cells: fc.array(
      fc.record({
        c: fc.nat(4),
        s: fc.nat(3),
        n: fc.integer({ min: 1, max: 40 }),
        p: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      { minLength: 1, maxLength: 16 },
    ),
    uncovered: fc.array(
      fc.record({
        mode: fc.nat(9),
        mass: fc.double({ min: 0.01, max: 0.5, noNaN: true }),
        rates: fc.array(fc.nat(5), { minLength: 4, maxLength: 4 }),
      }),
      { maxLength: 3 },
    ),
    widths: fc.array(fc.option(fc.double({ min: 0, max: 1, noNaN: true })), { minLength: 4, maxLength: 4 }),
    recipe: fc.record({
      budget: fc.integer({ min: 16, max: 2000 }),
      group: fc.integer({ min: 1, max: 16 }),
      floor: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  })
  .map(({ cells, uncovered, widths, recipe }) => ({
    recipe,
    input: epoch(
      [
        ...new Map(
          cells.map(({ c, s, n, p }) => [`${c}/${s}`, cell(`c${c}`, `s${s}`, Math.round(n * p), n)]),
        ).values(),
      ],
      {
        uncovered: uncovered.map(({ mode, mass, rates }) => ({
          mode,
          mass,
          simulators: rates.map((rate, s) => ({ simulator: `s${s}`, rate })),
        })),
        widths: widths.map((width, s) => ({ simulator: `s${s}`, width })),
      },
    ),
  }));

describe('an allocation of rollouts', () => {
  it('spends the budget in whole groups, each for one reason', () => {
    fc.assert(
      fc.property(epochs, ({ input, recipe }) => {
        const plan = planAllocation(input, recipe);
        const spent = plan.cells.reduce((sum, { rollouts }) => sum + rollouts, 0);
        expect(spent + plan.left).toBe(recipe.budget);
        expect(plan.left).toBeLessThan(recipe.group);
        for (const { rollouts, because } of plan.cells) {
          expect(rollouts % recipe.group).toBe(0);
          expect(because.floor + because.variance + because.coverage + because.uncertainty).toBe(rollouts);
        }
        const { floor, variance, coverage, uncertainty } = plan.parts;
        expect(floor + variance + coverage + uncertainty).toBe(spent);
      }),
    );
  });

  it('gives every cell its floor, new ones too', () => {
    fc.assert(
      fc.property(epochs, ({ input, recipe }) => {
        const plan = planAllocation(input, recipe);
        const contexts = new Set(input.cells.map(({ context }) => context)).size;
        const simulators = new Set(input.cells.map(({ simulator }) => simulator)).size;
        const least = Math.floor(
          Math.floor(Math.floor(recipe.budget / recipe.group) * recipe.floor) / (contexts * simulators),
        );
        if (least === 0) return;
        expect(plan.cells).toHaveLength(contexts * simulators);
        for (const { because } of plan.cells)
          expect(because.floor).toBeGreaterThanOrEqual(least * recipe.group);
      }),
    );
  });

  it('does not depend on the order of the input', () => {
    fc.assert(
      fc.property(epochs, ({ input, recipe }) => {
        const turned = {
          ...input,
          cells: [...input.cells].reverse(),
          uncovered: [...input.uncovered].reverse(),
          widths: [...input.widths].reverse(),
        };
        expect(planAllocation(turned, recipe)).toEqual(planAllocation(input, recipe));
      }),
    );
  });

  it('does not depend on names, but between cells of equal numbers', () => {
    const other = (name: string) => `${9 - Number(name.slice(1))}${name}`;
    const shape = ({ cells }: ReturnType<typeof planAllocation>) =>
      cells.map(({ rollouts, because, isNew }) => JSON.stringify([rollouts, because, isNew])).sort();
    fc.assert(
      fc.property(epochs, ({ input, recipe }) => {
        const renamed: EpochCells = {
          ...input,
          cells: input.cells.map((one) => ({
            ...one,
            context: other(one.context),
            simulator: other(one.simulator),
          })),
          uncovered: input.uncovered.map((mode) => ({
            ...mode,
            simulators: mode.simulators.map(({ simulator, rate }) => ({ simulator: other(simulator), rate })),
          })),
          widths: input.widths.map(({ simulator, width }) => ({ simulator: other(simulator), width })),
        };
        // Ties in one part may fall on cells that differ in another: each part is compared by itself.
        const [a, b] = [planAllocation(input, recipe), planAllocation(renamed, recipe)];
        for (const part of ['floor', 'variance', 'coverage', 'uncertainty'] as const)
          expect(
            b.cells
              .map(({ because }) => because[part])
              .filter(Boolean)
              .sort(),
          ).toEqual(
            a.cells
              .map(({ because }) => because[part])
              .filter(Boolean)
              .sort(),
          );
        expect(b.parts).toEqual(a.parts);
        expect(shape(b).length === 0).toBe(shape(a).length === 0);
      }),
    );
  });

  it('never gives a cell less for more variance', () => {
    fc.assert(
      fc.property(
        epochs,
        fc.nat(),
        fc.double({ min: 0, max: 1, noNaN: true }),
        ({ input, recipe }, pick, more) => {
          const at = pick % input.cells.length;
          const own = input.cells[at]!;
          const { passes, n } = own.reward as { passes: number; n: number };
          if (n < 2) return;
          const variance = (passes * (n - passes)) / n / (n - 1);
          const varied = (value: number) =>
            epoch(
              input.cells.map((one, i) =>
                i === at
                  ? {
                      ...one,
                      reward: { mean: 0.5, variance: value, freedom: n - 1, groups: 1, zeroVariance: 0 },
                    }
                  : one,
              ),
              input,
            );
          const key = `${own.context}/${own.simulator}`;
          const withCells = (value: number) => ({
            ...varied(value),
            uncovered: input.uncovered,
            widths: input.widths,
          });
          const before = given({ ...withCells(variance), cells: varied(variance).cells }, recipe)[key] ?? 0;
          const after =
            given({ ...withCells(variance + more), cells: varied(variance + more).cells }, recipe)[key] ?? 0;
          expect(after).toBeGreaterThanOrEqual(before);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('spends on groups that vary, and little on those that all pass or all fail', () => {
    const input = epoch([
      cell('a', 's', 2, 16),
      cell('b', 's', 0, 16),
      cell('c', 's', 16, 16),
      cell('d', 's', 8, 16),
    ]);
    const spent = given(input, { budget: 800, group: 8, floor: 0 });
    expect(spent['d/s']).toBeGreaterThan(4 * spent['b/s']!);
    expect(spent['b/s']).toBe(spent['c/s']);
    expect(spent['b/s']).toBeGreaterThan(0);
    expect(spent['a/s']).toBeGreaterThan(spent['b/s']!);
  });

  it('proposes pairs that were never crossed, more where their context varies', () => {
    const input = epoch([
      cell('even', 'a', 8, 16),
      cell('even', 'b', 8, 16),
      cell('failed', 'a', 0, 16),
      cell('failed', 'b', 0, 16),
      cell('other', 'c', 8, 16),
    ]);
    const plan = planAllocation(input, { budget: 800, group: 8, floor: 0 });
    const fresh = plan.cells.filter(({ isNew }) => isNew);
    expect(fresh.map(({ context, simulator }) => context + simulator)).toEqual([
      'evenc',
      'failedc',
      'othera',
      'otherb',
    ]);
    expect(fresh[0]!.rollouts).toBeGreaterThan(fresh[1]!.rollouts);
  });

  it('sends rollouts to simulators near uncovered modes of people, and names modes that none came near', () => {
    const plan = planAllocation(
      epoch([cell('x', 'a', 4), cell('x', 'b', 4), cell('y', 'a', 4), cell('y', 'b', 4)], {
        uncovered: [
          { mode: 3, mass: 0.2, simulators: [{ simulator: 'b', rate: 0.1 }] },
          { mode: 5, mass: 0.1, simulators: [{ simulator: 'a', rate: 0 }] },
          {
            mode: 6,
            mass: 0.2,
            simulators: [{ simulator: 'a', rate: 1 }],
            contexts: [{ context: 'y', rate: 0.5 }],
          },
        ],
      }),
      { budget: 128, group: 4, floor: 0 },
    );
    const coverage = Object.fromEntries(
      plan.cells.map((one) => [one.context + one.simulator, one.because.coverage]),
    );
    expect(plan.parts.coverage).toBe(32);
    expect(coverage).toEqual({ xa: 0, xb: 8, ya: 16, yb: 8 });
    expect(plan.unreached).toEqual([5]);
  });

  it('sends rollouts to wide intervals, first to contexts that the simulator has not seen', () => {
    const plan = planAllocation(
      epoch([cell('x', 'a', 4), cell('x', 'b', 4), cell('y', 'a', 4)], {
        widths: [
          { simulator: 'a', width: 0.1 },
          { simulator: 'b', width: null },
        ],
      }),
      { budget: 320, group: 8, floor: 0 },
    );
    const part = (key: string) =>
      plan.cells.find((one) => one.context + one.simulator === key)!.because.uncertainty;
    expect(part('yb')).toBeGreaterThan(part('xb'));
    // Without an interval a simulator counts as the widest.
    expect(part('xb') + part('yb')).toBe(part('xa') + part('ya'));
  });

  it('leaves parts with nothing to go by to variance', () => {
    const { parts } = planAllocation(epoch([cell('x', 'a', 4)]), { budget: 100, group: 8, floor: 0.25 });
    expect(parts).toEqual({ floor: 24, variance: 72, coverage: 0, uncertainty: 0 });
  });

  it('of nothing, or under one group, is left over', () => {
    expect(planAllocation(epoch([]), RECIPE)).toMatchObject({ cells: [], left: 64 });
    expect(planAllocation(epoch([cell('x', 'a', 4)]), { ...RECIPE, budget: 7 })).toMatchObject({
      cells: [],
      left: 7,
    });
  });

  it('spends all on the floor where that is 1, least rolled out first', () => {
    const input = epoch([cell('x', 'a', 4, 80), cell('y', 'a', 4, 8), cell('z', 'a', 4, 16)]);
    expect(given(input, { budget: 32, group: 8, floor: 1 })).toEqual({ 'x/a': 8, 'y/a': 16, 'z/a': 8 });
  });

  it.each<[string, Partial<EpochCells>]>([
    ['cell x x a: passes', { cells: [cell('x', 'a', -1)] }],
    ['cell x x a: n', { cells: [cell('x', 'a', 9, 8)] }],
    [
      'cell x x a: rollouts',
      { cells: [{ context: 'x', simulator: 'a', rollouts: Number.NaN, reward: null }] },
    ],
    ['rewardRange', { rewardRange: [1, 0] }],
    ['mode 2: mass', { uncovered: [{ mode: 2, mass: Number.NaN, simulators: [] }] }],
    ['a: width', { widths: [{ simulator: 'a', width: Number.POSITIVE_INFINITY }] }],
  ])('refuses a number that is none: %s', (place, more) => {
    try {
      planAllocation(epoch([cell('x', 'a', 4)], more), RECIPE);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(CollapseAwareError);
      expect((error as CollapseAwareError).message).toContain(place);
    }
  });

  it('plans a thousand contexts for ten simulators', () => {
    const cells = Array.from({ length: 1000 }, (_, i) => cell(`c${i}`, `s${i % 10}`, i % 9));
    const plan = planAllocation(epoch(cells), { budget: 20_000, group: 8, floor: 0.1 });
    expect(plan.cells.reduce((sum, { rollouts }) => sum + rollouts, 0)).toBe(20_000);
  });
});

describe('seats', () => {
  it.each([
    [[53, 24, 23], 7, [3, 2, 2]],
    [[1, 1], 3, [2, 1]],
    [[0, 5, 0], 4, [0, 4, 0]],
    [[0, 0], 3, [0, 0]],
    [[], 3, []],
  ])('of %j for %i are %j', (weights, count, expected) => {
    expect([
      ...seats(
        weights,
        count,
        weights.map((_, i) => i),
      ),
    ]).toEqual(expected);
  });
});

describe('seats of many', () => {
  it('are those that the rule gives one by one', () => {
    // Numbers so small that halving them loses digits have no proportions to keep.
    const share = fc.double({ min: 0, max: 1, noNaN: true }).map((value) => (value < 1e-9 ? 0 : value));
    const weights = fc.array(fc.oneof(fc.nat(20), share), { maxLength: 12 });
    fc.assert(
      fc.property(weights, fc.nat(400), (values, count) => {
        const quotient = (cell: number, seat: number) =>
          Number((values[cell]! / (2 * seat + 1)).toPrecision(12));
        const slow = values.map(() => 0);
        for (let seat = 0; seat < count; seat++) {
          let best = -1;
          values.forEach((value, cell) => {
            if (value > 0 && (best < 0 || quotient(cell, slow[cell]!) > quotient(best, slow[best]!)))
              best = cell;
          });
          if (best >= 0) slow[best]! += 1;
        }
        expect([
          ...seats(
            values,
            count,
            values.map((_, i) => i),
          ),
        ]).toEqual(slow);
      }),
    );
  });

  it('cost no more for a budget beyond all measure', () => {
    const plan = planAllocation(epoch([cell('x', 'a', 4), cell('y', 'b', 1)]), {
      budget: 8e12,
      group: 8,
      floor: 0.1,
    });
    expect(plan.cells.reduce((sum, { rollouts }) => sum + rollouts, 0)).toBe(8e12);
  });
});

describe('what an epoch showed', () => {
  const rows: CurationRows = {
    size: 7,
    ids: ['1', '2', '3', '4', '5', '6', '7'],
    hashes: new Uint32Array(28),
    simulators: ['a', 'b'],
    simulator: Int32Array.of(0, 0, 0, 0, 1, 1, 1),
    policies: ['p'],
    policy: new Int32Array(7),
    contexts: ['x', 'y'],
    context: Int32Array.of(0, 0, 0, 0, 0, 1, 1),
    groups: ['g', 'h'],
    group: Int32Array.of(0, 0, 1, 1, -1, -1, -1),
    k: 3,
    mode: Int16Array.of(0, 0, 0, 1, 2, -1, 2),
    outside: Uint8Array.of(0, 0, 0, 0, 0, 0, 1),
    distance: new Float32Array(7),
    reward: Float64Array.of(0, 1, 1, 1, Number.NaN, 0.5, Number.NaN),
  };

  it('has variances inside groups, zero-variance groups and missing rewards as missing', () => {
    expect(epochCells(rows)).toEqual({
      rewardRange: [0, 1],
      cells: [
        {
          context: 'x',
          simulator: 'a',
          rollouts: 4,
          reward: { mean: 0.75, variance: 0.25, freedom: 2, groups: 2, zeroVariance: 1 },
        },
        { context: 'x', simulator: 'b', rollouts: 1, reward: null },
        {
          context: 'y',
          simulator: 'b',
          rollouts: 2,
          reward: { mean: 0.5, variance: 0, freedom: 0, groups: 1, zeroVariance: 0 },
        },
      ],
      uncovered: [],
      widths: [],
    });
  });

  it('names the modes that people show more often, and who came near them', () => {
    const { uncovered } = epochCells(rows, { people: [0.1, 0.5, 0.4] });
    // Shares by simulator: a [3/4, 1/4, 0], b [0, 0, 1/2]: its row outside visits no mode.
    expect(uncovered.map(({ mode, mass }) => [mode, mass])).toEqual([
      [1, 0.375],
      [2, expect.closeTo(0.15, 12)],
    ]);
    expect(uncovered[0]!.simulators).toEqual([
      { simulator: 'a', rate: 0.25 },
      { simulator: 'b', rate: 0 },
    ]);
    expect(uncovered[0]!.contexts).toEqual([
      { context: 'x', rate: 1.125 / 6 },
      { context: 'y', rate: 0.125 / 2 },
    ]);
    const plan = planAllocation(epochCells(rows, { people: [0.1, 0.5, 0.4] }), {
      budget: 64,
      group: 8,
      floor: 0,
    });
    expect(plan.unreached).toEqual([]);
    expect(plan.parts.coverage).toBe(16);
  });
});
