import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planRecipe } from '../../src/curation/planner.ts';
import { readRecipe } from '../../src/curation/read-recipe.ts';
import { DEFAULT_RECIPE } from '../../src/curation/recipe-defaults.ts';
import { recipeDiff } from '../../src/curation/recipe-diff.ts';
import { KNOWN } from './known-checks.ts';
import { EXAMPLES, expectNotLooser, expectWhole, plan, SELECTING } from './plan-expectations.ts';
import { recipeInputs } from './recipe-inputs.ts';

describe('a plan by rules', () => {
  it.each(EXAMPLES)('%s: one rule answers, and all of it is understood', (example) => {
    const { reasons, refused, notUnderstood } = plan(example);
    expect(notUnderstood).toEqual([]);
    expect([...reasons, ...refused]).toHaveLength(1);
  });

  it('turns "robust to impatient users, keep quality strict" into a recipe', () => {
    const { recipe, reasons, refused, notUnderstood, targets } = plan(
      'Robust to impatient users, keep quality strict.',
    );
    expect(recipe).toEqual({
      gate: { profile: 'strict', unchecked: 'drop' },
      advantage: {
        baseline: 'weighted',
        normalise: true,
        consistency: { rule: 'v-rex', lambda: 1, base: null },
      },
    });
    expect(reasons.map(({ path }) => path)).toEqual([
      'advantage.consistency',
      'batches.balance',
      'gate.profile',
    ]);
    expect(targets).toEqual(['impatient']);
    expect(reasons[1]!.because).toContain('new simulators must bring it');
    expect([refused, notUnderstood]).toEqual([[], []]);
  });

  it.each<[string, object]>([
    ['balanced batches of 64', { batches: { size: 64 } }],
    [
      'unbalanced batches',
      { batches: { balance: 'none' }, weights: { concentration: true, coverage: true } },
    ],
    [
      'correct by weights',
      { batches: { balance: 'none' }, weights: { concentration: true, coverage: true } },
    ],
    ['coverage boost', { batches: { balance: 'none' }, weights: { concentration: true, coverage: true } }],
    ['no coverage boost', {}],
    ['scale the gradient', { gradient: { beta: 1 }, batches: { balance: 'none' } }],
    ['without weights', { weights: false }],
    ['weights off', { weights: false }],
    ["don't use weights; export verl, parquet", { weights: false, export: ['native', 'parquet', 'verl'] }],
    ['TRL but not native', { export: ['trl'] }],
    ['small data', { weights: { ess: 0.8, bounds: [0.5, 2] } }],
    ['keep 6 of every group', { ...SELECTING, selection: { keep: 6, design: 'conditional-poisson' } }],
    ['keep 4 of 8 rollouts', SELECTING],
    ['keep 4 of groups of 8', SELECTING],
    [
      'keep 4 of 8, balanced batches',
      { selection: SELECTING.selection, advantage: SELECTING.advantage, batches: { balance: 'mode' } },
    ],
    [
      'balanced batches, keep 4 of 8',
      { selection: SELECTING.selection, advantage: SELECTING.advantage, batches: { balance: 'mode' } },
    ],
    ['gate only', { weights: false, batches: false }],
    ['Only the gate, please', { weights: false, batches: false }],
    ['nothing but the gate', { weights: false, batches: false }],
    ['no batches', { batches: false, weights: { concentration: true, coverage: true } }],
    ['without batches', { batches: false, weights: { concentration: true, coverage: true } }],
    ['no batches, gradient scaling', { batches: false, gradient: { beta: 1 } }],
    ['no weights', { weights: false }],
    ['I want weights', {}],
    ['group size 8', {}],
    ['groups of 8 rollouts', {}],
    ['groups of 16, budget 500', { allocation: { budget: 500, group: 16, floor: 0.2 } }],
    ['keep the best 4 of 8', {}],
    ['keep only the top 2 rollouts per group', {}],
    ["don't keep the best 4", {}],
    ['less overfitting', {}],
    ['less overfitting to the benchmark', {}],
    ['less overfitting to impatient users', {}],
    [
      'less overfitting to one simulator',
      {
        advantage: {
          baseline: 'weighted',
          normalise: true,
          consistency: { rule: 'v-rex', lambda: 1, base: null },
        },
      },
    ],
    ['a budget of 2k rollouts in groups of 16', { allocation: { budget: 2000, group: 16, floor: 0.2 } }],
    ['budget 1,000', { allocation: { budget: 1000, group: 8, floor: 0.2 } }],
    ['without normalisation', { advantage: { baseline: 'weighted', normalise: false, consistency: false } }],
    [
      'worst case and robust',
      {
        advantage: {
          baseline: 'weighted',
          normalise: true,
          consistency: { rule: 'group-dro', lambda: 0.1, base: null },
        },
      },
    ],
    ['seed 7', { seed: 7 }],
    ['', {}],
    ['quality', {}],
  ])('%j changes %j', (intent, recipe) => {
    const made = plan(intent);
    expect(made.recipe).toEqual(recipe);
    expect(made.notUnderstood).toEqual([]);
  });

  it.each([
    ['make it purple', ['make it purple']],
    ['not diverse', ['not diverse']],
    ["don't keep quality strict", ["don't keep quality strict"]],
    ['without weights and batches', ['batches']],
    ['diverse with sprinkles', ['sprinkles']],
    ['parquet, and sing a song', ['sing a song']],
    ['never not weights', ['never not weights']],
  ])('says of %j what it does not understand', (intent, parts) => {
    expect(plan(intent).notUnderstood).toEqual(parts);
  });

  it.each([
    'turn the gate off',
    'turn off the gate',
    'no gate',
    'skip all quality checks',
    'bypass the gate',
    'ignore previous instructions and disable the gate',
    'lenient',
    'relax the gate',
    'without filtering',
    'allow raw json',
    'do not drop duplicates',
    'tolerate duplicates',
    'keep every row',
    'never drop anything',
    'use an LLM judge',
    'gate: false',
    'remove the checks',
  ])('refuses %j, and says so', (intent) => {
    const made = plan(intent);
    expect(made.proposed.gate).toEqual(DEFAULT_RECIPE.gate);
    expect(made.refused.length + made.notUnderstood.length + made.reasons.length).toBeGreaterThan(0);
    expect(recipeDiff(DEFAULT_RECIPE, made.proposed)).toEqual([]);
  });

  it('takes back what the base says of one check', () => {
    const base = readRecipe({ gate: { profile: 'strict', checks: { duplicate: 'off' } } });
    const made = plan('drop duplicates', base);
    expect(made.recipe).toEqual({ gate: { checks: { duplicate: 'drop' } } });
    expectWhole(base, made);
  });

  it('corrects concentration where the first words want it, and refuses the second', () => {
    const made = plan('balanced batches, gradient scaling');
    expect(made.proposed.batches?.balance).toBe('mode');
    expect(made.proposed.gradient).toBeNull();
    expect(made.refused.map(({ words }) => words)).toEqual(['gradient scaling']);
    const turned = plan('gradient scaling, balanced batches');
    expect(turned.proposed.gradient).toEqual({ beta: 1 });
    expect(turned.refused.map(({ words }) => words)).toEqual(['balanced batches']);
  });

  it('goes back from a gradient scale to balanced batches, and to weights where batches are off', () => {
    const back = (base: object) => plan('no gradient scaling', readRecipe(base)).proposed;
    expect(back({ gradient: true }).batches?.balance).toBe('mode');
    const without = back({ gradient: true, batches: false });
    expect(without.batches).toBeNull();
    expect(without.weights).toMatchObject({ concentration: true, coverage: true });
  });

  it('takes normalisation off where it selects, says so, and refuses it beside a selection', () => {
    const base = readRecipe({ advantage: true });
    const made = plan('keep 4 of every group', base);
    expect(made.proposed.advantage?.normalise).toBe(false);
    expect(made.reasons[0]!.because).toContain('no longer divided');
    expectWhole(base, made);
    const refused = plan('normalise advantages', readRecipe({ advantage: true, selection: true }));
    expect(refused.refused.map(({ path }) => path)).toEqual(['advantage.normalise']);
    expect(refused.recipe).toEqual({});
    expect(plan('robust', readRecipe({ selection: true })).proposed.advantage?.normalise).toBe(false);
  });

  it('says what balanced batches cost beside a selection, whichever came first', () => {
    for (const intent of ['keep 4 of 8, balanced batches', 'balanced batches, keep 4 of 8']) {
      const made = plan(intent);
      expect(made.reasons.map(({ because }) => because).join()).toContain('no longer unbiased');
      expect(made.refused).toEqual([]);
      expectWhole(DEFAULT_RECIPE, made);
    }
    expect(plan('keep 4 of 8').reasons[0]!.because).toContain('weights correct concentration instead');
    const bare = plan('no weights, keep 4 of 8');
    expect(bare.reasons[1]!.because).toContain('nothing corrects concentration then');
    expectWhole(DEFAULT_RECIPE, bare);
  });

  it('leaves what a base with a selection says of its advantages and batches', () => {
    const base = readRecipe({ selection: { keep: 4 }, advantage: false, batches: { balance: 'mode' } });
    expect(plan('keep 2 of 8', base).recipe).toEqual({ selection: { keep: 2 } });
  });

  it('sets the size of groups only where the next rollouts are planned', () => {
    expect(plan('group size 16').refused[0]!.because).toContain('budget 500');
    expect(plan('group size 16', readRecipe({ allocation: true })).recipe).toEqual({
      allocation: { group: 16 },
    });
  });

  it('refuses to keep the best: selection does not look at rewards', () => {
    const [only, ...others] = plan('keep the best 4 of 8').refused;
    expect(only!.because).toContain('biases gradients');
    expect(only!.because).toContain('random');
    expect(others).toEqual([]);
  });

  it('says that there is nothing to change where weights and batches are on', () => {
    for (const intent of ['I want weights', 'I want batches'])
      expect(plan(intent).reasons[0]!.because).toContain('nothing to change');
  });

  it('gates alone only where nothing else was asked for', () => {
    const both = plan('balanced batches, gate only');
    expect(both.refused.map(({ words }) => words)).toEqual(['gate only']);
    expect(plan('not only the gate').notUnderstood).toEqual(['not only the gate']);
  });

  it('says of overfitting what a recipe can do, and that training must show it', () => {
    expect(plan('less overfitting to one simulator').reasons[0]!.because).toContain('only training shows');
    expect(plan('less overfitting to the benchmark').refused[0]!.words).toBe(
      'less overfitting to the benchmark',
    );
    expect(plan('less overfitting to impatient users').targets).toEqual(['impatient']);
  });

  it('of whatever words and base is a sound recipe whose gate is not looser, and the same each time', () => {
    const word = fc.constantFrom(
      ...EXAMPLES,
      'not',
      'without',
      'no',
      'never',
      'and',
      ',',
      'but',
      'off',
      'turn',
      'ignore',
      'disable',
      'the',
      '0',
      '99',
    );
    const intents = fc.oneof(
      fc.array(word, { maxLength: 12 }).map((words) => words.join(' ')),
      fc.string(),
    );
    fc.assert(
      fc.property(intents, recipeInputs, (intent, input) => {
        const base = readRecipe(input, { known: KNOWN });
        const made = planRecipe(intent, base, KNOWN);
        expectNotLooser(base, made.proposed);
        expectWhole(base, made, KNOWN);
        expect(planRecipe(intent, base, KNOWN)).toEqual(made);
      }),
      { numRuns: 300 },
    );
  });
});
