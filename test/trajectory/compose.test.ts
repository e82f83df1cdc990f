import { describe, expect, it } from 'vitest';
import { composeTrajectory } from '../../src/trajectory/compose.ts';
import { contentHash, simulatorFacts } from '../../src/trajectory/identity.ts';
import { explainTrajectory } from '../../src/trajectory/schema.ts';
import type { Turn } from '../../src/trajectory/trajectory.ts';

const turns: Turn[] = [{ role: 'user', text: 'Hi' }];
const draft = { turns, simulator: simulatorFacts({ id: 's' }), source: { file: 'f', line: 3 } };

describe('composeTrajectory', () => {
  it('leaves missing things null and takes the content hash for an id', () => {
    const made = composeTrajectory(draft);
    expect(made.id).toBe(contentHash(turns, null));
    expect(made).toMatchObject({
      contextFrom: 'none',
      reward: null,
      group: null,
      epoch: null,
      split: null,
      policy: { id: 'unknown', checkpoint: null },
    });
  });

  it('makes records that match their own schema', () => {
    expect(explainTrajectory(composeTrajectory(draft))).toBeNull();
    expect(explainTrajectory(composeTrajectory({ ...draft, reward: 0, epoch: 1, scenario: 'x' }))).toBeNull();
  });

  it('keeps a reward of 0', () => {
    expect(composeTrajectory({ ...draft, reward: 0 }).reward).toBe(0);
  });

  it('keeps a context it is given', () => {
    const made = composeTrajectory({ ...draft, context: 'mine', scenario: 'x' });
    expect([made.context, made.contextFrom]).toEqual(['mine', 'label']);
  });
});
