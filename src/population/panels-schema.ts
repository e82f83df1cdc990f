import { z } from 'zod';
import { memberName, memberSchema } from './member-schema.ts';
import { DISJOINT, PANEL_NAMES, PANELS_SCHEMA } from './panels.ts';

const LIST = 'a list of at most 10000 members or their ids';
const panel = z
  .array(
    z.union([memberName, memberSchema], {
      error: 'the id of a member, or a mapping with id, family and recipe',
    }),
    { error: LIST },
  )
  .max(10_000, { error: LIST });
const catalogue = z
  .array(memberSchema, { error: 'a list of at most 10000 members' })
  .max(10_000, { error: 'a list of at most 10000 members' });

/** A panels file as written. */
export const panelsSchema = z.strictObject(
  {
    schema: z.literal(PANELS_SCHEMA, { error: `'${PANELS_SCHEMA}'` }),
    disjoint: z
      .enum(DISJOINT, { error: `one of ${DISJOINT.join(', ')}` })
      .default('families')
      .describe('members: a family in two panels is a note, not an error'),
    members: catalogue.default([]).describe('members that the panels, and recipes, name by id'),
    seen: panel.describe('trained against'),
    selection: panel.describe('chooses checkpoints'),
    test: panel.describe('measures, once'),
  },
  { error: `a mapping with schema, ${PANEL_NAMES.join(', ')}` },
);

/** JSON Schema 2020-12 of a panels file (docs/schema/panels.json). */
export function panelsJsonSchema(): Record<string, unknown> {
  return {
    title: 'collapse-aware panels',
    $id: PANELS_SCHEMA,
    ...z.toJSONSchema(panelsSchema, { io: 'input', reused: 'ref' }),
  };
}
