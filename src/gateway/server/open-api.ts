import { z } from 'zod';
import { VERSION } from '../../version.ts';
import {
  answerSchema,
  checkpointSchema,
  decideSchema,
  dumpSchema,
  endSchema,
  epochSchema,
  newSessionSchema,
  overrideSchema,
  populationBodySchema,
  recordSchema,
  rewardEntrySchema,
  rewardsSchema,
  selectSchema,
  weightsBodySchema,
  weightsSchema,
} from '../api/schemas.ts';

/** A path of the gateway, as its OpenAPI document has it. */
interface Operation {
  readonly method: 'get' | 'post' | 'put' | 'patch';
  readonly path: string;
  readonly tag: 'chat' | 'sessions' | 'training' | 'figures' | 'population' | 'operations';
  readonly summary: string;
  readonly key: 'client' | 'admin' | 'none';
  readonly body?: z.ZodType;
  readonly query?: Readonly<Record<string, string>>;
  /** Media type of the answer where it is no JSON object. */
  readonly answers?: string;
}

/** Every path that is served; a test holds the server to it. */
export const OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    path: '/v1/chat/completions',
    tag: 'chat',
    key: 'client',
    summary: "The simulated user's next turn, streamed or whole (OpenAI chat completions)",
    body: z.looseObject({ model: z.string(), messages: z.array(z.looseObject({ role: z.string() })) }),
  },
  {
    method: 'post',
    path: '/sessions/{sid}/v1/chat/completions',
    tag: 'chat',
    key: 'client',
    summary: 'The same for the session that the path names',
    body: z.looseObject({ model: z.string(), messages: z.array(z.looseObject({ role: z.string() })) }),
  },
  { method: 'get', path: '/v1/models', tag: 'chat', key: 'client', summary: 'Names that `model` may have' },
  {
    method: 'get',
    path: '/sessions/{sid}/v1/models',
    tag: 'chat',
    key: 'client',
    summary: 'The same, for clients whose base URL names a session',
  },
  {
    method: 'get',
    path: '/api/status',
    tag: 'operations',
    key: 'admin',
    summary: 'Sessions, recorder, probes and notes',
  },
  {
    method: 'get',
    path: '/api/openapi.json',
    tag: 'operations',
    key: 'admin',
    summary: 'This document',
  },
  {
    method: 'get',
    path: '/api/population',
    tag: 'population',
    key: 'admin',
    summary: 'Members, their shares now, their counters, and the population as it was written',
  },
  {
    method: 'put',
    path: '/api/population',
    tag: 'population',
    key: 'admin',
    summary: 'Another population for sessions that begin from now on',
    body: populationBodySchema,
  },
  {
    method: 'patch',
    path: '/api/population/weights',
    tag: 'population',
    key: 'admin',
    summary: 'Other weights of members of the seen panel',
    body: weightsBodySchema,
  },
  {
    method: 'post',
    path: '/api/population/{id}/checkpoints',
    tag: 'population',
    key: 'admin',
    summary: 'A new checkpoint of a pool; the oldest beyond its size leaves',
    body: checkpointSchema,
  },
  {
    method: 'post',
    path: '/api/sessions',
    tag: 'sessions',
    key: 'admin',
    summary: 'A session made beforehand, with a key and a base URL of its own',
    body: newSessionSchema,
  },
  {
    method: 'get',
    path: '/api/sessions',
    tag: 'sessions',
    key: 'admin',
    summary: 'Sessions, newest first, a page at a time',
    query: {
      state: 'open, closed or orphan',
      member: 'id of a member',
      epoch: 'number of an epoch',
      text: 'part of an id',
      after: '`next` of the page before',
      limit: 'most on a page (default 50)',
    },
  },
  {
    method: 'get',
    path: '/api/sessions/{id}',
    tag: 'sessions',
    key: 'admin',
    summary: 'One session: its trajectory, and how each turn was answered',
  },
  {
    method: 'post',
    path: '/api/sessions/{id}/end',
    tag: 'sessions',
    key: 'admin',
    summary: 'The session is over',
    body: endSchema,
  },
  {
    method: 'get',
    path: '/api/trajectories',
    tag: 'sessions',
    key: 'admin',
    summary: 'Native JSON lines, one session a line, while the gateway runs',
    query: {
      of: 'window, closed (default) or all',
      epoch: 'number of an epoch',
      split: 'seen, selection or test',
      member: 'id of a member',
      purpose: 'of training, panel, probe and nested, comma separated (default training,panel)',
    },
    answers: 'application/x-ndjson',
  },
  {
    method: 'post',
    path: '/api/rewards',
    tag: 'training',
    key: 'admin',
    summary: 'Rewards by id of the session',
    // As its entries should be; the server takes each by itself.
    body: rewardsSchema.extend({ rewards: z.array(rewardEntrySchema) }),
  },
  {
    method: 'post',
    path: '/api/rewards/dump',
    tag: 'training',
    key: 'admin',
    summary: "Rewards out of rows of a trainer's dump, joined by id, else by equal content",
    body: dumpSchema,
  },
  {
    method: 'post',
    path: '/api/epochs',
    tag: 'training',
    key: 'admin',
    summary: 'The trainer begins an epoch',
    body: epochSchema,
  },
  {
    method: 'post',
    path: '/api/record',
    tag: 'training',
    key: 'admin',
    summary: 'Episodes that the gateway did not serve',
    body: recordSchema,
  },
  {
    method: 'post',
    path: '/api/decide',
    tag: 'training',
    key: 'admin',
    summary: 'May these groups be trained on: accept, reject or defer',
    body: decideSchema,
  },
  {
    method: 'post',
    path: '/api/weights',
    tag: 'training',
    key: 'admin',
    summary: 'Loss weights by id, mean 1',
    body: weightsSchema,
  },
  {
    method: 'post',
    path: '/api/select',
    tag: 'training',
    key: 'admin',
    summary: 'n of each group, with the chance of each and of pairs',
    body: selectSchema,
  },
  {
    method: 'get',
    path: '/api/gate',
    tag: 'training',
    key: 'admin',
    summary: 'May training go on? Waits for a change where asked to',
    query: { after: 'a `revision`', wait: 'seconds, at most 60' },
  },
  {
    method: 'post',
    path: '/api/breaker',
    tag: 'operations',
    key: 'admin',
    summary: "An operator's level, or its release",
    body: overrideSchema,
  },
  {
    method: 'get',
    path: '/api/metrics',
    tag: 'figures',
    key: 'admin',
    summary: 'Figures of the present window',
  },
  {
    method: 'get',
    path: '/api/map',
    tag: 'figures',
    key: 'admin',
    summary: 'The behaviour map and its modes',
  },
  {
    method: 'get',
    path: '/api/looks',
    tag: 'figures',
    key: 'admin',
    summary: 'Figures of every epoch so far',
    query: { limit: 'the newest so many' },
  },
  {
    method: 'get',
    path: '/api/profile',
    tag: 'figures',
    key: 'admin',
    summary: 'The rows of the present window, for `collapse-aware merge` and `collapse-aware audit --space`',
    answers: 'application/x-ndjson',
  },
  {
    method: 'get',
    path: '/api/space',
    tag: 'figures',
    key: 'admin',
    summary: 'The behaviour space, for `collapse-aware audit --space`',
  },
  {
    method: 'get',
    path: '/api/probes/nested',
    tag: 'figures',
    key: 'admin',
    summary: 'Sessions to open for the variance split of the reward',
    query: {
      contexts: 'labels of tasks, comma separated',
      agentSeeds: 'seeds of the agent (default 2)',
      userSeeds: 'seeds of the user for each (default 2)',
    },
  },
  {
    method: 'get',
    path: '/api/people/questions',
    tag: 'sessions',
    key: 'admin',
    summary: 'Conversations that wait for a person, without a word of who else could have answered',
  },
  {
    method: 'post',
    path: '/api/people/questions/{id}',
    tag: 'sessions',
    key: 'admin',
    summary: "The person's answer",
    body: answerSchema,
  },
  { method: 'get', path: '/healthz', tag: 'operations', key: 'none', summary: 'The process is alive' },
  { method: 'get', path: '/readyz', tag: 'operations', key: 'none', summary: 'Requests are taken' },
  {
    method: 'get',
    path: '/metrics',
    tag: 'operations',
    key: 'none',
    summary: 'Prometheus figures',
    answers: 'text/plain',
  },
  {
    method: 'get',
    path: '/',
    tag: 'operations',
    key: 'none',
    summary: 'The dashboard',
    answers: 'text/html',
  },
];

/** OpenAPI 3.1 of all paths. */
export function openApiDocument(): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of OPERATIONS) {
    paths[operation.path] ??= {};
    paths[operation.path]![operation.method] = operationOf(operation);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'collapse-aware gateway',
      version: VERSION,
      description: 'A population of user simulators behind one URL, recorded and measured while it serves.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: {
        client: { type: 'http', scheme: 'bearer', description: "clients' key, or a session's" },
        admin: { type: 'http', scheme: 'bearer', description: 'the admin key' },
      },
      schemas: { Error: ERROR },
    },
  };
}

const ERROR = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['message', 'type', 'param', 'code'],
      properties: {
        message: { type: 'string' },
        type: { type: 'string' },
        param: { type: ['string', 'null'] },
        code: { type: ['string', 'null'] },
      },
    },
  },
};

function operationOf({ method, path, tag, summary, key, body, query, answers }: Operation): unknown {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const parameters = [
    ...names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    ...Object.entries(query ?? {}).map(([name, description]) => ({
      name,
      in: 'query',
      required: false,
      description,
      schema: { type: 'string' },
    })),
  ];
  return {
    operationId: `${method}${path.replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => next?.toUpperCase() ?? '')}`,
    tags: [tag],
    summary,
    security: key === 'none' ? [] : [{ [key]: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(body) } } } }),
    responses: {
      200: {
        description: 'done',
        content: {
          [answers ?? 'application/json']: {
            schema: answers === undefined ? { type: 'object' } : { type: 'string' },
          },
        },
      },
      default: {
        description: 'an error',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

function jsonSchema(schema: z.ZodType): unknown {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
}
