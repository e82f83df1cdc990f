import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { comparedFigures } from '../../src/audit/index.ts';
import { type Figure, missing, point } from '../../src/metrics/figure.ts';
import { figureDifference } from '../../src/metrics/index.ts';
import { compareReports, comparisonSummary, renderComparison } from '../../src/report/index.ts';
import { measured, samplePage } from './page-fixture.ts';
import { hostilePage, nullPage } from './page-variants.ts';

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

  test('takes standard errors where both sides have them, and their degrees of freedom', () => {
    const of = (value: number, se: number, df: number) => measured(value, 2 * se, 90, { se, df });
    const figure = difference(of(0.4, 0.03, 49), of(0.7, 0.04, 49));
    expect(figure.se).toBeCloseTo(0.05, 12);
    expect(figure.df).toBeGreaterThan(49);
    expect(figure.df).toBeLessThan(98);
    expect(figure.detectable).toBeGreaterThan(0.13);
    expect(figure.method).toBe('difference, variances add');
    expect(difference(of(0.4, 0, 49), of(0.4, 0, 49))).toMatchObject({ value: 0, low: 0, high: 0 });
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

  test('puts differences into words by Holm over the family, and says so in one sentence', () => {
    const a = samplePage().report;
    const b = { ...a, scd: { ...a.scd, pooled2: measured(0.2, 0.05, 900) } };
    const comparison = compareReports(a, b, { a: 'before', b: 'after' });
    expect(comparison.scd.pooled2).toMatchObject({ change: 'lower', better: 'lower' });
    expect(comparison.scd.pooled.change).toBe('no difference shown');
    expect(comparison.scd.conditional).toMatchObject({ change: 'not tested', holm: null });
    expect(comparison.headline).toMatch(/^after differs from before: SCD2 lower \(better\); no difference/);
    const family = comparedFigures(comparison).filter(({ holm }) => holm !== null);
    expect(family.length).toBeGreaterThan(4);
  });

  test('does not subtract coverage stated at two sizes, nor spreads over two pools', () => {
    const a = samplePage().report;
    const b = { ...a, bdi: { ...a.bdi, g0: 20 } };
    expect(compareReports(a, b).bdi.headline.difference.reason).toContain('g0 50 and 20');
    const alone = samplePage({ people: false }).report;
    const { simulators } = compareReports(alone, alone);
    expect(simulators[0]!.spread.difference.reason).toContain('two different pools');
    expect(simulators[0]!.mci.difference.value).toBe(0);
  });

  test('is printable ASCII of at most 100 columns, whatever the labels and names', () => {
    const { report } = hostilePage();
    const labels = { a: '\u001b[31mred\u202e', b: 'x'.repeat(300) };
    for (const comparison of [
      compareReports(report, report, labels),
      compareReports(samplePage().report, samplePage({ names: ['new'] }).report, labels),
    ])
      for (const line of comparisonSummary(comparison).split('\n')) {
        expect(line).toMatch(/^[\x20-\x7e]*$/);
        expect(line.length).toBeLessThanOrEqual(100);
      }
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
