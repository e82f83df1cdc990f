import { z } from 'zod';

/** A member as people write it (YAML or JSON). The message of every rule is what is allowed, so that a fault can say it. */
const mapping = <T extends z.ZodRawShape>(shape: T) => z.strictObject(shape, { error: 'a mapping' });
const whole = (least: number, most: number) => {
  const error = `a whole number from ${least} to ${most}`;
  return z.int({ error }).min(least, { error }).max(most, { error });
};
const oneOf = <const T extends readonly [string, ...string[]]>(names: T) =>
  z.enum(names, { error: `one of ${names.join(', ')}` });
const text = (what: string, most: number) =>
  z.string({ error: what }).min(1, { error: what }).max(most, { error: what });
const orNull = <T extends z.ZodType>(type: T, error: string) => z.union([type, z.null()], { error });

const NAME = 'a name of 1 to 200 characters without control characters';
/** Ids end in headers, file names and `panel/<name>`. */
export const memberName = z
  .string({ error: NAME })
  .max(200, { error: NAME })
  // Half a character (a lone surrogate) can stand in no header and no file.
  .regex(/^[^\p{Cc}\p{Cs}]+$/u, { error: NAME });

const PERSONA = 'a text of 1 to 20000 characters';
const BANK = 'a list of 1 to 10000 different texts';
const EXEMPLARS = 'a list of at most 100 texts of 1 to 20000 characters';
const TAIL = 'a number above 0 and below 1, or null';
const TEMPERATURE = 'a number from 0 to 2, or null';
const TOP_P = 'a number above 0, at most 1, or null';
const LAMBDA = 'a number from 0 to 1';

const direct = mapping({ kind: z.literal('direct') });
const human = mapping({ kind: z.literal('human') });
const persona = mapping({
  kind: z.literal('persona'),
  text: text(PERSONA, 20_000).optional().describe('the same in every session'),
  bank: z
    .array(text(PERSONA, 20_000), { error: BANK })
    .min(1, { error: BANK })
    .max(10_000, { error: BANK })
    .refine((bank) => new Set(bank).size === bank.length, { error: BANK })
    .optional()
    .describe('one of these is drawn a session'),
});
const verbalized = mapping({
  kind: z.literal('verbalized'),
  mode: oneOf(['standard', 'cot', 'multi']).default('standard'),
  draw: oneOf(['prob', 'random'])
    .default('prob')
    .describe('by the stated probabilities, or each candidate alike'),
  candidates: whole(2, 20).default(5),
  tail: orNull(z.number({ error: TAIL }).gt(0, { error: TAIL }).lt(1, { error: TAIL }), TAIL)
    .default(null)
    .describe('every stated probability is asked to be below this'),
  persona: orNull(text(PERSONA, 20_000), `${PERSONA}, or null`)
    .default(null)
    .describe('a description of somebody, before the instructions of the client'),
  exemplars: z
    .array(text(PERSONA, 20_000), { error: EXEMPLARS })
    .max(100, { error: EXEMPLARS })
    .default([])
    .describe('what such a person does in a dialogue, described and not quoted; behind the persona'),
});
const pool = mapping({
  kind: z.literal('pool'),
  size: whole(1, 1000).default(5).describe('checkpoints kept'),
  every: whole(1, 1_000_000).default(4).describe('training steps from one checkpoint to the next'),
  order: z.literal('fifo', { error: 'fifo' }).default('fifo'),
});
const scripted = mapping({
  kind: z.literal('scripted'),
  family: memberName.optional().describe("default: the member's family"),
});

const PLAIN = [direct, persona, verbalized, pool, scripted, human] as const;
const kindsOf = (options: readonly { shape: { kind: z.ZodLiteral<string> } }[]) =>
  `a mapping whose kind is one of ${options.map(({ shape }) => shape.kind.value).join(', ')}`;

const sampling = mapping({
  temperature: orNull(
    z.number({ error: TEMPERATURE }).min(0, { error: TEMPERATURE }).max(2, { error: TEMPERATURE }),
    TEMPERATURE,
  ).default(null),
  topP: orNull(z.number({ error: TOP_P }).gt(0, { error: TOP_P }).max(1, { error: TOP_P }), TOP_P).default(
    null,
  ),
});

const identity = {
  id: memberName,
  family: memberName.describe('where it comes from; panels share none'),
  model: orNull(memberName, 'the name of a model, or null')
    .default(null)
    .describe('null: no model is asked, or the family itself answers'),
};
const rest = {
  checkpoint: orNull(memberName, 'the name of a checkpoint, or null').default(null),
  sampling: orNull(sampling, 'a mapping with temperature or topP, or null').default(null),
};

const plainMember = mapping({
  ...identity,
  recipe: z.discriminatedUnion('kind', PLAIN, { error: kindsOf(PLAIN) }).default({ kind: 'direct' }),
  ...rest,
});
const part = z
  .union([memberName, plainMember], { error: 'the id of a member, or a member whose recipe holds no other' })
  .describe('the id of a member, or a member');

const PARTS = 'a list of 2 to 100 members or their ids';
const interpolate = mapping({
  kind: z.literal('interpolate'),
  a: part,
  b: part,
  lambda: z
    .number({ error: LAMBDA })
    .min(0, { error: LAMBDA })
    .max(1, { error: LAMBDA })
    .describe('0 is a, 1 is b'),
  how: oneOf(['prompt', 'sampling', 'mixture']),
});
const ensemble = mapping({
  kind: z.literal('ensemble'),
  members: z.array(part, { error: PARTS }).min(2, { error: PARTS }).max(100, { error: PARTS }),
});

const ALL = [...PLAIN, interpolate, ensemble] as const;

export const memberSchema = mapping({
  ...identity,
  recipe: z.discriminatedUnion('kind', ALL, { error: kindsOf(ALL) }).default({ kind: 'direct' }),
  ...rest,
});

export type WrittenMember = z.output<typeof memberSchema>;
export type WrittenPart = z.output<typeof part>;
