import type { z } from 'zod';
import { faultsError, nearestName, type RecipeFault, shown } from '../curation/recipe-fault.ts';
import type { CollapseAwareError } from '../errors.ts';
import { keysAtPlace } from './schema-keys.ts';

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

/** One member that several name is wrong in one place. */
export function eachOnce(faults: readonly PopulationFault[]): PopulationFault[] {
  return [...new Map(faults.map((fault) => [JSON.stringify(fault), fault])).values()];
}

/** What zod found, each with the value that stands there, and with the keys that `schema` knows at that place. */
export function schemaFaults(error: z.ZodError, input: unknown, schema: z.core.$ZodType): PopulationFault[] {
  return error.issues.flatMap((issue) => told(issue, [], input, schema));
}

type Issue = z.core.$ZodIssue;

function told(
  issue: Issue,
  above: readonly PropertyKey[],
  input: unknown,
  schema: z.core.$ZodType,
): PopulationFault[] {
  const keys = [...above, ...issue.path];
  const at = valueAt(input, keys);
  if (issue.code === 'unrecognized_keys') {
    const known = keysAtPlace(schema, keys, input);
    return issue.keys.map((key) => {
      const near = nearestName(key, known);
      return {
        path: pathText(keys),
        found: `the key ${shown(key)}`,
        allowed: `${near === null ? '' : `'${near}', or another of `}${known.join(', ') || 'no key'}`,
      };
    });
  }
  if (issue.code === 'invalid_union' && typeof at === 'object' && at !== null) {
    const inner = issue.errors.find((list) => list.some(isDeep));
    if (inner !== undefined) return inner.flatMap((one) => told(one, keys, input, schema));
  }
  return [{ path: pathText(keys), found: shown(at), allowed: issue.message }];
}

const isDeep = (issue: Issue) => issue.path.length > 0 || issue.code === 'unrecognized_keys';

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
