import { describe, expect, it } from 'vitest';
import { LabEnvironment, type Observation, type StepResult } from '../../../src/lab/environment/index.ts';
import {
  DEFAULT_FAMILIES,
  familySimulator,
  peopleOf,
  peopleSimulator,
  type Simulator,
  VERBALIZED,
  verbalizedSimulator,
} from '../../../src/lab/simulators/index.ts';
import { WORLD_IDS, worldOf } from '../../../src/lab/worlds/index.ts';
import { seeded } from '../../../src/math/index.ts';
import { ASK, handWorld, kind, LOOK, PRESS, STOP } from '../simulators/hand-world.ts';

const hand = handWorld(3);

/** A user of one act: `habit` is left out of account. */
const saying = (act: number): Simulator => ({
  ...peopleSimulator(hand, []),
  id: `saying-${act}`,
  open: () => ({
    users: [kind(1)],
    voice: kind(1),
    breadth: 1,
    person: null,
    law: () => false,
    reply: () => ({ act, probability: null }),
    said: () => {},
  }),
});
const opened = (act: number) => new LabEnvironment(hand, saying(act));

const fault = (run: () => unknown, message: string) =>
  expect(run).toThrow(expect.objectContaining({ code: 'CA_USAGE', message }));

describe('an environment', () => {
  it('gives 0 until the end, then the reward of the episode, cut off at the horizon', () => {
    const environment = opened(0);
    environment.reset();
    const steps = [ASK, PRESS, ASK].map((act) => environment.step(act));
    expect(steps.map(({ reward }) => reward)).toEqual([0, 0, 1]);
    expect(steps.map(({ terminated, truncated }) => [terminated, truncated])).toEqual([
      [false, false],
      [false, false],
      [false, true],
    ]);
    expect(steps.map(({ info }) => info)).toEqual([
      { userActs: ['yes'], outcome: null },
      { userActs: ['yes'], outcome: null },
      { userActs: ['yes'], outcome: 'ended by turn limit' },
    ]);
  });

  it('has ended by itself where user or agent ended it', () => {
    const left = opened(3);
    left.reset();
    const byUser = left.step(PRESS);
    expect(byUser).toMatchObject({ terminated: true, truncated: false, reward: 0 });
    expect(byUser.info).toEqual({ userActs: ['leave'], outcome: 'ended by user' });
    const stopped = opened(0);
    stopped.reset();
    stopped.step(ASK);
    const byAgent = stopped.step(STOP);
    expect(byAgent).toMatchObject({ terminated: true, truncated: false, reward: 1 });
    expect(byAgent.info).toEqual({ userActs: [], outcome: 'ended by agent' });
  });

  it("has no answer of the user after a tool call, and the agent's turn again", () => {
    const environment = opened(1);
    environment.reset();
    environment.step(ASK);
    const { info, observation, terminated, truncated } = environment.step(LOOK);
    expect(info.userActs).toEqual([]);
    expect([terminated, truncated]).toEqual([false, false]);
    expect([...observation.allowed]).toEqual([1, 1, 1, 1]);
  });

  it('lets the user speak first where the world does', () => {
    const environment = opened(0);
    expect([...environment.reset({ setting: 1 }).features]).toEqual([1, 1, 0]);
    expect([...environment.reset({ setting: 2 }).features]).toEqual([1, 0, 0]);
  });

  it('says what is allowed, and that nothing is once it is over', () => {
    const environment = opened(3);
    expect([...environment.reset().allowed]).toEqual([1, 1, 0, 0]);
    expect([...environment.step(PRESS).observation.allowed]).toEqual([0, 0, 0, 0]);
  });

  it('gives observations that later steps leave as they were', () => {
    const environment = opened(0);
    const first = environment.reset();
    const { observation } = environment.step(ASK);
    environment.step(PRESS);
    expect([...first.features]).toEqual([1, 0, 0]);
    expect([...first.allowed]).toEqual([1, 1, 0, 0]);
    expect([...observation.features]).toEqual([1, 1, 1 / 3]);
    observation.features.fill(9);
    expect([...environment.step(STOP).observation.features]).toEqual([1, 0, 1]);
  });
});

describe('an environment that is used wrongly', () => {
  it('refuses a step before the first reset', () => {
    fault(() => opened(0).step(ASK), 'no episode is under way');
  });

  it('refuses a step after the end, and goes on after a reset', () => {
    const environment = opened(3);
    environment.reset();
    environment.step(PRESS);
    fault(() => environment.step(ASK), 'no episode is under way');
    environment.reset();
    expect(environment.step(ASK).info.userActs).toEqual(['leave']);
  });

  it.each([STOP, -1, 4, 0.5, Number.NaN])(
    'refuses act %d, which is not allowed, and is none the worse',
    (act) => {
      const environment = opened(0);
      environment.reset();
      fault(() => environment.step(act), `act ${act} is not allowed now`);
      expect([...environment.step(ASK).observation.features]).toEqual([1, 1, 1 / 3]);
    },
  );
});

/** An episode with an agent that acts at random among what is allowed. */
function episode(environment: LabEnvironment, options: { seed?: number; setting?: number }) {
  const random = seeded('agent');
  let observation: Observation = environment.reset(options);
  const first = observation;
  const steps: StepResult[] = [];
  for (;;) {
    const allowed = [...observation.allowed.keys()].filter((act) => observation.allowed[act] === 1);
    expect(allowed.length).toBeGreaterThan(0);
    const result = environment.step(allowed[random.integer(allowed.length)]!);
    steps.push(result);
    observation = result.observation;
    if (result.terminated || result.truncated) return { first, steps };
  }
}

describe.each(WORLD_IDS)('an environment of %s', (id) => {
  const world = worldOf(id, 10);
  const family = DEFAULT_FAMILIES.seen[0]!;
  const people = () => peopleSimulator(world, peopleOf(world, 'test', 20, 1));

  it('plays an episode that follows from seed, setting and acts', () => {
    const environment = new LabEnvironment(world, people());
    const first = episode(environment, { seed: 4, setting: 2 });
    episode(environment, { seed: 9 });
    expect(episode(environment, { seed: 4, setting: 2 })).toEqual(first);
    expect(episode(new LabEnvironment(world, people()), { seed: 4, setting: 2 })).toEqual(first);
    const others = [5, 6, 7, 8].map((seed) => episode(environment, { seed, setting: 2 }));
    expect(others.some((other) => JSON.stringify(other) !== JSON.stringify(first))).toBe(true);
  });

  it('ends within the horizon, in one way, with a reward in 0..1', () => {
    for (const simulator of [
      people(),
      familySimulator(world, family),
      verbalizedSimulator(world, family, VERBALIZED),
    ])
      for (let seed = 0; seed < 6; seed++) {
        const { first, steps } = episode(new LabEnvironment(world, simulator), { seed });
        expect(first.features).toHaveLength(world.inputs);
        expect(first.allowed).toHaveLength(world.agentActs.length);
        expect(steps.length).toBeLessThanOrEqual(world.horizon);
        const { reward, terminated, truncated, info, observation } = steps.at(-1)!;
        expect(reward >= 0 && reward <= 1).toBe(true);
        expect(terminated).toBe(!truncated);
        expect(info.outcome).not.toBeNull();
        expect(observation.allowed.every((one) => one === 0)).toBe(true);
        for (const step of steps.slice(0, -1)) expect([step.reward, step.info.outcome]).toEqual([0, null]);
        for (const { info } of steps) for (const act of info.userActs) expect(world.userActs).toContain(act);
      }
  });
});
