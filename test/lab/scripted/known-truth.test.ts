import { beforeAll, describe, expect, it } from 'vitest';
import { type AuditReport, audit } from '../../../src/audit/index.ts';
import { demoStudy } from '../../../src/lab/scripted/index.ts';
import type { Trajectory } from '../../../src/trajectory/trajectory.ts';

const records = (rows: readonly Trajectory[]) =>
  async function* () {
    yield* rows;
  };

let report: AuditReport;
beforeAll(async () => {
  const { people, rollouts } = demoStudy(1);
  ({ report } = await audit({ records: records(rollouts), people: records(people) }));
});
const verdict = (id: string) => report.simulators.find((s) => s.id === id)!.verdict;
const level = (mode: string) => report.diagnosis.find((v) => v.mode === mode)!.level;

describe('an audit of the demo study finds what was put in', () => {
  it('calls the simulator of one manner narrow', () => {
    expect(verdict('one-note')).toBe('narrow');
    expect(level('mode collapse')).toBe('present');
    expect(report.headline).toContain('one-note');
  });
  it('tells an odd hand from a narrow one', () => {
    expect(verdict('forum')).toBe('one style, varied');
  });
  it('leaves the broad panel alone', () => {
    expect(verdict('panel')).toBe('not narrow');
  });
  it('sees the population narrow over epochs', () => {
    const slope = report.trend.find((t) => t.metric === 'scd2')!.slope;
    expect(slope.low).toBeGreaterThan(0);
  });
  it('sees the policy overfit its training simulators', () => {
    expect(report.psod.rise.low).toBeGreaterThan(0);
    expect(level('co-adaptation')).toBe('present');
  });
  it('finds every simulator under both policies', () => {
    expect(report.confounds.filter((c) => c.kind === 'one-policy')).toEqual([]);
  });
});
