import { describe, expect, it } from 'vitest';
import { finiteFigures } from '../../src/audit/finite-figures.ts';
import { audit } from '../../src/audit/index.ts';
import { scriptedEpisodes } from '../../src/lab/index.ts';
import { point } from '../../src/metrics/index.ts';
import { encodeProfile } from '../../src/space/index.ts';
import { recordsOf } from '../data.ts';

const all = [...scriptedEpisodes({ seed: 4, contexts: 12, epochs: 1, group: 2 })];

/** Paths of nulls that stand for figures and do not say why, and of numbers that are none. */
function unsound(value: unknown, path = ''): string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [path];
  if (value === null || typeof value !== 'object') return [];
  const own =
    'method' in value && 'value' in value && value.value === null && !('reason' in value) ? [path] : [];
  return [...own, ...Object.entries(value).flatMap(([key, one]) => unsound(one, `${path}.${key}`))];
}

describe('hostile numbers', () => {
  it.each([1e154, 1e200, 1.7e308])('rewards of %d give figures, or nulls with their reason', async (size) => {
    const rows = all.map((row, i) => ({ ...row, split: null, reward: i % 2 === 0 ? size : -size }));
    const { report } = await audit({ records: recordsOf(rows) }, { heldOut: [rows[0]!.simulator.id] });
    expect(
      unsound({ ...report, simulators: report.simulators.map(({ reward: _, ...rest }) => rest) }),
    ).toEqual([]);
    expect(unsound(JSON.parse(JSON.stringify({ ...report, simulators: [] })))).toEqual([]);
  });

  it('rewards outside the stated range are wrong usage', async () => {
    const rows = all.map((row, i) => ({ ...row, reward: i }));
    await expect(audit({ records: recordsOf(rows) }, { rewardRange: [0, 1] })).rejects.toMatchObject({
      code: 'CA_USAGE',
    });
  });

  it('a figure that overflowed is null with a reason; a bound that did leaves the value', () => {
    const held = { a: [{ b: point(Number.POSITIVE_INFINITY, 7) }], c: point(1, 2) };
    const made = finiteFigures(held);
    expect(made.a[0]!.b).toMatchObject({ value: null, n: 7, reason: expect.stringContaining('too large') });
    expect(made.c).toBe(held.c);
    expect(finiteFigures({ ...point(1, 2), low: 0, high: Number.NaN })).toMatchObject({
      value: 1,
      low: null,
      high: null,
      reason: expect.stringContaining('too large'),
    });
  });
});

describe('a space of another version', () => {
  it('is refused where its features are not those that are measured now', async () => {
    const { space } = await audit({ records: recordsOf(all) });
    const other = { ...space, features: space.features.with(0, 'something else') };
    await expect(audit({ records: recordsOf(all), space: other })).rejects.toMatchObject({
      code: 'CA_SPACE_MISMATCH',
    });
  });
});

describe('hostile names', () => {
  it('that objects have of their own change nothing but the names', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
    const ids = [...new Set(all.map(({ simulator }) => simulator.id))].sort();
    const renamed = all.map((row) => ({
      ...row,
      split: null,
      simulator: { ...row.simulator, id: names[ids.indexOf(row.simulator.id) % names.length]! },
    }));
    const plain = all.map((row) => ({
      ...row,
      split: null,
      simulator: { ...row.simulator, id: `s${ids.indexOf(row.simulator.id) % names.length}` },
    }));
    const [a, b] = [await audit({ records: recordsOf(renamed) }), await audit({ records: recordsOf(plain) })];
    expect(a.report.scd.pooled2.value).toBe(b.report.scd.pooled2.value);
    expect(a.report.simulators.map(({ id }) => id).sort()).toEqual([...names].sort());
    expect(encodeProfile(a.profile)).toContain('__proto__');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('thousands of simulators with one episode each are measured', async () => {
    const rows = Array.from({ length: 1000 }, (_, i) => {
      const row = all[i % all.length]!;
      const turns = row.turns.map((turn, at) => (at === 0 ? { ...turn, text: `${turn.text} ${i}` } : turn));
      return { ...row, id: `r${i}`, turns, simulator: { ...row.simulator, id: `sim ${i}` } };
    });
    const { report } = await audit({ records: recordsOf(rows) });
    expect(report.simulators).toHaveLength(1000);
    expect(unsound(report)).toEqual([]);
  }, 60_000);

  it('an episode of 150,000 turns is one row', async () => {
    const turns = Array.from({ length: 150_000 }, (_, i) => ({
      role: 'user' as const,
      text: `no ${i % 50}`,
    }));
    const { report } = await audit({ records: recordsOf([...all, { ...all[0]!, id: 'long', turns }]) });
    expect(report.input.kept).toBe(all.length + 1);
  }, 60_000);
});
