import { describe, expect, it } from 'vitest';
import { peopleOf, peopleSimulator } from '../../../src/lab/simulators/index.ts';
import { IMITATION, imitate } from '../../../src/lab/training/imitation.ts';
import { Stage } from '../../../src/lab/training/rollout.ts';
import type { World } from '../../../src/lab/world/index.ts';
import { WORLD_IDS, worldOf } from '../../../src/lab/worlds/index.ts';
import { seeded } from '../../../src/math/index.ts';
import { handWorld } from '../simulators/hand-world.ts';

const cloned = (world: World, settings = IMITATION, label = 'clone') =>
  imitate(
    world,
    peopleSimulator(world, peopleOf(world, 'reference', 30, 1)),
    (episode) => world.setting(episode % 8, 1),
    seeded(label),
    settings,
  );

describe('a clone of the demonstrator', () => {
  it('comes to its law, where the law is within its reach', () => {
    const world = handWorld(4);
    const policy = cloned(world, { ...IMITATION, episodes: 128, passes: 60, learningRate: 0.01 });
    expect(policy.shape).toEqual({ inputs: 3, hidden: [32], acts: 4 });
    const first = policy.logProbs(Float64Array.of(1, 0, 0), Uint8Array.of(1, 1, 0, 0));
    expect(Math.exp(first[0]!)).toBeCloseTo(0.75, 1);
    for (const yes of [0, 1])
      for (const turn of [0.25, 0.5]) {
        const law = policy.logProbs(Float64Array.of(1, yes, turn), null).map(Math.exp);
        [0.5, 0.25, 0.125, 0.125].forEach((p, act) => {
          expect(Math.abs(law[act]! - p)).toBeLessThan(0.04);
        });
      }
  });

  it('is the same by seed, and another by another', () => {
    const world = handWorld(4);
    const few = { ...IMITATION, episodes: 24, passes: 2, rows: 16 };
    expect(cloned(world, few).parameters).toEqual(cloned(world, few).parameters);
    expect(cloned(world, few).parameters).not.toEqual(cloned(world, few, 'other').parameters);
  });

  it('takes all steps in parts, the last as it is left', () => {
    const world = handWorld(4);
    const one = cloned(world, { ...IMITATION, episodes: 10, passes: 1, rows: 7 });
    expect(one.parameters.every(Number.isFinite)).toBe(true);
    // One part of all steps: other Adam steps, so other numbers.
    expect(one.parameters).not.toEqual(cloned(world, { ...IMITATION, episodes: 10, passes: 1 }).parameters);
  });

  it.each(WORLD_IDS)('is nearer to it than a fresh policy in %s', (id) => {
    const world = worldOf(id, 10);
    const distance = (passes: number) => {
      const policy = cloned(world, { ...IMITATION, episodes: 96, rows: 64, passes });
      const users = peopleSimulator(world, peopleOf(world, 'test', 10, 1));
      const law = new Float64Array(world.agentActs.length);
      const observation = new Float64Array(world.inputs);
      const mask = new Uint8Array(law.length);
      let sum = 0;
      let n = 0;
      for (let i = 0; i < 12; i++) {
        const [episode] = new Stage(world).play(policy, [
          { setting: world.setting(100 + i, 1), simulator: users, group: 0, random: seeded(`look/${i}`) },
        ]).episodes;
        const encounter = world.begin(episode!.setting, episode!.session.users);
        for (const { side, act } of episode!.encounter.steps) {
          if (side === 'user') {
            encounter.actUser(act);
            continue;
          }
          encounter.observe(observation, 0);
          encounter.allowed(mask, 0);
          world.demonstrate(encounter, law);
          const own = policy.logProbs(observation, mask);
          for (let a = 0; a < law.length; a++) sum += Math.abs(Math.exp(own[a]!) - law[a]!) / 2;
          n += 1;
          encounter.actAgent(act);
        }
      }
      return sum / n;
    };
    expect(distance(8)).toBeLessThan(0.5 * distance(0));
  });
});
