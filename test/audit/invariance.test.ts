import { beforeAll, describe, expect, it } from 'vitest';
import { type AuditReport, audit, fit as fitTo, place, scan } from '../../src/audit/index.ts';
import { demoStudy } from '../../src/lab/index.ts';
import { seeded } from '../../src/math/index.ts';
import { encodeProfile, mergeProfiles } from '../../src/space/index.ts';
import type { Trajectory } from '../../src/trajectory/trajectory.ts';
import { recordsOf } from '../data.ts';

const study = demoStudy(3);
const people = study.people.slice(0, 200);
const rollouts = study.rollouts.filter((_, at) => at % 3 === 0);

const auditOf = async (rows: readonly Trajectory[], reference: readonly Trajectory[] = people) =>
  (await audit({ records: recordsOf(rows), people: recordsOf(reference) }, { seed: 5 })).report;

/** Every number of a report by its path; simulators by what they were called at first. */
function numbers(
  report: AuditReport,
  nameOf: (id: string) => string = (id) => id,
): Map<string, number | null> {
  const found = new Map<string, number | null>();
  const walk = (value: unknown, path: string) => {
    if (typeof value === 'number' || value === null) found.set(path, value);
    else if (Array.isArray(value))
      value.forEach((one, at) => {
        const id =
          one !== null && typeof one === 'object' && 'id' in one ? nameOf(String(one.id)) : String(at);
        walk(one, `${path}.${id}`);
      });
    else if (typeof value === 'object')
      for (const [key, one] of Object.entries(value as object)) walk(one, `${path}.${key}`);
  };
  const { space, simulators, scd, bdi, psod, epochs, trend, depth, health, missing, reference } = report;
  walk({ space, simulators, scd, bdi, psod, epochs, trend, depth, health, missing, reference }, '');
  return found;
}

function expectSame(a: Map<string, number | null>, b: Map<string, number | null>): void {
  expect([...b.keys()].sort()).toEqual([...a.keys()].sort());
  for (const [path, value] of a) {
    const other = b.get(path)!;
    if (value === null || other === null) expect(other, path).toBe(value);
    else expect(Math.abs(other - value), path).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(value)));
  }
}

describe('an audit', () => {
  let whole: AuditReport;
  beforeAll(async () => {
    whole = await auditOf(rollouts);
  });

  it('does not change when rows are permuted', async () => {
    const random = seeded('permute');
    const other = await auditOf(random.shuffle([...rollouts]), random.shuffle([...people]));
    expect(other.space.id).toBe(whole.space.id);
    expectSame(numbers(whole), numbers(other));
  });

  it('does not change when episodes, simulators, policies, contexts and persons are renamed', async () => {
    const renamed = (row: Trajectory): Trajectory => ({
      ...row,
      id: `x-${row.id}`,
      context: `other/${[...row.context].reverse().join('')}`,
      contextLabel: row.contextLabel === null ? null : `task ${row.contextLabel}`,
      group: row.group === null ? null : `g${row.group}`,
      simulator: {
        ...row.simulator,
        id: `z${[...row.simulator.id].reverse().join('')}`,
        person: row.simulator.person === null ? null : `p-${[...row.simulator.person].reverse().join('')}`,
      },
      policy: { ...row.policy, id: `policy ${row.policy.id}` },
    });
    const other = await auditOf(rollouts.map(renamed), people.map(renamed));
    const nameOf = (id: string) => (id.startsWith('z') ? [...id.slice(1)].reverse().join('') : id);
    expectSame(numbers(whole), numbers(other, nameOf));
  });

  it('does not change when rows are given twice, and says so', async () => {
    const other = await auditOf([...rollouts, ...rollouts], [...people, ...people]);
    expect(other.input.duplicates).toBe(whole.input.duplicates + rollouts.length);
    expectSame(numbers(whole), numbers(other));
  });
});

describe('profiles of parts', () => {
  it('merge, in any order, to the bytes of the profile of the whole', async () => {
    const scanned = await scan(recordsOf(rollouts), { seed: 5 });
    const { space, embedder } = await fitTo(scanned.sample, people, { seed: 5 });
    const whole = await place(recordsOf(rollouts), people, space, embedder);
    const parts = [];
    for (let part = 0; part < 10; part++)
      parts.push(await place(recordsOf(rollouts.filter((_, at) => at % 10 === part)), [], space, embedder));
    parts.push(await place(null, people, space, embedder));
    const merged = mergeProfiles(seeded('order').shuffle(parts));
    expect(encodeProfile(merged)).toBe(encodeProfile(whole));
  });
});
