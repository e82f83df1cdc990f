import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conditionalPoisson } from '../../src/curation/conditional-poisson.ts';
import { seeded, sum } from '../../src/math/index.ts';
import { subsets } from './selection-rows.ts';

const weights = (most: number) =>
  fc.array(fc.double({ min: -8, max: 8, noNaN: true }).map(Math.exp), { minLength: 1, maxLength: most });

/** pi and pi_ij from the definition: every subset of m with probability proportional to its product of weights. */
function enumerated(of: readonly number[], m: number): { pi: number[]; pairs: number[][] } {
  const pi = of.map(() => 0);
  const pairs = of.map(() => of.map(() => 0));
  let total = 0;
  for (const subset of subsets(of.length)) {
    if (subset.length !== m) continue;
    const mass = subset.reduce((product, i) => product * of[i]!, 1);
    total += mass;
    for (const i of subset) {
      pi[i]! += mass;
      for (const j of subset) pairs[i]![j]! += mass;
    }
  }
  return { pi: pi.map((x) => x / total), pairs: pairs.map((row) => row.map((x) => x / total)) };
}

const close = (found: number, wanted: number) =>
  expect(Math.abs(found - wanted)).toBeLessThanOrEqual(1e-11 * Math.abs(wanted));

describe('conditional Poisson sampling', () => {
  it('has the probabilities that enumerating all subsets gives, up to 12 units', () => {
    fc.assert(
      fc.property(weights(12), fc.double({ min: 0, max: 1, noNaN: true }), (of, at) => {
        const m = 1 + Math.floor(at * (of.length - 1));
        const design = conditionalPoisson(of, m);
        const { pi, pairs } = enumerated(of, m);
        of.forEach((_, i) => {
          close(design.pi[i]!, pi[i]!);
          design.joint(i).forEach((both, j) => {
            close(both, pairs[i]![j]!);
          });
        });
      }),
      { numRuns: 60 },
    );
  });

  it('adds up: sum pi_i = m, sum over j of pi_ij = (m - 1) pi_i, and pi_ij = pi_ji at most pi_i', () => {
    fc.assert(
      fc.property(weights(64), fc.double({ min: 0, max: 1, noNaN: true }), (of, at) => {
        const m = 1 + Math.floor(at * (of.length - 1));
        const design = conditionalPoisson(of, m);
        expect(sum(design.pi)).toBeCloseTo(m, 9);
        const joints = of.map((_, i) => design.joint(i));
        joints.forEach((both, i) => {
          expect(sum(both) - both[i]!).toBeCloseTo((m - 1) * design.pi[i]!, 9);
          both.forEach((chance, j) => {
            close(chance, joints[j]![i]!);
            expect(chance).toBeLessThanOrEqual(design.pi[i]!);
          });
        });
      }),
      { numRuns: 40 },
    );
  });

  it('with equal weights is simple random sampling: pi = m / n, pi_ij = m (m - 1) / n (n - 1)', () => {
    const design = conditionalPoisson(new Array(64).fill(0.3), 24);
    for (const chance of design.pi) expect(chance).toBeCloseTo(24 / 64, 13);
    expect(design.joint(5)[60]).toBeCloseTo((24 * 23) / (64 * 63), 13);
  });

  it('depends on ratios of weights alone', () => {
    const of = [0.25, 1, 4, 2, 0.5];
    const far = conditionalPoisson(
      of.map((w) => w * 1e290),
      2,
    );
    conditionalPoisson(of, 2).pi.forEach((chance, i) => {
      close(far.pi[i]!, chance);
    });
  });

  it.each([
    [[1e300, 1e-300, 1e-300, 1e-300], 2, [1, 1 / 3, 1 / 3, 1 / 3]],
    [[1e300, 1e300, 1e300, 1e-300], 2, [2 / 3, 2 / 3, 2 / 3, 0]],
    [[1e-300, 1e300], 1, [0, 1]],
    [[Number.POSITIVE_INFINITY, 1, 1], 2, [1, 0.5, 0.5]],
    [[Number.MIN_VALUE, Number.MAX_VALUE, 1], 2, [0, 1, 1]],
  ])('stays finite with weights %j, keeping %i', (of, m, wanted) => {
    const design = conditionalPoisson(of, m);
    wanted.forEach((chance, i) => {
      expect(design.pi[i]).toBeCloseTo(chance, 12);
      expect(design.joint(i).every((both) => both >= 0 && both <= 1)).toBe(true);
    });
    const random = seeded('extreme');
    for (let draw = 0; draw < 50; draw++) expect(sum(design.draw(random))).toBe(m);
  });

  it('stays finite over 64 weights from 1e-300 to 1e300', () => {
    const of = Array.from({ length: 64 }, (_, i) => 10 ** (-300 + (600 * i) / 63));
    for (const m of [1, 2, 31, 63]) {
      const design = conditionalPoisson(of, m);
      expect(sum(design.pi)).toBeCloseTo(m, 9);
      const heaviest = design.joint(63);
      expect(sum(heaviest) - heaviest[63]!).toBeCloseTo((m - 1) * design.pi[63]!, 9);
      expect(sum(design.draw(seeded(m)))).toBe(m);
    }
  });

  it('keeps all, with chance 1, where there are no more than are kept', () => {
    for (const m of [3, 4, 100]) {
      const design = conditionalPoisson([1, 5, 0.1], m);
      expect([...design.pi]).toEqual([1, 1, 1]);
      expect([...design.joint(1)]).toEqual([1, 1, 1]);
      expect([...design.draw(seeded(1))]).toEqual([1, 1, 1]);
    }
  });

  it('of one kept unit has no pairs', () => {
    expect([...conditionalPoisson([1, 2, 3], 1).joint(2)]).toEqual([0, 0, 0.5]);
  });

  it('draws exactly m, as often as pi and pi_ij say', () => {
    const of = [0.25, 4, 1, 1, 2, 0.5, 3];
    const design = conditionalPoisson(of, 3);
    const random = seeded('draws');
    const draws = 60_000;
    const both = of.map(() => of.map(() => 0));
    for (let draw = 0; draw < draws; draw++) {
      const kept = design.draw(random);
      expect(sum(kept)).toBe(3);
      for (let i = 0; i < 7; i++) for (let j = 0; j < 7; j++) both[i]![j]! += kept[i]! * kept[j]!;
    }
    // 28 frequencies, each within 4.5 standard errors.
    both.forEach((row, i) => {
      row.forEach((count, j) => {
        const chance = design.joint(i)[j]!;
        const error = Math.sqrt((chance * (1 - chance)) / draws);
        expect(Math.abs(count / draws - chance)).toBeLessThan(4.5 * error);
      });
    });
  });

  it('draws the same from the same seed', () => {
    const design = conditionalPoisson([1, 2, 3, 4, 5, 6], 3);
    expect(design.draw(seeded('x'))).toEqual(design.draw(seeded('x')));
  });

  it.each([
    [new Array(65).fill(1), 3, 'at most 64 units, got 65'],
    [[1, 0, 1], 2, 'weight of unit 1 must be above 0, got 0'],
    [[1, Number.NaN], 1, 'weight of unit 1 must be above 0, got NaN'],
    [[1, 1, 1], 0, 'units to keep must be a whole number of at least 1, got 0'],
    [[1, 1, 1], 1.5, 'got 1.5'],
    [[Number.POSITIVE_INFINITY, 1, 1], 1, '1 certain units leave none of 1 to draw'],
  ])('says what is wrong with %j, keeping %d', (of, m, message) => {
    expect(() => conditionalPoisson(of, m)).toThrow(RangeError);
    expect(() => conditionalPoisson(of, m)).toThrow(message);
  });
});
