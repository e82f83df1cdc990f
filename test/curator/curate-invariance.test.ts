import { describe, expect, it } from 'vitest';
import type { Curated } from '../../src/curator/index.ts';
import { scriptedPeople } from '../../src/lab/index.ts';
import type { BehaviourSpace } from '../../src/space/index.ts';
import { hashText } from '../../src/trajectory/identity.ts';
import type { Trajectory } from '../../src/trajectory/index.ts';
import { recordsOf } from '../data.ts';
import { batchContents, byContent, curated, labRollouts, shuffled } from './curated-columns.ts';

const PLAIN = labRollouts(4, 2);
const PEOPLE = [...scriptedPeople({ seed: 3, contexts: 6, persons: 40, episodes: 120 })];

/** Rows that are hard to keep apart: the same content again, under every other circumstance. */
const HARD: Trajectory[] = [
  ...PLAIN,
  // The very same line twice.
  ...PLAIN.slice(0, 12),
  // A deterministic rollout: same group, an id of its own.
  ...PLAIN.slice(20, 32).map((row) => ({ ...row, id: `${row.id}/again` })),
  // One content of two simulators, without a group: only the simulator tells them apart.
  ...PLAIN.slice(40, 60).map((row, at) => ({
    ...row,
    id: `${row.id}/other`,
    group: null,
    simulator: { ...row.simulator, id: at % 2 === 0 ? 'one-note' : 'echo' },
  })),
  // The same with the other reward, in the same group and out of it.
  ...PLAIN.slice(60, 70).map((row) => ({ ...row, reward: 1 - row.reward! })),
  ...PLAIN.slice(70, 80).map((row) => ({ ...row, group: null, reward: 1 - row.reward! })),
  // No reward.
  ...PLAIN.slice(80, 84).map((row) => ({ ...row, id: `${row.id}/unpaid`, reward: null })),
];

/** Groups over all simulators: each has rivals of its own. */
const MIXED = labRollouts(5, 2, 4).map((row) => ({ ...row, group: `${row.context}/${row.epoch}` }));

/** Contexts known by label alone: one content may stand in two of them. */
const LABELLED = PLAIN.flatMap((row, at): Trajectory[] => {
  const own = {
    ...row,
    scenario: null,
    contextFrom: 'label' as const,
    context: `lab/label:${row.contextLabel}`,
  };
  return at % 3 > 0 ? [own] : [own, { ...own, id: `${row.id}/other`, context: `lab/label:other-${at % 2}` }];
});

/** Other names for ids, simulators and groups, that sort otherwise. */
function renamed(rows: readonly Trajectory[]): Trajectory[] {
  const other = (name: string) => `n${hashText(`other/${name}`).slice(0, 12)}`;
  return rows.map((row) => ({
    ...row,
    id: other(row.id),
    group: row.group === null ? null : other(row.group),
    simulator: { ...row.simulator, id: other(row.simulator.id) },
  }));
}

const RECIPES: Readonly<Record<string, unknown>> = {
  'weights correct': {
    weights: { concentration: true, coverage: true },
    batches: { size: 32, balance: 'none' },
  },
  'batches correct': { weights: { alpha: 1 }, batches: { size: 32, balance: 'mode' } },
  'everything at once': {
    weights: { alpha: 1 },
    batches: { size: 24, balance: 'mode' },
    selection: { keep: 4 },
    advantage: { baseline: 'simulator', normalise: false, consistency: { rule: 'v-rex', lambda: 1 } },
    allocation: { budget: 64, group: 8 },
  },
  'gradient, poisson, group DRO': {
    weights: { concentration: false, coverage: false },
    batches: { size: 24, balance: 'none' },
    gradient: { beta: 1 },
    selection: { keep: 4, design: 'poisson' },
    advantage: { baseline: 'weighted', normalise: false, consistency: { rule: 'group-dro', lambda: 0.5 } },
  },
};

function expectSame(one: Curated, two: Curated): void {
  const [first, second] = [byContent(one), byContent(two)];
  expect([...second.keys()].sort()).toEqual([...first.keys()].sort());
  const differing = [...first].filter(([hash, own]) => own.join() !== second.get(hash)!.join());
  expect(differing.map(([hash, own]) => [hash, own, second.get(hash)]).slice(0, 2)).toEqual([]);
  expect(batchContents(two)).toEqual(batchContents(one));
  for (const key of ['scd2', 'bdi', 'mass', 'realism'] as const)
    for (const when of ['before', 'after', 'difference'] as const) {
      const [a, b] = [one.beforeAfter[key][when].value, two.beforeAfter[key][when].value];
      if (a === null) expect(b, `${key} ${when}`).toBeNull();
      else expect(b, `${key} ${when}`).toBeCloseTo(a, 10);
    }
}

describe.each([
  ['rows that repeat', HARD],
  ['groups of several simulators', MIXED],
  ['contents in two contexts', LABELLED],
])('of %s', (_name, rows) => {
  const other = shuffled(renamed(rows), 'names');
  // The space hangs on rows alone: once is enough to see that it is the same.
  const spaces: Partial<Record<'given' | 'other', BehaviourSpace>> = {};
  const run = async (name: keyof typeof spaces, list: readonly Trajectory[], recipe: unknown) => {
    const space = spaces[name];
    const done = await curated(list, recipe, space === undefined ? {} : { space });
    spaces[name] = done.space;
    return done;
  };

  it.each(Object.entries(RECIPES))(
    'a curation where %s is the same by content, in whatever order rows come and whatever ids, simulators and groups are called',
    async (_, recipe) => {
      const given = await run('given', rows, recipe);
      expectSame(given, await run('other', other, recipe));
      expect(spaces.other!.id).toBe(spaces.given!.id);
    },
  );

  it('a curation beside people is the same by content, in whatever order either comes', async () => {
    const beside = (people: readonly Trajectory[]) => ({ people: recordsOf(people) });
    const recipe = RECIPES['weights correct'];
    expectSame(
      await curated(rows, recipe, beside(PEOPLE)),
      await curated(other, recipe, beside(shuffled(PEOPLE, 'people'))),
    );
  });
});

describe('the seed', () => {
  it('decides which rows are drawn, and nothing of the weights', async () => {
    const recipe = (seed: number) => ({
      seed,
      batches: { size: 32, balance: 'none' },
      selection: { keep: 4 },
    });
    const one = await curated(PLAIN, recipe(1));
    const two = await curated(PLAIN, recipe(2), { space: one.space });
    expect(two.plan.weight).toEqual(one.plan.weight);
    expect(two.plan.selection!.kept).not.toEqual(one.plan.selection!.kept);
    expect(batchContents(two)).not.toEqual(batchContents(one));
  });
});
