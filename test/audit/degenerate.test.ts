import { describe, expect, it } from 'vitest';
import { type AuditReport, audit } from '../../src/audit/index.ts';
import { scriptedEpisodes } from '../../src/lab/index.ts';
import type { Trajectory } from '../../src/trajectory/trajectory.ts';
import { recordsOf } from '../data.ts';

const all = [...scriptedEpisodes({ seed: 4, contexts: 12, epochs: 1, group: 2 })];
const auditOf = async (rows: readonly Trajectory[]) => (await audit({ records: recordsOf(rows) })).report;

/** Every figure of a report: a null value has a reason, and none is NaN or infinite. */
function checkFigures(report: AuditReport): void {
  const walk = (value: unknown, path: string) => {
    if (typeof value === 'number') expect(Number.isFinite(value), path).toBe(true);
    if (value === null || typeof value !== 'object') return;
    if ('value' in value && 'method' in value && (value as { value: unknown }).value === null)
      expect((value as { reason?: string }).reason, path).toMatch(/\w/);
    for (const [key, one] of Object.entries(value)) walk(one, `${path}.${key}`);
  };
  walk(report, '');
  expect(report.headline.length).toBeGreaterThan(10);
  expect(report.diagnosis).toHaveLength(4);
}

describe('an audit of very little', () => {
  it('refuses no episode at all, with a code', async () => {
    await expect(auditOf([])).rejects.toMatchObject({ code: 'CA_INPUT_EMPTY' });
  });

  for (const n of [1, 2, 3, 5, 8])
    it(`of ${n} episode${n === 1 ? '' : 's'}: every figure is null with a reason, or finite`, async () => {
      const report = await auditOf(all.slice(0, n));
      checkFigures(report);
      expect(report.input.kept).toBe(n);
      if (n < 4) {
        expect(report.space.k).toBe(1);
        for (const { mci } of report.simulators) expect(mci.reason).toBe('too few episodes to fit two modes');
        expect(report.scd.pooled2.value).toBeNull();
      }
      expect(report.diagnosis.every(({ level }) => level === 'undecided')).toBe(true);
    });

  it('of one simulator: nothing is said of what several have in common', async () => {
    const one = all[0]!.simulator.id;
    const report = await auditOf(all.filter(({ simulator }) => simulator.id === one));
    checkFigures(report);
    expect(report.simulators).toHaveLength(1);
    expect(report.confounds.map(({ kind }) => kind)).toContain('one-simulator');
    expect(report.scd.joint.reason).toMatch(/simulators/);
    expect(report.simulators[0]?.verdict).toBe('undecided');
    expect(report.diagnosis[0]).toMatchObject({ mode: 'mode collapse', level: 'undecided' });
    expect(report.headline).toContain('neither people nor another simulator');
    expect(report.health.consistency.reason).toMatch(/simulators/);
  });

  it('of one context: the unit is not the context, and topic needs no control', async () => {
    const one = all[0]!.context;
    const rows = all.map((row) => ({ ...row, context: one }));
    const report = await auditOf(rows);
    checkFigures(report);
    expect(report.space.unit).not.toBe('context');
    expect(report.space.control).toBe('none');
  });

  it('without any reward: PSOD, matrix and groups say so', async () => {
    const report = await auditOf(all.map((row) => ({ ...row, reward: null })));
    checkFigures(report);
    expect(report.psod).toMatchObject({ value: null, reason: 'no row carries a reward' });
    expect(report.matrix).toEqual([]);
    expect(report.health.zeroVariance.share.reason).toMatch(/reward/);
  });

  it('of equal rewards: the range is asked for, not guessed', async () => {
    const report = await auditOf(all.map((row) => ({ ...row, reward: 1 })));
    checkFigures(report);
    expect(report.psod.reason).toMatch(/--reward-range/);
  });

  it('of users who never say a word', async () => {
    const mute = all.slice(0, 30).map((row, at) => ({
      ...row,
      turns: row.turns.map((turn) =>
        turn.role === 'user'
          ? { role: 'user' as const, text: null, toolCalls: [{ name: `t${at % 3}`, arguments: {} }] }
          : turn,
      ),
    }));
    checkFigures(await auditOf(mute));
  });

  it('of one episode given a hundred times', async () => {
    const report = await auditOf(Array.from({ length: 100 }, () => all[0]!));
    checkFigures(report);
    expect(report.input.duplicates).toBe(99);
  });
});
