import { beforeAll, describe, expect, it } from 'vitest';
import type { Curated } from '../../../src/curator/index.ts';
import type { Ground } from '../../../src/gateway/steering/index.ts';
import { scriptedPeople } from '../../../src/lab/index.ts';
import type { Trajectory } from '../../../src/trajectory/index.ts';
import { curated, labRollouts, shuffled } from '../../curator/curated-columns.ts';
import { groundOf, shelf, steering } from './sessions.ts';

const ROWS = labRollouts(4, 2);
const PEOPLE = [...scriptedPeople({ seed: 3, contexts: 6, persons: 40, episodes: 120 })];
const RECIPE = { weights: { concentration: true, coverage: true, alpha: 1 }, batches: false };
const IDS = ROWS.map(({ id }) => id);

const weightsOf = ({ plan }: Curated) => new Map(plan.rows.ids.map((id, row) => [id, plan.weight[row]!]));
const meanOver = (weights: Readonly<Record<string, number>>, ids: readonly string[]) =>
  ids.reduce((sum, id) => sum + weights[id]!, 0) / ids.length;

describe('weights of a batch', () => {
  let people: Ground;
  let alone: Ground;
  beforeAll(async () => {
    const half = ROWS.filter((_, at) => at % 2 === 0);
    people = groundOf((await curated(half, RECIPE, { people: peopleRecords })).space, PEOPLE);
    alone = groundOf((await curated(half, RECIPE)).space);
  });
  async function* peopleRecords() {
    yield* PEOPLE;
  }

  it('are those that curate gives the same rows by the same recipe in the same space, with people', async () => {
    const expected = weightsOf(await curated(ROWS, RECIPE, { space: people.space, people: peopleRecords }));
    const { weights, ess } = await steering(shelf(ROWS).source, people).weights(IDS, RECIPE);
    expect(expected.size).toBeGreaterThan(100);
    expect(new Set(expected.values()).size).toBeGreaterThan(20);
    for (const [id, weight] of expected) expect(weights[id]).toBeCloseTo(weight, 12);
    expect(ess).toBeLessThan(expected.size);
  });

  it('are those that curate gives the rows that decide lets pass', async () => {
    const broken: Trajectory[] = ROWS.map((row, at) =>
      at % 9 === 0 ? { ...row, termination: 'infrastructure_error', reward: null } : row,
    );
    const own = steering(shelf(broken).source, alone);
    const groups = [...new Set(broken.map(({ group }) => group))].map((group) => ({
      sessions: broken.filter((row) => row.group === group).map(({ id }) => id),
    }));
    const usable = (await own.decide(groups)).flatMap((decision) => decision.usable);
    expect(usable.length).toBeGreaterThan(100);
    expect(usable.length).toBeLessThan(broken.length);
    const exported = broken.filter(({ id }) => usable.includes(id));
    const expected = weightsOf(await curated(exported, RECIPE, { space: alone.space }));
    const { weights, unknown } = await own.weights(usable, RECIPE);
    expect(unknown).toEqual([]);
    expect(expected.size).toBe(usable.length);
    for (const [id, weight] of expected) expect(weights[id]).toBeCloseTo(weight, 12);
    // Of all rows at once, the same ones are left out by the gate.
    const all = await own.weights(IDS, RECIPE);
    expect(all.unknown).toHaveLength(broken.length - usable.length);
    for (const id of usable) expect(all.weights[id]).toBeCloseTo(weights[id]!, 12);
  });

  it('have mean 1 over the ids that are weighed, and do not hang on order or repetition', async () => {
    const own = steering(shelf(ROWS).source, alone);
    const first = await own.weights(IDS);
    expect(Math.abs(meanOver(first.weights, IDS) - 1)).toBeLessThan(1e-12);
    const again = shuffled([...IDS, ...IDS.slice(0, 40), 'nobody', '__proto__'], 'weights');
    const second = await own.weights(again);
    for (const id of IDS) expect(second.weights[id]).toBe(first.weights[id]);
    expect(second.unknown).toEqual([
      { id: '__proto__', reason: 'no such session is on record' },
      { id: 'nobody', reason: 'no such session is on record' },
    ]);
    expect([second.weights.nobody, Object.entries(second.weights).length]).toEqual([1, IDS.length + 2]);
  });

  it('weigh a session once by whatever names it is asked for', async () => {
    const names = { 'trainer/1': IDS[0]! };
    const { weights, unknown } = await steering(shelf(ROWS, {}, names).source, alone).weights([
      ...IDS,
      'trainer/1',
    ]);
    expect(unknown).toEqual([]);
    expect(weights['trainer/1']).toBe(weights[IDS[0]!]);
    expect(Math.abs(meanOver(weights, IDS) - 1)).toBeLessThan(1e-12);
  });

  it('give rows of one content one weight', async () => {
    const twins = ROWS.slice(0, 12).map((row) => ({ ...row, id: `${row.id}/twin` }));
    const { weights, unknown } = await steering(shelf([...ROWS, ...twins]).source, alone).weights([
      ...IDS,
      ...twins.map(({ id }) => id),
    ]);
    expect(unknown).toEqual([]);
    for (const { id } of twins) expect(weights[id]).toBe(weights[id.replace('/twin', '')]);
  });

  it('are all 1 without a space, and say so', async () => {
    const { weights, ess, notes, unknown } = await steering(shelf(ROWS).source, null).weights(IDS);
    expect(new Set(Object.values(weights))).toEqual(new Set([1]));
    expect([ess, unknown]).toEqual([null, []]);
    expect(notes).toEqual(['there is no behaviour space yet: all weights are 1']);
  });

  it('are all 1 for nothing, for strangers and where the gate lets nothing pass', async () => {
    const own = steering(shelf(ROWS.map((row) => ({ ...row, reward: Number.NaN }))).source, alone);
    expect(await own.weights([])).toMatchObject({ weights: {}, unknown: [] });
    expect(await own.weights(['x'])).toMatchObject({ weights: { x: 1 } });
    const refused = await own.weights(IDS.slice(0, 3));
    expect(Object.values(refused.weights)).toEqual([1, 1, 1]);
    expect(refused.unknown[0]!.reason).toContain('dropped by the quality gate, invalid-reward');
    expect(refused.notes).toEqual(['no row passes the quality gate']);
  });

  it('take ten thousand ids, a few sessions in memory at a time', async () => {
    const own = shelf(ROWS);
    const strangers = Array.from({ length: 10_000 - IDS.length }, (_, at) => `stranger ${at}`);
    const { weights, unknown } = await steering(own.source, alone).weights([...strangers, ...IDS]);
    expect([Object.keys(weights).length, unknown.length]).toEqual([10_000, strangers.length]);
    expect(Math.abs(meanOver(weights, IDS) - 1)).toBeLessThan(1e-12);
    expect(own.largest()).toBeLessThanOrEqual(64);
  });

  it('are the same when they are asked for again', async () => {
    let asked = 0;
    const own = steering(shelf(ROWS).source, null, {
      ground: async () => {
        asked += 1;
        return people;
      },
    });
    const first = await own.weights(IDS.slice(0, 80), RECIPE);
    expect(await own.weights(IDS.slice(0, 80), RECIPE)).toEqual(first);
    expect(asked).toBe(2);
  });

  it('take the concentration of the live window where it is known', async () => {
    const { source } = shelf(ROWS);
    const recipe = { weights: { concentration: true, coverage: false, alpha: 0, ess: 0.01 }, batches: false };
    const [name, other] = [...new Set(ROWS.map(({ simulator }) => simulator.id))].sort() as [string, string];
    const low = await steering(source, alone, { window: (id) => (id === name ? 0.9 : null) }).weights(
      IDS,
      recipe,
    );
    const high = await steering(source, alone, { window: (id) => (id === name ? 0.3 : null) }).weights(
      IDS,
      recipe,
    );
    const of = (simulator: string) => ROWS.find((row) => row.simulator.id === simulator)!.id;
    const ratio = ({ weights }: typeof low) => weights[of(name)]! / weights[of(other)]!;
    expect(ratio(high) / ratio(low)).toBeCloseTo(3, 1);
    expect(low.notes.join()).toContain('concentration of 1 of 5 simulators from the live window');
  });

  it('refuse a recipe that cannot be read, naming the parameter, and ask no judge', async () => {
    const own = steering(shelf(ROWS).source, alone);
    await expect(own.weights(IDS, { weights: { alpha: -1 } })).rejects.toMatchObject({
      status: 400,
      param: 'recipe',
    });
    const judged = await own.weights(IDS.slice(0, 40), {
      gate: { judge: { url: 'http://127.0.0.1:9/v1', model: 'm' } },
      batches: false,
    });
    expect(judged.notes[0]).toBe('the judge of the recipe is not asked here');
  });

  it('leave a session under way as it was when the batch was read', async () => {
    const base = shelf(ROWS, Object.fromEntries(IDS.map((id) => [id, { state: 'open' as const }])));
    let calls = 0;
    const growing: typeof base.source = async (ids) => {
      calls += 1;
      const found = await base.source(ids);
      return new Map(
        [...found].map(([id, one]) => [
          id,
          {
            ...one,
            trajectory: {
              ...one.trajectory,
              turns: [
                ...one.trajectory.turns,
                ...Array.from({ length: calls }, (_, at) => ({ role: 'user' as const, text: `more ${at}` })),
              ],
            },
          },
        ]),
      );
    };
    const { unknown } = await steering(growing, alone).weights(IDS);
    expect(unknown).toEqual([]);
    // Deleted while the rows are placed: every id was read three times before.
    let read = 0;
    const vanishing: typeof base.source = async (ids) => {
      read += ids.length;
      return read > 3 * IDS.length ? new Map() : base.source(ids);
    };
    await expect(steering(vanishing, alone).weights(IDS)).rejects.toMatchObject({ status: 503 });
  });
});
