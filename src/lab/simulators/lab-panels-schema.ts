import { z } from 'zod';
import { memberName } from '../../population/member-schema.ts';

export const LAB_PANELS_SCHEMA = 'collapse-aware/lab-panels@1';

/** Most families in a file and most in a panel. */
export const MOST_FAMILIES = 1000;

const within = (least: number, most: number) => {
  const error = `a number from ${least} to ${most}`;
  return z.number({ error }).min(least, { error }).max(most, { error });
};

const family = z.strictObject(
  {
    id: memberName.describe('also the seed of its taste'),
    kappa: within(0, 0.9).describe('TV between its kinds of people and all people'),
    gamma: within(1, 64).describe('collapse over acts at every history; 1 is none'),
    kindGamma: within(1, 64).optional().describe('collapse over kinds before a dialogue; absent: as gamma'),
    lean: within(0, 1).describe('how far agreeableness decides whom it covers, and not its own taste'),
  },
  { error: 'a mapping with id, kappa, gamma, lean' },
);

export const LIST_OF_FAMILIES = `a list of 1 to ${MOST_FAMILIES} families`;
export const LIST_OF_IDS = `a list of 1 to ${MOST_FAMILIES} ids of families`;

const listOf = <T extends z.ZodType>(item: T, error: string) =>
  z.array(item, { error }).min(1, { error }).max(MOST_FAMILIES, { error });
const panel = listOf(memberName, LIST_OF_IDS);

/** A file of the lab's panels as written. */
export const labPanelsSchema = z.strictObject(
  {
    schema: z.literal(LAB_PANELS_SCHEMA, { error: `'${LAB_PANELS_SCHEMA}'` }),
    families: listOf(family, LIST_OF_FAMILIES),
    seen: panel.describe('trained against; methods take them in this order'),
    selection: panel.describe('chooses checkpoints'),
    test: panel.describe('measures, once'),
  },
  { error: 'a mapping with schema, families, seen, selection, test' },
);

/** JSON Schema 2020-12 of the file (docs/schema/lab-panels.json). */
export function labPanelsJsonSchema(): Record<string, unknown> {
  return {
    title: 'collapse-aware lab panels',
    $id: LAB_PANELS_SCHEMA,
    ...z.toJSONSchema(labPanelsSchema, { io: 'input', reused: 'ref' }),
  };
}
