import { describe, expect, it } from 'vitest';
import { studentTQuantile } from '../../src/math/distributions.ts';
import { seeded } from '../../src/math/random.ts';
import { bound, holmFamily, jackknifePlan, meanFigure, pValue } from '../../src/metrics/interval.ts';
import { modeConcentration } from '../../src/metrics/mci.ts';
import { tally } from './tallies.ts';

const mean = (values: readonly number[]) => meanFigure(values, { n: values.length, undefinedReason: 'none' });

describe('plan of what is left out', () => {
  it('puts samples that share units into one component', () => {
    const plan = jackknifePlan([{ units: [0, 1, 2] }, { units: [5, 6] }, { units: [2, 3] }]);
    expect(plan.componentOf[0]).toBe(plan.componentOf[2]);
    expect(plan.componentOf[1]).not.toBe(plan.componentOf[0]);
    const first = plan.components[plan.componentOf[0]!]!;
    expect(first).toMatchObject({ units: 4, groups: 4, leastUnits: 2, leastGroups: 2 });
    expect(first.groupOf[5]).toBe(-1);
  });

  it('makes at most 50 groups of nearly equal size', () => {
    const { groupOf, groups } = jackknifePlan([{ units: Array.from({ length: 120 }, (_, i) => 2 * i) }])
      .components[0]!;
    const sizes = new Array(groups).fill(0);
    for (const group of groupOf) if (group >= 0) sizes[group] += 1;
    expect(groups).toBe(50);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
  });
});

describe('figures of a mean', () => {
  const values = Array.from({ length: 10 }, (_, i) => i);

  it('carry the interval of Student and the smallest change they could show', () => {
    const figure = mean(values);
    const se = Math.sqrt(82.5 / 9 / 10);
    expect(figure.se).toBeCloseTo(se, 12);
    expect(figure.low).toBeCloseTo(4.5 - studentTQuantile(0.975, 9) * se, 9);
    expect(figure.detectable).toBeCloseTo((studentTQuantile(0.975, 9) + studentTQuantile(0.8, 9)) * se, 9);
  });

  it('keep their value without an interval below eight units, and are null for none', () => {
    expect(mean([1, 2, 3])).toMatchObject({
      value: 2,
      low: null,
      high: null,
      reason: 'fewer than 8 contexts',
    });
    expect(mean([])).toMatchObject({ value: null, reason: 'none' });
  });

  it('give bounds and p-values that agree with the interval', () => {
    const figure = mean(values);
    expect(bound(figure, 'lower', 0.975)).toBeCloseTo(figure.low!, 9);
    expect(bound(figure, 'upper', 0.975)).toBeCloseTo(figure.high!, 9);
    expect(pValue(figure, figure.low!)).toBeCloseTo(0.05, 9);
    expect(pValue(figure, figure.low!, 'greater')).toBeCloseTo(0.025, 9);
    expect(pValue(figure, 4.5)).toBeCloseTo(1, 9);
    expect(pValue(mean([1, 1]), 0)).toBeNull();
    expect(bound(mean([1, 1]), 'lower', 0.95)).toBeNull();
  });

  it('agree on the log scale too', () => {
    const random = seeded('log');
    const figure = modeConcentration(
      tally(
        4,
        Array.from({ length: 20 }, () => [random.integer(4), random.integer(2)]),
      ),
    );
    expect(figure.scale).toBe('log');
    expect(figure.low! * figure.high!).toBeCloseTo(figure.value! ** 2, 9);
    expect(bound(figure, 'lower', 0.975)).toBeCloseTo(figure.low!, 9);
    expect(pValue(figure, figure.high!)).toBeCloseTo(0.05, 9);
  });

  it('treat a figure without any spread as certain', () => {
    const sure = mean(new Array(9).fill(2));
    expect(pValue(sure, 2)).toBe(1);
    expect(pValue(sure, 1)).toBe(0);
    expect(pValue(sure, 1, 'less')).toBe(1);
  });

  it('adjust a family by Holm and leave out those without an interval', () => {
    const family = [mean(values), mean([1, 2]), mean(values.map((x) => x - 4))];
    const [first, second, third] = holmFamily(family);
    expect(second).toBeNull();
    expect(first).toBeCloseTo(2 * pValue(family[0]!)!, 12);
    expect(third).toBeCloseTo(Math.max(first!, pValue(family[2]!)!), 12);
  });
});
