import { describe, expect, it } from 'vitest';
import { COMPARISON } from '../../../src/lab/methods/index.ts';
import { familySimulator, peopleOf } from '../../../src/lab/simulators/index.ts';
import { FRESH, panelMean, type RunPlan, scores, TrainingRun } from '../../../src/lab/trainer/index.ts';
import type { EpisodePlan, Rollouts } from '../../../src/lab/training/rollout.ts';
import { seeded } from '../../../src/math/index.ts';
import { finished, tinyPlan, world } from './tiny.ts';

interface Played {
  readonly plans: readonly EpisodePlan[];
  readonly rollouts: Rollouts;
}

/** A finished run with all that its stage played after the first look: training steps and looks. */
function watched(plan: RunPlan): { run: TrainingRun; training: Played[]; looks: Played[] } {
  const run = new TrainingRun(plan);
  const training: Played[] = [];
  const looks: Played[] = [];
  const play = run.stage.play.bind(run.stage);
  run.stage.play = (policy, plans, witness) => {
    const rollouts = play(policy, plans, witness);
    const groups = plans.length === plan.settings.groups * plan.settings.groupSize;
    // A look has another number of dialogues in these settings.
    (groups ? training : looks).push({ plans, rollouts });
    return rollouts;
  };
  while (!run.done) run.advance();
  return { run, training, looks };
}

/** What does not depend on method or policy: setting, group and luck of each rollout. */
const circumstances = ({ plans }: Played) =>
  plans.map(({ setting, group, random }) => ({
    setting,
    group,
    luck: ['session', 'agent', 'user'].map((side) => random.fork(side).next()),
  }));

const settings = { selectionDialogues: 5 };

describe('a training run', () => {
  it('follows from its plan, and differs by seed', () => {
    expect(finished(tinyPlan('single', {}, 1)).save()).toBe(finished(tinyPlan('single', {}, 1)).save());
    expect(finished(tinyPlan('single', {}, 1)).save()).not.toBe(finished(tinyPlan('single', {}, 2)).save());
  });

  it('moves the policy away from its base, which stays', () => {
    const run = new TrainingRun(tinyPlan());
    const before = run.base.parameters.slice();
    expect(run.policy.parameters).toEqual(before);
    run.advance();
    expect(run.policy.parameters).not.toEqual(before);
    expect(run.base.parameters).toEqual(before);
  });

  it('takes steps as far as it is told, and looks before the first, every so often and at the end', () => {
    const run = finished(tinyPlan('single', { steps: 5, evaluateEvery: 2 }));
    expect(run.history.map(({ step }) => step)).toEqual([1, 2, 3, 4, 5]);
    expect(run.looks.map(({ step }) => step)).toEqual([0, 2, 4, 5]);
    for (const { bySimulator, selection } of run.looks) {
      expect(bySimulator.map(({ simulator }) => simulator)).toEqual(['elm', 'fir']);
      expect(selection).toBeCloseTo((bySimulator[0]!.reward! + bySimulator[1]!.reward!) / 2, 12);
    }
  });

  it('records of a step what was played', () => {
    const { run, training } = watched(tinyPlan('single', { ...settings, steps: 6, groups: 4, groupSize: 3 }));
    training.forEach(({ rollouts: { reward, group, turns } }, at) => {
      const record = run.history[at]!;
      const groups = [0, 1, 2, 3].map((g) => [...reward].filter((_, e) => group[e] === g));
      const share = (of: (rewards: number[]) => boolean) => groups.filter(of).length / 4;
      expect(record.reward).toBeCloseTo(reward.reduce((a, b) => a + b, 0) / 12, 12);
      expect(record.zeroVariance).toBe(share((r) => new Set(r).size === 1));
      expect(record.allFail).toBe(share((r) => r.every((x) => x === 0)));
      expect(record.allPass).toBe(share((r) => r.every((x) => x === 1)));
      expect(record).toMatchObject({ lost: 0, turns, simulator: null });
      expect(record.entropy).toBeGreaterThan(0);
      expect(record.entropy).toBeLessThan(Math.log(world.agentActs.length));
    });
    // Before the first update the policy is its own reference.
    expect(run.history[0]!.kl).toBe(0);
    expect(run.history[5]!.kl).toBeGreaterThan(0);
    expect(training).toHaveLength(6);
  });

  it('tells of a simulator that learns how it fares', () => {
    for (const { simulator } of finished(tinyPlan('co-training')).history) {
      expect(simulator!.reward).toBeGreaterThan(0);
      expect(simulator!.reward).toBeLessThanOrEqual(1);
      expect(simulator!.entropy).toBeGreaterThan(0);
    }
  });

  it('gives a group one setting and one simulator, in settings that are trained on', () => {
    const { training } = watched(tinyPlan('ensemble-3', settings));
    const known = new Set(Array.from({ length: 8 }, (_, i) => JSON.stringify(world.setting(i, 1))));
    for (const { plans } of training)
      for (const group of [0, 1]) {
        const own = plans.filter((plan) => plan.group === group);
        expect(own).toHaveLength(4);
        expect(new Set(own.map(({ setting }) => setting)).size).toBe(1);
        expect(new Set(own.map(({ simulator }) => simulator)).size).toBe(1);
        expect(known.has(JSON.stringify(own[0]!.setting))).toBe(true);
      }
  });
});

describe('methods of one seed', () => {
  const methods = ['single', 'ensemble-3', 'co-training', COMPARISON, 'curation-no-people'];
  const runs = methods.map((method) => watched(tinyPlan(method, settings)));
  const [first, ...others] = runs;

  it('start from the same policy and the same look', () => {
    for (const { run } of [...others, { run: new TrainingRun(tinyPlan('base', settings)) }]) {
      expect(run.base.parameters).toEqual(first!.run.base.parameters);
      expect(run.looks[0]).toEqual(first!.run.looks[0]);
    }
  });

  it('meet the same people', () => {
    for (const { run } of others) expect(run.reference).toEqual(first!.run.reference);
    expect(first!.run.reference).toEqual(peopleOf(world, 'reference', 30, 1));
  });

  it('meet the same settings with the same luck, step by step', () => {
    for (const { training } of others)
      expect(training.map(circumstances)).toEqual(first!.training.map(circumstances));
  });

  it('are looked at in the same settings with the same luck at every look', () => {
    const [one] = first!.looks.map(circumstances);
    for (const { looks } of runs) for (const look of looks) expect(circumstances(look)).toEqual(one);
    expect(first!.looks[0]!.plans.slice(0, 5).map(({ setting }) => setting)).toEqual(
      Array.from({ length: 5 }, (_, i) => world.setting(FRESH + i, 1)),
    );
  });

  it('meet others by another seed', () => {
    const other = watched(tinyPlan('single', settings, 2));
    expect(other.training.map(circumstances)).not.toEqual(first!.training.map(circumstances));
    expect(other.run.base.parameters).not.toEqual(first!.run.base.parameters);
    expect(other.run.reference).not.toEqual(first!.run.reference);
  });

  it('never have the same luck twice in a run', () => {
    const luck = first!.training.flatMap((step) => circumstances(step).map((one) => one.luck.join()));
    expect(new Set(luck).size).toBe(luck.length);
  });
});

describe('the selected checkpoint', () => {
  const plan = (seed: number, learningRate: number) =>
    tinyPlan('single', { steps: 6, evaluateEvery: 1, selectionDialogues: 6, learningRate }, seed);

  it('is that of the highest look, the earliest of equals', () => {
    const steps: number[] = [];
    for (let seed = 1; seed <= 8; seed++) {
      const run = finished(plan(seed, 0.1));
      const top = Math.max(...run.looks.map(({ selection }) => selection!));
      expect(run.selected.step).toBe(run.looks.find(({ selection }) => selection === top)!.step);
      steps.push(run.selected.step);
    }
    // Neither always the first nor always the last.
    expect(steps.some((step) => step > 0 && step < 6)).toBe(true);
  });

  it('has the policy that was looked at: it scores the same again', () => {
    const run = finished(plan(3, 0.1));
    const { selection, seed } = run.plan;
    const again = scores(
      run.stage,
      run.selected.policy,
      selection.map((family) => familySimulator(world, family)),
      6,
      FRESH,
      seed,
      seeded(`lab/run/${world.id}/${world.horizon}/${seed}`).fork('selection'),
    );
    expect(panelMean(again)).toBe(run.looks.find(({ step }) => step === run.selected.step)!.selection);
  });

  it('is the base where nothing gets better', () => {
    const run = finished(plan(1, 1e-300));
    expect(new Set(run.looks.map(({ selection }) => selection)).size).toBe(1);
    expect(run.selected.step).toBe(0);
    expect(run.selected.policy.parameters).toEqual(run.base.parameters);
  });

  it('stays as it was while training goes on', () => {
    const run = new TrainingRun(plan(1, 0.1));
    const held = new Map<number, Float64Array>();
    while (!run.done) {
      run.advance();
      const { step, policy } = run.selected;
      const seen = held.get(step);
      if (seen === undefined) held.set(step, policy.parameters.slice());
      else expect(policy.parameters).toEqual(seen);
    }
  });
});
