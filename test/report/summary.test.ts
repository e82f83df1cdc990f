import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AuditPage } from '../../src/audit/report-data.ts';
import { compareReports, comparisonSummary, terminalSummary } from '../../src/report/index.ts';
import { samplePage } from './page-fixture.ts';
import { hostilePage, largePage, nullPage } from './page-variants.ts';

const PAGES: Record<string, () => AuditPage> = {
  'people and seven simulators': () => samplePage(),
  'no reference': () => samplePage({ people: false }),
  'one trajectory': nullPage,
  'hostile text': hostilePage,
  'thirty simulators': largePage,
};

describe.each(Object.entries(PAGES))('the terminal summary of %s', (_, page) => {
  const text = terminalSummary(page().report);
  test('is printable ASCII of at most 100 columns and 24 lines', () => {
    const lines = text.split('\n');
    expect(lines.length).toBeLessThanOrEqual(24);
    for (const line of lines) expect(line).toMatch(/^[\x20-\x7e]{0,100}$/);
  });
  test('begins with the verdict and names confounds', () => {
    expect(text.split('\n')[0]?.length).toBeGreaterThan(20);
    expect(text).toMatch(/^Confounds /m);
  });
});

test('a simulator stands with MCI, interval, spread, BDI, outside and verdict on one line', () => {
  const line = terminalSummary(samplePage().report)
    .split('\n')
    .find((candidate) => candidate.startsWith('gpt-4.1-mini'));
  expect(line).toMatch(/0\.\d\d \[0\.\d\d, 0\.\d\d\] +0\.18 \[0\.11, 0\.25\] +0\.25 +42% +narrow$/);
});

test('a confound longer than a line goes on below it where there is room', () => {
  const { report } = samplePage({ names: ['a', 'b'], points: 1 });
  const text = `compared by how users interact ${'and not by wording '.repeat(5)}(people's support)`;
  const summary = terminalSummary({ ...report, confounds: [{ kind: 'style', simulator: null, text }] });
  const at = summary.split('\n').findIndex((line) => line.startsWith('Confounds'));
  const shown = summary.split('\n').slice(at, at + 2);
  expect(shown.map((line) => line.slice(10).trim()).join(' ')).toBe(text);
});

test('rows of saved profiles come from no file', () => {
  const { report } = samplePage();
  const summary = terminalSummary({ ...report, input: { ...report.input, files: [] } });
  expect(summary).toMatch(/^Read .* rows from saved profiles/m);
});

test('what was not measured shows its reason, never 0', () => {
  const text = terminalSummary(nullPage().report);
  expect(text).toContain('SCD2      not measured: one episode');
  expect(text).not.toMatch(/\b0\.00\b/);
});

test('no escape sequence of a name reaches the terminal', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const text = terminalSummary(samplePage({ names: [name, 'other'], points: 1 }).report);
      expect(text).toMatch(/^[\x20-\x7e\n]*$/);
    }),
    { numRuns: 50 },
  );
});

test('a comparison prints both sides and the difference', () => {
  const { report } = samplePage();
  const text = comparisonSummary(compareReports(report, report, { a: 'base', b: 'trained' }));
  expect(text).toContain('A  base');
  expect(text).toMatch(/^SCD2, collapse.* 0\.47 +0\.47 +0\.00 \[/m);
  for (const line of text.split('\n')) expect(line).toMatch(/^[\x20-\x7e]{0,100}$/);
});
