import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { audit } from '../../../src/audit/index.ts';
import { readRecipe } from '../../../src/curation/index.ts';
import { curate } from '../../../src/curator/index.ts';
import { readFiles } from '../../../src/formats/index.ts';
import { nativeWriter } from '../../../src/formats/write-native.ts';
import { recordEpisode } from '../../../src/lab/record/index.ts';
import { explainTrajectory } from '../../../src/trajectory/schema.ts';
import type { Trajectory } from '../../../src/trajectory/trajectory.ts';
import { recordsOf } from '../../data.ts';
import { played } from './played.ts';
import { TINY, tinySimulator } from './tiny-world.ts';

const numbers = Array.from({ length: 200 }, (_, number) => number);
const WIDE = tinySimulator('wide', 'scripted');
const NARROW = tinySimulator('narrow', 'scripted', true);
const people = numbers.map((number) =>
  recordEpisode(played(tinySimulator('people', 'human'), number).episode),
);
const wide = numbers.map((number) => recordEpisode(played(WIDE, number).episode));
const narrow = numbers.map((number) => recordEpisode(played(NARROW, number).episode));

const said = (rows: readonly Trajectory[]) =>
  rows.flatMap(({ turns }) =>
    turns.flatMap(({ role, text }) => (role === 'user' && text !== null ? [text] : [])),
  );
const distinct = (rows: readonly Trajectory[]) => new Set(said(rows)).size / said(rows).length;

describe('recordEpisode', () => {
  it('writes records of the schema, with acts, calls and facts', () => {
    for (const row of [...wide, ...narrow, ...people]) expect(explainTrajectory(row)).toBeNull();
    const row = wide.find(({ turns }) => turns.some(({ requestor }) => requestor === 'user'))!;
    const at = row.turns.findIndex(({ requestor }) => requestor === 'user');
    expect(row.turns[at - 1]).toMatchObject({ role: 'user', text: null, acts: ['check'] });
    expect(row.turns[at - 1]!.toolCalls).toEqual([{ name: 'open_wallet', arguments: {} }]);
    expect(row.turns[at]).toEqual({ role: 'tool', text: '{"cash": 9}', requestor: 'user' });
    expect(row).toMatchObject({
      benchmark: 'collapse-aware-lab',
      domain: 'persuasion',
      contextFrom: 'scenario',
    });
    expect(row.turns.find(({ role }) => role === 'user')!.probability).toBeGreaterThan(0);
  });

  it('gives the same record again, whatever else is recorded between', () => {
    expect(recordEpisode(played(WIDE, 17).episode)).toEqual(wide[17]);
  });

  it('changes no word of the episode when turns are probed', () => {
    const bare = recordEpisode({ ...played(WIDE, 17).episode, probes: [] });
    expect(bare.turns.map(({ text }) => text)).toEqual(wide[17]!.turns.map(({ text }) => text));
    expect(bare.id).toBe(wide[17]!.id);
  });

  it('varies texts where the simulator is broad, clearly less where it is narrow', () => {
    expect(distinct(wide)).toBeGreaterThan(0.5);
    expect(distinct(narrow)).toBeLessThan(0.5 * distinct(wide));
  });

  it('tells simulators by family, recipe and id', () => {
    expect(wide[0]!.simulator.fingerprint).toMatch(/^[0-9a-f]{16}$/);
    expect(wide[0]!.simulator.fingerprint).not.toBe(narrow[0]!.simulator.fingerprint);
    const { episode } = played(WIDE, 0);
    const renamed = recordEpisode({ ...episode, simulator: { ...WIDE, id: 'other' } });
    expect(renamed.simulator.fingerprint).not.toBe(wide[0]!.simulator.fingerprint);
    expect(new Set(wide.map(({ simulator }) => simulator.fingerprint)).size).toBe(1);
  });

  it('puts candidates down in words, the drawn one in the words of the turn', () => {
    const { episode } = played(WIDE, 3, 0);
    const step = episode.steps.findIndex(({ side }) => side === 'user');
    const candidates = [0, 1, 2, 3].map((act) => ({ act, probability: 0.25 }));
    const row = recordEpisode({ ...episode, replies: new Map([[step, { probability: null, candidates }]]) });
    const turn = row.turns.find(({ role }) => role === 'user')!;
    expect(turn.probability).toBeUndefined();
    expect(turn.candidates).toHaveLength(4);
    expect(turn.candidates![episode.steps[step]!.act]!.text).toBe(turn.text ?? '');
    expect(new Set(turn.candidates!.map(({ text }) => text)).size).toBe(4);
  });

  it('refuses probes that stand nowhere', () => {
    const { episode } = played(WIDE, 3);
    const agent = { step: 0, probability: 1, replies: [] };
    expect(() => recordEpisode({ ...episode, probes: [agent] })).toThrow(RangeError);
    const world = { ...TINY, wordings: { agent: {}, user: {} } };
    expect(() => recordEpisode({ ...episode, world })).toThrow(/no wording/);
  });
});

describe('recorded episodes', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'record-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('come back from a native file as they were', async () => {
    const path = join(folder, 'lab.jsonl');
    const file = await nativeWriter.open(path);
    for (const row of wide) await file.write(row);
    await file.close();
    const back: Trajectory[] = [];
    for await (const item of readFiles([path])) if (item.kind === 'trajectory') back.push(item.trajectory);
    const plain = ({ source: _, ...row }: Trajectory) => row;
    expect(back.map(plain)).toEqual(wide.map(plain));
  });

  it('are audited against people', async () => {
    const { report } = await audit({ records: recordsOf([...wide, ...narrow]), people: recordsOf(people) });
    expect(report.input.kept).toBe(400);
    expect(report.bdi.headline.value).toBeGreaterThan(0);
    const of = (id: string) => report.simulators.find((simulator) => simulator.id === id)!;
    expect(of('narrow').mci.value!).toBeGreaterThan(of('wide').mci.value!);
  });

  it('have the exact disagreement over their acts in its interval, the exact epsilon in its bracket', async () => {
    const { report } = await audit({ records: recordsOf(wide) }, { classes: 'act' });
    const errors = numbers.flatMap((number) => played(WIDE, number).errors);
    const mean = (key: 'epsilon' | 'disagreement') =>
      errors.reduce((sum, error) => sum + error[key], 0) / errors.length;
    const { bracket, bounds, disagreement } = report.epsilon.member;
    expect(disagreement.low!).toBeLessThan(mean('disagreement'));
    expect(disagreement.high!).toBeGreaterThan(mean('disagreement'));
    const exact = mean('epsilon');
    expect(bracket.plugIn.low!).toBeLessThan(exact);
    expect(bracket.leaveOneOut.high!).toBeGreaterThan(exact);
    expect(bounds.low.low!).toBeLessThan(exact);
    expect(bounds.high.high!).toBeGreaterThan(exact);
    expect(report.epsilon.population.reason).toMatch(/acts/);
  });

  it('pass through a curation', async () => {
    const recipe = readRecipe({ schema: 'collapse-aware/recipe@1', gate: {} });
    const curated = await curate(
      { records: recordsOf([...wide, ...narrow]), people: recordsOf(people) },
      recipe,
    );
    expect(curated.sifted.rows).toBe(400);
    const dropped = curated.sifted.rows - curated.sifted.kept;
    expect(dropped).toBeLessThan(200);
  });
});
