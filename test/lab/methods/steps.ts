import { PolicyNetwork } from '../../../src/lab/learning/index.ts';
import type { CuratedOptions } from '../../../src/lab/methods/curated.ts';
import { curatedMethod } from '../../../src/lab/methods/curated.ts';
import type { MethodRun, MethodSetup } from '../../../src/lab/methods/method.ts';
import {
  DEFAULT_FAMILIES,
  peopleOf,
  type SimulatorFamily,
  VERBALIZED,
} from '../../../src/lab/simulators/index.ts';
import { type Rollouts, Stage } from '../../../src/lab/training/rollout.ts';
import { persuasion } from '../../../src/lab/worlds/persuasion/index.ts';
import { seeded } from '../../../src/math/index.ts';

export const world = persuasion();
const stage = new Stage(world);
/** Acts uniformly among what is allowed. */
const policy = new PolicyNetwork(
  { inputs: world.inputs, hidden: [], acts: world.agentActs.length },
  new Float64Array(world.agentActs.length * (world.inputs + 1)),
);

export const study = (
  seen: readonly SimulatorFamily[] = DEFAULT_FAMILIES.seen,
  people = 100,
): MethodSetup => ({
  world,
  seen,
  reference: people === 0 ? [] : peopleOf(world, 'reference', people, 1),
  seed: 1,
  verbalized: VERBALIZED,
  personaStrength: 0.3,
  simulatorRate: 0.003,
  random: seeded('test/lab/methods'),
});

export const started = (options: Partial<CuratedOptions> = {}, of: MethodSetup = study()) =>
  curatedMethod({ id: 'curation', title: 'Curation', people: true, ...options }).start(of);

/** A step with those that `run` casts. */
export function played(run: Pick<MethodRun, 'cast'>, step: number, groups = 16, size = 8): Rollouts {
  const plans = Array.from({ length: groups * size }, (_, e) => {
    const group = Math.floor(e / size);
    return {
      setting: world.setting(seeded(`setting/${step}/${group}`).integer(64), 1),
      simulator: run.cast(step, group),
      group,
      random: seeded(`rollout/${step}/${e}`),
    };
  });
  return stage.play(policy, plans);
}
