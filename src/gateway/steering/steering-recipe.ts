import { type GateRecipe, type Recipe, readRecipe } from '../../curation/index.ts';
import { CollapseAwareError } from '../../errors.ts';
import { ApiError } from '../wire/api-error.ts';

export interface SteeringRecipe {
  readonly recipe: Recipe;
  readonly notes: readonly string[];
}

/**
 * A curation recipe as `curate` reads it. None: weights correct concentration, since nobody else does in a trainer's own
 * batches. A judge is left out: nobody waits for a model inside a training step.
 * @throws ApiError 400.
 */
export function steeringRecipe(written: unknown, keep: number | null = null): SteeringRecipe {
  const recipe = read(written ?? { batches: false }, keep);
  const notes: string[] = [];
  if (recipe.gate?.judge != null) notes.push('the judge of the recipe is not asked here');
  if (recipe.weights !== null && !recipe.weights.concentration)
    notes.push('the recipe does not correct concentration by weights');
  return { recipe: { ...recipe, gate: withoutJudge(recipe.gate) }, notes };
}

function read(written: unknown, keep: number | null): Recipe {
  if (keep !== null && (typeof written !== 'object' || written === null || Array.isArray(written)))
    throw ApiError.invalid('recipe must be an object', 'recipe');
  try {
    return readRecipe(
      keep === null ? written : { ...(written as object), selection: selectionOf(written, keep) },
    );
  } catch (error) {
    if (!(error instanceof CollapseAwareError)) throw error;
    throw ApiError.invalid(`recipe: ${error.message}`, 'recipe');
  }
}

function selectionOf(written: unknown, keep: number): object {
  const own = (written as { readonly selection?: unknown }).selection;
  return typeof own === 'object' && own !== null ? { ...own, keep } : { keep };
}

function withoutJudge(gate: GateRecipe | null): GateRecipe | null {
  return gate === null ? null : { ...gate, judge: null };
}
