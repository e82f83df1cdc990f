import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seeded } from '../../src/math/random.ts';
import { historyErrors, lawErrors, memberPosterior, turnCollapse } from '../../src/metrics/epsilon.ts';
import { pick } from './simulated-population.ts';

/** Leave-one-out by its definition. */
function byDefinition(classes: readonly number[]): number {
  const counts = (left: readonly number[]) => {
    const map = new Map<number, number>();
    for (const c of left) map.set(c, (map.get(c) ?? 0) + 1);
    return map;
  };
  const hits = classes.map((own, r) => {
    const others = counts(classes.filter((_, other) => other !== r));
    const top = Math.max(...others.values());
    const leaders = [...others].filter(([, count]) => count === top).map(([c]) => c);
    return leaders.includes(own) ? 1 / leaders.length : 0;
  });
  return 1 - hits.reduce((sum, hit) => sum + hit, 0) / classes.length;
}

describe('collapse error at one history', () => {
  it('follows its definition, whatever the labels and the order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 2, maxLength: 10 }), (classes) => {
        const errors = historyErrors(classes);
        expect(errors.leaveOneOut).toBeCloseTo(byDefinition(classes), 12);
        let differ = 0;
        for (const [i, a] of classes.entries())
          for (const [j, b] of classes.entries()) if (i !== j && a !== b) differ += 1;
        expect(errors.disagreement).toBeCloseTo(differ / (classes.length * (classes.length - 1)), 12);
        expect(errors.plugIn).toBeLessThanOrEqual(errors.leaveOneOut + 1e-12);
        const other = historyErrors([...classes].reverse().map((c) => 7 - 2 * c));
        expect(other.leaveOneOut).toBeCloseTo(errors.leaveOneOut, 12);
      }),
    );
  });

  it('brackets the truth in the mean, and disagreement is unbiased', () => {
    const random = seeded('epsilon');
    const law = [0.55, 0.25, 0.15, 0.05];
    const truth = lawErrors(law);
    const sums = { disagreement: 0, plugIn: 0, leaveOneOut: 0 };
    const runs = 20_000;
    for (let run = 0; run < runs; run++) {
      const errors = historyErrors(Array.from({ length: 8 }, () => pick(law, random)));
      for (const key of Object.keys(sums) as (keyof typeof sums)[]) sums[key] += errors[key] / runs;
    }
    expect(sums.disagreement).toBeCloseTo(truth.disagreement, 2);
    expect(sums.plugIn).toBeLessThan(truth.epsilon);
    expect(sums.leaveOneOut).toBeGreaterThan(truth.epsilon);
    expect(1 - Math.sqrt(1 - truth.disagreement)).toBeLessThanOrEqual(truth.epsilon);
    expect(truth.epsilon).toBeLessThanOrEqual(truth.disagreement);
  });
});

describe('mean collapse error', () => {
  it('weighs a turn by one over its probing probability', () => {
    const errors = turnCollapse(
      [
        { unit: 0, classes: [0, 0, 0, 0, 0, 0], probability: 1 },
        { unit: 1, classes: [0, 1, 2, 3, 4, 5], probability: 0.25 },
      ],
      'member',
    );
    expect(errors.disagreement.value).toBeCloseTo(0.8, 12);
    expect(errors.bounds.high.value).toBeCloseTo(0.8, 12);
    expect(errors.bounds.low.value).toBeCloseTo(1 - Math.sqrt(0.2), 12);
    expect(errors.disagreement).toMatchObject({ low: null, reason: 'fewer than 8 contexts' });
  });

  it('gives bounds only below six resamples, and forgives a few lost replies', () => {
    const at = (unit: number, m: number) => ({
      unit,
      classes: Array.from({ length: m }, (_, r) => r % 2),
      probability: 1,
    });
    const short = turnCollapse(
      Array.from({ length: 20 }, (_, unit) => at(unit, 4)),
      'member',
    );
    expect(short.epsilon.value).toBeNull();
    expect(short.epsilon.reason).toMatch(/bounds only/);
    expect(short.bounds.low.value).not.toBeNull();
    const lost = turnCollapse(
      Array.from({ length: 20 }, (_, unit) => at(unit, unit === 0 ? 5 : 8)),
      'member',
    );
    expect(lost.epsilon.n).toBe(19 * 8);
    expect(lost.histories).toBe(20);
  });

  it('is approximate where few contexts carry the errors, however many there are', () => {
    const at = (disagreeing: number) =>
      turnCollapse(
        Array.from({ length: 60 }, (_, unit) => ({
          unit,
          classes: [0, 0, 0, 0, 0, 0, 0, unit < disagreeing ? 1 : 0],
          probability: 1,
        })),
        'member',
      );
    expect(at(19).disagreement.approximate).toBe(true);
    expect(at(19).epsilon.approximate).toBe(true);
    expect(at(20).disagreement.approximate).toBeUndefined();
    expect(at(20).epsilon.approximate).toBeUndefined();
    const oneHeavy = Array.from({ length: 60 }, (_, unit) => ({
      unit,
      classes: [0, 0, 0, 0, 0, 0, 0, unit < 30 ? 1 : 0],
      probability: unit === 0 ? 0.1 : 1,
    }));
    expect(turnCollapse(oneHeavy, 'member').disagreement.approximate).toBe(true);
  });

  it('is null without a history of two resamples and rejects impossible probabilities', () => {
    expect(turnCollapse([{ unit: 0, classes: [1], probability: 1 }], 'member').disagreement.value).toBeNull();
    expect(() => turnCollapse([{ unit: 0, classes: [1, 1], probability: 0 }], 'member')).toThrow(RangeError);
  });
});

describe('posterior of members', () => {
  it('weighs members by what they could have said', () => {
    expect(
      memberPosterior(
        [0.5, 0.5],
        [
          [0.2, 0.5],
          [0.1, 0.5],
        ],
      ),
    ).toEqual([expect.closeTo(2 / 3, 12), expect.closeTo(1 / 3, 12)]);
    expect(memberPosterior([0.5, 0.5], [[0], [0]])).toBeNull();
  });
});
