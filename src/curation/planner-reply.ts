import { z } from 'zod';
import { CollapseAwareError } from '../errors.ts';
import { finishedPlan, type Plan } from './planner.ts';
import { readRecipe, recipeFaults } from './read-recipe.ts';
import type { Recipe } from './recipe.ts';
import { type KnownChecks, knownChecks } from './recipe-defaults.ts';
import { faultLine, shown } from './recipe-fault.ts';
import { mergedRecipe } from './recipe-merge.ts';
import { RECIPE_KEYS, type RecipeInput } from './recipe-schema.ts';

/** Longest reply that is read, in characters. */
const LIMIT = 200_000;

const text = z.string().max(2000);
const reply = z.object({
  // Checked by recipeFaults: a copy by zod would lose odd keys instead of refusing them.
  recipe: z.unknown().refine((value) => typeof value === 'object' && value !== null, 'expected a mapping'),
  reasons: z.array(z.object({ path: text, because: text, words: text.default('') })).default([]),
  notUnderstood: z.array(text).default([]),
  targets: z.array(text).default([]),
});

/**
 * The plan in a model's reply: JSON, alone or in a code fence, checked against the recipe schema, its gate held to the
 * base's. A bare recipe counts as one without reasons. Throws CA_ENDPOINT_REPLY saying all that is wrong.
 */
export function readProposal(answer: string, base: Recipe, known: KnownChecks = knownChecks()): Plan {
  const value = jsonIn(answer);
  const bare = !Object.hasOwn(value, 'recipe') && Object.keys(value).every((key) => TOP.includes(key));
  const read = reply.safeParse(bare ? { recipe: value } : value);
  if (!read.success)
    throw unusable(
      read.error.issues
        .map((issue) => `${issue.path.map(String).join('.') || 'the object'}: ${issue.message}`)
        .join('; '),
    );
  const { recipe, ...told } = read.data;
  const faults = recipeFaults(recipe, known);
  if (faults.length > 0) throw unusable(faults.map(faultLine).join('; '));
  const merged = mergedRecipe(base, recipe as RecipeInput, known);
  const conflicts = recipeFaults(merged, known);
  if (conflicts.length > 0) throw unusable(`laid over the base: ${conflicts.map(faultLine).join('; ')}`);
  const proposed = readRecipe(merged, { known });
  return finishedPlan(base, proposed, known, { ...told, refused: [] });
}

const TOP = RECIPE_KEYS.get('')!;

function jsonIn(answer: string): Record<string, unknown> {
  if (answer.length > LIMIT) throw unusable(`${answer.length} characters, more than ${LIMIT}`);
  const fences = [...answer.matchAll(/```[\w-]*[^\S\n]*\n([\s\S]*?)```/g)].map(([, inner]) => inner!);
  const braces = answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1);
  for (const candidate of [answer, ...fences, braces]) {
    let value: unknown;
    try {
      value = JSON.parse(candidate);
    } catch {
      continue;
    }
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  }
  throw unusable(answer.trim() === '' ? 'no text' : `no JSON object in ${shown(answer.trim())}`);
}

function unusable(what: string): CollapseAwareError {
  return new CollapseAwareError('CA_ENDPOINT_REPLY', `the planning model answered what is no plan: ${what}`, {
    todo: 'ask again, or plan without a model: the rules need none',
  });
}
