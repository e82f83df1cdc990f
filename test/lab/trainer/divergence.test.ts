import { describe, expect, it } from 'vitest';
import type { Method } from '../../../src/lab/methods/index.ts';
import { methodOf } from '../../../src/lab/methods/index.ts';
import { TrainingRun } from '../../../src/lab/trainer/index.ts';
import { finished, tinyPlan } from './tiny.ts';

const ended = (run: TrainingRun) => {
  const { diverged } = run;
  expect(diverged).not.toBeNull();
  expect(run.done).toBe(true);
  expect(() => run.advance()).toThrow(
    expect.objectContaining({ code: 'CA_INTERNAL', message: 'a training run goes on after its end' }),
  );
  // What there was stays, and so does why it ended.
  expect(run.diverged).toBe(diverged);
  return diverged!;
};

/** As `single`, with advantages of its own. */
const advantages = (of: () => number): Method => ({
  ...methodOf('single'),
  start: (study) => ({
    ...methodOf('single').start(study),
    advantages: (_, rollouts) => rollouts.reward.map(of),
  }),
});

describe('a run that diverges', () => {
  it('ends where the learning rate carries the policy off', () => {
    const run = finished(tinyPlan('single', { learningRate: 1e200 }));
    const { step, side, reason } = ended(run);
    expect(side).toBe('policy');
    expect(reason).toBe('the parameters are not finite after the step');
    expect(step).toBe(run.history.length + 1);
  });

  it.each([1, 1e3, 1e6, 1e9, 1e100])(
    'throws nothing at a learning rate of %d, whatever comes of it',
    (learningRate) => {
      for (const method of ['single', 'co-training']) {
        const run = finished(tinyPlan(method, { learningRate, simulatorRate: learningRate }));
        expect(run.diverged !== null || run.step === 4).toBe(true);
        if (run.diverged !== null) expect(run.diverged.reason).toMatch(/not finite|NaN|Infinity|no episode/);
      }
    },
  );

  it.each([
    [Number.POSITIVE_INFINITY, "an episode's advantage is Infinity"],
    [1e308, "the gradient's norm is Infinity"],
  ])('ends where advantages of %d can be no update', (advantage, expected) => {
    const plan = { ...tinyPlan(), method: advantages(() => advantage) };
    const run = new TrainingRun(plan);
    const before = run.policy.parameters.slice();
    expect(run.advance()).toBeNull();
    const { step, side, reason } = ended(run);
    expect([step, side]).toEqual([1, 'policy']);
    expect(reason).toBe(expected);
    // The parameters are as before the failing step.
    expect(run.policy.parameters).toEqual(before);
    expect(run.history).toEqual([]);
  });

  it('ends where no episode can be learned from', () => {
    const run = new TrainingRun({ ...tinyPlan(), method: advantages(() => Number.NaN) });
    expect(run.advance()).toBeNull();
    expect(ended(run)).toEqual({ step: 1, side: 'policy', reason: 'no episode of a step has a reward' });
  });

  it('ends where the policy has no numbers', () => {
    const run = new TrainingRun(tinyPlan());
    run.advance();
    run.policy.parameters.fill(Number.NaN);
    expect(run.advance()).toBeNull();
    expect(ended(run)).toEqual({ step: 2, side: 'policy', reason: 'no episode of a step has a reward' });
    expect(run.history).toHaveLength(1);
  });

  it.each(['co-training', 'co-training-adversarial', 'population-co-training-3'])(
    'names the simulator where that of %s is carried off',
    (method) => {
      const run = finished(tinyPlan(method, { simulatorRate: 1e200 }));
      const { side, reason, step } = ended(run);
      expect(side).toBe('simulator');
      expect(reason).toBe('the parameters are not finite after the step');
      expect(step).toBe(run.history.length + 1);
      // The policy is none the worse.
      expect(run.policy.parameters.every(Number.isFinite)).toBe(true);
    },
  );

  it('still has the base checkpoint and the looks it took', () => {
    const run = finished(tinyPlan('single', { learningRate: 1e200 }));
    expect(run.looks.map(({ step }) => step)).toEqual([0]);
    expect(run.selected.step).toBe(0);
    expect(run.selected.policy.parameters).toEqual(run.base.parameters);
  });
});

describe('a run that is over', () => {
  it('refuses to go on after its last step', () => {
    const run = finished(tinyPlan());
    expect(run.done).toBe(true);
    const text = run.save();
    expect(() => run.advance()).toThrow('a training run goes on after its end');
    expect(run.save()).toBe(text);
  });

  it('is over from the start where the method trains nothing', () => {
    const run = new TrainingRun(tinyPlan('base'));
    expect(run.done).toBe(true);
    expect(() => run.advance()).toThrow('a training run goes on after its end');
    expect(run.policy.parameters).toEqual(run.base.parameters);
    expect(run.looks).toHaveLength(1);
  });
});
