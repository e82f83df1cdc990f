import { parseDocument } from 'yaml';
import { readRecipe } from '../curation/read-recipe.ts';
import type { Recipe } from '../curation/recipe.ts';
import { CollapseAwareError } from '../errors.ts';
import { openSource } from '../formats/index.ts';

/** A recipe of a YAML or JSON file; none = the default recipe. Errors: CA_CONFIG_INVALID with every fault, CA_FILE_*. */
export async function readRecipeFile(path: string | undefined): Promise<Recipe> {
  if (path === undefined) return readRecipe(null);
  return readRecipe(await readYaml(path), { file: path });
}

export async function readYaml(path: string): Promise<unknown> {
  const text = await (await openSource(path)).text();
  const document = parseDocument(text, { prettyErrors: true, uniqueKeys: true });
  const fault = document.errors[0];
  if (fault !== undefined) {
    const line = fault.linePos?.[0].line;
    throw new CollapseAwareError('CA_CONFIG_INVALID', `not YAML: ${fault.message.split('\n')[0]}`, {
      place: { file: path, ...(line === undefined ? {} : { line }) },
      todo: 'mend it, or write the recipe as JSON',
    });
  }
  return document.toJS({ maxAliasCount: 100 });
}
