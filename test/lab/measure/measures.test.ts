import { beforeAll, describe, expect, it } from 'vitest';
import {
  type MeasuredRun,
  type Measures,
  measurePopulation,
  PROBE,
  peopleEpisodes,
  populationEpisodes,
  type WorldSpace,
  worldSpace,
} from '../../../src/lab/measure/index.ts';
import { methodOf } from '../../../src/lab/methods/index.ts';
import {
  anyoneSimulator,
  DEFAULT_FAMILIES,
  familySimulator,
  peopleOf,
  peopleSimulator,
  type Simulator,
  VERBALIZED,
  verbalizedSimulator,
} from '../../../src/lab/simulators/index.ts';
import { FRESH, TrainingRun, trainingSettings } from '../../../src/lab/trainer/index.ts';
import { persuasion } from '../../../src/lab/worlds/persuasion/index.ts';
import { turnCollapse } from '../../../src/metrics/index.ts';
import { encodeSpace } from '../../../src/space/index.ts';
import type { Trajectory } from '../../../src/trajectory/trajectory.ts';

const world = persuasion(10);
const family = DEFAULT_FAMILIES.seen[0]!;
const run = new TrainingRun({
  world,
  method: methodOf('base'),
  seen: DEFAULT_FAMILIES.seen,
  selection: DEFAULT_FAMILIES.selection,
  seed: 1,
  settings: trainingSettings({ referencePeople: 80 }),
});

const meeting = (population: readonly Simulator[], seed = 1): MeasuredRun => ({
  stage: run.stage,
  policy: run.base,
  population,
  seed,
  method: 'test',
  checkpoint: 'base',
});

/** Whatever is said, the same act and the same few words. */
const oneAct: Simulator = {
  id: 'one-act',
  family: 'one-act',
  kind: 'scripted',
  recipe: 'always the same',
  open: (random) => {
    const session = familySimulator(world, family, { gamma: 50 }).open(random);
    return {
      users: session.users,
      voice: world.types[0]!.traits,
      breadth: 0.01,
      person: null,
      law(encounter, into) {
        session.law(encounter, into);
        // Acts that are possible differ from phase to phase: the first possible one.
        const first = into.findIndex((p) => p > 0);
        into.fill(0);
        into[first] = 1;
        return true;
      },
      reply(encounter) {
        const law = new Float64Array(world.userActs.length);
        this.law(encounter, law);
        return { act: law.indexOf(1), probability: 1 };
      },
      said: () => {},
    };
  },
};

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

describe('measures', () => {
  let space: WorldSpace;
  const of = async (population: readonly Simulator[], seed = 1): Promise<Measures> => {
    const measured = meeting(population, seed);
    return measurePopulation(populationEpisodes(measured), peopleEpisodes(measured), space);
  };
  beforeAll(async () => {
    space = await worldSpace(world, { people: 200 });
  });

  it('find one mode where the same is always said', async () => {
    const { scdActs2, scdPooled2, bdi, people } = await of([oneAct]);
    expect(scdActs2.value).toBeGreaterThan(0.95);
    if (scdPooled2.value === null) expect(scdPooled2.reason).toBe('off support');
    else expect(scdPooled2.value).toBeGreaterThan(0.8);
    expect(bdi.value).toBeLessThan(0.3);
    expect(people.scdActs2.value).toBeLessThan(0.5);
  });

  it('find people where people answer', async () => {
    const other = { ...peopleSimulator(world, peopleOf(world, 'reference', 300, 7)), id: 'like-people' };
    const { people, ...own } = await of([other]);
    expect(Math.abs(own.scdPooled2.value! - people.scdPooled2.value!)).toBeLessThan(0.1);
    expect(own.bdi.value).toBeGreaterThan(0.85);
    expect(own.bdi.value).toBeLessThan(1.15);
    expect(Math.abs(own.realism.value! - people.realism.value!)).toBeLessThan(0.1);
    expect(Math.abs(own.epsilonMemberExact.value! - people.epsilonExact.value!)).toBeLessThan(0.05);
  });

  it('hold coverage to one size, whatever the number of members', async () => {
    const member = (id: string): Simulator => ({ ...anyoneSimulator(world), id });
    const one = await of([member('a')]);
    const ten = await of(Array.from({ length: 10 }, (_, i) => member(`a${i}`)));
    // The same people draw the same dialogues: only who is said to have led them differs.
    expect(ten.bdi).toEqual(one.bdi);
    expect(ten.bdiMass).toEqual(one.bdiMass);
    expect(ten.members).toBe(10);
  });

  it('rest on one space for a world, of the same bytes every time', async () => {
    const again = await worldSpace(world, { people: 200 });
    expect(encodeSpace(again.space)).toBe(encodeSpace(space.space));
    expect(again.people.size).toBe(200);
  });
});
