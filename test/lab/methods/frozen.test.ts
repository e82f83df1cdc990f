import { describe, expect, it } from 'vitest';
import { frozen } from '../../../src/lab/methods/frozen.ts';
import type { Simulator } from '../../../src/lab/simulators/index.ts';

const simulators = ['a', 'b', 'c'].map((id) => ({ id }) as Simulator);

describe('frozen simulators', () => {
  it('take turns over the groups, shifted by the step', () => {
    const run = frozen(simulators);
    const cast = (step: number) => [0, 1, 2, 3].map((group) => run.cast(step, group).id).join('');
    expect([0, 1, 2, 3].map(cast)).toEqual(['abca', 'bcab', 'cabc', 'abca']);
  });

  it('play as many groups each over as many steps as there are of them', () => {
    const run = frozen(simulators);
    const counts = new Map<string, number>();
    for (let step = 0; step < 3; step++)
      for (let group = 0; group < 16; group++) {
        const { id } = run.cast(step, group);
        counts.set(id, (counts.get(id) ?? 0) + 1);
      }
    expect([...counts.values()]).toEqual([16, 16, 16]);
  });

  it('learn nothing, weigh nothing and have nothing to save', () => {
    const run = frozen(simulators);
    expect(run.population()).toBe(simulators);
    expect(run.save()).toBeNull();
    run.load(null);
    expect(run.learn).toBeUndefined();
    expect(run.advantages).toBeUndefined();
    expect(run.cast(0, 1).id).toBe('b');
  });
});
