import { beforeAll, describe, expect, it } from 'vitest';
import { type AuditReport, auditProfile, fit as fitTo, place, scan } from '../../src/audit/index.ts';
import { scriptedEpisodes } from '../../src/lab/index.ts';
import { type BehaviourSpace, decodeProfile, encodeProfile, type Profile } from '../../src/space/index.ts';
import { recordsOf } from '../data.ts';

const rows = [...scriptedEpisodes({ seed: 8, contexts: 20, epochs: 2, group: 1 })];

/** The profile with the chosen rows outside in every codebook. */
function movedOut(profile: Profile, chosen: (row: { simulator: string; epoch: number }) => boolean): Profile {
  const [header, ...lines] = encodeProfile(profile).trimEnd().split('\n');
  const fields: string[] = JSON.parse(header!).rowFields;
  const at = (name: string) => fields.indexOf(name);
  const moved = lines.map((line, index) => {
    if (index >= profile.size) return line;
    const values = JSON.parse(line);
    if (!chosen({ simulator: values[at('simulator')], epoch: values[at('epoch')] })) return line;
    values[at('interactionOutside')] = true;
    if (values[at('outside')] !== null) values[at('outside')] = true;
    return JSON.stringify(values);
  });
  return decodeProfile([header!, ...moved]);
}

describe('rows outside the support', () => {
  let space: BehaviourSpace;
  let profile: Profile;
  let plain: AuditReport;
  const reportOf = (moved: Profile) => auditProfile(moved, space).report;
  beforeAll(async () => {
    const fitted = await fitTo((await scan(recordsOf(rows))).sample, []);
    space = fitted.space;
    profile = await place(recordsOf(rows), [], space, fitted.embedder);
    plain = reportOf(profile);
  });

  it('leave an epoch, and trends through it, without a concentration', () => {
    const last = Math.max(...plain.epochs.map(({ epoch }) => epoch));
    const { epochs, trend } = reportOf(movedOut(profile, ({ epoch }) => epoch === last));
    const [before, after] = [epochs[0]!, epochs.at(-1)!];
    expect(before.scd2.value).toBe(plain.epochs[0]!.scd2.value);
    for (const figure of [after.scd, after.scd2, after.mci])
      expect(figure).toMatchObject({ value: null, reason: 'off support', n: after.n });
    for (const metric of ['scd', 'scd2', 'mci'])
      expect(trend.find((one) => one.metric === metric)!.slope).toMatchObject({
        value: null,
        reason: 'an epoch is off support',
      });
  });

  it('leave one simulator without a verdict, and the others as they were', () => {
    const [first, ...others] = plain.simulators;
    const { simulators } = reportOf(movedOut(profile, ({ simulator }) => simulator === first!.id));
    expect(simulators[0]).toMatchObject({
      verdict: 'off support',
      mci: { value: null, reason: 'off support' },
    });
    expect(simulators.slice(1).map(({ mci }) => mci.value)).toEqual(others.map(({ mci }) => mci.value));
  });
});
