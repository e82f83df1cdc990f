import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutBypass } from '../../src/curation/gate-guard.ts';
import { readRecipe } from '../../src/curation/read-recipe.ts';
import type { Recipe } from '../../src/curation/recipe.ts';
import { recipeDiff } from '../../src/curation/recipe-diff.ts';
import { KNOWN } from './known-checks.ts';
import { expectNotLooser } from './plan-expectations.ts';
import { recipeInputs } from './recipe-inputs.ts';

describe('withoutBypass', () => {
  it('leaves no proposal looser than its base, and names what it took back', () => {
    fc.assert(
      fc.property(recipeInputs, recipeInputs, (a, b) => {
        const base = readRecipe(a, { known: KNOWN });
        const proposed = readRecipe(b, { known: KNOWN });
        const { recipe, undone } = withoutBypass(base, proposed);
        expectNotLooser(base, recipe);
        expect(undone.length === 0).toBe(recipeDiff(proposed, recipe).length === 0);
        expect(withoutBypass(base, recipe)).toEqual({ recipe, undone: [] });
      }),
    );
  });

  it('holds a question of the judge that would only be noted', () => {
    const base = readRecipe(null);
    const flagged = readRecipe({ gate: { checks: { 'judge:out-of-role': 'flag' } } });
    const { recipe, undone } = withoutBypass(base, flagged);
    expect(recipe).toEqual(base);
    expect(undone).toEqual([{ path: 'gate.checks.judge:out-of-role', found: 'flag', kept: 'drop' }]);
    expect(withoutBypass(flagged, base)).toEqual({ recipe: base, undone: [] });
  });

  it('holds a wider reward range, a check left out and a judge of its own choice', () => {
    const base = readRecipe({ gate: { rewardRange: [0, 1] } });
    const { duplicate, ...fewer } = base.gate!.actions;
    expect(duplicate).toBe('drop');
    const judge = {
      url: 'http://elsewhere/v1',
      model: 'm',
      keyEnv: 'KEY',
      questions: [],
      votes: 1,
      agree: 1,
    };
    const proposed: Recipe = {
      ...base,
      gate: { ...base.gate!, actions: fewer, rewardRange: [0, 2], judge },
    };
    const { recipe, undone } = withoutBypass(base, proposed);
    expect(recipe.gate).toEqual(base.gate);
    expect(undone.map(({ path }) => path)).toEqual([
      'gate.checks.duplicate',
      'gate.rewardRange',
      'gate.judge',
    ]);
  });
});
