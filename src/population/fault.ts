import type { z } from 'zod';
import { faultsError, nearestName, type RecipeFault, shown } from '../curation/recipe-fault.ts';
import type { CollapseAwareError } from '../errors.ts';
import { MEMBER_KEYS, RECIPE_KIND_KEYS, SAMPLING_KEYS } from './member-schema.ts';

/** One thing wrong with a written member or panels file: `test[3].recipe.tail`. */
export type PopulationFault = RecipeFault;

export function populationError(
  faults: readonly PopulationFault[],
  whole: string,
  file?: string,
  todo = 'docs/population.md lists every key with its range',
): CollapseAwareError {
  return faultsError(faults, whole, todo, file);
}

/** What zod found, each with the value that stands there. `top`: keys of the mapping at the top; `below`: of those in it. */
export function schemaFaults(
  error: z.ZodError,
  input: unknown,
  top: readonly string[],
  below: readonly string[] = MEMBER_KEYS,
): PopulationFault[] {
  return error.issues.flatMap((issue) => told(issue, [], input, top, below));
}

type Issue = z.core.$ZodIssue;

function told(
  issue: Issue,
  above: readonly PropertyKey[],
  input: unknown,
  top: readonly string[],
  below: readonly string[],
): PopulationFault[] {
  const keys = [...above, ...issue.path];
  const at = valueAt(input, keys);
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(keys, at, top, below);
    return issue.keys.map((key) => {
      const near = nearestName(key, known);
      return {
        path: pathText(keys),
        found: `the key ${shown(key)}`,
        allowed: `${near === null ? '' : `'${near}', or another of `}${known.join(', ')}`,
      };
    });
  }
  if (issue.code === 'invalid_union' && typeof at === 'object' && at !== null) {
    const inner = issue.errors.find((list) => list.some(isDeep));
    if (inner !== undefined) return inner.flatMap((one) => told(one, keys, input, top, below));
  }
  return [{ path: pathText(keys), found: shown(at), allowed: issue.message }];
}

const isDeep = (issue: Issue) => issue.path.length > 0 || issue.code === 'unrecognized_keys';

function keysAt(
  keys: readonly PropertyKey[],
  at: unknown,
  top: readonly string[],
  below: readonly string[],
): readonly string[] {
  const last = keys.at(-1);
  if (last === undefined) return top;
  if (last === 'sampling') return SAMPLING_KEYS;
  if (last === 'recipe') return RECIPE_KIND_KEYS.get(String(valueAt(at, ['kind']))) ?? ['kind'];
  return below;
}

/** `seen[0].recipe.kind` */
export function pathText(keys: readonly PropertyKey[]): string {
  return keys
    .map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i === 0 ? '' : '.'}${String(key)}`))
    .join('');
}

function valueAt(value: unknown, keys: readonly PropertyKey[]): unknown {
  let at: unknown = value;
  for (const key of keys) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<PropertyKey, unknown>)[key];
  }
  return at;
}
