import { describe, expect, it } from 'vitest';
import type { Resample } from '../../../src/trajectory/trajectory.ts';
import type { TrainingRun } from '../../audit/training-run.ts';
import { audited, coreOf, lightOf, play, RUN } from './live-run.ts';
import { closedSession, sessionsOf } from './sessions.ts';

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
