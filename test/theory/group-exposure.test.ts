import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupExposure } from '../../src/metrics/index.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const population = fc
  .array(fc.tuple(fc.double({ min: 0.01, max: 1, noNaN: true }), share), { minLength: 1, maxLength: 4 })
  .map((members) => {
    const total = members.reduce((sum, [weight]) => sum + weight, 0);
    return { weights: members.map(([weight]) => weight / total), chances: members.map(([, q]) => q) };
  });

/** Chance that a group shows it, summed over who plays each rollout and whether it is shown there. */
function enumerated(weights: readonly number[], chances: readonly number[], size: number): [number, number] {
  let perRollout = 0;
  const visit = (rollout: number, chance: number, shown: boolean) => {
    if (rollout === size) {
      if (shown) perRollout += chance;
      return;
    }
    weights.forEach((w, i) => {
      visit(rollout + 1, chance * w * chances[i]!, true);
      visit(rollout + 1, chance * w * (1 - chances[i]!), shown);
    });
  };
  visit(0, 1, false);
  let perGroup = 0;
  weights.forEach((w, i) => {
    for (let outcome = 1; outcome < 2 ** size; outcome++) {
      let chance = w;
      for (let rollout = 0; rollout < size; rollout++)
        chance *= (outcome >> rollout) & 1 ? chances[i]! : 1 - chances[i]!;
      perGroup += chance;
    }
  });
  return [perRollout, perGroup];
}

describe('chance that a group shows a behaviour', () => {
  it('is 1 - (1-q)^G with members drawn per rollout, sum w (1 - (1-q_i)^G) with one a group, by enumeration', () => {
    fc.assert(
      fc.property(population, fc.integer({ min: 1, max: 4 }), ({ weights, chances }, size) => {
        const [perRollout, perGroup] = enumerated(weights, chances, size);
        expect(groupExposure(weights, chances, size, 'per-rollout')).toBeCloseTo(perRollout, 12);
        expect(groupExposure(weights, chances, size, 'per-group')).toBeCloseTo(perGroup, 12);
      }),
      { numRuns: 60 },
    );
  });

  it('is never higher with one member a group, and equal where members are alike or the group has one rollout', () => {
    fc.assert(
      fc.property(population, fc.integer({ min: 1, max: 64 }), ({ weights, chances }, size) => {
        const perRollout = groupExposure(weights, chances, size, 'per-rollout');
        const perGroup = groupExposure(weights, chances, size, 'per-group');
        expect(perGroup).toBeLessThanOrEqual(perRollout + 1e-12);
        if (size === 1) expect(perGroup).toBeCloseTo(perRollout, 12);
        const alike = chances.map(() => chances[0]!);
        expect(groupExposure(weights, alike, size, 'per-group')).toBeCloseTo(
          groupExposure(weights, alike, size, 'per-rollout'),
          12,
        );
      }),
      { numRuns: 300 },
    );
  });

  it('is of one context: from the mean chance over contexts it is only an upper bound', () => {
    fc.assert(
      fc.property(
        fc.array(share, { minLength: 2, maxLength: 6 }),
        fc.integer({ min: 2, max: 16 }),
        (q, size) => {
          const mean = q.reduce((sum, x) => sum + x, 0) / q.length;
          const exact = q.reduce((sum, x) => sum + groupExposure([1], [x], size, 'per-group'), 0) / q.length;
          expect(exact).toBeLessThanOrEqual(groupExposure([1], [mean], size, 'per-group') + 1e-12);
        },
      ),
    );
  });
});
