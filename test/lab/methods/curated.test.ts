import { describe, expect, it } from 'vitest';
import { DEFAULT_RECIPE, defaultsFor, STAGE_DEFAULTS } from '../../../src/curation/index.ts';
import { curation, curationNoPeople } from '../../../src/lab/methods/curated.ts';
import { ensemble } from '../../../src/lab/methods/ensemble.ts';
import { METHODS } from '../../../src/lab/methods/index.ts';
import { DEFAULT_FAMILIES } from '../../../src/lab/simulators/index.ts';
import { TrainingRun, trainingSettings } from '../../../src/lab/trainer/index.ts';
import type { Rollouts } from '../../../src/lab/training/rollout.ts';
import { played, started, study, world } from './steps.ts';

const byWeights = { ...DEFAULT_RECIPE, ...defaultsFor('weights') };
const byGradient = { ...DEFAULT_RECIPE, ...defaultsFor('gradient'), gradient: STAGE_DEFAULTS.gradient };

/** Mean weight of an episode with each simulator over steps that are cast as an ensemble's. */
function meanWeights(run: ReturnType<typeof started>, seen = DEFAULT_FAMILIES.seen, steps = 6) {
  const cast = ensemble.start(study(seen));
  const sums = new Map<string, { sum: number; n: number }>();
  for (let step = 0; step < steps; step++) {
    const rollouts = played(cast, step);
    const { weight } = run.curate(step, rollouts)!;
    run.learn(step, rollouts);
    rollouts.episodes.forEach(({ simulator }, e) => {
      const own = sums.get(simulator.id) ?? { sum: 0, n: 0 };
      sums.set(simulator.id, own);
      own.sum += weight[e]!;
      own.n += 1;
    });
  }
  return new Map([...sums].map(([id, { sum, n }]) => [id, sum / n]));
}

describe('curation as a training method', () => {
  it('stands behind the clone of people among the methods', () => {
    const ids = METHODS.map(({ id }) => id);
    expect(ids.slice(ids.indexOf('human-fitted'), ids.indexOf('collapse-aware'))).toEqual([
      'human-fitted',
      'curation',
      'curation-no-people',
    ]);
    expect([curation.usesPeople, curationNoPeople.usesPeople]).toEqual([true, false]);
  });

  it('has the users of the ensemble, at first in the same seats', () => {
    const run = started();
    const other = ensemble.start(study());
    expect(run.population().map(({ id }) => id)).toEqual(other.population().map(({ id }) => id));
    for (let group = 0; group < 16; group++) expect(run.cast(0, group).id).toBe(other.cast(0, group).id);
  });

  it.each([curation, curationNoPeople])('$id goes on with the same bits when resumed', (method) => {
    const plan = {
      world,
      method,
      seen: DEFAULT_FAMILIES.seen,
      selection: DEFAULT_FAMILIES.selection.slice(0, 1),
      seed: 3,
      settings: trainingSettings({
        steps: 11,
        groups: 4,
        groupSize: 4,
        selectionDialogues: 2,
        referencePeople: 40,
      }),
    };
    const whole = new TrainingRun(plan);
    while (!whole.done) whole.advance();
    // Before any step, and where the window is full.
    let run = new TrainingRun(plan);
    for (const until of [0, 9]) {
      while (run.step < until) run.advance();
      const text = run.save();
      run = new TrainingRun(plan);
      run.load(text);
    }
    while (!run.done) run.advance();
    expect(run.save()).toBe(whole.save());
    expect(whole.diverged).toBeNull();
  });

  it.each([
    ['batches', undefined],
    ['weights', byWeights],
    ['gradient', byGradient],
  ])(
    'corrects by %s with bounded weights and weighted advantages that sum to 0 in each group',
    (_, recipe) => {
      const run = started(recipe === undefined ? {} : { recipe });
      for (let step = 0; step < 3; step++) {
        const rollouts = played(run, step);
        const { plan, advantage, weight } = run.curate(step, rollouts)!;
        for (const w of plan.weight) {
          expect(w).toBeGreaterThanOrEqual(0.25);
          expect(w).toBeLessThanOrEqual(4);
        }
        const sums = new Float64Array(16);
        const parts = new Map<number, Set<boolean>>();
        let total = 0;
        advantage.forEach((a, e) => {
          const group = rollouts.group[e]!;
          parts.set(group, (parts.get(group) ?? new Set()).add(Number.isNaN(a)));
          expect(Number.isNaN(a)).toBe(weight[e] === 0);
          if (!Number.isNaN(a)) sums[group]! += a;
          total += weight[e]!;
        });
        for (const sum of sums) expect(Math.abs(sum)).toBeLessThan(1e-9);
        for (const whole of parts.values()) expect(whole.size).toBe(1);
        // A gradient scale is meant to make the step smaller; the others leave the learning rate as it is.
        if (recipe !== byGradient) expect(total / weight.filter((w) => w > 0).length).toBeCloseTo(1, 9);
        expect(advantage.some((a) => Math.abs(a) > 0.1)).toBe(true);
        expect(run.advantages(step, rollouts)).toEqual(advantage);
        run.learn(step, rollouts);
      }
    },
  );

  it.each([
    ['batches', undefined],
    ['weights', byWeights],
  ])('counts less, by %s, what a simulator says that has one note', (_, recipe) => {
    const seen = [
      { id: 'monotone', kappa: 0.5, gamma: 64, lean: 0.5 },
      { id: 'varied', kappa: 0.2, gamma: 1, lean: 0.5 },
      { id: 'broad', kappa: 0.2, gamma: 1, lean: 0.3 },
    ];
    for (const people of [true, false]) {
      const options = recipe === undefined ? { people } : { people, recipe };
      const weights = meanWeights(started(options, study(seen)), seen);
      expect(weights.get('monotone')!).toBeLessThan(0.8 * weights.get('varied')!);
      expect(weights.get('monotone')!).toBeLessThan(0.8 * weights.get('broad')!);
    }
  });

  it('gives every simulator a group of the next step, and all groups to somebody', () => {
    const run = started();
    for (let step = 0; step < 10; step++) {
      const rollouts = played(run, step);
      run.learn(step, rollouts);
      const cast = Array.from({ length: 16 }, (_, group) => run.cast(step + 1, group).id);
      expect(new Set(cast).size).toBe(3);
      expect(Array.from({ length: 16 }, (_, group) => run.cast(step + 1, group).id)).toEqual(cast);
    }
  });

  it('leaves episodes without a reward out, and moves nothing where all are lost', () => {
    const run = started();
    const whole = played(run, 0);
    const reward = whole.reward.slice().fill(Number.NaN, 0, 9);
    const rollouts: Rollouts = { ...whole, reward };
    const { advantage, weight, plan } = run.curate(0, rollouts)!;
    expect(plan.rows.size).toBe(119);
    expect([...advantage.subarray(0, 9)].every(Number.isNaN)).toBe(true);
    expect([...weight.subarray(0, 9)].every((w) => w === 0)).toBe(true);
    const before = JSON.stringify(run.save());
    const lost: Rollouts = { ...whole, reward: whole.reward.map(() => Number.NaN) };
    expect(run.learn(1, lost)).toBeNull();
    expect(run.advantages(1, lost).every(Number.isNaN)).toBe(true);
    expect(JSON.stringify(run.save())).toBe(before);
  });

  it('needs nobody on record where it is told to do without people', () => {
    const run = started({ people: false }, study(DEFAULT_FAMILIES.seen, 0));
    expect(run.modes).toBeNull();
    run.learn(0, played(run, 0));
    expect(run.modes).toMatchObject({ k: 8, reference: null });
  });

  it('works on a step of a few episodes', () => {
    for (const people of [true, false]) {
      const run = started({ people });
      for (let step = 0; step < 3; step++) {
        const rollouts = played(run, step, 2, 2);
        expect(run.advantages(step, rollouts)).toHaveLength(4);
        run.learn(step, rollouts);
      }
    }
  });
});
