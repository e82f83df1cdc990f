import { z } from 'zod';
import { type ExportName, RECIPE_SCHEMA } from './recipe.ts';

/**
 * The recipe as people write it (YAML or JSON): every key may be left out; a stage is a mapping, `true` (its defaults)
 * or `false` (off). The message of every rule is what is allowed, so that a fault can say it.
 */
const whole = (least: number, most = Number.MAX_SAFE_INTEGER) => {
  const error =
    most === Number.MAX_SAFE_INTEGER
      ? `a whole number of at least ${least}`
      : `a whole number from ${least} to ${most}`;
  return z.int({ error }).min(least, { error }).max(most, { error });
};
const atLeast = (least: number) => {
  const error = `a number of at least ${least}`;
  return z.number({ error }).min(least, { error });
};
const above = (limit: number) => {
  const error = `a number above ${limit}`;
  return z.number({ error }).gt(limit, { error });
};
/** In (0, 1] or [0, 1]. */
const share = (zero: boolean) => {
  const error = zero ? 'a number from 0 to 1' : 'a number above 0, at most 1';
  const number = z.number({ error }).max(1, { error });
  return zero ? number.min(0, { error }) : number.gt(0, { error });
};
const oneOf = <const T extends readonly [string, ...string[]]>(names: T) =>
  z.enum(names, { error: `one of ${names.join(', ')}` });
const yesNo = z.boolean({ error: 'true or false' });
const words = (what: string, most = 200) =>
  z.string({ error: what }).min(1, { error: what }).max(most, { error: what });

const BOUNDS = 'two numbers [low, high] with 0 < low < 1 < high';
const RANGE = 'two numbers [low, high] with low < high, or null';
const URL_RULE = 'an http or https URL without name, password, query or fragment';
const KEY_RULE = 'the NAME of an environment variable (capitals, digits and _), never the key itself';
const LIST = 'a list';

const mapping = <T extends z.ZodRawShape>(shape: T) => z.strictObject(shape, { error: 'a mapping' });

const judge = mapping({
  url: z
    .string({ error: URL_RULE })
    .max(2000, { error: URL_RULE })
    .regex(/^https?:\/\/[^\s@?#]+$/, { error: URL_RULE })
    .refine((url) => URL.canParse(url), { error: URL_RULE })
    .describe('base URL of an OpenAI-compatible API'),
  model: words('the name of a model'),
  keyEnv: z
    .union(
      [
        z
          .string()
          .max(64, { error: KEY_RULE })
          .regex(/^[A-Z_][A-Z0-9_]*$/, { error: KEY_RULE }),
        z.null(),
      ],
      { error: KEY_RULE },
    )
    .optional()
    .describe('name of the environment variable that holds the key; null = none is sent'),
  questions: z
    .array(words('the name of a question'), { error: LIST })
    .min(1, { error: 'a list of at least one question' })
    .optional()
    .describe('default: all'),
  votes: whole(1, 99).optional().describe('answers asked for each question (default 3)'),
  agree: whole(1, 99)
    .optional()
    .describe('"yes" answers that make a finding (default: more than half of votes)'),
});

const gate = mapping({
  profile: oneOf(['lenient', 'standard', 'strict']).optional(),
  checks: z
    .record(z.string(), oneOf(['drop', 'flag', 'off']), { error: 'a mapping of check to drop, flag or off' })
    .optional()
    .describe(
      'what a finding of a check does, where it differs from the profile; "judge:QUESTION" for a question of the judge',
    ),
  rewardRange: z
    .union(
      [z.tuple([z.number(), z.number()]).refine(([low, high]) => low < high, { error: RANGE }), z.null()],
      {
        error: RANGE,
      },
    )
    .optional()
    .describe('lowest and highest reward that can be true; null = any finite number'),
  unchecked: oneOf(['drop', 'keep']).optional().describe('rows that a configured check could not look at'),
  judge: z.union([z.literal(false), judge], { error: 'false or a mapping with url and model' }).optional(),
});

const weights = mapping({
  alpha: atLeast(0).optional().describe('weights fall by exp(-alpha * rank of the local density)'),
  neighbours: whole(1).optional(),
  coverage: yesNo
    .optional()
    .describe(
      'multiply by p_people(mode) / p_data(mode); default false, true where weights correct concentration',
    ),
  concentration: yesNo
    .optional()
    .describe(
      'multiply by 1 / MCI of the simulator; default false, true where balance is "none" or there is a selection, and nothing else is written',
    ),
  bounds: z
    .tuple([z.number({ error: BOUNDS }), z.number({ error: BOUNDS })], { error: BOUNDS })
    .refine(([low, high]) => low > 0 && low < 1 && high > 1 && Number.isFinite(high), { error: BOUNDS })
    .optional()
    .describe('lowest and highest weight'),
  ess: share(false).optional().describe('least effective sample size as a share of the rows'),
});

const batches = mapping({
  size: whole(2).optional().describe('rows a batch, about'),
  balance: oneOf(['mode', 'none'])
    .optional()
    .describe(
      'default "mode": every mode an equal share, which corrects concentration; "none", the default with selection: by hash alone',
    ),
});

const gradient = mapping({ beta: above(0).optional() });

const consistency = mapping({
  rule: oneOf(['v-rex', 'group-dro']).optional(),
  lambda: atLeast(0).optional(),
  base: z
    .union([z.string().min(1).max(200), z.null()], { error: 'the name of a policy or checkpoint, or null' })
    .optional(),
});

const advantage = mapping({
  baseline: oneOf(['weighted', 'simulator']).optional(),
  normalise: yesNo
    .optional()
    .describe(
      "divide by the group's standard deviation (default true; false, and never true, with selection)",
    ),
  consistency: stage(consistency).optional(),
});

const selection = mapping({
  keep: whole(2).optional().describe('rollouts kept of every group that has more'),
  design: oneOf(['conditional-poisson', 'poisson']).optional(),
});

const allocation = mapping({
  budget: whole(1).optional().describe('rollouts that the next epoch may spend'),
  group: whole(1).optional().describe('rollouts are given in multiples of this'),
  floor: share(true).optional().describe('share of the budget spread over all cells alike'),
});

export const EXPORTS = [
  'native',
  'parquet',
  'trl',
  'verl',
  'verifiers',
] as const satisfies readonly ExportName[];

export const recipeSchema = mapping({
  schema: z.literal(RECIPE_SCHEMA, { error: `'${RECIPE_SCHEMA}'` }).optional(),
  seed: whole(0).optional().describe('seed of every draw'),
  gate: stage(gate).optional(),
  weights: stage(weights).optional(),
  batches: stage(batches).optional(),
  gradient: stage(gradient).optional(),
  advantage: stage(advantage).optional(),
  selection: stage(selection).optional(),
  allocation: stage(allocation).optional(),
  export: z
    .array(oneOf(EXPORTS), { error: `a list of ${EXPORTS.join(', ')}` })
    .optional()
    .describe('data sets to write'),
});

/** A recipe as written. */
export type RecipeInput = z.input<typeof recipeSchema>;

/** Keys of every mapping, by its path: what an unknown key is compared with. */
export const RECIPE_KEYS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    '': recipeSchema,
    gate,
    'gate.judge': judge,
    weights,
    batches,
    gradient,
    advantage,
    'advantage.consistency': consistency,
    selection,
    allocation,
  }).map(([path, { shape }]) => [path, Object.keys(shape)]),
);

/** JSON Schema 2020-12 of a written recipe (docs/schema/recipe.json; what a planning model is shown). */
export function recipeJsonSchema(): Record<string, unknown> {
  return {
    title: 'collapse-aware recipe',
    $id: RECIPE_SCHEMA,
    ...z.toJSONSchema(recipeSchema, { io: 'input' }),
  };
}

function stage<T extends z.ZodType>(object: T) {
  return z.union([z.boolean(), object], { error: 'true, false or a mapping' });
}
