import type { z } from 'zod';
import type { WrittenMember } from '../../population/member-schema.ts';
import { populationSchema, servedMemberSchema, type WrittenPopulation } from './settings-schema.ts';

/** A population of which only what is sound is left: what its parts say of one another can still be checked. */
export interface MendedPopulation extends Omit<WrittenPopulation, 'seen' | 'selection' | 'test'> {
  readonly seen: (string | WrittenMember)[];
  readonly selection: (string | WrittenMember)[];
  readonly test: (string | WrittenMember)[];
}

/**
 * A written population with faults, each faulty value replaced by one that says nothing, so that all other faults can be
 * found as well. Places stay: `members[1]` is the file's. Null where it is no mapping.
 */
export function mendedPopulation(value: unknown): MendedPopulation | null {
  if (!isMapping(value)) return null;
  const written = fieldsOf(populationSchema.shape, value);
  const broken = new Set<string>();
  const members = listOf(value.members).map((one, i) => mendedMember(one, i, broken));
  const whole = members.map((member, i) =>
    partsOf(member).some((id) => broken.has(id)) ? { ...member, ...nobody(`parts of ${i}`) } : member,
  );
  const panel = (name: 'seen' | 'selection' | 'test') =>
    listOf(value[name]).map((one, i) =>
      typeof one === 'string' && one !== '' ? one : standIn(`\u0000${name} ${i}`),
    );
  return {
    ...written,
    members: whole,
    seen: panel('seen'),
    selection: panel('selection'),
    test: panel('test'),
    aliases: written.aliases ?? {},
  } as MendedPopulation;
}

type ServedMember = WrittenPopulation['members'][number];

/** A person needs neither model nor upstream, and is nobody else: it has no fault of its own. */
const nobody = (family: string) => ({
  family,
  model: null,
  recipe: { kind: 'human' as const },
  checkpoint: null,
  sampling: null,
});
const standIn = (id: string): WrittenMember => ({ id, ...nobody(id) });

function mendedMember(value: unknown, i: number, broken: Set<string>): ServedMember {
  const unnamed = `\u0000members ${i}`;
  const fields = isMapping(value) ? fieldsOf(servedMemberSchema.shape, value) : { recipe: null };
  const id = (fields.id as string | undefined) ?? unnamed;
  const rest = { family: unnamed, model: null, checkpoint: null, sampling: null, weight: 1, ...fields, id };
  if (fields.recipe === null || fields.recipe === undefined) {
    broken.add(id);
    return { ...rest, ...nobody(unnamed) } as ServedMember;
  }
  return rest as ServedMember;
}

function partsOf({ recipe }: ServedMember): readonly string[] {
  const parts =
    recipe.kind === 'ensemble' ? recipe.members : recipe.kind === 'interpolate' ? [recipe.a, recipe.b] : [];
  return parts.filter((part) => typeof part === 'string');
}

/** The fields that are sound, with the defaults of those that are absent. */
function fieldsOf(shape: z.ZodRawShape, value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [key, schema] of Object.entries(shape)) {
    const read = (schema as z.ZodType).safeParse(Object.hasOwn(value, key) ? value[key] : undefined);
    if (read.success && read.data !== undefined) fields[key] = read.data;
  }
  return fields;
}

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value.slice(0, MOST_LOOKED_AT) : [];
/** Longer lists are refused as such. */
const MOST_LOOKED_AT = 10_000;
