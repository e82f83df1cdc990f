import { beforeAll, describe, expect, it } from 'vitest';
import type { Curated } from '../../src/curator/index.ts';
import { scriptedPeople } from '../../src/lab/index.ts';
import type { BehaviourSpace } from '../../src/space/index.ts';
import type { Trajectory } from '../../src/trajectory/index.ts';
import { recordsOf } from '../data.ts';
import { curated, labRollouts } from './curated-columns.ts';
import { type Line, type Written, written } from './written-curation.ts';

const GROUP = 8;
const GOOD = labRollouts(4, 2, GROUP);
/** Broken in ways that every profile drops, and one without a reward, alone in its group of nine. */
const BROKEN: Trajectory[] = [
  {
    ...GOOD[0]!,
    id: 'json',
    turns: [...GOOD[0]!.turns, { role: 'user', text: '{"thought": "hm", "reply": "no"}' }],
  },
  { ...GOOD[9]!, id: 'unpaid', reward: null },
];
const ROWS = [...GOOD, ...BROKEN];
const NO_CORRECTION = { concentration: false, coverage: false };
const MIXED = GOOD.map((row) => ({
  ...row,
  group: `${row.context}/${row.epoch}/${Number(row.id.split('/')[3]) % 4}`,
}));
let space: BehaviourSpace;
beforeAll(async () => {
  ({ space } = await curated(GOOD, null));
});

/** Curates in the common space, writes, reads back. */
async function run(rows: readonly Trajectory[], recipe: unknown): Promise<Curated & Written> {
  const done = await curated(rows, recipe, { space });
  return { ...done, ...(await written(rows, done)) };
}
const training = (line: Line) => line.training as Record<string, number | null>;
const grouped = <Key>(all: readonly Line[], keyOf: (line: Line) => Key): Map<Key, Line[]> => {
  const groups = new Map<Key, Line[]>();
  for (const line of all) groups.set(keyOf(line), [...(groups.get(keyOf(line)) ?? []), line]);
  return groups;
};
const close = (value: unknown, expected: number) => expect(value).toBeCloseTo(expected, 9);

describe('the gate', () => {
  it('on, drops broken rows and says each of them', async () => {
    const { lines, manifest } = await run(ROWS, null);
    const ids = lines('rows.jsonl').map(({ id }) => id);
    expect(ids).not.toContain('json');
    expect(ids).not.toContain('unpaid');
    const gate = lines('dropped.jsonl').filter(({ stage }) => stage === 'gate');
    expect(gate).toContainEqual(
      expect.objectContaining({ id: 'json', check: 'raw-json', blame: 'simulator' }),
    );
    expect(gate).toContainEqual(
      expect.objectContaining({ id: 'unpaid', check: 'missing-reward', blame: 'data' }),
    );
    expect(manifest.gate!.map(({ check }) => check)).toContain('raw-json');
  });

  it('off, lets every row pass and has no account', async () => {
    const { lines, manifest, gate } = await run(ROWS, { gate: false, batches: { balance: 'none' } });
    expect(gate).toBeNull();
    expect(manifest.gate).toBeNull();
    expect(manifest.funnel.map(({ stage }) => stage)).toEqual(['read']);
    expect(lines('rows.jsonl')).toHaveLength(ROWS.length);
    expect(lines('dropped.jsonl')).toEqual([]);
  });

  it('that notes instead of dropping keeps the row and counts it', async () => {
    const flagged = { gate: { checks: { 'raw-json': 'flag' } }, batches: { balance: 'none' } };
    const { lines, manifest } = await run(ROWS, flagged);
    expect(lines('rows.jsonl').map(({ id }) => id)).toContain('json');
    expect(manifest.gate!.find(({ check }) => check === 'raw-json')).toMatchObject({
      action: 'flag',
      found: 1,
      dropped: 0,
    });
  });
});

describe('weights', () => {
  it('have mean 1 within their bounds, and an effective size of at least what is asked', async () => {
    const { lines, manifest } = await run(GOOD, {
      weights: { concentration: true, bounds: [0.5, 2], ess: 0.8 },
    });
    const weights = lines('weights.jsonl').map(({ weight }) => weight as number);
    close(weights.reduce((sum, w) => sum + w, 0) / weights.length, 1);
    expect(Math.min(...weights)).toBeGreaterThanOrEqual(0.5);
    expect(Math.max(...weights)).toBeLessThanOrEqual(2);
    expect(new Set(weights).size).toBeGreaterThan(10);
    const ess = weights.reduce((sum, w) => sum + w, 0) ** 2 / weights.reduce((sum, w) => sum + w * w, 0);
    expect(ess).toBeGreaterThanOrEqual(0.8 * weights.length * (1 - 1e-9));
    expect(manifest.weights).toMatchObject({ n: weights.length, concentration: 'weights' });
    close(manifest.weights!.ess, ess);
    expect(manifest.weights!.histogram.reduce((sum, { count }) => sum + count, 0)).toBe(weights.length);
  });

  it('off, are 1 everywhere and have no account', async () => {
    const { lines, manifest } = await run(GOOD, { weights: false, batches: { balance: 'none' } });
    expect(manifest.weights).toBeNull();
    expect(new Set(lines('weights.jsonl').map(({ weight }) => weight))).toEqual(new Set([1]));
    expect(new Set(lines('rows.jsonl').map((line) => training(line).weight))).toEqual(new Set([1]));
    for (const { weighted } of manifest.modes) expect(weighted).toBeNull();
  });
});

describe('batches', () => {
  it('off, write no batches.jsonl, train on every row and number none', async () => {
    const { files, lines, manifest } = await run(GOOD, { batches: false, weights: NO_CORRECTION });
    expect(files).not.toContain('batches.jsonl');
    expect(manifest.batches).toBeNull();
    expect(lines('rows.jsonl')).toHaveLength(manifest.weights!.n);
    expect(lines('rows.jsonl').every((line) => training(line).batch === null)).toBe(true);
  });

  it('balanced, hold whole groups only, every written row once, and say what was short', async () => {
    const { lines, manifest } = await run(GOOD, {
      batches: { size: 24, balance: 'mode' },
      weights: NO_CORRECTION,
    });
    const batches = lines('batches.jsonl');
    const groups = new Map<unknown, Set<unknown>>();
    const seen: string[] = [];
    for (const { batch, rows, size } of batches) {
      expect(rows).toHaveLength(size as number);
      for (const { id, group } of rows as Line[]) {
        seen.push(`${id}`);
        groups.set(group, (groups.get(group) ?? new Set()).add(batch));
      }
    }
    for (const own of groups.values()) expect(own.size).toBe(1);
    expect(new Set(seen).size).toBe(seen.length);
    expect([...seen].sort()).toEqual(
      lines('rows.jsonl')
        .map(({ id }) => `${id}`)
        .sort(),
    );
    for (const line of lines('rows.jsonl'))
      expect((batches[training(line).batch!]!.rows as Line[]).map(({ id }) => id)).toContain(line.id);
    const left = lines('dropped.jsonl').filter(({ stage }) => stage === 'batches');
    expect(left.length).toBe(manifest.funnel.at(-1)!.entered - manifest.funnel.at(-1)!.left);
    for (const { wanted, got, shortfall } of manifest.batches!.modes)
      expect(shortfall).toBe(Math.max(0, wanted - got));
    expect(manifest.weights!.concentration).toBe('batches');
  });

  it('of more modes than rows still stand', async () => {
    const few = GOOD.filter((_, at) => at % 40 === 0).map((row) => ({ ...row, group: null }));
    const { lines, view } = await run(few, { batches: { size: 4, balance: 'mode' } });
    expect(view.k).toBeGreaterThan(0);
    expect(lines('rows.jsonl').length).toBeGreaterThan(0);
    const fitted = await curated(few.slice(0, 5), { batches: { size: 4, balance: 'mode' } });
    expect(fitted.plan.batches!.rows.length).toBeGreaterThan(0);
  });
});

describe('the gradient scale', () => {
  it('is at most 1, 1 for the median simulator or a broader one, and leaves weights without concentration', async () => {
    const { lines, manifest } = await run(GOOD, { gradient: { beta: 1 }, batches: { balance: 'none' } });
    expect(manifest.weights!.concentration).toBe('gradient');
    const scales = manifest.simulators.map(({ id, mci, gradientScale }) => ({
      id,
      mci: mci.value!,
      gradientScale,
    }));
    expect(Math.max(...scales.map(({ gradientScale }) => gradientScale!))).toBe(1);
    expect(Math.min(...scales.map(({ gradientScale }) => gradientScale!))).toBeLessThan(1);
    const worst = scales.reduce((a, b) => (a.mci > b.mci ? a : b));
    expect(worst.gradientScale).toBe(Math.min(...scales.map(({ gradientScale }) => gradientScale!)));
    const bySimulator = new Map(scales.map(({ id, gradientScale }) => [id, gradientScale]));
    for (const line of lines('rows.jsonl'))
      expect(training(line).gradientScale).toBe(bySimulator.get((line.simulator as { id: string }).id));
  });

  it('off, is 1', async () => {
    const { lines } = await run(GOOD, { batches: { balance: 'none' } });
    expect(new Set(lines('rows.jsonl').map((line) => training(line).gradientScale))).toEqual(new Set([1]));
  });
});

describe('selection', () => {
  it('keeps 4 of each group of 8, with chances that add up to 4 and exact weights of pairs', async () => {
    const { lines, manifest } = await run(GOOD, { selection: { keep: 4 }, batches: { balance: 'none' } });
    const all = lines('weights.jsonl');
    const groups = grouped(all, ({ group }) => group);
    for (const own of groups.values()) {
      const kept = own.filter(({ trained }) => trained === true);
      expect(kept).toHaveLength(Math.min(4, own.length));
      const chances = own.map(({ inclusionProbability }) => inclusionProbability as number);
      close(
        chances.reduce((sum, pi) => sum + pi, 0),
        kept.length,
      );
      for (const { pairs, id } of kept) {
        const others = kept.filter((other) => other.id !== id).map((other) => other.id);
        expect((pairs as Line[]).map((pair) => pair.id).sort()).toEqual(others.sort());
        for (const { joint, weight } of pairs as { joint: number; weight: number }[]) {
          expect(joint).toBeGreaterThan(0);
          close(weight, 1 / joint);
        }
      }
      for (const { pairs } of own.filter(({ trained }) => trained === false)) expect(pairs).toBeUndefined();
    }
    expect(manifest.selection).toMatchObject({ design: 'conditional-poisson', keep: 4 });
    const left = lines('dropped.jsonl').filter(({ stage }) => stage === 'selection');
    expect(left.length + lines('rows.jsonl').length).toBe(all.length);
    for (const line of lines('rows.jsonl')) expect(training(line).inclusionProbability).toBeGreaterThan(0);
  });

  it('off, names no chance', async () => {
    const { lines } = await run(GOOD, { batches: { balance: 'none' } });
    for (const { inclusionProbability, pairs } of lines('weights.jsonl')) {
      expect(inclusionProbability).toBeNull();
      expect(pairs).toBeUndefined();
    }
  });
});

describe('advantages', () => {
  it.each(['weighted', 'simulator'])(
    'with a %s baseline add up to 0 where they must, under the weights',
    async (baseline) => {
      const { lines, manifest } = await run(MIXED, {
        advantage: { baseline, normalise: false },
        batches: { balance: 'none' },
        weights: { concentration: true },
      });
      const key = ({ group, simulator }: Line) =>
        JSON.stringify(baseline === 'weighted' ? group : [group, simulator]);
      for (const own of grouped(lines('weights.jsonl'), key).values()) {
        const sum = own.reduce(
          (total, line) => total + (line.weight as number) * (line.advantage as number),
          0,
        );
        close(sum, 0);
      }
      expect(manifest.advantage).toMatchObject({ baseline, missing: 0 });
      expect(lines('weights.jsonl').some(({ advantage }) => (advantage as number) > 0)).toBe(true);
    },
  );

  it('follow the reward of each row, also where one id stands for two', async () => {
    const group = GOOD.filter(({ group: own }) => own === GOOD[0]!.group);
    const again = group.map((row) => ({ ...row, reward: 1 - row.reward! }));
    const recipe = { advantage: { normalise: false }, weights: false, batches: { balance: 'none' } };
    for (const rows of [
      [...again, ...GOOD],
      [...GOOD, ...again],
    ]) {
      const { lines } = await run(rows, recipe);
      const own = lines('rows.jsonl').filter((line) => line.group === group[0]!.group);
      expect(own).toHaveLength(2 * group.length);
      for (const line of own) {
        const { advantage } = training(line);
        expect(Math.sign(advantage!), `${line.id} with reward ${line.reward}`).toBe(
          line.reward === 1 ? 1 : -1,
        );
      }
    }
  });

  it.each(['v-rex', 'group-dro'])(
    'under %s hold back simulators ahead of the others, at mean 1 over rows',
    async (rule) => {
      const { manifest, plan } = await run(GOOD, {
        advantage: { consistency: { rule, lambda: 0.5, base: 'agent-a@step-0' } },
        batches: { balance: 'none' },
      });
      const { multipliers, gains, reason } = plan.consistency!;
      expect(reason).toBeNull();
      const factors = manifest.simulators.map(({ id, kept, consistency }) => ({
        id,
        kept,
        factor: consistency!,
      }));
      const rows = factors.reduce((sum, { kept }) => sum + kept, 0);
      close(factors.reduce((sum, { kept, factor }) => sum + kept * factor, 0) / rows, 1);
      const best = gains.reduce((a, b, at) => (gains[a]!.value! > b.value! ? a : at), 0);
      const worst = gains.reduce((a, b, at) => (gains[a]!.value! < b.value! ? a : at), 0);
      expect(multipliers[best]).toBeLessThan(multipliers[worst]!);
    },
  );
});

describe('allocation', () => {
  it('spends no more than its budget in whole groups, and is written as plain data', async () => {
    const { files, json } = await run(GOOD, {
      allocation: { budget: 100, group: 8 },
      batches: { balance: 'none' },
    });
    expect(files).toContain('allocation.json');
    const { cells, left } = json('allocation.json') as { cells: { rollouts: number }[]; left: number };
    for (const { rollouts } of cells) expect(rollouts % 8).toBe(0);
    expect(cells.reduce((sum, { rollouts }) => sum + rollouts, 0) + left).toBe(100);
  });
});

describe('everything at once', () => {
  it('runs each stage on what the one before left, and writes every file', async () => {
    const recipe = {
      weights: { alpha: 0.5 },
      batches: { size: 24, balance: 'mode' },
      selection: { keep: 4 },
      advantage: { baseline: 'simulator', normalise: false, consistency: { rule: 'v-rex' } },
      allocation: { budget: 64, group: 8 },
      export: ['native', 'parquet', 'trl', 'verl', 'verifiers'],
    };
    const people = [...scriptedPeople({ seed: 3, contexts: 4, persons: 40, episodes: 120 })];
    const done = await curated(ROWS, recipe, { people: recordsOf(people) });
    const { files, manifest, lines } = await written(ROWS, done, true);
    expect(files).toEqual([
      'allocation.json',
      'batches.jsonl',
      'curation.html',
      'dropped.jsonl',
      'flagged.jsonl',
      'manifest.json',
      'recipe.yaml',
      'rows.jsonl',
      'rows.parquet',
      'trl.parquet',
      'verifiers.jsonl',
      'verl.parquet',
      'weights.jsonl',
    ]);
    expect(manifest.funnel.map(({ stage }) => stage)).toEqual(['read', 'gate', 'selection', 'batches']);
    manifest.funnel.forEach(({ entered, left, reasons }, at) => {
      expect(reasons.reduce((sum, { count }) => sum + count, 0)).toBe(entered - left);
      if (at > 0) expect(entered).toBe(manifest.funnel[at - 1]!.left);
    });
    expect(manifest.outputs.map(({ path }) => path)).toEqual(
      files.filter((name) => name !== 'manifest.json'),
    );
    const rows = lines('rows.jsonl');
    expect(rows).toHaveLength(manifest.funnel.at(-1)!.left);
    for (const name of ['rows.parquet', 'trl.parquet', 'verl.parquet', 'verifiers.jsonl', 'rows.jsonl'])
      expect(manifest.outputs.find(({ path }) => path === name)!.rows, name).toBe(rows.length);
    expect(manifest.beforeAfter.bdi.after.value).not.toBeNull();
  });

  it('off, passes every row on as it is', async () => {
    const { files, lines, manifest } = await run(ROWS, { gate: false, weights: false, batches: false });
    expect(files).toEqual(['dropped.jsonl', 'manifest.json', 'recipe.yaml', 'rows.jsonl', 'weights.jsonl']);
    expect(lines('rows.jsonl').map(({ id }) => id)).toEqual(ROWS.map(({ id }) => id));
    expect(lines('dropped.jsonl')).toEqual([]);
    expect(manifest.beforeAfter.rows).toEqual({ before: ROWS.length, after: ROWS.length });
    expect(manifest.beforeAfter.verdict).not.toBe('improved');
  });
});

it('ends where an id changed since the rows were weighed: no row is written as another', async () => {
  const done = await curated(GOOD, null, { space });
  const renamed = GOOD.map((row, at) => (at === 3 ? { ...row, id: 'renamed' } : row));
  await expect(written(renamed, done)).rejects.toMatchObject({
    code: 'CA_FILE_UNREADABLE',
    message: 'the file changed while it was read',
  });
});

it('compares rewards as large as numbers can be, and counts those that have no difference', async () => {
  const paid = (reward: (at: number) => number) =>
    GOOD.map((row, at) => ({ ...row, group: row.context, reward: reward(at) }));
  const recipe = { weights: false, advantage: true, allocation: true };
  const large = await run(
    paid((at) => (at % 2) * 2 ** 700),
    recipe,
  );
  const unit = await run(
    paid((at) => at % 2),
    recipe,
  );
  const advantages = ({ plan }: Curated) => [...plan.advantages!.advantage];
  advantages(large).forEach((value, row) => {
    expect(value).toBeCloseTo(advantages(unit)[row]!, 4);
  });
  expect(large.allocation).toEqual(unit.allocation);
  const ends = await run(
    paid((at) => (at % 2 === 0 ? -1.7e308 : 1.7e308)),
    recipe,
  );
  expect(ends.manifest.advantage!.missing).toBe(advantages(ends).filter(Number.isNaN).length);
  expect(advantages(ends).filter((value) => !Number.isNaN(value) && !Number.isFinite(value))).toEqual([]);
});
