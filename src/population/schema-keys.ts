import { z } from 'zod';

/**
 * The keys that a schema knows at a place of a written value. A union is followed where the value goes: the option whose
 * `kind` it names, else the first that is a mapping. Empty where there is no mapping of known keys.
 */
export function keysAtPlace(
  schema: z.core.$ZodType,
  path: readonly PropertyKey[],
  value: unknown,
): readonly string[] {
  const [key, ...rest] = path;
  const inner = key === undefined ? undefined : fieldOf(value, key);
  for (const one of mappings(schema, value)) {
    if (one instanceof z.ZodObject) {
      if (key === undefined) return Object.keys(one.shape);
      const next = Object.hasOwn(one.shape, key) ? one.shape[String(key)] : undefined;
      if (next !== undefined) return keysAtPlace(next, rest, inner);
    } else if (key !== undefined)
      return keysAtPlace(one instanceof z.ZodArray ? one.element : one.valueType, rest, inner);
  }
  return [];
}

type Holder = z.ZodObject | z.ZodArray | z.ZodRecord;

/** What of a schema can hold others, the likeliest first. */
function mappings(schema: z.core.$ZodType, value: unknown): Holder[] {
  if (schema instanceof z.ZodObject || schema instanceof z.ZodArray || schema instanceof z.ZodRecord)
    return [schema];
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return mappings(schema.unwrap(), value);
  if (!(schema instanceof z.ZodUnion)) return [];
  const options = schema.options.flatMap((option) => mappings(option, value));
  const kind = fieldOf(value, 'kind');
  const named = options.filter(
    (option) => option instanceof z.ZodObject && option.shape.kind?.safeParse(kind).success === true,
  );
  return named.length > 0 ? named : options;
}

function fieldOf(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<PropertyKey, unknown>)[key]
    : undefined;
}
