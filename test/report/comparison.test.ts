import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Figure, missing, point } from '../../src/metrics/figure.ts';
import { figureDifference } from '../../src/metrics/index.ts';
import { compareReports, renderComparison } from '../../src/report/index.ts';
import { measured, samplePage } from './page-fixture.ts';
import { nullPage } from './page-variants.ts';

/** B - A. */
const difference = (a: Figure, b: Figure) => figureDifference(b, a);

describe('the difference of two figures', () => {
  test('adds variances: half widths 3 and 4 make 5', () => {
    expect(difference(measured(10, 3, 50), measured(20, 4, 80))).toMatchObject({
      value: 10,
      low: 5,
      high: 15,
      n: 50,
      approximate: true,
    });
  });

  test('turns its sign when the sides change places', () => {
    const figures = fc
      .tuple(fc.double({ min: -9, max: 9, noNaN: true }), fc.double({ min: 0, max: 5, noNaN: true }))
      .map(([value, half]) => measured(value, half, 10));
    fc.assert(
      fc.property(figures, figures, (a, b) => {
        const [forth, back] = [difference(a, b), difference(b, a)];
        expect(forth.value).toBeCloseTo(-(back.value ?? 0), 9);
        expect(forth.low).toBeCloseTo(-(back.high ?? 0), 9);
      }),
    );
  });

  test('is missing, with the reason, where one side is', () => {
    expect(difference(missing('no people'), point(1, 5))).toMatchObject({ value: null, reason: 'no people' });
  });

  test('has no interval where a side has none', () => {
    expect(difference(point(1, 5), point(3, 5))).toMatchObject({ value: 2, low: null, high: null });
  });
});

describe('a comparison', () => {
  test('refuses numbers of two spaces', () => {
    const a = samplePage().report;
    const b = { ...a, space: { ...a.space, id: 'sp-other' } };
    expect(() => compareReports(a, b)).toThrow(expect.objectContaining({ code: 'CA_SPACE_MISMATCH' }));
  });

  test('refuses two ways to compare rows in one space', () => {
    const a = samplePage().report;
    const b = { ...a, space: { ...a.space, control: 'none' as const } };
    expect(() => compareReports(a, b)).toThrow(expect.objectContaining({ code: 'CA_SPACE_MISMATCH' }));
  });

  test('lists simulators of either side and says which side lacks one', () => {
    const a = samplePage({ names: ['one', 'two'] }).report;
    const b = samplePage({ names: ['two', 'three'] }).report;
    const { simulators } = compareReports(a, b, { a: 'before', b: 'after' });
    expect(simulators.map(({ id }) => id)).toEqual(['one', 'three', 'two']);
    expect(simulators[0]?.mci.difference).toMatchObject({ value: null, reason: 'not in after' });
  });

  test('renders where nothing was measured', () => {
    const { report } = nullPage();
    const html = renderComparison(
      compareReports(report, report),
      { created: 'now' },
      '__COLLAPSE_AWARE_TITLE____COLLAPSE_AWARE_PLAIN__"__COLLAPSE_AWARE_DATA__"',
    );
    expect(html).toContain('nothing was measured');
  });
});
