import { describe, expect, it } from 'vitest';
import { audit, fit as fitTo, place, scan } from '../../src/audit/index.ts';
import { scriptedEpisodes } from '../../src/lab/index.ts';
import { decodeProfile, encodeProfile, mergeProfiles } from '../../src/space/index.ts';
import type { Resample, Trajectory } from '../../src/trajectory/trajectory.ts';
import { recordsOf } from '../data.ts';

const rows = [...scriptedEpisodes({ seed: 6, contexts: 30, epochs: 1, group: 1 })];
const said = rows.flatMap(({ turns }) =>
  turns.filter(({ role }) => role === 'user').map(({ text }) => text!),
);

/** Every first simulator turn answered again m times. */
function probed(reply: (own: string, at: number) => string, law: Resample['law'], m = 8): Trajectory[] {
  let at = 0;
  return rows.map((row) => {
    const first = row.turns.findIndex(({ role }) => role === 'user');
    return {
      ...row,
      turns: row.turns.map((turn, index) =>
        index !== first
          ? turn
          : {
              ...turn,
              probeProbability: 0.5,
              resamples: Array.from({ length: m }, () => ({
                law,
                member: row.simulator.id,
                text: reply(turn.text!, at++),
              })),
            },
      ),
    };
  });
}

describe('records with replies drawn again', () => {
  it('of a simulator that repeats itself at every history: epsilon 0, conditional collapse 1', async () => {
    const { report } = await audit({ records: recordsOf(probed((own) => own, 'member')) });
    expect(report.epsilon.member.value).toBe(0);
    expect(report.scd.conditional.value).toBe(1);
    expect(report.scd.conditional.method).toContain('member law');
    expect(report.epsilon.population.reason).toMatch(/do not carry/);
  });

  it('of a population that says anything at every history: epsilon far from 0', async () => {
    const { report } = await audit({
      records: recordsOf(probed((_, at) => said[(at * 7919) % said.length]!, 'population')),
    });
    expect(report.epsilon.population.value).toBeGreaterThan(0.4);
    expect(report.epsilon.population.low).toBeGreaterThan(0.3);
    expect(report.scd.conditional.value).toBeLessThan(0.5);
    const { value, disagreement, bracket, bounds } = report.epsilon.population;
    expect(bounds.high.value).toBe(disagreement.value);
    for (const { value: end } of [bounds.low, bracket.plugIn]) expect(end!).toBeLessThan(value!);
    expect(bracket.leaveOneOut.value).toBeCloseTo(value!, 12);
  });

  it('are compared by act where acts are the classes and the replies carry theirs', async () => {
    const acted = probed((own) => own, 'member').map((row) => ({
      ...row,
      turns: row.turns.map((turn) =>
        turn.resamples === undefined
          ? turn
          : {
              ...turn,
              resamples: turn.resamples.map((one, i) => ({ ...one, acts: i < 2 ? ['b', 'a'] : ['a'] })),
            },
      ),
    }));
    const { report } = await audit({ records: recordsOf(acted) }, { classes: 'act' });
    // 2 of 8 replies are of another class, whatever the order of their acts.
    expect(report.epsilon.member.bracket.plugIn.value).toBeCloseTo(2 / 8, 12);
    expect(report.epsilon.member.disagreement.value).toBeCloseTo((2 * 2 * 6) / (8 * 7), 12);
    expect(report.scd.conditional.value).toBeCloseTo(1 - (2 * 24) / 56, 12);
    const words = await audit({ records: recordsOf(acted) });
    expect(words.report.epsilon.member.value).toBe(0);
    const bare = await audit({ records: recordsOf(probed((own) => own, 'member')) }, { classes: 'act' });
    expect(bare.report.epsilon.member.reason).toMatch(/needs the acts/);
  });

  it('of too few replies: epsilon is null with its reason', async () => {
    const { report } = await audit({ records: recordsOf(probed((own) => own, 'member', 3)) });
    expect(report.epsilon.member.value).toBeNull();
    expect(report.epsilon.member.reason).toMatch(/\w/);
    // What few replies do say is there all the same.
    const { disagreement, bracket, bounds } = report.epsilon.member;
    for (const { value } of [disagreement, bracket.plugIn, bracket.leaveOneOut, bounds.low, bounds.high])
      expect(value).toBe(0);
  });

  it('keep their histories in saved and merged profiles', async () => {
    const records = recordsOf(probed((_, at) => said[(at * 31) % said.length]!, 'member'));
    const { sample } = await scan(records);
    const { space, embedder } = await fitTo(sample, []);
    const whole = await place(records, [], space, embedder);
    const again = decodeProfile(encodeProfile(whole).split('\n'));
    expect(encodeProfile(again)).toBe(encodeProfile(whole));
    expect(encodeProfile(mergeProfiles([whole, again]))).toBe(encodeProfile(whole));
    expect(again.row(0).histories![0]!.classes).toHaveLength(8);
  });
});
