import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CollapseAwareError } from '../../src/errors.ts';
import { compareReports, comparisonSummary, decodeReport, renderComparison } from '../../src/report/index.ts';
import { samplePage } from './page-fixture.ts';
import { hostilePage, nullPage } from './page-variants.ts';

const { report } = samplePage();
const template = '<title>__COLLAPSE_AWARE_TITLE__</title>__COLLAPSE_AWARE_PLAIN__"__COLLAPSE_AWARE_DATA__"';

/** Paths of every value in a report, lists by their first elements. */
function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (value === null || typeof value !== 'object') return [path];
  return [
    path,
    ...Object.entries(value)
      .slice(0, 12)
      .flatMap(([key, one]) => pathsOf(one, [...path, key])),
  ];
}

const paths = pathsOf(report).filter((path) => path.length > 0);

function edited(path: readonly string[], value: unknown): string {
  const copy = structuredClone(report) as unknown as Record<string, unknown>;
  let at = copy;
  for (const key of path.slice(0, -1)) at = at[key] as Record<string, unknown>;
  if (value === undefined) delete at[path.at(-1)!];
  else at[path.at(-1)!] = value;
  return JSON.stringify(copy);
}

describe('a report that was changed by hand', () => {
  test('is read as it was written, whatever its texts and nulls', () => {
    for (const page of [samplePage(), hostilePage(), nullPage()])
      expect(decodeReport(JSON.stringify(page.report))).toEqual(JSON.parse(JSON.stringify(page.report)));
  });

  test('is compared, or refused with a code: nothing else is thrown', () => {
    const values = fc.constantFrom(undefined, null, 'x', -1, 1e300, true, [], {}, [null], [[]]);
    fc.assert(
      fc.property(fc.constantFrom(...paths), values, (path, value) => {
        try {
          const comparison = compareReports(report, decodeReport(edited(path, value)));
          comparisonSummary(comparison);
          renderComparison(comparison, { created: '' }, template);
          // JSON turns what is no number into null.
          expect(JSON.parse(JSON.stringify(comparison))).toEqual(comparison);
        } catch (error) {
          if (!(error instanceof CollapseAwareError)) throw error;
          expect(error.code).toMatch(/^CA_(FORMAT_INVALID|SPACE_MISMATCH)$/);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('is refused where an interval does not hold its value, or a null has no reason', () => {
    for (const figure of [
      { value: 0.5, low: 0.6, high: 0.7, n: 5, method: 'x' },
      { value: null, low: null, high: null, n: 5, method: 'x' },
    ])
      expect(() => decodeReport(edited(['scd', 'pooled2'], figure))).toThrow(
        expect.objectContaining({ code: 'CA_FORMAT_INVALID' }),
      );
  });
});
