import { describe, expect, it } from 'vitest';
import { atLevel, checkOf, shareFigure } from '../../../src/lab/check/check-result.ts';
import { checkRuns, coverageCheck } from '../../../src/lab/check/repetitions.ts';
import { meanFigure } from '../../../src/metrics/index.ts';

const figure = (low: number | null, high: number | null) => ({
  value: 0.5,
  low,
  high,
  n: 10,
  method: 'by hand',
});
const check = (
  claim: 'equal' | 'at most' | 'at least' | 'none',
  exact: number | null,
  low: number | null,
  high: number | null,
) => checkOf({ id: 'x', statement: 'x', claim, exact, estimate: figure(low, high), note: '' }).verdict;

describe('verdict of a check', () => {
  it('is inside where the interval holds the exact value, up to rounding', () => {
    expect(check('equal', 0.5, 0.4, 0.6)).toBe('inside');
    expect(check('equal', 0.7, 0.4, 0.6)).toBe('outside');
    expect(check('equal', 0.3, 0.4, 0.6)).toBe('outside');
    expect(check('equal', 1, 1 - 1e-15, 1 - 1e-15)).toBe('inside');
  });

  it('looks at one side where one side was claimed', () => {
    expect(check('at most', 0.7, 0.4, 0.6)).toBe('inside');
    expect(check('at most', 0.3, 0.4, 0.6)).toBe('outside');
    expect(check('at least', 0.3, 0.4, 0.6)).toBe('inside');
    expect(check('at least', 0.7, 0.4, 0.6)).toBe('outside');
  });

  it('is outside without an interval, and only reported where nothing was claimed', () => {
    expect(check('equal', 0.5, null, null)).toBe('outside');
    expect(check('at most', 0.5, null, null)).toBe('outside');
    expect(check('none', null, 0.4, 0.6)).toBe('reported');
  });
});

describe('share with its interval', () => {
  it('agrees with Wilson at known counts', () => {
    const half = shareFigure(5, 10, 0.05);
    expect(half.low).toBeCloseTo(0.2366, 4);
    expect(half.high).toBeCloseTo(0.7634, 4);
    const none = shareFigure(0, 10, 0.05);
    expect(none.low).toBe(0);
    expect(none.high).toBeCloseTo(0.2775, 4);
    expect(shareFigure(10, 10, 0.05).high).toBe(1);
  });

  it('refuses counts that are none', () => {
    expect(() => shareFigure(1, 0, 0.05)).toThrow(RangeError);
    expect(() => shareFigure(3, 2, 0.05)).toThrow(RangeError);
  });
});

describe('interval at another level', () => {
  it('is the figure itself at 5 % and wider below', () => {
    const mean = meanFigure([1, 2, 3, 4, 5, 6, 7, 8, 9], { n: 9, undefinedReason: '' });
    expect(atLevel(mean, 0.05).low).toBeCloseTo(mean.low!, 12);
    expect(atLevel(mean, 0.05).high).toBeCloseTo(mean.high!, 12);
    expect(atLevel(mean, 0.001).low!).toBeLessThan(mean.low!);
    expect(atLevel(mean, 0.001).high!).toBeGreaterThan(mean.high!);
  });

  it('leaves a figure without an interval as it is', () => {
    expect(atLevel(figure(null, null), 0.001)).toEqual(figure(null, null));
  });
});

describe('coverage', () => {
  const intervals = (share: number, approximate = false) =>
    Array.from({ length: 1000 }, (_, i) => ({ low: i < 1000 * share ? 0 : 2, high: 3, approximate }));

  it('finds intervals that hold the truth too seldom', () => {
    expect(coverageCheck('c', 'x', intervals(0.95), 1, '').verdict).toBe('inside');
    expect(coverageCheck('c', 'x', intervals(0.85), 1, '').verdict).toBe('outside');
  });

  it('promises nothing where most intervals are marked approximate, and shows what they hold', () => {
    const all = coverageCheck('c', 'x', [...intervals(0.85, true), ...intervals(0.8).slice(0, 999)], 1, '');
    expect(all).toMatchObject({ verdict: 'reported', claim: 'none', estimate: { n: 1999 } });
    expect(all.note).toContain('1000 marked approximate');
    const some = coverageCheck('c', 'x', [...intervals(0.95, true).slice(0, 400), ...intervals(0.95)], 1, '');
    expect(some).toMatchObject({ claim: 'at least', estimate: { n: 1400 } });
  });

  it('counts a data set without an interval neither as a hit nor as a miss, and says so', () => {
    const none = { low: null, high: null };
    const check = coverageCheck('c', 'x', [{ low: 0, high: 2 }, none, { low: 0, high: 2 }, none], 1, '');
    expect(check.estimate).toMatchObject({ value: 1, n: 2 });
    expect(check.note).toContain('2 without an interval');
    expect(coverageCheck('c', 'x', [none], 1, '').estimate).toMatchObject({
      value: null,
      reason: 'no interval',
    });
  });
});

it('refuses so few runs that nothing is shown', () => {
  expect(() => checkRuns(19)).toThrow(RangeError);
  expect(() => checkRuns(50.5)).toThrow(RangeError);
  expect(() => checkRuns(20)).not.toThrow();
});
