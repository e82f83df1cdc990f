import { describe, expect, it } from 'vitest';
import { METHODS } from '../../../src/lab/methods/index.ts';
import { TrainingRun } from '../../../src/lab/trainer/index.ts';
import { finished, tinyPlan, world } from './tiny.ts';

const methods = METHODS.map(({ id }) => id);

describe.each(methods)('a run of %s', (method) => {
  // Long enough that a pool takes checkpoints on both sides of a cut.
  const plan = tinyPlan(method, { steps: method.startsWith('population') ? 9 : 4 });
  const whole = finished(plan);

  it('goes on with the same bits wherever it was saved and loaded', () => {
    let run = new TrainingRun(plan);
    for (const until of method.startsWith('population') ? [3, 6] : [1, 3]) {
      while (run.step < until && !run.done) run.advance();
      const text = run.save();
      const next = new TrainingRun(plan);
      next.load(text);
      expect(next.save()).toBe(text);
      expect(next.step).toBe(run.step);
      run = next;
    }
    while (!run.done) run.advance();
    expect(run.save()).toBe(whole.save());
    expect(run.policy.parameters).toEqual(whole.policy.parameters);
    expect(run.selected).toEqual(whole.selected);
    expect(run.methodRun.population().map(({ id }) => id)).toEqual(
      whole.methodRun.population().map(({ id }) => id),
    );
  });

  it('is the same run when made again', () => {
    expect(finished(plan).save()).toBe(whole.save());
  });

  it('is done, and was not led astray', () => {
    expect(whole.diverged).toBeNull();
    expect(whole.step).toBe(method === 'base' ? 0 : plan.settings.steps);
    expect(whole.looks[0]!.step).toBe(0);
  });
});

describe('a saved run', () => {
  it('is one line of JSON that a run of another progress takes back whole', () => {
    const plan = tinyPlan('population-co-training-3', { steps: 6 });
    const early = new TrainingRun(plan);
    early.advance();
    const text = early.save();
    expect(text).not.toContain('\n');
    const late = finished(plan);
    late.load(text);
    expect(late.save()).toBe(text);
    expect(late.done).toBe(false);
    expect(late.plan.world).toBe(world);
  });

  it('keeps that it diverged', () => {
    const plan = tinyPlan('single', { learningRate: 1e200 });
    const run = finished(plan);
    expect(run.diverged).not.toBeNull();
    const back = new TrainingRun(plan);
    back.load(run.save());
    expect(back.diverged).toEqual(run.diverged);
    expect(back.done).toBe(true);
  });
});
