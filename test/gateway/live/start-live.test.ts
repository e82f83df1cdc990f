import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { audit } from '../../../src/audit/index.ts';
import { readSpace } from '../../../src/cli/space-file.ts';
import type { ClosedSession } from '../../../src/gateway/live/closed-session.ts';
import { openHere } from '../../../src/gateway/live/live-port.ts';
import type { LevelNotice } from '../../../src/gateway/live/notifier.ts';
import { type Live, type LiveOptions, startLive } from '../../../src/gateway/live/start-live.ts';
import type { LiveSettings } from '../../../src/gateway/settings/settings.ts';
import { ApiError } from '../../../src/gateway/wire/api-error.ts';
import { stepOfRun, type TrainingRun } from '../../audit/training-run.ts';
import { recordsOf } from '../../data.ts';
import { Journal } from './journal.ts';
import { closedSession } from './sessions.ts';
import { BREAKER, LIVE } from './settings.ts';

const RUN: TrainingRun = { seed: 3, prompts: 14, group: 4, steps: 40, collapsed: () => 0 };
const EVERY = RUN.prompts * RUN.group;

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'live-'));
  folders.push(folder);
  return folder;
}

interface Started {
  readonly live: Live;
  readonly journal: Journal;
  readonly lines: string[];
  /** Sessions of users who are collapsed by so much, of the epoch under way unless told otherwise. */
  play(collapsed: number, rest?: Partial<ClosedSession>, simulators?: readonly string[]): Promise<void>;
}

async function start(
  store: string,
  journal = new Journal(),
  options: Partial<Omit<LiveOptions, 'settings'>> = {},
  live: Partial<LiveSettings> = {},
  hook: string | null = null,
): Promise<Started> {
  const lines: string[] = [];
  let step = 1000 + journal.sessions.size;
  let time = 1_700_000_000_000 + 1000 * journal.records.length;
  const settings = {
    seed: 'seed',
    store,
    live: { ...LIVE, epochs: { by: 'sessions' as const, every: EVERY }, ...live },
    breaker: { ...BREAKER, bars: { yellow: 0.35, red: 0.9 } },
    webhooks: hook === null ? [] : [{ url: hook, headerEnv: null }],
  };
  const started = await startLive({
    settings,
    restored: journal.restored(settings.live.epochs),
    hasPanel: () => false,
    checkpointsDue: () => [],
    source: journal,
    journal: journal.append,
    log: (event, facts) => lines.push(`${event} ${JSON.stringify(facts)}`),
    environment: {},
    clock: () => ++time,
    open: openHere,
    ...options,
  });
  return {
    live: started,
    journal,
    lines,
    play: async (collapsed, rest = {}, simulators = ['user-model']) => {
      step += 1;
      const { epoch } = started.epochs;
      for (const trajectory of stepOfRun({ ...RUN, collapsed: () => collapsed, simulators }, step))
        started.closed(journal.close({ ...closedSession({ ...trajectory, epoch }), epoch, ...rest }));
      await started.settled();
    },
  };
}

const levelsOf = ({ live }: Started) => live.looks.looks.map(({ level }) => level);

it('does not look at an epoch without a training session, now or after a restart', async () => {
  const store = await newFolder();
  const trainer = { epochs: { by: 'trainer' as const, every: EVERY } };
  const one = await start(store, new Journal(), {}, trainer);
  one.live.beginEpoch({ epoch: 1 });
  await one.play(0);
  one.live.beginEpoch({ epoch: 2 });
  one.live.beginEpoch({ epoch: 3 });
  await one.play(0, { purpose: 'panel' });
  one.live.beginEpoch({ epoch: 4 });
  await one.play(0);
  one.live.beginEpoch({ epoch: 5 });
  await one.live.settled();
  const looked = ({ live }: Started) =>
    live.looks.looks.map(({ epoch, scd2 }) => [epoch, scd2.value !== null]);
  expect(looked(one)).toEqual([
    [1, true],
    [4, true],
  ]);
  expect(one.live.keeper.gate(one.live.now())).toMatchObject({ level: 'green', step: 4, epoch: 5 });
  expect(one.lines.filter((line) => line.includes('without a training session'))).toHaveLength(3);
  await one.live.close();
  const again = await start(store, one.journal, {}, trainer);
  await again.live.settled();
  expect(looked(again)).toEqual(looked(one));
  await again.live.close();
});

describe('a gateway whose users collapse', () => {
  let one: Started;
  let hook: ReturnType<typeof createServer>;
  const notices: LevelNotice[] = [];
  let store: string;
  beforeAll(async () => {
    hook = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      notices.push(JSON.parse(Buffer.concat(chunks).toString()));
      response.end();
    });
    await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`;
    store = await newFolder();
    one = await start(store, new Journal(), {}, {}, url);
  });
  afterAll(async () => {
    await one.live.close();
    hook.closeAllConnections();
    await new Promise((resolve) => hook.close(resolve));
  });

  it('says what it waits for before there is a space', async () => {
    const gate = one.live.keeper.gate(one.live.now());
    expect(gate).toMatchObject({ training: 'go', level: 'green', step: null, epoch: 0 });
    expect(gate.reasons.join()).toContain('once 56 sessions are over');
    expect(one.live.looks).toEqual({ looks: [], bars: null, steered: [] });
  });

  it('goes green, yellow, red, and then holds new training sessions', async () => {
    for (const collapsed of [0, 0, 0.9, 0.92, 1, 1, 1]) await one.play(collapsed);
    const levels = levelsOf(one);
    expect(levels.slice(0, 2)).toEqual(['green', 'green']);
    expect([...new Set(levels)]).toEqual(['green', 'yellow', 'red']);
    expect(one.live.looks.bars).toEqual({ yellow: 0.35, red: 0.9 });
    expect(one.live.keeper.admits('training')).toBe(false);
    expect(one.live.keeper.gate(one.live.now())).toMatchObject({ training: 'hold', step: 6, epoch: 7 });
  });

  it('has figures equal to an audit of what is on record, in the saved space', async () => {
    const { report, window } = await one.live.metrics();
    const rows = [...one.journal.sessions.values()].filter(
      ({ epoch }) => epoch !== null && window.epochs.includes(epoch),
    );
    const { report: audited } = await audit({
      records: recordsOf(rows.map(({ trajectory }) => trajectory)),
      space: await readSpace(join(store, 'space.json')),
    });
    expect(window).toEqual({ epochs: [6], sessions: EVERY });
    expect(report).toEqual(audited);
  });

  it('goes on after a restart with the same gate, looks and figures', async () => {
    const before = one.live.keeper.gate(one.live.now());
    const again = await start(store, one.journal);
    const { updated, revision, ...gate } = again.live.keeper.gate(again.live.now());
    const { updated: _, revision: former, ...expected } = before;
    expect(gate).toEqual(expected);
    expect(again.live.looks.looks).toEqual(one.live.looks.looks);
    expect(again.live.epochs).toEqual(one.live.epochs);
    expect(await again.live.metrics()).toEqual(await one.live.metrics());
    await again.live.close();
  });

  it('lets an operator override and release', async () => {
    const { keeper, now } = one.live;
    const held = keeper.hold();
    keeper.override({ level: 'yellow', by: 'anna', reason: 'finish the run', seconds: 3600 }, now());
    expect(await held).toBe('admitted');
    const again = await start(store, one.journal);
    expect(again.live.keeper.gate(again.live.now()).override).toMatchObject({ by: 'anna', level: 'yellow' });
    expect(again.live.looks.steered).toEqual(one.live.looks.steered);
    await again.live.close();
    keeper.release('anna', now());
    const steered = one.live.looks.steered?.map(({ level, notes }) => [level, notes.join()]) ?? [];
    expect(steered).toEqual([
      ['yellow', expect.stringContaining('anna set yellow')],
      ['red', expect.stringContaining('anna released')],
    ]);
    expect(keeper.admits('training')).toBe(false);
  });

  it('comes back to green over half-open by two rounds of probe sessions of another population', async () => {
    const { live } = one;
    const probe = { purpose: 'probe' as const };
    await one.play(1, probe);
    expect(levelsOf(one).at(-1)).toBe('red');
    // The first half has too few contexts for an interval: the round goes on with the second.
    await one.play(0, probe, ['new', 'newer']);
    expect(live.looks.looks.slice(-2).map(({ n }) => n)).toEqual([EVERY, 2 * EVERY]);
    expect(levelsOf(one).at(-1)).toBe('half-open');
    expect(live.looks.looks.at(-1)).toMatchObject({ probe: true, epoch: live.epochs.epoch });
    const waiting = live.keeper.hold();
    await one.play(0, probe);
    expect(live.keeper.level).toBe('green');
    expect(await waiting).toBe('admitted');
    expect((await live.metrics()).window.sessions).toBe(EVERY);
    await one.play(0);
    expect(levelsOf(one).at(-1)).toBe('green');
  });

  it('told every change of the level to the webhook, in order', async () => {
    await vi.waitFor(() => expect(notices.length).toBeGreaterThanOrEqual(6), 10_000);
    await one.live.close();
    const changes = notices.map(({ before, level }) => `${before} ${level}`);
    expect(changes).toEqual([
      'green yellow',
      'yellow red',
      'red yellow',
      'yellow red',
      'red half-open',
      'half-open green',
    ]);
    expect(one.lines.join()).not.toContain('webhook');
  });
});

describe('epochs of the trainer', () => {
  it('are looked at when the next begins; going back is a conflict, and a repeated call is one', async () => {
    const { live, play } = await start(
      await newFolder(),
      new Journal(),
      {},
      { epochs: { by: 'trainer', every: 9 } },
    );
    await play(0);
    expect(live.looks.looks).toEqual([]);
    live.beginEpoch({ epoch: 10, policy: { id: 'agent' } });
    live.beginEpoch({ epoch: 10 });
    await live.settled();
    expect(live.looks.looks.map(({ epoch, n }) => [epoch, n])).toEqual([[0, EVERY]]);
    await play(0);
    await play(0, { epoch: 0 });
    expect(live.epochs).toMatchObject({ epoch: 10, late: EVERY, counts: { 10: EVERY } });
    expect((await live.metrics()).window).toEqual({ epochs: [0, 10], sessions: 3 * EVERY });
    expect(() => live.beginEpoch({ epoch: 9 })).toThrow(ApiError);
    expect(() => live.beginEpoch({ epoch: 10.5 })).toThrow(ApiError);
    await live.close();
  });
});

it('counts sessions of clients with steps of their own for the epoch under way, also after a reward or a restart', async () => {
  const store = await newFolder();
  const journal = new Journal();
  const first = await start(store, journal);
  await first.play(0, { epoch: 700 });
  await first.play(0.5, { epoch: 701 });
  await first.play(1, { epoch: null });
  expect(first.live.looks.looks.map(({ epoch, n }) => [epoch, n])).toEqual([
    [0, EVERY],
    [1, EVERY],
    [2, EVERY],
  ]);
  const [early] = [...journal.sessions.values()].slice(EVERY, EVERY + 1);
  first.live.amended(early!);
  const { window, report } = await first.live.metrics();
  expect(window).toEqual({ epochs: [2], sessions: EVERY });
  await first.live.close();
  const second = await start(store, journal);
  expect((await second.live.metrics()).report).toEqual(report);
  await second.play(0, { epoch: 702 });
  expect(second.live.looks.looks.at(-1)).toMatchObject({ epoch: 3, n: EVERY });
  await second.live.close();
});

it('makes the looks that an earlier life owed, once there is a space', async () => {
  const store = await newFolder();
  const journal = new Journal();
  const small = { warmUp: 3 * EVERY };
  const first = await start(store, journal, {}, small);
  await first.play(0);
  await first.play(0);
  expect(first.live.looks.looks).toEqual([]);
  await first.live.close();
  const second = await start(store, journal, {}, small);
  expect(second.live.epochs.epoch).toBe(2);
  await second.play(0);
  expect(second.live.looks.looks.map(({ epoch }) => epoch)).toEqual([0, 1, 2]);
  await second.live.close();
});

it('takes a reward that comes after the close into the figures of now', async () => {
  const { live, journal, play } = await start(
    await newFolder(),
    new Journal(),
    {},
    { epochs: { by: 'trainer', every: 1 } },
  );
  await play(0);
  const before = await live.metrics();
  for (const session of journal.sessions.values())
    live.amended({ ...session, trajectory: { ...session.trajectory, reward: 0.5 }, at: session.at + 1 });
  const after = await live.metrics();
  expect(after.window).toEqual(before.window);
  expect(after.asOf).toBe(before.asOf! + 1);
  expect(after.report!.health.zeroVariance.share.value).toBe(1);
  expect(live.epochs.counts).toEqual({ 0: EVERY });
  await live.close();
});
