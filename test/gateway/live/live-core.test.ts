import { beforeAll, describe, expect, it } from 'vitest';
import type { Look } from '../../../src/gateway/live/live.ts';
import type { LiveCore } from '../../../src/gateway/live/live-core.ts';
import { peopleOfRun } from '../../audit/training-run.ts';
import { audited, coreOf, type Kept, lightOf, play, RUN } from './live-run.ts';
import { closedSession, sessionsOf } from './sessions.ts';

describe('live figures of a run that collapses', () => {
  const people = peopleOfRun(RUN.seed, 300);
  let core: LiveCore;
  let kept: Kept;
  let looks: Look[];
  beforeAll(async () => {
    ({ core, kept } = coreOf({ people }));
    ({ looks } = await play(core, RUN, 1, 12, lightOf(0)));
  });

  it('go from green over yellow to red, with a look an epoch', () => {
    const levels = looks.map(({ level }) => level);
    expect(looks.map(({ epoch }) => epoch)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
    expect(levels.slice(0, 2)).toEqual(['green', 'green']);
    expect([...new Set(levels)]).toEqual(['green', 'yellow', 'red']);
    expect(levels.at(-1)).toBe('red');
    expect(looks.at(-1)!.bdi.value!).toBeLessThan(looks[0]!.bdi.value!);
    expect(looks.at(-1)!.epsilonMember).toMatchObject({ value: null });
  });

  it('equal an audit of the same records in the same space, with the same people', async () => {
    const { report, window, reason } = await core.metrics();
    expect(reason).toBeNull();
    expect(window).toEqual({ epochs: [12], sessions: 56 });
    expect(report).toEqual(await audited(sessionsOf(RUN, 12), kept.space!, people));
  });

  it('let sessions of the epoch under way into the figures of now', async () => {
    await core.add(sessionsOf(RUN, 13).slice(0, 9));
    const { window, report, asOf } = await core.metrics();
    expect(window).toEqual({ epochs: [12, 13], sessions: 65 });
    expect(asOf).toBe(1_700_000_013_000);
    const both = [...sessionsOf(RUN, 12), ...sessionsOf(RUN, 13).slice(0, 9)];
    expect(report).toEqual(await audited(both, kept.space!, people));
  });
});

describe('a window of live figures', () => {
  it('takes in late sessions of its epochs, and a reward that comes after the close, under the same id', async () => {
    const { core, kept } = coreOf({ window: 3 });
    const healthy = { ...RUN, collapsed: () => 0 };
    const first = sessionsOf(healthy, 1);
    const late = first.slice(50);
    await core.add(sessionsOf(healthy, 2));
    await core.add(first.slice(0, 50));
    const { monitor } = await core.endEpoch(1, 1, lightOf(0));
    await core.endEpoch(2, 2, monitor);
    const unrewarded = late.map((one) => ({ ...one, trajectory: { ...one.trajectory, reward: null } }));
    await core.add(unrewarded);
    await core.add(late);
    await core.add([late[0]!]);
    const { report, window } = await core.metrics();
    expect(window).toEqual({ epochs: [1, 2], sessions: 112 });
    expect(report).toEqual(await audited([...first, ...sessionsOf(healthy, 2)], kept.space!));
    expect(report!.input).toMatchObject({ rows: 112, reference: null });
  });

  it('forgets epochs that no figure needs, and passes over what comes late for them', async () => {
    const { core } = coreOf({ window: 2 });
    await play(core, { ...RUN, collapsed: () => 0 }, 1, 5, lightOf(0));
    await core.add(sessionsOf(RUN, 3));
    await core.add(sessionsOf(RUN, 2));
    expect((await core.metrics()).window).toEqual({ epochs: [4, 5], sessions: 112 });
  });

  it('lets the oldest sessions go where there are too many for the memory, and says how many', async () => {
    const { core } = coreOf({ mostSessions: 100 });
    await core.add(sessionsOf(RUN, 1));
    await core.add(sessionsOf(RUN, 2));
    await core.add(sessionsOf(RUN, 2).slice(0, 3));
    expect((await core.metrics()).window).toEqual({ epochs: [1, 2], sessions: 100, left: 12 });
  });

  it('enters the looks: their figures are those of an audit of its epochs', async () => {
    const run = { ...RUN, collapsed: () => 0.3 };
    const { core, kept } = coreOf({ window: 2 });
    const { looks } = await play(core, run, 1, 3, lightOf(0));
    const report = await audited([...sessionsOf(run, 2), ...sessionsOf(run, 3)], kept.space!);
    expect(looks[2]!.scd2.value).toBeCloseTo(report.scd.pooled2.value!, 12);
    expect(looks[2]!.bdi).toEqual(report.bdi.headline);
    expect(looks[2]!.n).toBe(56);
  });

  it('takes people among the records as their reference, as an audit does', async () => {
    const run = { ...RUN, collapsed: () => 0 };
    const human = peopleOfRun(9, 40).map((trajectory) => closedSession({ ...trajectory, epoch: 1 }));
    const { core, kept } = coreOf();
    await core.add(sessionsOf(run, 1));
    await core.add(human);
    const { report } = await core.metrics();
    expect(report!.input.reference).toEqual({ rows: 40, kept: 40 });
    expect(report).toEqual(await audited([...sessionsOf(run, 1), ...human], kept.space!));
  });
});

it('comes to the same looks when it begins anew in the middle, from what was kept and the records of its window', async () => {
  const options = { window: 2, warmUp: 32 };
  const run = { ...RUN, prompts: 8 };
  const whole = await play(coreOf(options).core, run, 4, 8, lightOf(0));
  const { core, kept } = coreOf(options);
  const half = await play(core, run, 4, 6, lightOf(0));
  const stored = JSON.parse(JSON.stringify({ monitor: half.monitor, plan: kept.plan }));
  const again = coreOf({ ...options, space: kept.space, plan: stored.plan, ended: [4, 5, 6] }).core;
  for (const epoch of [5, 6]) await again.add(sessionsOf(run, epoch));
  const rest = await play(again, run, 7, 8, stored.monitor);
  expect(JSON.stringify([...half.looks, ...rest.looks])).toBe(JSON.stringify(whole.looks));
});

it('says how far the warm-up is, and tries again with more sessions where it was too short', async () => {
  const { core } = coreOf({ warmUp: 2 });
  const sessions = sessionsOf({ ...RUN, collapsed: () => 0 }, 1);
  await core.add(sessions.slice(0, 1));
  expect(core.ready).toBe(false);
  expect((await core.metrics()).reason).toBe(
    'the behaviour space is fitted on the first 2 sessions: 1 so far',
  );
  await core.add(sessions.slice(1, 2));
  expect((await core.metrics()).reason).toMatch(/too few/);
  for (const session of sessions.slice(2)) await core.add([session]);
  expect(core.ready).toBe(true);
  expect((await core.metrics()).report).not.toBeNull();
});

it('gives a reason instead of a report where a reward lies outside the range that was set', async () => {
  const { core } = coreOf({ rewardRange: [5, 6] });
  await core.add(sessionsOf(RUN, 1));
  expect(await core.metrics()).toMatchObject({
    report: null,
    reason: expect.stringContaining('reward range'),
  });
  expect((await core.endEpoch(1, 0, lightOf(0))).look.bdi.reason).toContain('reward range');
});
