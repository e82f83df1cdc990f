import { describe, expect, it } from 'vitest';
import { initialise, PolicyNetwork } from '../../../src/lab/learning/index.ts';
import {
  DEFAULT_FAMILIES,
  familySimulator,
  freshLogits,
  peopleOf,
  peopleSimulator,
  trainedSimulator,
} from '../../../src/lab/simulators/index.ts';
import { type EpisodePlan, Stage } from '../../../src/lab/training/rollout.ts';
import type { World } from '../../../src/lab/world/index.ts';
import { WORLD_IDS, worldOf } from '../../../src/lab/worlds/index.ts';
import { seeded } from '../../../src/math/index.ts';
import { handWorld, LEAVE, STOP, YES } from '../simulators/hand-world.ts';

const hand = handWorld(4);
const family = DEFAULT_FAMILIES.seen[0]!;
const people = peopleSimulator(hand, peopleOf(hand, 'reference', 20, 1));

const policyOf = (world: World, label = 'policy') => {
  const policy = initialise(
    { inputs: world.inputs, hidden: [5], acts: world.agentActs.length },
    seeded(label),
  );
  // Fresh logits are near uniform: these are not.
  policy.slice('logits.weights').forEach((_, i, weights) => {
    weights[i]! *= 60;
  });
  return policy;
};

const plansOf = (
  world: World,
  simulator: EpisodePlan['simulator'],
  n: number,
  label = 'plan',
): EpisodePlan[] =>
  Array.from({ length: n }, (_, e) => ({
    setting: world.setting(e, 1),
    simulator,
    group: Math.floor(e / 4),
    random: seeded(`${label}/${e}`),
  }));

const told = ({ episodes }: ReturnType<Stage['play']>) =>
  episodes.map(({ encounter, reward, turns }) => ({
    steps: encounter.steps.map(({ side, act }) => `${side} ${act}`).join(),
    reward,
    turns,
    outcome: encounter.outcome,
  }));

describe('a stage', () => {
  const policy = policyOf(hand);

  it('plays every episode to its end and says what came of it', () => {
    const rollouts = new Stage(hand).play(policy, plansOf(hand, people, 40));
    expect(rollouts.episodes).toHaveLength(40);
    let turns = 0;
    rollouts.episodes.forEach(({ encounter, reward, group, turns: own }, e) => {
      expect(encounter.phase).toBe('over');
      const said = encounter.steps.filter(({ side }) => side === 'user');
      const yes = said.filter(({ act }) => act === YES).length;
      expect(reward).toBe(said.length === 0 ? 0 : yes / said.length);
      expect(rollouts.reward[e]).toBe(reward);
      expect(rollouts.group[e]).toBe(Math.floor(e / 4));
      expect(group).toBe(Math.floor(e / 4));
      expect(own).toBe(encounter.steps.length);
      turns += own;
    });
    expect(rollouts.turns).toBe(turns);
    expect(rollouts.user).toBeNull();
    // Every way to end was met.
    expect(new Set(rollouts.episodes.map(({ encounter }) => encounter.termination))).toEqual(
      new Set(['user', 'agent', 'turn limit']),
    );
  });

  it('lets the user speak first where the world does', () => {
    const { episodes } = new Stage(hand).play(policy, plansOf(hand, people, 6));
    expect(episodes.map(({ encounter }) => encounter.steps[0]!.side)).toEqual(
      Array.from({ length: 6 }, (_, e) => (e % 2 === 1 ? 'user' : 'agent')),
    );
  });

  it("records the policy's steps: what it saw, what was allowed, what it did and with what probability", () => {
    const { episodes, agent } = new Stage(hand).play(policy, plansOf(hand, people, 12));
    const { episode, act, logProb, observation, mask } = agent.columns;
    const acts = episodes.map(() => [] as number[]);
    for (let step = 0; step < agent.length; step++) {
      acts[episode[step]!]!.push(act[step]!);
      const own = mask.slice(4 * step, 4 * step + 4);
      expect(own[act[step]!]).toBe(1);
      const row = observation.slice(3 * step, 3 * step + 3);
      expect(row[0]).toBe(1);
      expect(logProb[step]).toBe(policy.logProbs(row, own)[act[step]!]);
    }
    expect(acts).toEqual(
      episodes.map(({ encounter }) => encounter.steps.flatMap((s) => (s.side === 'agent' ? [s.act] : []))),
    );
    // Nobody stops before the first turn: it is masked.
    for (const { encounter } of episodes)
      expect(encounter.steps.find(({ side }) => side === 'agent')?.act).not.toBe(STOP);
  });

  it('acts as often as the policy says', () => {
    const n = 4000;
    const plans = plansOf(hand, people, n).map((plan) => ({ ...plan, setting: hand.setting(0, 1) }));
    const { episodes } = new Stage(hand).play(policy, plans);
    const p = Math.exp(policy.logProbs(Float64Array.of(1, 0, 0), Uint8Array.of(1, 1, 0, 0))[0]!);
    const found = episodes.filter(({ encounter }) => encounter.steps[0]!.act === 0).length / n;
    expect(p).toBeGreaterThan(0.05);
    expect(p).toBeLessThan(0.95);
    expect(Math.abs(found - p)).toBeLessThan(5 * Math.sqrt((p * (1 - p)) / n));
  });

  it('gives a witness every act of the user before it is said', () => {
    const seen: string[] = [];
    const { episodes } = new Stage(hand).play(
      policy,
      plansOf(hand, people, 8),
      (e, encounter, session, reply) => {
        expect(encounter.phase).toBe('user');
        expect(session.person).not.toBeNull();
        seen.push(`${e}/${encounter.steps.length}/${reply.act}`);
      },
    );
    const expected = episodes.flatMap(({ encounter }, e) =>
      encounter.steps.flatMap(({ side, act }, at) => (side === 'user' ? [`${e}/${at}/${act}`] : [])),
    );
    expect(seen.sort()).toEqual(expected.sort());
  });

  it('has no reward for episodes in which the policy has no numbers, and throws nothing', () => {
    const broken = policyOf(hand);
    broken.parameters.fill(Number.NaN);
    const { reward, agent, episodes } = new Stage(hand).play(broken, plansOf(hand, people, 6));
    expect([...reward]).toEqual(new Array(6).fill(Number.NaN));
    expect(agent.length).toBe(0);
    for (const { encounter } of episodes) expect(encounter.phase).not.toBe('over');
  });

  it('loses the episode alone that the numbers fail in', () => {
    // Logit 0 overflows once the user has said yes.
    const late = new PolicyNetwork({ inputs: 3, hidden: [], acts: 4 }, new Float64Array(16));
    late.slice('logits.weights').set([1e308, 1e308, 0]);
    const { reward, episodes, agent } = new Stage(hand).play(late, plansOf(hand, people, 24));
    let lost = 0;
    for (const [e, { encounter }] of episodes.entries()) {
      const failed = encounter.phase !== 'over';
      expect(Number.isNaN(reward[e]!)).toBe(failed);
      if (failed) expect(encounter.steps.at(-1)).toMatchObject({ side: 'user', act: YES });
      if (failed) lost += 1;
    }
    expect(lost).toBeGreaterThan(0);
    expect(lost).toBeLessThan(24);
    expect(agent.columns.logProb.every(Number.isFinite)).toBe(true);
  });

  it('plays nothing where nothing is planned', () => {
    const { episodes, reward, turns, agent } = new Stage(hand).play(policy, []);
    expect([episodes.length, reward.length, turns, agent.length]).toEqual([0, 0, 0, 0]);
  });

  it('refuses a policy of another world', () => {
    const other = new PolicyNetwork({ inputs: 4, hidden: [], acts: 4 }, new Float64Array(20));
    expect(() => new Stage(hand).play(other, [])).toThrow(
      expect.objectContaining({
        code: 'CA_CONFIG_INVALID',
        message: 'a policy of another world than persuasion',
      }),
    );
  });
});

describe.each(WORLD_IDS)('an episode in %s', (id) => {
  const world = worldOf(id, 10);
  const policy = policyOf(world);
  const simulator = familySimulator(world, family);
  const whole = told(new Stage(world).play(policy, plansOf(world, simulator, 9)));

  it('depends on neither its neighbours nor their number nor their order', () => {
    const plans = plansOf(world, simulator, 9);
    const stage = new Stage(world);
    expect(told(stage.play(policy, plans.slice(3, 5)))).toEqual(whole.slice(3, 5));
    expect(told(stage.play(policy, plansOf(world, simulator, 9).reverse())).reverse()).toEqual(whole);
    expect(told(stage.play(policy, plansOf(world, simulator, 1)))).toEqual(whole.slice(0, 1));
  });

  it('is the same on a stage that has played others, of other policies', () => {
    const stage = new Stage(world);
    const linear = new PolicyNetwork(
      { inputs: world.inputs, hidden: [], acts: world.agentActs.length },
      new Float64Array(world.agentActs.length * (world.inputs + 1)),
    );
    stage.play(linear, plansOf(world, simulator, 20, 'others'));
    stage.play(policyOf(world, 'another'), plansOf(world, simulator, 3, 'others'));
    expect(told(stage.play(policy, plansOf(world, simulator, 9)))).toEqual(whole);
  });

  it('is another by another stream', () => {
    expect(told(new Stage(world).play(policy, plansOf(world, simulator, 9, 'other')))).not.toEqual(whole);
  });
});

describe('steps of a simulator that is trained', () => {
  const policy = policyOf(hand);
  const live = trainedSimulator(hand, { id: 'x', kappa: 0.2, gamma: 2, lean: 1 }, freshLogits(hand), 'live');

  it('are recorded with what it saw and what was possible, frozen ones beside it are not', () => {
    const plans = plansOf(hand, live, 8).map((plan, e) => (e < 4 ? plan : { ...plan, simulator: people }));
    const { user, episodes } = new Stage(hand).play(policy, plans);
    const { episode, act, logProb, observation, mask } = user!.columns;
    expect([...episode].every((e) => e < 4)).toBe(true);
    const acts = [0, 1, 2, 3].map(() => [] as number[]);
    const logits = freshLogits(hand);
    for (let step = 0; step < user!.length; step++) {
      acts[episode[step]!]!.push(act[step]!);
      const row = observation.slice(6 * step, 6 * step + 6);
      const own = mask.slice(4 * step, 4 * step + 4);
      expect(own[LEAVE]).toBe(row[1]);
      expect(logProb[step]).toBeCloseTo(logits.logProbs(row, own)[act[step]!]!, 12);
    }
    expect(acts).toEqual(
      episodes
        .slice(0, 4)
        .map(({ encounter }) => encounter.steps.flatMap((s) => (s.side === 'user' ? [s.act] : []))),
    );
  });

  it('are not those of the step before', () => {
    const stage = new Stage(hand);
    expect(stage.play(policy, plansOf(hand, live, 8)).user!.length).toBeGreaterThan(8);
    expect(stage.play(policy, plansOf(hand, people, 8)).user!.length).toBe(0);
  });
});
