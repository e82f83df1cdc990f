import { describe, expect, it } from 'vitest';
import { labPerformer, labStage, readLabStage } from '../../../src/lab/evolution/index.ts';
import { labRunSettings } from '../../../src/lab/methods/index.ts';
import { DEFAULT_FAMILIES } from '../../../src/lab/simulators/index.ts';
import { worldOf } from '../../../src/lab/worlds/index.ts';
import type { LoopRequest, Performer, ProbeAnswer } from '../../../src/loop/index.ts';
import { partsOf } from '../../../src/loop/request-parts.ts';
import { hashText } from '../../../src/trajectory/identity.ts';
import { finish } from '../../loop/fake-world.ts';

const stage = labStage(worldOf('persuasion', 4), 1, true);
const settings = labRunSettings(DEFAULT_FAMILIES.seen, 1, {
  rounds: 2,
  steps: 1,
  probe: { contexts: 12, rollouts: 1, audition: 4, replies: 8 },
  synthesis: { gaps: 2, paths: 1, adversaries: 1, share: 0.9, raisedShare: 0.95, realismFloor: 0.5 },
  exam: { contexts: 4, population: 1, test: 4, people: 4 },
});

/** Checkpoints of all performers of a test: they are named by their content. */
const kept = new Map<string, string>();
const context = {
  read: async (name: string) => kept.get(name)!,
  keep: async (text: string) => {
    const name = hashText(text);
    kept.set(name, text);
    return name;
  },
  signal: new AbortController().signal,
  round: 1,
};
const perform = (performer: Performer, request: LoopRequest) => performer.perform(request, context);

describe('the lab as it performs a run', () => {
  it('answers a request the same again, after others, and from another instance; parts are the whole', async () => {
    const [one, other] = [labPerformer(stage), labPerformer(JSON.parse(JSON.stringify(stage)))];
    const open = await perform(one, { kind: 'open', id: 'open' });
    if (open.kind !== 'open') throw new Error('no opening');
    const population = settings.members.map((member) => ({ member, share: 1 / settings.members.length }));
    const of = { checkpoint: open.checkpoint, population };
    const probe: LoopRequest = {
      ...of,
      kind: 'probe',
      id: 'p',
      draw: 'each',
      contexts: 5,
      rollouts: 2,
      seed: 's',
    };
    const train: LoopRequest = {
      ...{ ...of, kind: 'train', id: 't', round: 1, steps: 2 },
      data: { gate: true, weights: { alpha: 0.5 }, consistency: { lambda: 0.5 } },
    };
    const exam: LoopRequest = {
      ...of,
      kind: 'exam',
      id: 'e',
      panel: 'population',
      contexts: 3,
      dialogues: 2,
    };
    const first = [];
    for (const request of [probe, train, exam]) first.push(await perform(one, request));
    const again = [];
    for (const request of [exam, probe, train]) again.push(await perform(one, request));
    expect([again[1], again[2], again[0]]).toEqual(first);
    const elsewhere = [];
    for (const request of [train, exam, probe]) elsewhere.push(await perform(other, request));
    expect([elsewhere[2], elsewhere[0], elsewhere[1]]).toEqual(first);
    const { rows } = first[0] as ProbeAnswer;
    const parts = [];
    for (const part of [...partsOf(probe)].reverse()) parts.push(await perform(other, part));
    // Ids of rows name the request; all else is the whole's.
    const sorted = (list: ProbeAnswer['rows']) => list.map(({ id: _, ...row }) => JSON.stringify(row)).sort();
    expect(sorted(parts.flatMap((part) => (part as ProbeAnswer).rows))).toEqual(sorted(rows));
    expect(rows).toHaveLength(5 * 2 * settings.members.length);
    await Promise.all([one.close(), other.close()]);
  });

  it('draws first replies again for who is drawn by share, and plays the same dialogues as without', async () => {
    const performer = labPerformer(stage);
    const open = await perform(performer, { kind: 'open', id: 'open' });
    if (open.kind !== 'open') throw new Error('no opening');
    const population = settings.members.map((member, at) => ({ member, share: at === 0 ? 1 : 0 }));
    const plain = { kind: 'probe', id: 'p', draw: 'mixture', contexts: 6, rollouts: 2, seed: 's' } as const;
    const of = { checkpoint: open.checkpoint, population };
    const asked = (await perform(performer, { ...of, ...plain, replies: 5 })) as ProbeAnswer;
    const { replied, ...rest } = asked;
    expect(rest).toEqual(await perform(performer, { ...of, ...plain }));
    expect(replied).toHaveLength(12);
    for (const { context: where, replies } of replied!) {
      expect(rest.rows.map((row) => row.context)).toContain(where);
      expect(replies).toHaveLength(5);
      for (const { simulator, kind } of replies) {
        expect(simulator).toBe(settings.members[0]!.id);
        expect(Number.isSafeInteger(kind) && kind >= 0).toBe(true);
      }
    }
    expect(await perform(performer, { ...of, ...plain, replies: 5 })).toEqual(asked);
  });

  it('comes to the end of a small run, with the same bytes from another performer', async () => {
    const { summary } = await finish(settings, labPerformer(stage));
    expect(summary.rounds).toHaveLength(2);
    expect(summary.final.test.n).toBeGreaterThan(0);
    expect(summary.final.people.n).toBe(4);
    expect(summary.rounds[0]!.look.epsilon.n).toBe(12 * 8);
    expect(summary.cost.trainEpisodes).toBe(2 * 128);
    expect(JSON.stringify((await finish(settings, labPerformer(stage))).summary)).toBe(
      JSON.stringify(summary),
    );
  });

  it('refuses the stage of something else', () => {
    for (const wrong of [{ kind: 'example' }, { ...stage, seed: '1' }, { ...stage, people: undefined }])
      expect(() => readLabStage(wrong)).toThrow(expect.objectContaining({ code: 'CA_CONFIG_INVALID' }));
    expect(() => readLabStage({ ...stage, world: 'nowhere' })).toThrow(
      expect.objectContaining({ code: 'CA_USAGE' }),
    );
  });
});
