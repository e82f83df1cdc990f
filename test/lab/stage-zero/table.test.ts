import { describe, expect, it } from 'vitest';
import {
  type Cell,
  type MethodRow,
  tableMarkdown,
  tableOf,
  tablePlan,
  tableSummary,
} from '../../../src/lab/stage-zero/index.ts';
import { type MadeCell, madeCell, STUDY } from './made-cells.ts';

const PLAN = tablePlan({
  worlds: ['persuasion'],
  methods: ['base', 'single', 'vs-prob', 'population-co-training-5'],
  seeds: [1, 2, 3, 4],
});
const rows = (cells: readonly Cell[]): ReadonlyMap<string, MethodRow> =>
  new Map(tableOf(STUDY, PLAN, cells).worlds[0]!.methods.map((row) => [row.method, row]));
const seeds = (method: string, values: readonly (number | null)[], more: Partial<MadeCell> = {}) =>
  values.map((heldOut, i) => madeCell({ method, seed: i + 1, heldOut, ...more }));

describe('a table from cells', () => {
  it('has means over seeds with the interval of Student', () => {
    const { heldOut } = rows(seeds('single', [0.1, 0.2, 0.3, 0.4])).get('single')!.figures;
    expect(heldOut!.value).toBeCloseTo(0.25, 12);
    // t(0.975, 3) = 3.182446..., deviation 0.129099, over 2.
    expect(heldOut!.high! - heldOut!.value!).toBeCloseTo((3.182446305284263 * 0.12909944487358055) / 2, 9);
    expect(heldOut).toMatchObject({ n: 4, method: 't-seed(n=4)', nulls: [] });
  });

  it('gives no interval below three seeds, and says so', () => {
    const { heldOut } = rows(seeds('single', [0.1, 0.2])).get('single')!.figures;
    expect(heldOut).toMatchObject({ low: null, high: null, reason: 'fewer than 3 seeds' });
    expect(heldOut!.value).toBeCloseTo(0.15, 12);
  });

  it('compares with whom it is told to: differences turn round, and that method has none', () => {
    const cells = [
      ...seeds('single', [0.1, 0.2, 0.3, 0.5]),
      ...seeds('population-co-training-5', [0.2, 0.4, 0.3, 0.7]),
    ];
    const of = (comparison?: string) => {
      const table = tableOf(STUDY, PLAN, cells, comparison);
      return { table, methods: new Map(table.worlds[0]!.methods.map((row) => [row.method, row])) };
    };
    const usual = of().methods.get('single')!.differences.heldOut!;
    const { table, methods } = of('single');
    const turned = methods.get('population-co-training-5')!.differences.heldOut!;
    expect(table.comparison).toBe('single');
    expect(methods.get('single')!.differences).toEqual({});
    expect(turned.value).toBeCloseTo(-usual.value!, 12);
    expect([turned.low, turned.high]).toEqual([
      expect.closeTo(-usual.high!, 12),
      expect.closeTo(-usual.low!, 12),
    ]);
  });

  it('never averages a diverged run, and lists it', () => {
    const cells = [
      ...seeds('single', [0.1, 0.2, 0.3]),
      madeCell({ method: 'single', seed: 4, heldOut: 0.99, diverged: true }),
    ];
    const single = rows(cells).get('single')!;
    expect(single.figures.heldOut).toMatchObject({ n: 3 });
    expect(single.figures.heldOut!.value).toBeCloseTo(0.2, 12);
    expect(single.seeds).toMatchObject({ done: [1, 2, 3], missing: [] });
    expect(single.seeds.diverged).toMatchObject([{ seed: 4, step: 7, side: 'policy' }]);
    expect(single.curves.entropy.every(({ n }) => n === 3)).toBe(true);
    const markdown = tableMarkdown(tableOf(STUDY, PLAN, cells));
    expect(markdown).toContain('single, seed 4: diverged at step 7');
    expect(tableSummary(tableOf(STUDY, PLAN, cells))).toContain('3, 1 diverged');
  });

  it('has no mean where a seed has no value, says why, and takes none for 0', () => {
    const { heldOut, bdi } = rows(seeds('single', [0.2, null, 0.4, 0.6])).get('single')!.figures;
    expect(heldOut).toMatchObject({
      value: null,
      n: 3,
      reason: '1 of 4 seeds have no value: a simulator gave no reward',
    });
    expect(heldOut!.nulls).toEqual([{ reason: 'a simulator gave no reward', seeds: [2] }]);
    expect(bdi).toMatchObject({ value: null, nulls: [{ reason: 'not measured', seeds: [1, 2, 3, 4] }] });
  });

  it('has both that were guessed of beside the guesses, with why a figure is lacking', () => {
    const markdown = tableMarkdown(tableOf(STUDY, PLAN, seeds('single', [0.1, 0.2, 0.3])));
    expect(markdown).toMatch(/^\| PSOD \| below 0\.1 \| single \| 0\.600 \[/m);
    expect(markdown).toMatch(/^\| PSOD \| below 0\.1 \| co-training \| - \|$/m);
    expect(markdown).toMatch(/^\| SCD \| below 0\.5 \| single \| - \(not measured\) \|$/m);
  });

  it('pairs differences over the seeds that both have, with Holm over methods', () => {
    const cells = [
      ...seeds('population-co-training-5', [0.5, 0.6, 0.7, 0.8]),
      ...seeds('single', [0.4, 0.5, 0.5, 0.6]),
      ...seeds('vs-prob', [0.5, 0.5, 0.7]),
    ];
    const found = rows(cells);
    const single = found.get('single')!.differences.heldOut!;
    // -0.1, -0.1, -0.2, -0.2: mean -0.15, standard error 0.05774 / 2, t = -5.196, df 3.
    expect(single.value).toBeCloseTo(-0.15, 12);
    expect(single.se).toBeCloseTo(0.0288675, 6);
    expect(single.p).toBeCloseTo(0.013846, 5);
    expect(single).toMatchObject({ n: 4, method: 'paired-t-seed(n=4)' });
    // (t(0.975, 3) + t(0.8, 3)) SE
    expect(single.detectable).toBeCloseTo((3.182446305 + 0.978472312) * 0.0288675, 5);
    const vs = found.get('vs-prob')!.differences.heldOut!;
    expect(vs).toMatchObject({ n: 3 });
    expect(single.pHolm).toBeCloseTo(2 * single.p!, 12);
    expect(vs.pHolm).toBeCloseTo(Math.max(vs.p!, 2 * single.p!), 12);
    expect(found.get('population-co-training-5')!.differences).toEqual({});
    expect(found.get('base')!.seeds.missing).toEqual([1, 2, 3, 4]);
    expect(found.get('base')!.differences.heldOut).toMatchObject({ value: null, pHolm: null });
  });

  it('does not depend on the order of cells, and looks at none outside of its plan', () => {
    const cells = [
      ...seeds('population-co-training-5', [0.51, 0.62, 0.73, 0.84]),
      ...seeds('single', [0.41, 0.52, 0.53, 0.64]),
    ];
    const others = [
      madeCell({ method: 'single', seed: 9, heldOut: 0 }),
      madeCell({ method: 'persona', seed: 1, heldOut: 0 }),
      madeCell({ method: 'single', seed: 1, heldOut: 0, world: 'service' }),
    ];
    expect(tableOf(STUDY, PLAN, [...others, ...cells.reverse()])).toEqual(
      tableOf(STUDY, PLAN, [...cells].reverse()),
    );
  });

  it('has training curves of all seeds', () => {
    const cells = [1, 2, 3].map((seed) =>
      madeCell({ method: 'single', seed, step: (step) => ({ entropy: 2 - step / 60 + seed / 100 }) }),
    );
    const { curves } = rows(cells).get('single')!;
    expect(curves.every).toBe(2);
    expect(curves.entropy.map(({ step }) => step)).toEqual(Array.from({ length: 30 }, (_, i) => 2 * (i + 1)));
    expect(curves.entropy[0]!.value).toBeCloseTo(2 - 1.5 / 60 + 0.02, 12);
    expect(curves.entropy[0]!.low!).toBeLessThan(curves.entropy[0]!.value!);
    expect(curves.simulatorReward).toEqual([]);
    expect(curves.selection).toMatchObject([{ step: 0, n: 3 }]);
  });
});
