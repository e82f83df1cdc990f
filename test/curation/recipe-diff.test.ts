import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRecipe } from '../../src/curation/read-recipe.ts';
import type { Recipe } from '../../src/curation/recipe.ts';
import { DEFAULT_RECIPE } from '../../src/curation/recipe-defaults.ts';
import { recipeDiff, recipeDiffText } from '../../src/curation/recipe-diff.ts';
import { KNOWN } from './known-checks.ts';
import { recipeInputs } from './recipe-inputs.ts';

describe('a diff of recipes', () => {
  it('is nothing between equals, and names every key that changes', () => {
    expect(recipeDiff(DEFAULT_RECIPE, DEFAULT_RECIPE)).toEqual([]);
    const after = readRecipe({ gate: { profile: 'strict' }, weights: { bounds: [0.5, 2] }, selection: true });
    expect(recipeDiff(DEFAULT_RECIPE, after)).toEqual([
      { path: 'gate.profile', before: 'standard', after: 'strict' },
      { path: 'gate.unchecked', before: 'keep', after: 'drop' },
      { path: 'weights.coverage', before: false, after: true },
      { path: 'weights.concentration', before: false, after: true },
      { path: 'weights.bounds', before: [0.25, 4], after: [0.5, 2] },
      { path: 'batches.balance', before: 'mode', after: 'none' },
      {
        path: 'advantage',
        before: null,
        after: { baseline: 'weighted', normalise: false, consistency: null },
      },
      { path: 'selection', before: null, after: { keep: 4, design: 'conditional-poisson' } },
    ]);
    expect(recipeDiffText(recipeDiff(DEFAULT_RECIPE, after)).split('\n')).toEqual([
      '- gate.profile: standard',
      '+ gate.profile: strict',
      '- gate.unchecked: keep',
      '+ gate.unchecked: drop',
      '- weights.coverage: false',
      '+ weights.coverage: true',
      '- weights.concentration: false',
      '+ weights.concentration: true',
      '- weights.bounds: [0.25, 4]',
      '+ weights.bounds: [0.5, 2]',
      '- batches.balance: mode',
      '+ batches.balance: none',
      '- advantage: false',
      '+ advantage.baseline: weighted',
      '+ advantage.normalise: false',
      '+ advantage.consistency: false',
      '- selection: false',
      '+ selection.keep: 4',
      '+ selection.design: conditional-poisson',
    ]);
  });

  it('says what a file would say: false, null, and the checks by their name', () => {
    const base = readRecipe({ gate: { rewardRange: [0, 1], checks: { 'judge:out-of-role': 'flag' } } });
    expect(recipeDiffText(recipeDiff(base, readRecipe({ weights: false }))).split('\n')).toEqual([
      '- gate.checks.judge:out-of-role: flag',
      '+ gate.checks.judge:out-of-role: drop',
      '- gate.rewardRange: [0, 1]',
      '+ gate.rewardRange: null',
      '- weights.alpha: 1',
      '- weights.neighbours: 5',
      '- weights.coverage: false',
      '- weights.concentration: false',
      '- weights.bounds: [0.25, 4]',
      '- weights.ess: 0.5',
      '+ weights: false',
    ]);
  });

  it('is empty exactly where recipes are equal', () => {
    fc.assert(
      fc.property(recipeInputs, recipeInputs, (a, b) => {
        const [before, after] = [a, b].map((input) => readRecipe(input, { known: KNOWN })) as [
          Recipe,
          Recipe,
        ];
        expect(recipeDiff(before, after).length === 0).toBe(JSON.stringify(before) === JSON.stringify(after));
      }),
    );
  });

  it('lets no control character through', () => {
    const after = readRecipe({ advantage: { consistency: { base: '\u001b[31m' } } });
    expect(recipeDiffText(recipeDiff(DEFAULT_RECIPE, after))).not.toContain('\u001b');
  });
});
