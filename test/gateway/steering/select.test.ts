import { beforeAll, describe, expect, it } from 'vitest';
import type { Ground } from '../../../src/gateway/steering/index.ts';
import { curated, labRollouts, shuffled } from '../../curator/curated-columns.ts';
import { groundOf, shelf, steering } from './sessions.ts';

const ROWS = labRollouts(4, 1);
const IDS = ROWS.map(({ id }) => id);
const CANDIDATES = IDS.map((id) => ({ id }));

describe('a selection', () => {
  let ground: Ground;
  beforeAll(async () => {
    ground = groundOf((await curated(ROWS, null)).space);
  });

  it('is that of curate on the same rows, with its chances', async () => {
    const recipe = { weights: { concentration: true, coverage: false }, batches: false };
    const { plan } = await curated(ROWS, { ...recipe, selection: { keep: 3 } }, { space: ground.space });
    const reply = await steering(shelf(ROWS).source, ground).select(CANDIDATES, 3, recipe);
    const kept = plan.rows.ids.filter((_, row) => plan.selection!.kept[row] === 1).sort();
    expect(reply.kept).toEqual(kept);
    plan.rows.ids.forEach((id, row) => {
      expect(reply.inclusion[id]).toBeCloseTo(plan.selection!.inclusion[row]!, 12);
    });
    const at = new Map(plan.rows.ids.map((id, row) => [id, row]));
    expect(reply.pairs).toHaveLength((kept.length / 3) * 3);
    for (const { a, b, joint } of reply.pairs)
      expect(joint).toBeCloseTo(plan.selection!.pairs.joint(at.get(a)!, at.get(b)!)!, 12);
    expect(reply.seed).toBe('1');
  });

  it('keeps n of each group, with chances that add up to n', async () => {
    const { inclusion, kept, unknown } = await steering(shelf(ROWS).source, ground).select(CANDIDATES, 3);
    expect(unknown).toEqual([]);
    for (const group of new Set(ROWS.map((row) => row.group))) {
      const own = ROWS.filter((row) => row.group === group).map(({ id }) => id);
      expect(own.filter((id) => kept.includes(id))).toHaveLength(3);
      expect(own.reduce((sum, id) => sum + inclusion[id]!, 0)).toBeCloseTo(3, 9);
    }
  });

  it('hangs on contents, not on order, repetition or the names of groups', async () => {
    const own = steering(shelf(ROWS).source, ground);
    const first = await own.select(CANDIDATES, 2);
    const again = await own.select(shuffled([...CANDIDATES, ...CANDIDATES.slice(0, 9)], 'select'), 2);
    expect(again).toEqual(first);
    const named = await own.select(
      ROWS.map(({ id, group }) => ({ id, group: `mine ${group}` })),
      2,
    );
    expect(named).toEqual(first);
  });

  it('draws inside the groups that the request gives, in place of those on record', async () => {
    const one = ROWS.slice(0, 20).map(({ id }) => ({ id, group: 'all' }));
    const { kept, pairs } = await steering(shelf(ROWS).source, null).select(one, 5);
    expect([kept.length, pairs.length]).toEqual([5, 10]);
  });

  it('draws each alike without a space', async () => {
    const { inclusion, kept } = await steering(shelf(ROWS).source, null).select(CANDIDATES, 2);
    for (const value of Object.values(inclusion)) expect(value).toBeCloseTo(2 / 8, 12);
    expect(kept).toHaveLength(ROWS.length / 4);
  });

  it('lets strangers take part in the group they are given, and keeps those without one', async () => {
    const strangers = Array.from({ length: 6 }, (_, at) => ({ id: `stranger ${at}`, group: 'theirs' }));
    const reply = await steering(shelf(ROWS).source, ground).select([...strangers, { id: 'alone' }], 2);
    expect(reply.kept).toContain('alone');
    expect(reply.kept).toHaveLength(3);
    expect(reply.inclusion['stranger 0']).toBeCloseTo(1 / 3, 12);
    expect(reply.unknown).toHaveLength(7);
  });

  it('has no place for what the gate drops', async () => {
    const bad = ROWS.map((row, at) => (at === 0 ? { ...row, reward: Number.NaN } : row));
    const reply = await steering(shelf(bad).source, ground).select(CANDIDATES, 8);
    expect(reply.kept).not.toContain(IDS[0]);
    expect(reply.inclusion[IDS[0]!]).toBeUndefined();
    expect(reply.unknown).toMatchObject([{ id: IDS[0] }]);
  });

  it('refuses two groups for one id, and groups too large to draw from exactly', async () => {
    const own = steering(shelf(ROWS).source, null);
    await expect(
      own.select(
        [
          { id: 'a', group: 'x' },
          { id: 'a', group: 'y' },
        ],
        2,
      ),
    ).rejects.toMatchObject({ status: 400, param: 'candidates' });
    const many = Array.from({ length: 65 }, (_, at) => ({ id: `c${at}`, group: 'g' }));
    await expect(own.select(many, 2)).rejects.toMatchObject({ status: 400 });
    const poisson = await own.select(many, 2, { selection: { design: 'poisson' } });
    expect(Object.values(poisson.inclusion)).toHaveLength(65);
  });
});
