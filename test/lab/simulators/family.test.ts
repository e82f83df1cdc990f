import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CollapseAwareError } from '../../../src/errors.ts';
import { DEFAULT_FAMILIES, familyShares, type SimulatorFamily } from '../../../src/lab/simulators/index.ts';
import { WORLD_IDS, worldOf } from '../../../src/lab/worlds/index.ts';
import { handWorld } from './hand-world.ts';

const hand = handWorld();
const family = (change: Partial<SimulatorFamily> = {}): SimulatorFamily => ({
  id: 'a-family',
  kappa: 0.3,
  gamma: 4,
  lean: 0.5,
  ...change,
});
const total = (values: Iterable<number>) => [...values].reduce((sum, x) => sum + x, 0);

function outcome(run: () => Float64Array): Float64Array | CollapseAwareError {
  try {
    return run();
  } catch (error) {
    if (error instanceof CollapseAwareError) return error;
    throw error;
  }
}

describe('shares of a family that leans on agreeableness alone', () => {
  // Agreeableness of the three kinds is 0.2, 0.5, 0.8: standardised -g, 0, g.
  const g = 0.3 / Math.sqrt(0.06);

  it.each([
    [0, [0.5, 0.3, 0.2]],
    [
      0.2,
      [
        0.3,
        0.3 + (0.2 * 0.3) / (0.3 + 0.2 * Math.exp(g)),
        0.2 + (0.2 * 0.2 * Math.exp(g)) / (0.3 + 0.2 * Math.exp(g)),
      ],
    ],
    [0.6, [0, 0.2, 0.8]],
    [0.8, [0, 0, 1]],
  ])('take %d from the least agreeable first and give it to those untouched', (kappa, expected) => {
    const shares = familyShares(hand, family({ kappa, lean: 1 }));
    expected.forEach((share, z) => {
      expect(shares[z]).toBeCloseTo(share, 12);
    });
  });

  it('take from kinds that are liked alike in the order of the world', () => {
    const alike = { ...hand, agreeableness: () => 0.5 };
    const shares = familyShares(alike, family({ lean: 1 }));
    // What is taken goes to the two untouched in proportion to their shares, 3 to 2.
    [0.2, 0.48, 0.32].forEach((share, z) => {
      expect(shares[z]).toBeCloseTo(share, 12);
    });
  });

  it('do not depend on the name', () => {
    expect(familyShares(hand, family({ id: 'x', lean: 1 }))).toEqual(familyShares(hand, family({ lean: 1 })));
  });

  it('are refused where nobody is left untouched', () => {
    expect(() => familyShares(hand, family({ kappa: 0.85, lean: 1 }))).toThrow(
      expect.objectContaining({
        code: 'CA_CONFIG_INVALID',
        message: expect.stringContaining('kappa 0.85 leaves no kind of people'),
        todo: 'Give a smaller kappa.',
      }),
    );
  });
});

describe.each(WORLD_IDS)('shares of a family in %s', (id) => {
  const world = worldOf(id);

  it('are at a total variation of kappa exactly from those of people', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 0.9, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.string({ minLength: 1, maxLength: 8 }),
        (kappa, lean, name) => {
          const shares = outcome(() => familyShares(world, family({ id: name, kappa, lean })));
          if (shares instanceof CollapseAwareError) {
            expect(shares.code).toBe('CA_CONFIG_INVALID');
            return;
          }
          expect(Math.min(...shares)).toBeGreaterThanOrEqual(0);
          expect(total(shares)).toBeCloseTo(1, 11);
          const apart = total(world.types.map(({ share }, z) => Math.abs(share - shares[z]!))) / 2;
          expect(Math.abs(apart - kappa)).toBeLessThan(1e-11);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('exist for every family of the default panels, each its own', () => {
    const families = Object.values(DEFAULT_FAMILIES).flat();
    const texts = families.map((one) => familyShares(world, one).join());
    expect(new Set(texts).size).toBe(families.length);
    families.forEach((one, i) => {
      expect(familyShares(world, one).join()).toBe(texts[i]);
    });
  });

  it('lean to the agreeable, the more the larger the lean', () => {
    const mean = (shares: ArrayLike<number>) =>
      total(world.types.map(({ traits }, z) => shares[z]! * world.agreeableness(traits)));
    const people = mean(world.types.map(({ share }) => share));
    const leaning = mean(familyShares(world, family({ lean: 1 })));
    expect(leaning).toBeGreaterThan(people);
    const names = Array.from({ length: 20 }, (_, i) => `taste-${i}`);
    for (const lean of [0, 0.5])
      for (const name of names)
        expect(mean(familyShares(world, family({ id: name, lean })))).toBeLessThan(leaning);
  });

  it('turn on neither exponent', () => {
    const plain = familyShares(world, family());
    expect(familyShares(world, family({ gamma: 1, kindGamma: 9 }))).toEqual(plain);
  });
});
