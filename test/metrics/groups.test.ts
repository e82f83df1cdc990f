import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type GroupedRollouts,
  groupExposure,
  zeroVariance,
  zeroVarianceDifference,
} from '../../src/metrics/index.ts';
import { expectScaled, expectSound, expectWithin } from './figures.ts';
import { shuffledIndexes } from './tallies.ts';

const range = [0, 1] as const;

describe('zero-variance groups', () => {
  const anyRollouts: fc.Arbitrary<GroupedRollouts> = fc
    .array(fc.tuple(fc.nat(12), fc.constantFrom(0, 0.5, 1), fc.constantFrom('p', 'q', null)), {
      maxLength: 40,
    })
    .map((rows) => ({
      group: rows.map(([group]) => group),
      unit: rows.map(([group]) => group % 10),
      reward: rows.map(([, x]) => x),
      behaviour: rows.map(([, , way]) => way),
    }));

  it('are a share in 0 .. 1 whose four reasons add up, in any order and under any names', () => {
    fc.assert(
      fc.property(
        anyRollouts.chain((rows) => fc.tuple(fc.constant(rows), shuffledIndexes(rows.group.length))),
        ([rows, order]) => {
          const health = zeroVariance(rows, range);
          expectSound(health.share);
          expectWithin(health.share, 0, 1);
          const parts = health.sameBehaviour + health.allFail + health.allPass + health.other;
          if (health.share.value !== null) expect(parts / health.groups).toBeCloseTo(health.share.value, 12);
          const moved = zeroVariance(
            {
              group: order.map((i) => 100 - 7 * rows.group[i]!),
              unit: order.map((i) => rows.unit[i]!),
              reward: order.map((i) => rows.reward[i]!),
              behaviour: order.map((i) => rows.behaviour[i]! && `way ${rows.behaviour[i]}`),
            },
            range,
          );
          expectScaled(moved.share, health.share);
          expect({ ...moved, share: null }).toEqual({ ...health, share: null });
        },
      ),
      { numRuns: 60 },
    );
  });

  it('swap fail and pass when the reward is turned, and do not change with its scale', () => {
    fc.assert(
      fc.property(anyRollouts, (rows) => {
        const health = zeroVariance(rows, range);
        const turned = { ...rows, reward: Array.from(rows.reward, (x) => 4 - 8 * x) };
        expect(zeroVariance(turned, [-4, 4])).toEqual({
          ...health,
          allFail: health.allPass,
          allPass: health.allFail,
        });
      }),
      { numRuns: 60 },
    );
  });

  it('have a difference that turns its sign and is that of the shares', () => {
    fc.assert(
      fc.property(anyRollouts, anyRollouts, (a, b) => {
        const figure = zeroVarianceDifference(a, b, range);
        expectSound(figure);
        expectScaled(zeroVarianceDifference(b, a, range), figure, -1);
        const [x, y] = [a, b].map((rows) => zeroVariance(rows, range).share.value);
        if (figure.value !== null) expect(figure.value).toBeCloseTo(x! - y!, 12);
      }),
      { numRuns: 60 },
    );
  });
});

describe('exposure of a group', () => {
  const population = fc
    .array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.double({ min: 0, max: 1, noNaN: true })), {
      minLength: 1,
      maxLength: 6,
    })
    .map((members) => {
      const total = members.reduce((sum, [weight]) => sum + weight, 0);
      return { weights: members.map(([weight]) => weight / total), chances: members.map(([, q]) => q) };
    });

  it('is a chance, grows with the group, and is never larger for one member than for mixed ones', () => {
    fc.assert(
      fc.property(population, fc.integer({ min: 1, max: 20 }), ({ weights, chances }, size) => {
        const mixed = groupExposure(weights, chances, size, 'per-rollout');
        const one = groupExposure(weights, chances, size, 'per-group');
        expect(one).toBeGreaterThanOrEqual(-1e-12);
        expect(one).toBeLessThanOrEqual(mixed + 1e-12);
        expect(mixed).toBeLessThanOrEqual(1 + 1e-12);
        for (const draw of ['per-rollout', 'per-group'] as const) {
          const now = groupExposure(weights, chances, size, draw);
          expect(groupExposure(weights, chances, size + 1, draw)).toBeGreaterThanOrEqual(now - 1e-12);
          const twice = weights.map((w) => w / 2);
          const doubled = groupExposure([...twice, ...twice], [...chances, ...chances], size, draw);
          expect(doubled).toBeCloseTo(now, 12);
          const back = groupExposure([...weights].reverse(), [...chances].reverse(), size, draw);
          expect(back).toBeCloseTo(now, 12);
        }
        const first = groupExposure(weights, chances, 1, 'per-group');
        expect(first).toBeCloseTo(groupExposure(weights, chances, 1, 'per-rollout'), 12);
        const alike = chances.map(() => chances[0]!);
        expect(groupExposure(weights, alike, size, 'per-group')).toBeCloseTo(
          groupExposure(weights, alike, size, 'per-rollout'),
          12,
        );
      }),
      { numRuns: 80 },
    );
  });
});
