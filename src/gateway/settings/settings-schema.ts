import { z } from 'zod';
import { memberName, memberSchema } from '../../population/member-schema.ts';
import { DISJOINT } from '../../population/panels.ts';
import { flag, mapping, number, oneOf, orNull, text, whole } from './rules.ts';
import { GATEWAY_SCHEMA } from './settings.ts';

// A settings file as people write it.

const path = () => text('a path').regex(/^[^\0]+$/, { error: 'a path' });
const VARIABLE = 'the name of an environment variable (letters, digits and _), never the secret itself';
const variable = z.string({ error: VARIABLE }).regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, { error: VARIABLE });
const variableOrNull = orNull(variable, `${VARIABLE}; or null`).default(null);

const WEB = 'an http:// or https:// URL without name and password';
const web = z
  .string({ error: WEB })
  .max(2000, { error: WEB })
  .refine((value) => isPlainUrl(value), { error: WEB });

function isPlainUrl(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

const PRICE = 'a price of at least 0 per million tokens';
const price = z.number({ error: PRICE }).min(0, { error: PRICE }).max(1e9, { error: PRICE });

const upstream = mapping({
  baseUrl: web.describe('of an OpenAI-compatible API; it usually ends in /v1'),
  apiKeyEnv: variableOrNull,
  concurrency: whole(1, 10_000).default(64).describe('requests under way at once'),
  queue: whole(0, 100_000).default(256).describe('requests waiting; more are refused with 429'),
  retries: whole(0, 10).default(1).describe('attempts after the first, before the first byte only'),
  connectSeconds: number(0.01, 600).default(5),
  firstByteSeconds: number(0.01, 3600).default(60),
  idleSeconds: number(0.01, 3600).default(30).describe('between two pieces of a reply'),
  totalSeconds: number(0.01, 7200).default(300),
  tripAfter: whole(1, 1000).default(5).describe('failures in a row after which it is left alone'),
  restSeconds: number(0.01, 3600).default(10),
  prices: orNull(
    mapping({ prompt: price, completion: price }),
    'a mapping with prompt and completion, or null',
  )
    .default(null)
    .describe('per million tokens'),
});

const WEIGHT = 'a number of at least 0';
const LIST = 'a list of at most 10000 ids of members';
const panel = z.array(memberName, { error: LIST }).max(10_000, { error: LIST });
const ALIASES = 'a mapping of names to population, population/ID or panel/selection';

export const servedMemberSchema = mapping({
  ...memberSchema.shape,
  upstream: memberName.optional().describe('who answers for it, where a model does'),
  weight: z.number({ error: WEIGHT }).min(0, { error: WEIGHT }).max(1e9, { error: WEIGHT }).default(1),
  antiCollapse: flag
    .optional()
    .describe('yellow raises its share; default: verbalized, persona with a bank, interpolate, ensemble'),
});

export const populationSchema = mapping({
  members: z
    .array(servedMemberSchema, { error: 'a list of members' })
    .min(1, { error: 'a list of at least one member' })
    .max(10_000, { error: 'a list of at most 10000 members' }),
  seen: panel.min(1, { error: 'a list of at least one id' }).describe('trained against'),
  selection: panel.default([]).describe('chooses checkpoints'),
  test: panel.default([]).describe('measures, once'),
  disjoint: z.enum(DISJOINT, { error: `one of ${DISJOINT.join(', ')}` }).default('families'),
  world: oneOf(['persuasion', 'service', 'pair-coding'])
    .default('persuasion')
    .describe('of scripted members'),
  draw: oneOf(['group', 'uniform', 'weighted', 'least-covered']).default('group'),
  aliases: z.record(memberName, memberName, { error: ALIASES }).default({}),
});

const sessions = mapping({
  headers: z
    .array(z.string().regex(/^[A-Za-z0-9-]{1,100}$/, { error: 'a name of a header' }), {
      error: 'a list of names of headers',
    })
    .max(20)
    .default(['x-session-id', 'x-smg-routing-key']),
  retrySeconds: number(0, 3600).default(30),
  idleSeconds: number(1, 86_400 * 7).default(600),
  stopTokens: z
    .array(text('a text'), { error: 'a list of texts' })
    .max(50)
    .default(['###STOP###', '###TRANSFER###', '###OUT-OF-SCOPE###']),
  // None by default: any that looks for a pair of tags takes time that grows with the square of a hostile prompt.
  scenario: orNull(text('a regular expression', 500), 'a regular expression, or null').default(null),
  benchmark: orNull(text('a name', 200), 'a name, or null').default(null),
  domain: orNull(text('a name', 200), 'a name, or null').default(null),
});

const limits = mapping({
  bodyBytes: whole(1024, 2 ** 28).default(4 * 2 ** 20),
  depth: whole(4, 200).default(40),
  messages: whole(1, 100_000).default(1000),
  turns: whole(1, 10_000).default(200),
  requestSeconds: number(1, 600).default(30).describe('to receive a whole request'),
  sessions: whole(1, 1_000_000).default(20_000).describe('under way at once'),
});

const SIZE = 'a whole number from 1, or null';
const recorder = mapping({
  durability: oneOf(['process', 'power']).default('process'),
  keepSessions: orNull(z.int({ error: SIZE }).min(1, { error: SIZE }), SIZE).default(null),
  keepDays: orNull(number(0.001, 36_500), 'a number of days, or null').default(null),
  keepBytes: orNull(
    z.int({ error: SIZE }).min(2 ** 20, { error: 'at least 1048576, or null' }),
    SIZE,
  ).default(null),
  maxBytes: orNull(z.int({ error: SIZE }).min(2 ** 20, { error: 'at least 1048576, or null' }), SIZE).default(
    null,
  ),
  onFailure: oneOf(['refuse', 'serve']).default('refuse'),
});

const probes = mapping({
  share: number(0, 1).default(0),
  resamples: whole(2, 64).default(8),
  laws: z
    .array(oneOf(['member', 'population']), { error: 'a list of member, population' })
    .min(1)
    .max(2)
    .default(['member', 'population']),
  concurrency: whole(1, 1000).default(2),
  queue: whole(1, 100_000).default(200),
  yieldAbove: whole(1, 100_000).default(8),
  budgetTokens: orNull(z.int().min(1), SIZE).default(null),
});

const RANGE = 'two numbers, the lower first, or null';
const BARS = 'people, proposed, or a mapping with yellow and red, yellow the lower';
const bar = z.number({ error: BARS });
const live = mapping({
  space: orNull(path(), 'a path, or null').default(null),
  reference: z.array(path(), { error: 'a list of paths' }).max(100).default([]),
  warmUp: whole(8, 100_000).default(200).describe('sessions that the space is fitted on'),
  epochs: mapping({
    by: oneOf(['sessions', 'trainer']).default('sessions'),
    every: whole(1, 1_000_000).default(512).describe('closed sessions of an epoch'),
  }).default({ by: 'sessions', every: 512 }),
  window: whole(1, 100).default(1).describe('epochs that enter the figures of now'),
  rewardRange: orNull(
    z
      .tuple([z.number({ error: RANGE }), z.number({ error: RANGE })], { error: RANGE })
      .refine(([low, high]) => low < high, { error: RANGE }),
    RANGE,
  ).default(null),
});

const breaker = mapping({
  enabled: flag.default(true),
  bars: z
    .union([oneOf(['people', 'proposed']), mapping({ yellow: bar, red: bar })], { error: BARS })
    .refine((bars) => typeof bars === 'string' || bars.yellow < bars.red, { error: BARS })
    .default('people'),
  plannedEpochs: orNull(whole(1, 1_000_000), SIZE).default(null),
  baseline: whole(20, 10_000).default(20),
  timeLimitSeconds: orNull(number(1, 86_400 * 365), 'a number of seconds, or null').default(null),
  holdSeconds: number(0, 3600).default(60),
  psodEvery: whole(1, 1_000_000).default(10),
});

const SEED = 'a text or a whole number';

export const settingsSchema = z.strictObject(
  {
    schema: z.literal(GATEWAY_SCHEMA, { error: `'${GATEWAY_SCHEMA}'` }),
    listen: mapping({
      host: text('a host name or address', 255).default('127.0.0.1'),
      port: whole(0, 65_535).default(8420),
    }).default({ host: '127.0.0.1', port: 8420 }),
    store: path().default('.collapse-aware/gateway'),
    seed: z.union([z.string().max(200), z.int({ error: SEED })], { error: SEED }).default(0),
    keys: mapping({ clientEnv: variableOrNull, adminEnv: variableOrNull }).default({
      clientEnv: null,
      adminEnv: null,
    }),
    upstreams: z.record(memberName, upstream, { error: 'a mapping of names to upstreams' }).default({}),
    population: populationSchema.optional().describe("absent: the lab's scripted users"),
    sessions: sessions.default(sessions.parse({})),
    limits: limits.default(limits.parse({})),
    recorder: recorder.default(recorder.parse({})),
    probes: probes.default(probes.parse({})),
    live: live.default(live.parse({})),
    breaker: breaker.default(breaker.parse({})),
    webhooks: z
      .array(mapping({ url: web, headerEnv: variableOrNull }), { error: 'a list of mappings with url' })
      .max(20)
      .default([]),
  },
  { error: 'a mapping with schema, upstreams and population' },
);

export type WrittenSettings = z.output<typeof settingsSchema>;
export type WrittenPopulation = z.output<typeof populationSchema>;
export type WrittenUpstream = z.output<typeof upstream>;

/** JSON Schema 2020-12 of a settings file (docs/schema/gateway.json). */
export function gatewayJsonSchema(): Record<string, unknown> {
  return {
    title: 'collapse-aware gateway',
    $id: GATEWAY_SCHEMA,
    ...z.toJSONSchema(settingsSchema, { io: 'input', reused: 'ref', unrepresentable: 'any' }),
  };
}
