import type { GateAction, GateRecipe } from './gate/gate-recipe.ts';
import type { Recipe } from './recipe.ts';
import { type KnownChecks, knownChecks, profileGate } from './recipe-defaults.ts';
import type { RecipeInput } from './recipe-schema.ts';

/** A filled recipe as it would be written: `readRecipe(writtenRecipe(r))` equals r. Checks that do as their profile says are left out. */
export function writtenRecipe(recipe: Recipe, known: KnownChecks = knownChecks()): RecipeInput {
  const { gate, weights, batches, gradient, advantage, selection, allocation } = recipe;
  return {
    schema: recipe.schema,
    seed: recipe.seed,
    gate: gate === null ? false : writtenGate(gate, known),
    weights: weights === null ? false : { ...weights, bounds: [...weights.bounds] },
    batches: batches === null ? false : { ...batches },
    gradient: gradient === null ? false : { ...gradient },
    advantage:
      advantage === null
        ? false
        : {
            ...advantage,
            consistency: advantage.consistency === null ? false : { ...advantage.consistency },
          },
    selection: selection === null ? false : { ...selection },
    allocation: allocation === null ? false : { ...allocation },
    export: [...recipe.export],
  };
}

function writtenGate(gate: GateRecipe, known: KnownChecks): RecipeInput['gate'] {
  const usual = profileGate(gate.profile, known).actions;
  const checks: Record<string, GateAction> = {};
  for (const [name, action] of Object.entries(gate.actions))
    if (usual[name] !== action) checks[name] = action;
  return {
    profile: gate.profile,
    ...(Object.keys(checks).length === 0 ? {} : { checks }),
    rewardRange: gate.rewardRange === null ? null : [...gate.rewardRange],
    unchecked: gate.unchecked,
    judge: gate.judge === null ? false : { ...gate.judge, questions: [...gate.judge.questions] },
  };
}
