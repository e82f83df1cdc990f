import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { CurationPage } from '../../src/curation/manifest.ts';
import { readRecipe } from '../../src/curation/read-recipe.ts';
import { curationSummary, renderCuration } from '../../src/report/index.ts';
import { recipeText, yamlText } from '../../web/src/recipe-text.ts';
import { type CurationOptions, sampleCuration } from './curation-fixture.ts';
import { HOSTILE } from './dialogues.ts';

const TEMPLATE = [
  '<title>__COLLAPSE_AWARE_TITLE__</title>',
  '<noscript><pre>__COLLAPSE_AWARE_PLAIN__</pre></noscript>',
  '<script type="application/json" id="data">"__COLLAPSE_AWARE_DATA__"</script>',
].join('\n');

const VARIANTS: readonly (readonly [string, CurationOptions])[] = [
  ['all stages', { judge: true, selection: true }],
  ['no people', { people: false }],
  ['no weights', { weights: false }],
  ['no batches', { batches: false }],
  ['limited by the data, 200 modes', { modes: 200, verdict: 'limited-by-data' }],
  ['nothing measured', { hollow: true, people: false, weights: false, batches: false }],
  ['hostile text', { texts: HOSTILE, judge: true, selection: true, verdict: 'limited-by-data' }],
];

function dataOf(html: string): unknown {
  const [, json] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(json ?? 'null');
}

describe.each(VARIANTS)('a curation, %s', (_, options) => {
  const page = sampleCuration(options);

  test('is carried by its page as it was given, inert', () => {
    const html = renderCuration(page, TEMPLATE);
    expect(dataOf(html)).toEqual(JSON.parse(JSON.stringify({ kind: 'curation', page })));
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toMatch(/<!--|<img|<style|<base|[\u2028\u2029]/);
    expect(renderCuration(sampleCuration(options), TEMPLATE)).toBe(html);
  });

  test('is summed up in printable ASCII of at most 100 columns and 40 lines', () => {
    const lines = curationSummary(page.manifest).split('\n');
    expect(lines.length).toBeLessThanOrEqual(40);
    for (const line of lines) expect(line).toMatch(/^[\x20-\x7e]{0,100}$/);
  });
});

describe('the summary of a curation', () => {
  const summary = (options: CurationOptions) => curationSummary(sampleCuration(options).manifest);

  test('says before, after, difference and whether that is better', () => {
    const text = summary({});
    expect(text).toMatch(
      /^SCD2 +0\.47 \[0\.42, 0\.52\] +0\.36 \[0\.3\d, 0\.4\d\] +-0\.11 \[-0\.15, -0\.07\] +better$/m,
    );
    expect(text).toMatch(/^BDI +0\.58 .* 0\.13 \[0\.09, 0\.17\] +better$/m);
    expect(text).toMatch(/^Realism .* none shown$/m);
    expect(text).toContain('both at g0 = 96');
  });

  test('counts a simulator error apart from what else was dropped, and policy failures as noted', () => {
    const text = summary({});
    expect(text).toMatch(
      /^Dropped {3}simulator 191 \(out-of-role 84, leaked-scenario 47, raw-json 31, 1 more\)$/m,
    );
    expect(text).toMatch(/^ {10}infrastructure 38 /m);
    expect(text).toMatch(/^Noted {5}invalid-tool-call 163, agent-repeats 58 \(passed all the same\)$/m);
    expect(text).toMatch(/^Unchecked leaked-scenario 210$/m);
    expect(text).toMatch(
      /^Left out {2}1,568 by balance \(over the equal share of the row's mode\); sound, in dropped.jsonl$/m,
    );
  });

  test('begins with the verdict', () => {
    expect(summary({})).toMatch(/^improved: The batches hold/);
    expect(summary({ verdict: 'unchanged' })).toMatch(/^unchanged: No figure/);
    expect(summary({ verdict: 'limited-by-data' })).toMatch(
      /^limited-by-data \(no gain, and it is the data that limit it\): These/,
    );
    expect(summary({ hollow: true, people: false })).toMatch(
      /^not-judged \(too little to compare\): Nothing/,
    );
  });

  test('has one word for each step: read, passed, selected, trained on', () => {
    expect(summary({ selection: true })).toMatch(
      /^Rows {6}4,820 in 2 files -> 4,808 read -> 4,512 passed the gate -> 3,901 selected -> 2,944 trained\n {10}on$/m,
    );
    expect(summary({})).not.toMatch(/\bkept\b/i);
  });

  test('says that the gate dropped none beside what balance left out', () => {
    const { manifest } = sampleCuration();
    const funnel = manifest.funnel.map((stage) =>
      stage.stage === 'batches' ? stage : { ...stage, entered: 4820, left: 4820, reasons: [] },
    );
    const text = curationSummary({ ...manifest, funnel });
    expect(text).toMatch(/^Dropped {3}the gate dropped none\nLeft out {2}1,568 by balance/m);
  });

  test('says of a judge what came of its answers', () => {
    expect(summary({ judge: true })).toMatch(
      /^Judge {5}qwen3-32b-instruct: 27,048 votes on 4,512 rows \(votes.jsonl\); 37 rows with an unreadable\n {10}answer, 12 left open$/m,
    );
  });

  test('names the files that cannot list themselves', () => {
    expect(summary({})).toMatch(/^Wrote .*dropped.jsonl, manifest.json$/m);
  });

  test('warns of modes that hang on the seed, and only of those', () => {
    const { manifest } = sampleCuration();
    const told = (stability: number | null) =>
      curationSummary({ ...manifest, space: { ...manifest.space, stability } });
    expect(told(0.44)).toMatch(/^Caveat: other seeds cut the modes differently \(agreement 0\.44\)/m);
    for (const stability of [0.5, 1, null]) expect(told(stability)).not.toContain('Caveat');
  });

  test('tells the sign of every bound that a word beside rests on, and marks approximate figures', () => {
    const { manifest } = sampleCuration();
    const difference = { ...manifest.beforeAfter.scd2.difference, value: -0.04, low: -0.08, high: -0.0005 };
    const text = (figure: Partial<typeof difference>) =>
      curationSummary({
        ...manifest,
        beforeAfter: {
          ...manifest.beforeAfter,
          scd2: { ...manifest.beforeAfter.scd2, difference: { ...difference, ...figure } },
        },
      });
    expect(text({})).toMatch(/ -0\.04 \[-0\.08, -0\.0005\] +better$/m);
    expect(text({})).not.toContain('~');
    expect(text({ high: 0.004 })).toMatch(/ -0\.04 \[-0\.08, 0\.004\] +none shown$/m);
    expect(text({ high: 0 })).toMatch(/ -0\.04 \[-0\.08, 0\.00\] +none shown$/m);
    expect(text({ value: -0.001, high: 0.02 })).toMatch(/ 0\.00 \[-0\.08, 0\.02\] +none shown$/m);
    expect(text({ approximate: true })).toMatch(/ ~-0\.04 \[-0\.08, -0\.0005\] +better$/m);
    expect(text({ approximate: true })).toMatch(/^~ {9}approximate: outside the range/m);
  });

  test('prints what a search reached where the data are the limit, and only there', () => {
    expect(summary({})).not.toContain('Search');
    const text = summary({ verdict: 'limited-by-data' });
    expect(text).toContain('Search    best SCD2 found: SCD2 0.47, BDI 0.57, realism 0.85');
    expect(text).toContain('400 subsets of 2,944 rows, seed 7');
  });

  test('gives the reason of a figure that was not measured, never 0', () => {
    const text = summary({ hollow: true, people: false });
    expect(text).toContain('SCD2      not measured: one context: at least 2 are needed');
    expect(text).not.toMatch(/\b0\.00\b/);
  });

  test('lets no escape sequence of a name through', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(summary({ texts: [name, 'other'], judge: true })).toMatch(/^[\x20-\x7e\n]*$/);
      }),
      { numRuns: 50 },
    );
  });
});

test('evidence of dropped rows is clipped between characters', () => {
  const page = sampleCuration();
  const evidence = `${'a'.repeat(599)}😀${'b'.repeat(5000)}`;
  const long: CurationPage = { ...page, dropped: page.dropped.map((one) => ({ ...one, evidence })) };
  const { page: shown } = dataOf(renderCuration(long, TEMPLATE)) as { page: CurationPage };
  expect(shown.dropped[0]!.evidence).toBe(`${'a'.repeat(599)} …`);
  expect(shown.dropped[0]!.reason).toBe(page.dropped[0]!.reason);
});

describe('the text of a recipe', () => {
  test('is read back as the recipe it shows', () => {
    const written = [
      {},
      { gate: false, weights: false, export: ['trl', 'parquet'] },
      {
        seed: 3,
        selection: { keep: 4 },
        batches: { size: 64, balance: 'none' },
        allocation: { budget: 512 },
      },
      {
        advantage: { baseline: 'simulator', consistency: true },
        weights: { concentration: false },
        gradient: true,
      },
      {
        gate: {
          profile: 'strict',
          checks: { duplicate: 'off' },
          rewardRange: [0, 1],
          judge: { url: 'http://localhost:8000/v1', model: 'a model: "x" # y' },
        },
      },
    ];
    for (const recipe of written.map((one) => readRecipe(one)))
      expect(readRecipe(parse(recipeText(recipe)))).toEqual(recipe);
  });

  test('keeps every key and value whatever they are', () => {
    const scalar = fc.oneof(
      fc.string(),
      fc.constantFrom('null', 'yes', 'off', '1e3', '~', '- a', 'a: b', '#', '0x1f', 'NaN', '.inf'),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    );
    const names = fc.constantFrom('a', 'Bc', 'd-e', 'on', '1', 'x y', '#', ': ', 'no', 'null');
    const tree = fc.dictionary(
      names,
      fc.oneof(scalar, fc.array(scalar), fc.dictionary(names, fc.oneof(scalar, fc.array(scalar)))),
      { minKeys: 1 },
    );
    fc.assert(
      fc.property(tree, (recipe) => {
        const plain = JSON.parse(JSON.stringify(recipe));
        expect(parse(yamlText(recipe))).toEqual(plain);
      }),
      { numRuns: 300 },
    );
  });
});
