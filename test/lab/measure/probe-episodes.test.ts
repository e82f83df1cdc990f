import { describe, expect, it } from 'vitest';
import { PROBE, populationEpisodes } from '../../../src/lab/measure/index.ts';
import {
  DEFAULT_FAMILIES,
  familySimulator,
  peopleOf,
  peopleSimulator,
  VERBALIZED,
  verbalizedSimulator,
} from '../../../src/lab/simulators/index.ts';
import { FRESH } from '../../../src/lab/trainer/index.ts';
import { turnCollapse } from '../../../src/metrics/index.ts';
import type { Trajectory } from '../../../src/trajectory/trajectory.ts';
import { family, meeting, oneAct, world } from './meeting.ts';

/** The replies drawn again, by act, as audit reads them. */
function collapseOf(trajectories: readonly Trajectory[], law: 'member' | 'population') {
  const contexts = [...new Set(trajectories.map(({ context }) => context))];
  const histories = trajectories.flatMap(({ context, turns }) =>
    turns
      .filter(({ resamples }) => resamples !== undefined)
      .map(({ resamples, probeProbability }) => ({
        unit: contexts.indexOf(context),
        classes: resamples!
          .filter((resample) => resample.law === law)
          .map(({ acts }) => (world.userActs as readonly string[]).indexOf(acts![0]!)),
        probability: probeProbability!,
      })),
  );
  return turnCollapse(
    histories.filter(({ classes }) => classes.length > 0),
    law,
  );
}

describe('epsilon from the laws', () => {
  it('lies inside the 95 % interval of replies drawn again about as often as that says', () => {
    const few = { ...PROBE, settings: 50, perSetting: 2 };
    let [missed, missedEpsilon, meetings, off] = [0, 0, 0, 0];
    for (let seed = 1; seed <= 10; seed++)
      for (const simulator of [
        familySimulator(world, family),
        familySimulator(world, family, { gamma: 1.5 }),
        peopleSimulator(world, peopleOf(world, 'reference', 50, seed)),
      ]) {
        const { trajectories, exact } = populationEpisodes(meeting([simulator], seed), few);
        const { disagreement, bracket } = collapseOf(trajectories, 'member');
        const outside = (value: number, low: number, high: number) => value < low || value > high;
        meetings += 1;
        if (outside(exact!.disagreement, disagreement.low!, disagreement.high!)) missed += 1;
        if (outside(exact!.epsilon, bracket.plugIn.low!, bracket.leaveOneOut.high!)) missedEpsilon += 1;
        off += (disagreement.value! - exact!.disagreement) / disagreement.se!;
      }
    // Of 30 at 5 %: more than 5 have a chance of 0.3 %.
    expect(missed).toBeLessThanOrEqual(5);
    expect(missedEpsilon).toBeLessThanOrEqual(5);
    expect(Math.abs(off / meetings)).toBeLessThan(4 / Math.sqrt(meetings));
  });

  it('is not known of a list that was drawn from', () => {
    const { exact, trajectories } = populationEpisodes(
      meeting([verbalizedSimulator(world, family, VERBALIZED)]),
    );
    expect(exact).toBeNull();
    expect(trajectories.some(({ turns }) => turns.some((turn) => turn.candidates !== undefined))).toBe(true);
  });

  it('is 0 where the same is always said', () => {
    const { trajectories, exact } = populationEpisodes(meeting([oneAct]));
    expect(exact!.epsilon).toBe(0);
    expect(collapseOf(trajectories, 'member').epsilon.value).toBe(0);
    expect(collapseOf(trajectories, 'population').epsilon.value).toBe(0);
  });

  it('grows when a member is drawn from several at the first turn', () => {
    const members = DEFAULT_FAMILIES.seen.map((one) => familySimulator(world, one, { gamma: 50 }));
    const { trajectories } = populationEpisodes(meeting([...members, oneAct]));
    const own = collapseOf(trajectories, 'member').disagreement.value!;
    expect(collapseOf(trajectories, 'population').disagreement.value).toBeGreaterThan(own);
  });
});

describe('episodes that are measured', () => {
  it('give each member as many, and each setting as many', () => {
    const members = Array.from({ length: 10 }, (_, i) => familySimulator(world, family, { id: `m${i}` }));
    const { trajectories } = populationEpisodes(meeting(members));
    const count = (key: (trajectory: Trajectory) => string) => {
      const counts = new Map<string, number>();
      for (const one of trajectories) counts.set(key(one), (counts.get(key(one)) ?? 0) + 1);
      return [...counts.values()];
    };
    expect(count(({ simulator }) => simulator.id)).toEqual(Array(10).fill(32));
    expect(count(({ context }) => context)).toEqual(Array(PROBE.settings).fill(PROBE.perSetting));
  });

  it('stand in settings that nothing else of a run meets', () => {
    const labels = (first: number, count: number) =>
      Array.from({ length: count }, (_, i) => world.setting(first + i, 1).label);
    const { trajectories } = populationEpisodes(meeting([oneAct]));
    const measured = new Set(trajectories.map(({ contextLabel }) => contextLabel));
    for (const label of [...labels(0, 64), ...labels(FRESH, 32), ...labels(3 * FRESH, 256)])
      expect(measured.has(label)).toBe(false);
  });

  it('are played alike whether replies are drawn again or not', () => {
    const simulator = familySimulator(world, family);
    const few = { ...PROBE, settings: 8 };
    const plain = populationEpisodes(meeting([simulator]), { ...few, share: 0 });
    const probed = populationEpisodes(meeting([simulator]), { ...few, share: 1 });
    const said = ({ trajectories }: typeof plain) =>
      trajectories.map(({ turns }) => turns.map(({ role, text }) => [role, text]));
    expect(said(probed)).toEqual(said(plain));
  });
});
