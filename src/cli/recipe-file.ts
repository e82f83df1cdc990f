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

/** Most bytes of a recipe; a complete one has some two thousand. Reading YAML takes the square of its keys. */
const MOST_BYTES = 100_000;

/** What a settings file is called in errors, and how long it may be. */
export interface FileKind {
  readonly noun: string;
  /** As its page says it is written. */
  readonly format: string;
  readonly mostBytes: number;
}

const RECIPE_FILE: FileKind = { noun: 'recipe', format: 'YAML', mostBytes: MOST_BYTES };

/** The value in a YAML or JSON file; null where it is empty. Errors: CA_CONFIG_INVALID, CA_FILE_*. */
export async function readYaml(path: string, kind: FileKind = RECIPE_FILE): Promise<unknown> {
  const text = await textOf(path, kind);
  const document = parsed(path, text, kind);
  const fault = document.errors[0];
  if (fault !== undefined) throw notReadable(path, kind, fault.message, fault.linePos?.[0].line);
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    if (holdsItself(value)) throw new Error('an alias stands inside of what it names');
    return value;
  } catch (error) {
    // Aliases of nothing, or of so much that it would fill the memory.
    throw notReadable(path, kind, (error as Error).message);
  }
}

function parsed(path: string, text: string, kind: FileKind) {
  try {
    return parseDocument(text, { prettyErrors: true, uniqueKeys: true });
  } catch {
    throw notReadable(path, kind, 'nested too deeply');
  }
}

async function textOf(path: string, { noun, mostBytes }: FileKind): Promise<string> {
  const source = await openSource(path).catch((error: unknown) => {
    if (error instanceof CollapseAwareError && error.code === 'CA_FILE_EMPTY') return null;
    throw error;
  });
  const text = (await source?.text()) ?? '';
  if (Buffer.byteLength(text) > mostBytes)
    throw new CollapseAwareError(
      'CA_CONFIG_INVALID',
      `more than ${mostBytes} bytes, which no ${noun} needs`,
      {
        place: { file: path },
        todo: `check that the path names the ${noun}, not the data`,
      },
    );
  return text;
}

/** Such a value has no end for whoever walks through it. */
function holdsItself(value: unknown, above: ReadonlySet<unknown> = new Set()): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (above.has(value)) return true;
  const here = new Set(above).add(value);
  return Object.values(value).some((inner) => holdsItself(inner, here));
}

function notReadable(path: string, kind: FileKind, message: string, line?: number): CollapseAwareError {
  return new CollapseAwareError('CA_CONFIG_INVALID', `not ${kind.format}: ${message.split('\n')[0]}`, {
    place: { file: path, ...(line === undefined ? {} : { line }) },
    todo: `mend it${kind.format === 'JSON' ? '' : ', or write it as JSON'}`,
  });
}
