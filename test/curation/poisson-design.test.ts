import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conditionalPoisson } from '../../src/curation/conditional-poisson.ts';
import { cappedShares } from '../../src/curation/inclusion.ts';
import { poissonDesign } from '../../src/curation/poisson-design.ts';
import { workingWeightsFor } from '../../src/curation/working-weights.ts';
import { seeded, sum } from '../../src/math/index.ts';

const someWeights = fc.array(
  fc.double({ min: -300, max: 300, noNaN: true }).map((x) => 10 ** x),
  {
    minLength: 1,
    maxLength: 30,
  },
);

describe('shares that add up to m', () => {
  it('are proportional to the weights, but for those that would pass 1', () => {
    fc.assert(
      fc.property(someWeights, fc.integer({ min: 1, max: 32 }), (weights, m) => {
        const shares = cappedShares(weights, m);
        expect(sum(shares)).toBeCloseTo(Math.min(m, weights.length), 9);
        expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);
        const free = weights.flatMap((_, i) => (shares[i]! < 1 && shares[i]! > 1e-290 ? [i] : []));
        for (const i of free)
          for (const j of free)
            expect(Math.log(shares[i]! / shares[j]!)).toBeCloseTo(
              Math.log(weights[i]!) - Math.log(weights[j]!),
              6,
            );
        for (const [i, weight] of weights.entries())
          for (const j of free)
            if (shares[i] === 1) expect(weight).toBeGreaterThanOrEqual(weights[j]! * (1 - 1e-9));
      }),
    );
  });

  it('cap the heaviest again and again', () => {
    expect([...cappedShares([10, 1, 1, 1, 1], 2)]).toEqual([1, 0.25, 0.25, 0.25, 0.25]);
    expect([...cappedShares([100, 10, 1, 1], 3)]).toEqual([1, 1, 0.5, 0.5]);
    expect([...cappedShares([1e300, 1e-300, 1e-300], 2)]).toEqual([1, 0.5, 0.5]);
  });

  it('refuse infinite weights', () => {
    expect(() => cappedShares([1, Number.POSITIVE_INFINITY, 1], 2)).toThrow('finite');
  });
});

describe('Poisson sampling', () => {
  it('keeps units independently, m on average', () => {
    const design = poissonDesign([1, 2, 3, 2], 2);
    const rounded = (chances: Float64Array) => Array.from(chances, (chance) => +chance.toFixed(12));
    expect(rounded(design.pi)).toEqual([0.25, 0.5, 0.75, 0.5]);
    expect(rounded(design.joint(1))).toEqual([0.125, 0.5, 0.375, 0.25]);
    const random = seeded('poisson');
    const counts = new Array(5).fill(0);
    for (let draw = 0; draw < 20_000; draw++) counts[sum(design.draw(random))] += 1;
    // P(0) = P(4) = 3/64, P(1) = P(3) = 16/64, P(2) = 26/64.
    [3, 16, 26, 16, 3].forEach((part, size) => {
      expect(counts[size] / 20_000).toBeCloseTo(part / 64, 1.8);
    });
  });

  it('has no limit of 64 units', () => {
    expect(sum(poissonDesign(new Array(500).fill(1), 20).pi)).toBeCloseTo(20, 9);
  });
});

describe('working weights for given probabilities', () => {
  it('make conditional Poisson sampling reach them', () => {
    const weights = fc.array(fc.double({ min: 0.25, max: 4, noNaN: true }), { minLength: 2, maxLength: 40 });
    fc.assert(
      fc.property(weights, fc.integer({ min: 1, max: 20 }), (given, m) => {
        const targets = cappedShares(given, m);
        const found = workingWeightsFor(targets);
        expect(found.converged).toBe(true);
        const { pi } = conditionalPoisson(found.weights, Math.min(m, given.length));
        targets.forEach((target, i) => {
          expect(pi[i]).toBeCloseTo(target, 8);
        });
      }),
      { numRuns: 60 },
    );
  });

  it('are infinite for units that are kept for certain', () => {
    const { weights } = workingWeightsFor([1, 0.5, 0.25, 0.25]);
    expect(weights[0]).toBe(Number.POSITIVE_INFINITY);
    expect([...conditionalPoisson(weights, 2).pi].map((x) => +x.toFixed(9))).toEqual([1, 0.5, 0.25, 0.25]);
  });

  it.each([
    [[0.5, 0.6], 'whole number'],
    [[0, 1], 'target of unit 0 must lie in (0, 1]'],
    [[1.2, 0.8], 'target of unit 0'],
    [new Array(65).fill(1), 'at most 64'],
  ])('refuse %j', (targets, message) => {
    expect(() => workingWeightsFor(targets)).toThrow(RangeError);
    expect(() => workingWeightsFor(targets)).toThrow(message);
  });
});
