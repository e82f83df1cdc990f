import { describe, expect, it } from 'vitest';
import { decodeCheckpoint } from '../../../src/lab/learning/index.ts';
import {
  coTrainingAdversarial,
  coTrainingCooperative,
  coTrainingCurriculum,
} from '../../../src/lab/methods/co-training.ts';
import { SimulatorLearner } from '../../../src/lab/methods/simulator-learner.ts';
import { simulatorAdvantages } from '../../../src/lab/methods/simulator-reward.ts';
import {
  DEFAULT_FAMILIES,
  familySimulator,
  freshLogits,
  trainedSimulator,
} from '../../../src/lab/simulators/index.ts';
import { seeded } from '../../../src/math/index.ts';
import { played, study, world } from './steps.ts';

const family = DEFAULT_FAMILIES.seen[0]!;
const goals = [coTrainingCurriculum, coTrainingAdversarial, coTrainingCooperative];

/** Parameters of the live simulator, as saved. */
const logitsOf = (state: unknown) => decodeCheckpoint(state as string).policy.parameters;

/** Mean log probability under a network of what each episode's user said. */
function logProbs(
  network: ReturnType<typeof freshLogits>,
  rollouts: ReturnType<typeof played>,
): Float64Array {
  const { episode, observation, mask, act } = rollouts.user!.columns;
  const { inputs, acts } = rollouts.user!;
  const sum = new Float64Array(rollouts.episodes.length);
  episode.forEach((e, step) => {
    const row = observation.slice(step * inputs, (step + 1) * inputs);
    sum[e]! += network.logProbs(row, mask.slice(step * acts, (step + 1) * acts))[act[step]!]!;
  });
  return sum;
}

describe.each(goals.map((method) => [method.id, method] as const))('%s', (_, method) => {
  it('trains its one simulator on what it played, in place', () => {
    const run = method.start(study());
    const [live] = run.population();
    const before = logitsOf(run.save());
    expect(before).toEqual(freshLogits(world).parameters);
    const { update, reward } = run.learn!(0, played(run, 0, 8, 4))!;
    expect(update).toMatchObject({ status: 'updated', episodes: 32 });
    expect(Number.isFinite(reward)).toBe(true);
    expect(logitsOf(run.save())).not.toEqual(before);
    expect(run.population()).toEqual([live]);
    expect(run.cast(7, 3)).toBe(live);
  });

  it('goes on with the same bits when saved and loaded into another run', () => {
    const whole = method.start(study());
    let run = method.start(study());
    for (let step = 0; step < 4; step++) {
      whole.learn!(step, played(whole, step, 4, 4));
      run.learn!(step, played(run, step, 4, 4));
      const state: unknown = JSON.parse(JSON.stringify(run.save()));
      run = method.start(study());
      run.load(state);
      expect(run.save()).toEqual(whole.save());
    }
    expect([...played(run, 9, 4, 4).reward]).toEqual([...played(whole, 9, 4, 4).reward]);
  });

  it('is left as it is by a step that no trained simulator played', () => {
    const run = method.start(study());
    const before = run.save();
    expect(run.learn!(0, played({ cast: () => familySimulator(world, family) }, 0, 2, 2))).toBeNull();
    expect(run.save()).toEqual(before);
  });

  it('is left as it is where every episode was lost', () => {
    const run = method.start(study());
    const before = run.save();
    const rollouts = played(run, 0, 2, 2);
    expect(run.learn!(0, { ...rollouts, reward: rollouts.reward.map(() => Number.NaN) })).toBeNull();
    expect(run.save()).toEqual(before);
  });
});

describe('a simulator that learns', () => {
  it.each(['curriculum', 'adversarial', 'cooperative'] as const)(
    'says what its %s reward favours more often, and the rest less',
    (goal) => {
      const learner = new SimulatorLearner(world, goal, 1e-4);
      const simulator = trainedSimulator(world, family, learner.logits, 'live');
      const rollouts = played({ cast: () => simulator }, 0, 16, 8);
      const { advantage } = simulatorAdvantages(rollouts, goal);
      const before = logProbs(learner.logits, rollouts);
      learner.learn(rollouts, seeded(1));
      const after = logProbs(learner.logits, rollouts);
      // To first order the surrogate goes up along its own gradient; its episodes count by steps.
      let gain = 0;
      const turns = new Float64Array(advantage.length);
      for (const e of rollouts.user!.columns.episode) turns[e]! += 1;
      advantage.forEach((a, e) => {
        gain += (a * (after[e]! - before[e]!)) / Math.max(1, turns[e]!);
      });
      expect(gain).toBeGreaterThan(0);
    },
  );

  it('starts at 0 divergence from what it began as', () => {
    const learner = new SimulatorLearner(world, 'cooperative', 0.01);
    const simulator = trainedSimulator(world, family, learner.logits, 'live');
    const first = learner.learn(played({ cast: () => simulator }, 0, 4, 4), seeded(1))!;
    expect(first.update).toMatchObject({ kl: 0 });
    const second = learner.learn(played({ cast: () => simulator }, 1, 4, 4), seeded(2))!;
    expect(second.update.status === 'updated' && second.update.kl! > 0).toBe(true);
  });

  it('says so when it diverges, and throws nothing', () => {
    const learner = new SimulatorLearner(world, 'cooperative', 1e200);
    const simulator = trainedSimulator(world, family, learner.logits, 'live');
    const learned = learner.learn(played({ cast: () => simulator }, 0, 4, 4), seeded(1));
    expect(learned!.update).toMatchObject({
      status: 'diverged',
      reason: 'the parameters are not finite after the step',
    });
    expect(Number.isFinite(learned!.reward)).toBe(true);
  });
});
