import { describe, expect, test } from 'vitest';
import { renderCard } from '../../src/report/index.ts';
import { samplePage } from './page-fixture.ts';
import { hostilePage, nullPage } from './page-variants.ts';

describe('the data set card', () => {
  test('is the same bytes for the same report', () => {
    const [a, b] = [renderCard(samplePage().report), renderCard(samplePage().report)];
    expect(a.markdown).toBe(b.markdown);
    expect(JSON.stringify(a.json)).toBe(JSON.stringify(b.json));
  });

  test('names the space, seed, version, counts and confounds', () => {
    const { markdown, json } = renderCard(samplePage().report);
    for (const part of [
      'sp-7c1f93e2ab40',
      'seed 7',
      'collapse-aware 0.1.0',
      '2248 of 2312 rows',
      'one-policy:',
      '[0.41, 0.53]',
    ])
      expect(markdown).toContain(part);
    expect(json).toMatchObject({
      schema: 'collapse-aware/card@1',
      space: { seed: 7 },
      input: { kept: 2248 },
    });
  });

  test('counts of people those that were measured', () => {
    const { report } = samplePage();
    const { n } = report.reference!.mci;
    expect(renderCard(report).markdown).toContain(`| people (fresh) | ${n} |`);
  });

  test('names no file', () => {
    const { markdown, json } = renderCard(samplePage().report);
    expect(markdown + JSON.stringify(json)).not.toContain('rollouts/');
  });

  test('says why a figure is missing', () => {
    expect(renderCard(nullPage().report).markdown).toContain('not measured: one episode');
  });

  test('keeps hostile names inside their table cell', () => {
    const { markdown } = renderCard(hostilePage().report);
    expect(markdown).not.toMatch(/<(script|img|style|base|!--)/);
    const rows = markdown.split('\n').filter((line) => line.endsWith('narrow |'));
    for (const row of rows) expect(row.replaceAll('\\|', '').split('|')).toHaveLength(10);
  });
});
