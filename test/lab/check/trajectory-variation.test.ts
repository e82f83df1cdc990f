import { describe, expect, it } from 'vitest';
import { trajectoryVariation } from '../../../src/lab/check/trajectory-variation.ts';
import { persuasion } from '../../../src/lab/worlds/persuasion/index.ts';
import { seeded } from '../../../src/math/index.ts';

describe('distance of families to people', () => {
  const checks = (horizon: number) => trajectoryVariation(persuasion(horizon), 300, seeded('variation'));

  it('is kappa of shares, and no more of dialogues', () => {
    const found = checks(6);
    expect(found[0]!.estimate.value!).toBeLessThan(1e-9);
    for (const { verdict, estimate, exact } of found.slice(1)) {
      expect(verdict).toBe('inside');
      expect(estimate.value!).toBeGreaterThan(0);
      expect(estimate.value!).toBeLessThan(exact!);
    }
  });

  it('shows more in longer dialogues, on the average over families', () => {
    const mean = (horizon: number) =>
      checks(horizon)
        .slice(1)
        .reduce((sum, { estimate }) => sum + estimate.value!, 0);
    expect(mean(24)).toBeGreaterThan(mean(3));
  });
});
