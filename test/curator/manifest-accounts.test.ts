import { beforeAll, expect, it } from 'vitest';
import { scriptedPeople } from '../../src/lab/index.ts';
import type { BehaviourSpace } from '../../src/space/index.ts';
import type { Trajectory } from '../../src/trajectory/index.ts';
import { recordsOf } from '../data.ts';
import { curated, labRollouts } from './curated-columns.ts';
import { written } from './written-curation.ts';

const ROWS = labRollouts(4, 2, 8);
let space: BehaviourSpace;
beforeAll(async () => {
  ({ space } = await curated(ROWS, null));
});

async function manifestOf(rows: readonly Trajectory[], recipe: unknown, people: readonly Trajectory[] = []) {
  const beside = people.length === 0 ? { space } : { people: recordsOf(people) };
  return (await written(rows, await curated(rows, recipe, beside))).manifest;
}

it('where concentration is corrected stands in the manifest, also without weights', async () => {
  const places = await Promise.all(
    [
      { weights: false },
      { weights: false, gradient: true },
      { batches: false },
      { weights: false, batches: false },
    ].map(async (recipe) => (await manifestOf(ROWS, recipe)).concentration),
  );
  expect(places).toEqual(['batches', 'gradient', 'weights', 'none']);
});

it('contents, groups, groups of one and rows of none are counted over what passed the gate', async () => {
  const [first, second] = [ROWS[0]!, ROWS[8]!];
  const rows = [
    ...ROWS,
    { ...first, id: 'again' },
    { ...second, id: 'alone', group: 'of its own', reward: 1 - second.reward! },
    { ...second, id: 'free', group: null, reward: 1 - second.reward! },
  ];
  const { gated, batches, weights } = await manifestOf(rows, { batches: { size: 16 } });
  const groups = new Set(ROWS.map(({ group, epoch, policy }) => `${group} ${epoch} ${policy.checkpoint}`))
    .size;
  expect(gated).toEqual({
    rows: rows.length,
    contents: ROWS.length,
    groups: groups + 1,
    lone: 1,
    ungrouped: 1,
  });
  expect(batches!.rows + batches!.leftOut.rows).toBe(rows.length);
  expect(batches!.groups + batches!.leftOut.groups).toBe(groups + 2);
  for (const { exists, got, wanted, shortfall } of batches!.modes) {
    expect(got).toBeLessThanOrEqual(exists);
    expect(shortfall).toBe(Math.max(0, wanted - got));
  }
  expect(weights).toMatchObject({ unknownDensity: 0, unknownConcentration: 0 });
  expect(weights!.scale).toBeGreaterThan(0);
});

it('consistency says what gains were measured from, and why it does nothing', async () => {
  const named = { consistency: { rule: 'v-rex', base: 'agent-a@step-0' } };
  const { consistency, simulators } = await manifestOf(ROWS, { advantage: named });
  expect(consistency!.reason).toBeNull();
  expect(consistency!.base).toBe('agent-a@step-0');
  expect(consistency!.gains.map(({ simulator }) => simulator)).toEqual(simulators.map(({ id }) => id));
  const advantage = { consistency: true };
  // Of several policies none is the base of the others; of the checkpoints of one the first is.
  expect((await manifestOf(ROWS, { advantage })).consistency!.base).toBeNull();
  const trained = ROWS.map((row) => ({ ...row, policy: { ...row.policy, id: 'agent-a' } }));
  expect((await manifestOf(trained, { advantage })).consistency!.base).toBe('agent-a@step-0');
  const one = ROWS.map((row) => ({ ...row, policy: ROWS[0]!.policy }));
  const alone = await manifestOf(one, { advantage });
  expect(alone.consistency).toMatchObject({ rule: 'v-rex', base: null });
  expect(alone.consistency!.reason).toContain('no base policy is named');
  expect(new Set(alone.simulators.map(({ consistency: factor }) => factor))).toEqual(new Set([1]));
});

it('allocation is summed up, and what is off is null', async () => {
  const people = [...scriptedPeople({ seed: 3, contexts: 4, persons: 40, episodes: 120 })];
  const on = await manifestOf(ROWS, { allocation: { budget: 100, group: 8 } }, people);
  const { parts, left, cells, fresh } = on.allocation!;
  expect(parts.floor + parts.variance + parts.coverage + parts.uncertainty + left).toBe(100);
  expect(cells).toBeGreaterThan(0);
  expect(fresh).toBeLessThanOrEqual(cells);
  const off = await manifestOf(ROWS, null);
  expect([off.allocation, off.consistency, off.advantage, off.selection]).toEqual([null, null, null, null]);
});

it('rows that stand in the reference too are counted: simulators given as people are no people', async () => {
  expect((await manifestOf(ROWS, null, ROWS)).sharedWithReference).toBeGreaterThan(0.9 * ROWS.length);
  const people = [...scriptedPeople({ seed: 3, contexts: 4, persons: 40, episodes: 120 })];
  expect((await manifestOf(ROWS, null, people)).sharedWithReference).toBe(0);
});
