import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { CHECKS } from '../../src/curation/gate/checks.ts';
import { JUDGE_QUESTIONS } from '../../src/curation/gate/judge-questions.ts';
import { defaultGate } from '../../src/curation/gate/profiles.ts';
import { readRecipe, recipeFaults } from '../../src/curation/read-recipe.ts';
import type { Recipe } from '../../src/curation/recipe.ts';
import { DEFAULT_RECIPE, defaultRecipe } from '../../src/curation/recipe-defaults.ts';
import { faultLine } from '../../src/curation/recipe-fault.ts';
import { recipeSchema } from '../../src/curation/recipe-schema.ts';
import { writtenRecipe } from '../../src/curation/written-recipe.ts';
import { CollapseAwareError } from '../../src/errors.ts';
import { KNOWN } from './known-checks.ts';
import { recipeInputs } from './recipe-inputs.ts';

const read = (text: string) => readRecipe(parse(text), { known: KNOWN });
const lines = (value: unknown) => recipeFaults(value, KNOWN).map(faultLine);
const linesOf = (text: string) => lines(parse(text));

describe('a recipe', () => {
  it.each(['', '# nothing yet', '{}', 'weights: true', 'gate: true\nbatches: {}', 'export: [native]'])(
    'of %j is the default one',
    (text) => {
      expect(read(text)).toEqual(defaultRecipe(KNOWN));
    },
  );

  it('has every default filled in', () => {
    expect(read('')).toEqual({
      schema: 'collapse-aware/recipe@1',
      seed: 1,
      gate: { ...KNOWN.profile('standard') },
      weights: {
        alpha: 1,
        neighbours: 5,
        coverage: false,
        concentration: false,
        bounds: [0.25, 4],
        ess: 0.5,
      },
      batches: { size: 128, balance: 'mode' },
      gradient: null,
      advantage: null,
      selection: null,
      allocation: null,
      export: ['native'],
    });
  });

  it('turns a stage off with false, on with true, and keeps the other defaults of a mapping', () => {
    const recipe = read(
      'weights: false\nselection: true\nadvantage: {consistency: true}\nallocation: {budget: 64}',
    );
    expect(recipe.weights).toBeNull();
    expect(recipe.selection).toEqual({ keep: 4, design: 'conditional-poisson' });
    expect(recipe.advantage).toEqual({
      baseline: 'weighted',
      normalise: false,
      consistency: { rule: 'v-rex', lambda: 1, base: null },
    });
    expect(recipe.allocation).toEqual({ budget: 64, group: 8, floor: 0.2 });
    expect(read('gate: false').gate).toBeNull();
    expect(read('advantage: {consistency: {rule: group-dro}}').advantage?.consistency?.lambda).toBe(0.1);
  });

  it('takes the profile of the gate and changes single checks', () => {
    const { gate } = read('gate: {profile: strict, checks: {premature-stop: flag}, rewardRange: [0, 1]}');
    expect(gate).toEqual({
      profile: 'strict',
      actions: { leak: 'drop', 'repeats-itself': 'drop', duplicate: 'drop', 'premature-stop': 'flag' },
      rewardRange: [0, 1],
      unchecked: 'drop',
      judge: null,
    });
  });

  it('knows own checks: they drop unless the recipe says otherwise', () => {
    const known = { ...KNOWN, checks: ['too-polite'] };
    expect(readRecipe({}, { known }).gate?.actions['too-polite']).toBe('drop');
    expect(
      readRecipe({ gate: { checks: { 'too-polite': 'flag' } } }, { known }).gate?.actions['too-polite'],
    ).toBe('flag');
    expect(lines({ gate: { checks: { 'too-polite': 'flag' } } })).toHaveLength(1);
  });

  it('asks a judge every question, three times, and takes the majority, unless told', () => {
    const judge = (more: object) =>
      readRecipe(
        { gate: { judge: { url: 'http://localhost:8000/v1', model: 'm', ...more } } },
        { known: KNOWN },
      ).gate?.judge;
    expect(judge({})).toEqual({
      url: 'http://localhost:8000/v1',
      model: 'm',
      keyEnv: null,
      questions: ['out-of-role', 'contradicts-task'],
      votes: 3,
      agree: 2,
    });
    expect(judge({ votes: 5 })?.agree).toBe(3);
    expect(judge({ votes: 1, questions: ['contradicts-task'] })).toMatchObject({ agree: 1, votes: 1 });
  });

  it('says what the answer to a question does; that it drops goes without saying', () => {
    const { gate } = read('gate: {checks: {"judge:contradicts-task": flag, "judge:out-of-role": drop}}');
    expect(gate?.actions).toEqual({ ...KNOWN.profile('standard').actions, 'judge:contradicts-task': 'flag' });
  });

  it('divides no advantage of a selection by a deviation', () => {
    expect(read('advantage: true').advantage?.normalise).toBe(true);
    expect(read('advantage: true\nselection: true').advantage?.normalise).toBe(false);
    expect(read('advantage: {baseline: simulator}\nselection: {keep: 2}').advantage?.normalise).toBe(false);
    expect(read('advantage: {normalise: true}\nselection: false').advantage?.normalise).toBe(true);
    expect(linesOf('advantage: {normalise: true}\nselection: true')).toEqual([
      'selection and advantage.normalise: found normalise: true beside a selection: the deviation of the kept rows would bias the gradient, expected normalise: false, or no selection',
    ]);
  });

  it('names exports in one order', () => {
    expect(read('export: [verl, native, parquet]').export).toEqual(['native', 'parquet', 'verl']);
  });
});

describe('the default recipe', () => {
  it('gates by the standard profile and knows the built-in checks and questions', () => {
    expect(readRecipe(undefined)).toEqual(DEFAULT_RECIPE);
    expect(DEFAULT_RECIPE.gate).toEqual(defaultGate('standard'));
    expect(Object.keys(defaultGate().actions)).toEqual(CHECKS.map(({ name }) => name));
    for (const { name } of JUDGE_QUESTIONS) {
      const judge = { url: 'http://a/v1', model: 'm', questions: [name] };
      expect(readRecipe({ gate: { judge } }).gate?.judge?.questions).toEqual([name]);
    }
  });
});

describe('concentration', () => {
  it.each([
    ['', false, false, 'mode'],
    ['batches: true', false, false, 'mode'],
    ['batches: {size: 64}', false, false, 'mode'],
    ['batches: {balance: mode}', false, false, 'mode'],
    ['gradient: true', false, false, 'none'],
    ['gradient: {beta: 0.5}', false, false, 'none'],
    ['gradient: true\nbatches: {size: 64}', false, false, 'none'],
    ['gradient: true\nbatches: false', false, false, undefined],
    ['batches: {balance: mode}\nweights: {alpha: 2}', false, false, 'mode'],
    ['batches: {balance: mode}\nweights: true', false, false, 'mode'],
    ['batches: {balance: mode}\nweights: {concentration: false}', false, false, 'mode'],
    ['weights: {concentration: false}', false, false, 'mode'],
    ['weights: {concentration: true}', true, true, 'none'],
    ['weights: {concentration: true, coverage: false}', true, false, 'none'],
    ['weights: {coverage: true}', true, true, 'none'],
    ['weights: {coverage: true, concentration: false}', false, true, 'none'],
    ['weights: {concentration: true}\nbatches: {size: 64}', true, true, 'none'],
    ['batches: {balance: none}', true, true, 'none'],
    ['batches: {balance: none}\nweights: {concentration: false, coverage: false}', false, false, 'none'],
    ['batches: false', true, true, undefined],
    ['gradient: false', false, false, 'mode'],
  ])(
    'of %j is corrected by weights: %s, with boost: %s, batches: %s',
    (text, concentration, coverage, balance) => {
      const recipe = read(text);
      expect(recipe.weights).toMatchObject({ concentration, coverage });
      expect(recipe.batches?.balance).toBe(balance);
    },
  );

  it.each([
    [
      'batches: {balance: mode}\nweights: {concentration: true}',
      ['weights.concentration', 'batches.balance'],
    ],
    ['batches: {balance: mode}\ngradient: true', ['batches.balance', 'gradient']],
    ['batches: {balance: mode}\nweights: {coverage: true}', ['weights.coverage', 'batches.balance', 'twice']],
    ['gradient: true\nweights: {coverage: true}', ['weights.coverage', 'gradient', 'twice']],
    [
      'gradient: true\nweights: {coverage: true, concentration: true}',
      ['weights.concentration', 'weights.coverage', 'gradient', 'twice'],
    ],
    ['gradient: {beta: 2}\nweights: {concentration: true}', ['weights.concentration', 'gradient.beta']],
    [
      'gradient: {beta: 2}\nweights: {concentration: true}\nbatches: {balance: mode}',
      ['weights.concentration', 'batches.balance', 'gradient.beta', 'three times'],
    ],
  ])('corrected twice in %j is an error naming the keys', (text, keys) => {
    const found = linesOf(text);
    expect(found).toHaveLength(1);
    for (const key of keys) expect(found[0]).toContain(key);
  });
});

describe('a bad recipe', () => {
  it.each([
    ['weights: {alpha: -1}', 'weights.alpha: found -1, expected a number of at least 0'],
    ['weights: {alpha: .nan}', 'weights.alpha: found NaN, expected a number of at least 0'],
    ['weights: {alpha: .inf}', 'weights.alpha: found Infinity, expected a number of at least 0'],
    ['weights: {alpha: "1"}', "weights.alpha: found '1', expected a number of at least 0"],
    ['weights: {neighbours: 0}', 'weights.neighbours: found 0, expected a whole number of at least 1'],
    ['weights: {neighbours: 2.5}', 'weights.neighbours: found 2.5, expected a whole number of at least 1'],
    ['weights: {ess: 0}', 'weights.ess: found 0, expected a number above 0, at most 1'],
    ['weights: {ess: 1.01}', 'weights.ess: found 1.01, expected a number above 0, at most 1'],
    ['weights: {coverage: 1}', 'weights.coverage: found 1, expected true or false'],
    ...[
      '[4, 0.25]',
      '[1, 4]',
      '[0.25, 1]',
      '[2, 4]',
      '[0.1, 0.5]',
      '[0, 4]',
      '[-1, 4]',
      '[0.5, 0.5]',
      '[0.25]',
    ].map((bounds) => [
      `weights: {bounds: ${bounds}}`,
      `weights.bounds: found ${bounds}, expected two numbers [low, high] with 0 < low < 1 < high`,
    ]),
    [
      'weights: {bounds: [0.25, .inf]}',
      'weights.bounds: found [0.25, Infinity], expected two numbers [low, high] with 0 < low < 1 < high',
    ],
    ['weights: off', "weights: found 'off', expected true, false or a mapping"],
    ['weights:', 'weights: found nothing, expected true, false or a mapping'],
    ['weights: 3', 'weights: found 3, expected true, false or a mapping'],
    ['weights: []', 'weights: found a list of 0, expected true, false or a mapping'],
    ['batches: {size: 1}', 'batches.size: found 1, expected a whole number of at least 2'],
    ['batches: {balance: modes}', "batches.balance: found 'modes', expected one of mode, none"],
    ['gradient: {beta: 0}', 'gradient.beta: found 0, expected a number above 0'],
    ['selection: {keep: 1}', 'selection.keep: found 1, expected a whole number of at least 2'],
    [
      'advantage: {consistency: {lambda: -0.5}}',
      'advantage.consistency.lambda: found -0.5, expected a number of at least 0',
    ],
    [
      'advantage: {consistency: yes please}',
      "advantage.consistency: found 'yes please', expected true, false or a mapping",
    ],
    ['allocation: {budget: 0}', 'allocation.budget: found 0, expected a whole number of at least 1'],
    ['allocation: {budget: 7}', 'allocation.budget: found 7, expected at least allocation.group (8)'],
    ['allocation: {floor: 1.5}', 'allocation.floor: found 1.5, expected a number from 0 to 1'],
    ['seed: -1', 'seed: found -1, expected a whole number of at least 0'],
    ['seed: 1e300', 'seed: found 1e+300, expected a whole number of at least 0'],
    ['export: parquet', "export: found 'parquet', expected a list of native, parquet, trl, verl, verifiers"],
    ['export: [csv]', "export.0: found 'csv', expected one of native, parquet, trl, verl, verifiers"],
    ['export: [trl, trl]', "export: found ['trl', 'trl'], expected each name once"],
    [
      'schema: collapse-aware/recipe@2',
      "schema: found 'collapse-aware/recipe@2', expected 'collapse-aware/recipe@1'",
    ],
    ['- weights', "the recipe: found ['weights'], expected a mapping"],
    ['just words', "the recipe: found 'just words', expected a mapping"],
    ['gate: {profile: severe}', "gate.profile: found 'severe', expected one of lenient, standard, strict"],
    ['gate: {checks: {leak: warn}}', "gate.checks.leak: found 'warn', expected one of drop, flag, off"],
    [
      'gate: {checks: [leak]}',
      "gate.checks: found ['leak'], expected a mapping of check to drop, flag or off",
    ],
    [
      'gate: {rewardRange: [1, 0]}',
      'gate.rewardRange: found [1, 0], expected two numbers [low, high] with low < high, or null',
    ],
    ['gate: {judge: true}', 'gate.judge: found true, expected false or a mapping with url and model'],
    [
      'gate: {judge: {url: "http://a/v1", model: m, votes: 2, agree: 3}}',
      'gate.judge.agree: found 3, expected at most votes (2)',
    ],
    [
      'gate: {checks: {leek: drop}}',
      "gate.checks.leek: found an unknown check (did you mean 'leak'?), expected one of leak, repeats-itself, duplicate, premature-stop, judge:out-of-role, judge:contradicts-task",
    ],
    [
      'gate: {checks: {"judge:outofrole": flag}}',
      "gate.checks.judge:outofrole: found an unknown check (did you mean 'judge:out-of-role'?), expected one of leak, repeats-itself, duplicate, premature-stop, judge:out-of-role, judge:contradicts-task",
    ],
    [
      'gate: {judge: {url: "http://a/v1", model: m, questions: [outofrole]}}',
      "gate.judge.questions.outofrole: found an unknown question (did you mean 'out-of-role'?), expected one of out-of-role, contradicts-task",
    ],
  ])('%s', (text, line) => {
    expect(linesOf(text!)).toEqual([line]);
  });

  it.each([
    ['weigths: true', "weigths: found an unknown key (did you mean 'weights'?)"],
    ['weights: {neighbors: 3}', "weights.neighbors: found an unknown key (did you mean 'neighbours'?)"],
    ['gate: {reward_range: [0, 1]}', "gate.reward_range: found an unknown key (did you mean 'rewardRange'?)"],
    ['alpha: 2', "alpha: found an unknown key (did you mean 'weights.alpha'?)"],
    ['weights: {export: []}', "weights.export: found an unknown key (did you mean 'export at the top'?)"],
    ['colour: red', 'colour: found an unknown key, expected one of schema, seed, gate'],
    ['{"__proto__": {"a": 1}}', '__proto__: found an unknown key, expected one of schema'],
    ['constructor: 1', 'constructor: found an unknown key, expected one of schema'],
    [
      'advantage: {consistency: {lambada: 1}}',
      "(did you mean 'lambda'?), expected one of rule, lambda, base",
    ],
  ])('%s: an unknown key, with the one that was meant', (text, part) => {
    const value = text.startsWith('{') ? JSON.parse(text) : parse(text);
    expect(lines(value)).toHaveLength(1);
    expect(lines(value)[0]).toContain(part);
  });

  it('names all its faults at once, also those between keys', () => {
    const text =
      'weights: {alpha: -1, concentration: true, nieghbours: 3}\nbatches: {size: 0, balance: mode}\nseeds: 3';
    expect(() => readRecipe(parse(text), { known: KNOWN, file: 'recipe.yaml' })).toThrow(CollapseAwareError);
    try {
      read(text);
    } catch (error) {
      const { code, message, todo } = error as CollapseAwareError;
      expect(code).toBe('CA_CONFIG_INVALID');
      expect(todo).toContain('docs/recipe.md');
      expect(message.split('\n').map((line) => line.trim().split(':', 1)[0])).toEqual([
        '5 faults',
        'weights.alpha',
        'weights.nieghbours',
        'batches.size',
        'seeds',
        'weights.concentration and batches.balance',
      ]);
    }
  });

  it.each([
    { keyEnv: 'sk-proj-abcdef0123456789' },
    { keyEnv: 'hf_abcdef0123456789' },
    { url: 'https://me:abcdef0123456789@host/v1' },
    { url: 'https://host/v1?api_key=abcdef0123456789' },
    { apiKey: 'abcdef0123456789' },
    { key: { abcdef: 'abcdef0123456789' } },
  ])('never repeats what may be a secret: %j', (own) => {
    const found = lines({ gate: { judge: { url: 'http://a/v1', model: 'm', ...own } } });
    expect(found).toHaveLength(1);
    expect(found[0]).not.toContain('abcdef');
    expect(found[0]).toMatch(/keyEnv|url/);
  });

  it('is told in words that a terminal can take', () => {
    const found = lines({ gate: { profile: '\u001b[31mred' }, export: 'x'.repeat(500) });
    expect(found[0]).toContain("' [31mred'");
    expect(found[1]!.length).toBeLessThan(150);
    const knot: Record<string, unknown> = {};
    knot.weights = { bounds: knot, alpha: [knot] };
    expect(lines(knot)).toHaveLength(2);
  });

  it('never makes reading fail in another way, whatever it holds', () => {
    const key = fc.constantFrom(
      'gate',
      'weights',
      'batches',
      'gradient',
      'advantage',
      'selection',
      'export',
      'seed',
    );
    const inner = fc.constantFrom(
      'profile',
      'checks',
      'judge',
      'bounds',
      'alpha',
      'size',
      'consistency',
      'keep',
    );
    const leaf = fc.oneof(fc.anything(), fc.double(), fc.boolean());
    fc.assert(
      fc.property(
        fc.oneof(fc.anything(), fc.dictionary(key, fc.oneof(leaf, fc.dictionary(inner, leaf)))),
        (value) => {
          try {
            readRecipe(value, { known: KNOWN });
          } catch (error) {
            expect(error).toBeInstanceOf(CollapseAwareError);
            expect((error as CollapseAwareError).code).toBe('CA_CONFIG_INVALID');
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('a filled recipe', () => {
  it('written down reads back as itself, through JSON, too', () => {
    fc.assert(
      fc.property(recipeInputs, (input) => {
        const recipe: Recipe = readRecipe(input, { known: KNOWN });
        const written = writtenRecipe(recipe, KNOWN);
        expect(recipeSchema.safeParse(written).success).toBe(true);
        expect(readRecipe(written, { known: KNOWN })).toEqual(recipe);
        const again = readRecipe(JSON.parse(JSON.stringify(written)), { known: KNOWN });
        expect(JSON.stringify(again)).toBe(JSON.stringify(recipe));
      }),
    );
  });

  it('is equal bytes whatever the order of its keys', () => {
    const turned = (value: unknown): unknown =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(
            Object.entries(value)
              .reverse()
              .map(([key, own]) => [key, turned(own)]),
          )
        : value;
    fc.assert(
      fc.property(recipeInputs, (input) => {
        expect(JSON.stringify(readRecipe(turned(input), { known: KNOWN }))).toBe(
          JSON.stringify(readRecipe(input, { known: KNOWN })),
        );
      }),
    );
  });

  it('corrects concentration at most once', () => {
    fc.assert(
      fc.property(recipeInputs, (input) => {
        const { weights, batches, gradient } = readRecipe(input, { known: KNOWN });
        const corrected = [
          weights?.concentration === true || weights?.coverage === true,
          batches?.balance === 'mode',
          gradient !== null,
        ];
        expect(corrected.filter(Boolean).length).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('faults of a recipe', () => {
  const SECRET = 'hunter2-1234';
  it.each([
    `gate: {judge: 'http://me:${SECRET}@host/v1'}`,
    `gate: {judge: ['http://me:${SECRET}@host/v1']}`,
    `gate: 'http://me:${SECRET}@host/v1'`,
    `gate: {judge: {url: 'http://host/v1', model: m, ${SECRET}: 1}}`,
    `gate: {judge: {url: 'http://host/v1', model: m, keyEnv: ${SECRET}}}`,
    `gate: {judge: {url: 'http://host/v1', model: ['${SECRET}']}}`,
    `seed: 'http://me:${SECRET}@host/v1'`,
    `export: ['http://me:${SECRET}@host/v1']`,
  ])('never repeat a key or a password: %s', (text) => {
    const told = linesOf(text);
    expect(told).toHaveLength(1);
    expect(told[0]).not.toContain(SECRET);
    expect(told[0]).not.toContain('must match pattern');
  });

  it.each(['http://[::1', 'http://:99999/', 'http://'])('name a URL that is none: %s', (url) => {
    expect(lines({ gate: { judge: { url, model: 'm' } } })).toEqual([
      expect.stringMatching(
        /^gate\.judge\.url: found text of \d+ characters \(not shown\), expected an http/,
      ),
    ]);
  });

  it('name the one key that a free mapping would lose', () => {
    expect(lines(JSON.parse('{"gate": {"checks": {"__proto__": "off"}}}'))).toEqual([
      expect.stringContaining('gate.checks.__proto__: found an unknown check'),
    ]);
  });

  it('are counted where a file of another kind has thousands', () => {
    const other = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`key ${at}`, at]));
    expect(() => readRecipe(other, { known: KNOWN })).toThrow(/^500 faults[\s\S]*and 460 more$/);
  });
});
