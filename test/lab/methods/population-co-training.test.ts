import { describe, expect, it } from 'vitest';
import { coTrainingCurriculum } from '../../../src/lab/methods/co-training.ts';
import type { MethodRun } from '../../../src/lab/methods/method.ts';
import { populationCoTraining } from '../../../src/lab/methods/population-co-training.ts';
import { seeded } from '../../../src/math/index.ts';
import { played, study, world } from './steps.ts';

const names = (run: MethodRun) => run.population().map(({ id }) => id.replace('alder-', ''));

const steps = (run: MethodRun, from: number, to: number) => {
  for (let step = from; step < to; step++) run.learn!(step, played(run, step, 2, 2));
};

/** What a member says first, as a law. */
function lawOf(run: MethodRun, at: number): number[] {
  const session = run.population()[at]!.open(seeded('law'));
  const encounter = world.begin(world.setting(0, 1), session.users);
  const agent = new Float64Array(world.agentActs.length);
  while (encounter.phase === 'agent') {
    world.demonstrate(encounter, agent);
    encounter.actAgent(agent.indexOf(Math.max(...agent)));
  }
  const law = new Float64Array(world.userActs.length);
  session.law(encounter, law);
  return [...law];
}

describe('Population Co-Training', () => {
  it('has one checkpoint at first, and one more after every 4 steps', () => {
    const run = populationCoTraining(3).start(study());
    expect(names(run)).toEqual(['step-0']);
    steps(run, 0, 3);
    expect(names(run)).toEqual(['step-0']);
    steps(run, 3, 4);
    expect(names(run)).toEqual(['step-0', 'step-4']);
  });

  it.each([
    [1, ['step-12']],
    [3, ['step-4', 'step-8', 'step-12']],
    [10, ['step-0', 'step-4', 'step-8', 'step-12']],
  ])('keeps the newest %i, oldest first', (size, expected) => {
    const run = populationCoTraining(size).start(study());
    steps(run, 0, 13);
    expect(names(run)).toEqual(expected);
    expect((run.save() as { checkpoints: [string, string][] }).checkpoints.map(([name]) => name)).toEqual(
      expected,
    );
  });

  it('leaves checkpoints as they were, while the live simulator goes on', () => {
    const run = populationCoTraining(3).start(study());
    const first = lawOf(run, 0);
    steps(run, 0, 8);
    expect(lawOf(run, 0)).toEqual(first);
    expect(lawOf(run, 1)).not.toEqual(first);
    expect(lawOf(run, 2)).not.toEqual(lawOf(run, 1));
  });

  it('casts every checkpoint alike, a group each, the same when asked again', () => {
    const run = populationCoTraining(3).start(study());
    steps(run, 0, 8);
    const counts = new Map<string, number>();
    const n = 3000;
    for (let group = 0; group < n; group++) {
      const { id } = run.cast(8, group);
      expect(run.cast(8, group).id).toBe(id);
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    expect(counts.size).toBe(3);
    for (const count of counts.values())
      expect(Math.abs(count / n - 1 / 3)).toBeLessThan(5 * Math.sqrt(2 / 9 / n));
    const order = (step: number) => Array.from({ length: 40 }, (_, group) => run.cast(step, group).id).join();
    expect(order(8)).not.toBe(order(9));
  });

  it('learns as co-training does from the same rollouts', () => {
    const pool = populationCoTraining(1).start(study());
    const live = coTrainingCurriculum.start(study());
    // Up to the first update both play the same law.
    const rollouts = played(live, 0, 4, 4);
    expect(pool.learn!(0, rollouts)).toEqual(live.learn!(0, rollouts));
    expect((pool.save() as { learner: string }).learner).toBe(live.save());
  });

  it.each([2, 4, 9])('goes on with the same bits when saved after %i steps', (until) => {
    const whole = populationCoTraining(2).start(study());
    steps(whole, 0, 13);
    const before = populationCoTraining(2).start(study());
    steps(before, 0, until);
    const state: unknown = JSON.parse(JSON.stringify(before.save()));
    const run = populationCoTraining(2).start(study());
    // A run that has gone elsewhere is taken back too.
    steps(run, 0, 5);
    run.load(state);
    expect(run.save()).toEqual(before.save());
    expect(names(run)).toEqual(names(before));
    steps(run, until, 13);
    expect(run.save()).toEqual(whole.save());
    expect(names(run)).toEqual(['step-8', 'step-12']);
  });
});
