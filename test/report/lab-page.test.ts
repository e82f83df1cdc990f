import { describe, expect, test } from 'vitest';
import { METHODS } from '../../src/lab/methods/index.ts';
import { DEFAULT_PANELS } from '../../src/lab/stage-zero/panels.ts';
import { GUESSED, PUBLISHED } from '../../src/lab/stage-zero/published.ts';
import { studyOf } from '../../src/lab/stage-zero/study.ts';
import { type Table, tableOf } from '../../src/lab/stage-zero/table.ts';
import { tablePlan } from '../../src/lab/stage-zero/table-plan.ts';
import { trainingSettings } from '../../src/lab/trainer/index.ts';
import { type LabPage, renderLab } from '../../src/report/index.ts';
import type { LabDifference, LabMethod, LabTable } from '../../src/report/lab-payload.ts';
import { labHeadline, standingOf, standingText } from '../../src/report/lab-standing.ts';
import { differenceText, judgementOf, seedsText } from '../../web/src/sections/lab-figure-text.ts';
import { HOSTILE } from './dialogues.ts';
import { type LabOptions, sampleLab } from './lab-fixture.ts';

const TEMPLATE = [
  '<title>__COLLAPSE_AWARE_TITLE__</title>',
  '<noscript><pre>__COLLAPSE_AWARE_PLAIN__</pre></noscript>',
  '<script type="application/json" id="data">"__COLLAPSE_AWARE_DATA__"</script>',
].join('\n');
const VARIANTS: readonly (readonly [string, LabOptions])[] = [
  ['three worlds, all methods', { worlds: ['persuasion-10', 'service-30', 'pair-coding-50'] }],
  ['two methods, two seeds', { methods: 2, seeds: 2 }],
  ['no run made', { hollow: true }],
  ['nothing to compare with', { alone: true }],
  ['hostile text', { texts: HOSTILE }],
];

function dataOf(html: string): { readonly kind: string; readonly page: LabPage } {
  const [, json] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(json ?? 'null');
}

/** The table with one method's held-out figure and difference changed. */
function changed(
  table: LabTable,
  method: string,
  heldOut: number | null,
  difference: Partial<LabDifference> = {},
): LabTable {
  const change = (one: LabMethod): LabMethod =>
    one.method !== method
      ? one
      : {
          ...one,
          figures: { ...one.figures, heldOut: { ...one.figures.heldOut!, value: heldOut } },
          differences:
            one.differences.heldOut === undefined
              ? one.differences
              : { ...one.differences, heldOut: { ...one.differences.heldOut, ...difference } },
        };
  return {
    ...table,
    worlds: table.worlds.map((world) => ({ ...world, methods: world.methods.map(change) })),
  };
}

const sentence = (table: LabTable) => standingText(standingOf(table, table.worlds[0]!), table.comparison);

describe.each(VARIANTS)('the page of a table of the lab, %s', (_, options) => {
  test('carries the table as it was given, inert, and equal tables give equal bytes', () => {
    const page = sampleLab(options);
    const html = renderLab(page, 'plain <text>', TEMPLATE);
    const { kind, page: carried } = dataOf(html);
    expect(kind).toBe('lab');
    const bare = ({ table, ...rest }: LabPage) => ({
      ...rest,
      table: {
        ...table,
        worlds: table.worlds.map((world) => ({
          ...world,
          methods: world.methods.map((method) => ({ ...method, curves: null })),
        })),
      },
    });
    expect(bare(carried)).toEqual(JSON.parse(JSON.stringify(bare(page))));
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toMatch(/<!--|<img|<style|<base|[\u2028\u2029]/);
    expect(html).toContain('plain &lt;text&gt;');
    expect(renderLab(sampleLab(options), 'plain <text>', TEMPLATE)).toBe(html);
  });
});

test('curves keep steps, seeds and gaps, and four digits of the rest', () => {
  const page = sampleLab({ methods: 1 });
  const world = page.table.worlds[0]!;
  const point = { step: 5, value: 0.123456, low: null, high: 123.456, n: 7 };
  const curves = { ...world.methods[0]!.curves, entropy: [point, { ...point, value: null }] };
  const table = { ...page.table, worlds: [{ ...world, methods: [{ ...world.methods[0]!, curves }] }] };
  const carried = dataOf(renderLab({ ...page, table }, '', TEMPLATE)).page.table.worlds[0]!.methods[0]!;
  expect(carried.curves.entropy).toEqual([
    { step: 5, value: 0.1235, low: null, high: 123.5, n: 7 },
    { step: 5, value: null, low: null, high: 123.5, n: 7 },
  ]);
  expect(carried.curves.trainReward).toHaveLength(50);
});

test('takes the table of the lab as it is', () => {
  const plan = tablePlan({ worlds: ['persuasion', 'service'], seeds: [1, 2, 3] });
  const table: Table = tableOf(studyOf(trainingSettings(), DEFAULT_PANELS), plan, []);
  const page: LabPage = { title: 'x', command: 'y', table, published: PUBLISHED, guessed: GUESSED };
  const carried = dataOf(renderLab(page, '', TEMPLATE)).page.table;
  expect(carried.worlds.map(({ methods }) => methods.length)).toEqual([METHODS.length, METHODS.length]);
  expect(carried.study.settings).toEqual(table.study.settings);
  expect(labHeadline(table)).toBe('None of 2 worlds has a held-out success yet.');
});

describe('the sentence of a world', () => {
  const { table } = sampleLab({ methods: 3 });

  test('says that the leader is apart only by its adjusted p', () => {
    const led = (pHolm: number | null) => sentence(changed(table, 'single', 0.9, { p: 0.01, pHolm }));
    expect(led(0.049)).toBe(
      'persuasion-10: One frozen simulator has the highest held-out success, apart from Population Co-Training (K = 5).',
    );
    expect(led(0.05)).toMatch(/success, but is not told apart from Population Co-Training \(K = 5\)\.$/);
    expect(led(null)).toMatch(/cannot be said \(/);
  });

  test('says how many others are apart where the leader is what they are held against', () => {
    expect(sentence(table)).toMatch(
      /^persuasion-10: Population Co-Training \(K = 5\) has .*; 2 of 2 others are told apart from it\.$/,
    );
  });

  test('gives the reason where nothing can be told, and never a winner without a value', () => {
    expect(sentence(sampleLab({ methods: 2, seeds: 2 }).table)).toMatch(
      /cannot be said \(fewer than 3 seeds\)\.$/,
    );
    expect(sentence(sampleLab({ hollow: true }).table)).toBe(
      'persuasion-10: no method has a held-out success yet.',
    );
    expect(sentence(sampleLab({ alone: true, methods: 3 }).table)).toMatch(
      /population-co-training-5, to be compared with, is not in the table\.$/,
    );
    expect(sentence(changed(table, table.comparison, null))).toMatch(
      /^persuasion-10: One frozen simulator has/,
    );
  });

  test('counts the worlds in which the leader is told apart', () => {
    const three = sampleLab({ worlds: ['persuasion-10', 'service-30', 'pair-coding-50'] }).table;
    const led = changed(three, 'base', 0.99, { pHolm: 0.001 });
    expect(labHeadline(led)).toBe(
      'Highest held-out success: Base (persuasion-10, service-30 and pair-coding-50). The leader is told apart from Population Co-Training (K = 5) in 3 of 3 worlds.',
    );
    expect(labHeadline(changed(three, three.comparison, 0.99))).toBe(
      'Highest held-out success: Population Co-Training (K = 5) (persuasion-10, service-30 and pair-coding-50).',
    );
  });
});

describe('the words of the page', () => {
  const difference = (value: number | null, pHolm: number | null): LabDifference => ({
    value,
    low: null,
    high: null,
    n: 5,
    method: 'paired-t-seed(n=5)',
    p: pHolm,
    pHolm,
    ...(value === null ? { reason: 'no seed has both' } : {}),
  });

  test('judge a difference by the way that is better, if one is', () => {
    expect(judgementOf(difference(0.1, 0.01), 'more')).toBe('better');
    expect(judgementOf(difference(0.1, 0.01), 'less')).toBe('worse');
    expect(judgementOf(difference(-0.1, 0.01), null)).toBe('lower');
    expect(judgementOf(difference(0.1, 0.2), 'more')).toBe('not told apart');
    expect(judgementOf(difference(0.1, null), 'more')).toBe('no interval');
    expect(differenceText(difference(null, null))).toBe('no seed has both');
  });

  test('write seeds as stretches', () => {
    expect(seedsText([3, 1, 2, 7, 9, 10])).toBe('1\u20133, 7, 9, 10');
    expect(seedsText([])).toBe('');
  });
});
