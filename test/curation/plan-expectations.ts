import { expect } from 'vitest';
import type { GateAction } from '../../src/curation/gate/gate-recipe.ts';
import { type Plan, planRecipe } from '../../src/curation/planner.ts';
import { planRules } from '../../src/curation/planner-rules.ts';
import { readRecipe } from '../../src/curation/read-recipe.ts';
import type { Recipe } from '../../src/curation/recipe.ts';
import { DEFAULT_RECIPE, knownChecks } from '../../src/curation/recipe-defaults.ts';
import { mergedRecipe } from '../../src/curation/recipe-merge.ts';

export const plan = (intent: string, base: Recipe = DEFAULT_RECIPE) => planRecipe(intent, base);
export const RULES = planRules(knownChecks());
export const EXAMPLES = RULES.flatMap(({ examples }) => examples);

/** A selection with what it brings where it is new. */
export const SELECTING = {
  selection: { keep: 4, design: 'conditional-poisson' },
  advantage: { baseline: 'weighted', normalise: false, consistency: false },
  batches: { balance: 'none' },
  weights: { concentration: true, coverage: true },
} as const;

export const RANK: Record<GateAction, number> = { off: 0, flag: 1, drop: 2 };
export const PROFILES = ['lenient', 'standard', 'strict'];

/** A check that is not named does nothing; the answer to a question drops. */
export const actionOf = ({ gate }: Recipe, name: string): GateAction =>
  gate!.actions[name] ?? (name.startsWith('judge:') ? 'drop' : 'off');

export function expectNotLooser(base: Recipe, proposed: Recipe): void {
  if (base.gate === null) return;
  const { gate } = proposed;
  expect(gate).not.toBeNull();
  expect(PROFILES.indexOf(gate!.profile)).toBeGreaterThanOrEqual(PROFILES.indexOf(base.gate.profile));
  for (const [name, action] of Object.entries(base.gate.actions))
    expect(RANK[actionOf(proposed, name)]).toBeGreaterThanOrEqual(RANK[action]);
  for (const name of Object.keys(gate!.actions))
    expect(RANK[actionOf(proposed, name)]).toBeGreaterThanOrEqual(RANK[actionOf(base, name)]);
  expect(gate!.judge).toEqual(base.gate.judge);
  if (base.gate.unchecked === 'drop') expect(gate!.unchecked).toBe('drop');
  if (base.gate.rewardRange !== null) {
    expect(gate!.rewardRange![0]).toBeGreaterThanOrEqual(base.gate.rewardRange[0]);
    expect(gate!.rewardRange![1]).toBeLessThanOrEqual(base.gate.rewardRange[1]);
  }
}

export function expectWhole(base: Recipe, { recipe, proposed }: Plan, known = knownChecks()): void {
  expect(readRecipe(mergedRecipe(base, recipe, known), { known })).toEqual(proposed);
}
