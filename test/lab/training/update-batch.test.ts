import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Adam, Grpo, initialise } from '../../../src/lab/learning/index.ts';
import { StepColumns } from '../../../src/lab/training/columns.ts';
import { updateBatch } from '../../../src/lab/training/update-batch.ts';
import { seeded } from '../../../src/math/index.ts';

/** A step for every number, which is that of its episode. */
function stepsOf(episodes: readonly number[], label = 'steps'): StepColumns {
  const columns = new StepColumns(3, 2);
  const random = seeded(label);
  for (const episode of episodes) {
    const observation = Float64Array.from({ length: 3 }, () => random.normal());
    const mask = Uint8Array.of(1, 1);
    columns.push(episode, observation, 0, mask, 0, random.integer(2), Math.log(0.5));
  }
  return columns;
}

describe('a batch for an update', () => {
  it('is the columns as they are where every episode has an advantage', () => {
    const columns = stepsOf([0, 1, 0, 2]);
    const advantage = Float64Array.of(1, -1, 0);
    expect(updateBatch(columns, advantage)).toEqual({ ...columns.columns, advantage });
  });

  it('has no step of episodes whose advantage is NaN', () => {
    const columns = stepsOf([0, 1, 2, 1, 0, 2]);
    const batch = updateBatch(columns, Float64Array.of(0.5, Number.NaN, -0.5))!;
    const whole = columns.columns;
    expect([...batch.episode]).toEqual([0, 2, 0, 2]);
    expect([...batch.advantage]).toEqual([0.5, 0, -0.5]);
    [0, 2, 4, 5].forEach((step, row) => {
      expect(batch.observation.subarray(3 * row, 3 * row + 3)).toEqual(
        whole.observation.subarray(3 * step, 3 * step + 3),
      );
      expect(batch.mask!.subarray(2 * row, 2 * row + 2)).toEqual(whole.mask.subarray(2 * step, 2 * step + 2));
      expect(batch.act[row]).toBe(whole.act[step]);
      expect(batch.logProb[row]).toBe(whole.logProb[step]);
    });
  });

  it('is null where no step is left', () => {
    expect(updateBatch(stepsOf([]), Float64Array.of(1))).toBeNull();
    expect(updateBatch(stepsOf([0, 1]), Float64Array.of(Number.NaN, Number.NaN))).toBeNull();
    // One has an advantage and no step.
    expect(updateBatch(stepsOf([0]), Float64Array.of(Number.NaN, 1))).toBeNull();
  });

  it('leaves columns and advantages as they were', () => {
    const columns = stepsOf([0, 1, 1]);
    const before = structuredClone(columns.columns);
    const advantage = Float64Array.of(Number.NaN, 2);
    updateBatch(columns, advantage);
    expect(columns.columns).toEqual(before);
    expect([...advantage]).toEqual([Number.NaN, 2]);
  });

  it('moves a policy as if the episodes left out had never been played', () => {
    const updated = (columns: StepColumns, advantage: Float64Array) => {
      const policy = initialise({ inputs: 3, hidden: [4], acts: 2 }, seeded('policy'));
      new Grpo(policy, null, new Adam(policy.parameters.length)).update(
        updateBatch(columns, advantage)!,
        seeded(1),
      );
      return policy.parameters;
    };
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 12 }), (rest) => {
        const episodes = [0, ...rest];
        const all = stepsOf(episodes);
        const { observation, mask, act, logProb } = all.columns;
        const without = new StepColumns(3, 2);
        episodes.forEach((episode, at) => {
          if (episode !== 3) without.push(episode, observation, 3 * at, mask, 2 * at, act[at]!, logProb[at]!);
        });
        expect(updated(all, Float64Array.of(1, -0.5, 0.25, Number.NaN))).toEqual(
          updated(without, Float64Array.of(1, -0.5, 0.25)),
        );
      }),
      { numRuns: 40 },
    );
  });
});
