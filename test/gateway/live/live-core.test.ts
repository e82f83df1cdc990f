import { beforeAll, describe, expect, it } from 'vitest';
import { audit, type MonitorPlan, type MonitorState, newMonitor } from '../../../src/audit/index.ts';
import type { BucketedSession } from '../../../src/gateway/live/closed-session.ts';
import type { Look } from '../../../src/gateway/live/live.ts';
import { type CoreOptions, LiveCore, type MonitorLight } from '../../../src/gateway/live/live-core.ts';
import type { BehaviourSpace } from '../../../src/space/index.ts';
import type { Resample, Trajectory } from '../../../src/trajectory/trajectory.ts';
import { peopleOfRun, type TrainingRun } from '../../audit/training-run.ts';
import { recordsOf } from '../../data.ts';
import { closedSession, sessionsOf } from './sessions.ts';

const RUN: TrainingRun = {
  seed: 3,
  prompts: 14,
  group: 4,
  steps: 30,
  collapsed: (step) => Math.min(1, Math.max(0, (step - 2) / 11)),
};

interface Kept {
  space: BehaviourSpace | null;
  plan: MonitorPlan | null;
  base: MonitorState['base'];
}

function coreOf(options: Partial<CoreOptions> = {}): { core: LiveCore; kept: Kept } {
  const kept: Kept = { space: null, plan: null, base: null };
  const core = new LiveCore({
    seed: 0,
    warmUp: 56,
    window: 1,
    rewardRange: null,
    monitor: {
      seed: 0,
      window: options.window ?? 1,
      heldOut: [],
      rewardRange: null,
      bars: 'people',
      control: null,
      plannedSteps: 50,
      baseline: 20,
      timeLimit: null,
    },
    people: [],
    space: null,
    plan: null,
    base: null,
    ended: [],
    keep: {
      space: async (space) => {
        kept.space = space;
      },
      plan: async (plan) => {
        kept.plan = plan;
      },
      base: async (base) => {
        kept.base = base;
      },
    },
    ...options,
  });
  return { core, kept };
}

const lightOf = (at: number): MonitorLight => {
  const { recent, base, ...light } = newMonitor(at);
  return light;
};

async function play(core: LiveCore, run: TrainingRun, from: number, to: number, before: MonitorLight) {
  let monitor = before;
  const looks: Look[] = [];
  for (let epoch = from; epoch <= to; epoch++) {
    await core.add(sessionsOf(run, epoch));
    const looked = await core.endEpoch(epoch, 1000 * epoch, monitor);
    monitor = looked.monitor;
    looks.push(looked.look);
  }
  return { looks, monitor };
}

async function audited(
  sessions: readonly BucketedSession[],
  space: BehaviourSpace,
  people: Trajectory[] = [],
) {
  const { report } = await audit({
    records: recordsOf(sessions.map(({ trajectory }) => trajectory)),
    space,
    ...(people.length === 0 ? {} : { people: recordsOf(people) }),
  });
  return report;
}

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

describe('panels, probes and nested sessions', () => {
  it('do not enter the figures of training; panels give PSOD, whose rise starts at the first epoch that had some', async () => {
    const run: TrainingRun = {
      ...RUN,
      collapsed: () => 0,
      simulators: ['one', 'two'],
      panelEvery: 2,
      pushiness: (step) => step / 6,
    };
    const { core, kept } = coreOf({ rewardRange: [0, 1] });
    const { looks } = await play(core, run, 1, 4, lightOf(0));
    expect(kept.base!.step).toBe(2);
    expect(looks.map(({ psod }) => psod.value !== null)).toEqual([false, true, false, true]);
    expect(looks[3]!.psodRise.value!).toBeCloseTo(looks[3]!.psod.value! - looks[1]!.psod.value!, 10);
    expect(looks[1]!.scd2.n).toBe(112);
    const test = sessionsOf({ ...RUN, simulators: ['final'] }, 5).map((one) =>
      closedSession({ ...one.trajectory, split: 'test' }),
    );
    const probes = sessionsOf(run, 5)
      .filter(({ purpose }) => purpose === 'training')
      .map((one) => ({
        ...one,
        purpose: 'probe' as const,
        trajectory: { ...one.trajectory, id: `p${one.trajectory.id}` },
      }));
    await core.add([...sessionsOf(run, 5), ...test, ...probes]);
    const ended = await core.endEpoch(5, 5000, lightOf(0));
    expect(ended.look.n).toBe(112);
    const probe = await core.probe(
      6,
      probes.slice(0, 60).map(({ trajectory }) => trajectory.id),
      6000,
      lightOf(0),
    );
    expect(probe.look).toMatchObject({ probe: true, n: 60, epoch: 6, psod: { value: null } });
    expect(probe.look.scd2.n).toBe(60);
    expect(probe.monitor.last).toBeNull();
    // With panel sessions of the epoch under way, a round tells PSOD's rise as well.
    await core.add(sessionsOf(run, 6).filter(({ purpose }) => purpose === 'panel'));
    const played = sessionsOf(run, 6)
      .filter(({ purpose }) => purpose === 'training')
      .map((one) => ({ ...one, purpose: 'probe' as const }));
    await core.add(played);
    const ids = played.map(({ trajectory }) => trajectory.id);
    const { look } = await core.probe(6, ids, 7000, lightOf(0));
    expect(look.psodRise.value!).toBeCloseTo(look.psod.value! - looks[1]!.psod.value!, 10);
  });

  it('stand apart from the training members, whose figures are what a look at the same sessions sees', async () => {
    const run: TrainingRun = {
      ...RUN,
      collapsed: () => 0.4,
      simulators: ['one', 'two'],
      panelEvery: 1,
      pushiness: () => 0,
    };
    for (const window of [1, 2]) {
      const { core } = coreOf({ window });
      expect((await core.metrics()).training).toBeNull();
      const { looks } = await play(core, run, 1, 3, lightOf(0));
      const { training, report } = await core.metrics();
      const last = looks.at(-1)!;
      expect(training).toMatchObject({ scd2: last.scd2, scd: last.scd, leftOut: [], n: 112 * window });
      expect(['one', 'two']).toContain(training!.mci.simulator);
      expect(training!.scd2.n).toBe(112 * window);
      expect(report!.scd.pooled2.n).toBeGreaterThan(training!.scd2.n);
      expect(report!.scd.pooled2.value).not.toBe(training!.scd2.value);
    }
  });

  it('are no training members where nobody else is there', async () => {
    const { core } = coreOf();
    await play(core, { ...RUN, collapsed: () => 0 }, 1, 1, lightOf(0));
    const next = sessionsOf({ ...RUN, simulators: ['held out'] }, 2).map((one) =>
      closedSession({ ...one.trajectory, split: 'selection' }),
    );
    await core.add(next);
    await core.endEpoch(2, 2, lightOf(0));
    const { training } = await core.metrics();
    expect(training).toMatchObject({
      n: 0,
      scd2: { value: null, reason: 'no row of a simulator in training' },
      mci: { simulator: null },
    });
  });

  it('split the variance of the reward by side, in any order and each seed once', async () => {
    const sessions = sessionsOf({ ...RUN, collapsed: () => 0 }, 1).map((one, at) =>
      closedSession(
        { ...one.trajectory, context: `c${at % 4}`, reward: ((at * 7) % 5) / 4 },
        {
          purpose: 'nested',
          nested: { agentSeed: `a${Math.floor(at / 4) % 2}`, userSeed: `u${Math.floor(at / 8)}` },
        },
      ),
    );
    const { core } = coreOf();
    await core.add(sessions);
    const { varianceSplit, report, window } = await core.metrics();
    expect(report).toBeNull();
    expect(window.sessions).toBe(0);
    expect(varianceSplit.simulator.value).toBeGreaterThan(0);
    expect(varianceSplit.simulator.n).toBe(56);
    const other = coreOf().core;
    await other.add([...sessions].reverse());
    await other.add(sessions.slice(0, 10));
    expect((await other.metrics()).varianceSplit).toEqual(varianceSplit);
  });
});

it('tells epsilon by member and by depth, the population law at first turns alone', async () => {
  const run = { ...RUN, collapsed: () => 0, simulators: ['one', 'two'] };
  const sessions = sessionsOf(run, 1).map((session) => {
    let depth = -1;
    const turns = session.trajectory.turns.map((turn) => {
      if (turn.role !== 'user' || ++depth > 1) return turn;
      const resamples = (['member', 'population'] as const).flatMap((law) =>
        Array.from(
          { length: 8 },
          (_, at): Resample => ({ law, member: null, text: at < 4 ? turn.text! : 'No, thanks.' }),
        ),
      );
      return { ...turn, resamples, probeProbability: 0.5 };
    });
    return closedSession({ ...session.trajectory, turns });
  });
  const { core, kept } = coreOf();
  await core.add(sessions);
  const { epsilon, report } = await core.metrics();
  expect(report).toEqual(await audited(sessions, kept.space!));
  expect(epsilon!.byMember.map(({ simulator }) => simulator)).toEqual(['one', 'two']);
  expect(epsilon!.byDepth.map(({ depth }) => depth)).toEqual([0, 1]);
  const [first, second] = epsilon!.byDepth;
  expect(first!.population!.epsilon.value).toBeGreaterThan(0);
  expect(second!.population).toBeNull();
  const histories = epsilon!.byMember.reduce((sum, { member }) => sum + member.histories, 0);
  expect(histories).toBe(first!.member.histories + second!.member.histories);
  expect(first!.member.epsilon.low).not.toBeNull();
});
