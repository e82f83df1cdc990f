import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { EvolvePage } from '../../report/index.ts';
import { bodyFaults } from '../api/body-faults.ts';
import { evolveBodySchema } from '../api/evolve-schema.ts';
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
  rewardsSchema,
  selectSchema,
  weightsBodySchema,
  weightsSchema,
} from '../api/schemas.ts';
import { COUNTED, PURPOSES, type Purpose } from '../recorder/purpose.ts';
import { ApiError } from '../wire/api-error.ts';
import type { Control } from './control.ts';
import type { KeyRing } from './keys.ts';
import { openApiDocument } from './open-api.ts';

type Query = FastifyRequest<{ Querystring: Record<string, string | string[] | undefined> }>;
type Named = FastifyRequest<{ Params: { id: string } }>;

/** Trajectories of a batch are larger than a dialogue. */
const BATCH_BYTES = 256 * 2 ** 20;
const MOST_WAIT = 60;

/** Everything under `/api`, behind the admin key. */
export function controlRoutes(server: FastifyInstance, control: Control, keys: KeyRing): void {
  server.register(async (api) => {
    api.addHook('onRequest', async (request) => keys.admin(request.headers.authorization));
    const large = { bodyLimit: BATCH_BYTES };

    api.get('/api/openapi.json', async () => openApiDocument());
    api.get('/api/status', async () => control.status());

    api.get('/api/population', async () => control.population());
    api.put('/api/population', async (request) => {
      const { population, by } = bodyOf(request, populationBodySchema);
      return control.replacePopulation(population, by);
    });
    api.patch('/api/population/weights', async (request) => {
      const { weights, by } = bodyOf(request, weightsBodySchema);
      return control.setWeights(weights, by);
    });
    api.post('/api/population/:id/checkpoints', async (request) => {
      const { checkpoint, by } = bodyOf(request, checkpointSchema);
      return {
        checkpoints: await control.pushCheckpoint((request as Named).params.id, checkpoint, by ?? 'trainer'),
      };
    });

    api.post('/api/sessions', async (request) => {
      const made = bodyOf(request, newSessionSchema);
      return control.openSession(withoutUndefined(made), `${request.protocol}://${request.host}`);
    });
    api.get('/api/sessions', async (request) => control.sessions(sessionQuery(request as Query)));
    api.get('/api/sessions/:id', async (request) => control.session((request as Named).params.id));
    api.post('/api/sessions/:id/end', async (request) => {
      const { termination } = bodyOf(request, endSchema);
      await control.endSession((request as Named).params.id, termination);
      return { ended: true };
    });

    api.post('/api/rewards', large, async (request) =>
      control.rewards(bodyOf(request, rewardsSchema).rewards),
    );
    api.post('/api/rewards/dump', large, async (request) => {
      const { rows, format } = bodyOf(request, dumpSchema);
      return control.rewardsFromDump(rows, format ?? null);
    });
    api.post('/api/epochs', async (request) =>
      control.beginEpoch(withoutUndefined(bodyOf(request, epochSchema))),
    );

    api.get('/api/trajectories', async (request, reply) => {
      const lines = control.trajectories(trajectoryQuery(request as Query));
      return reply
        .header('content-type', 'application/x-ndjson; charset=utf-8')
        .send(Readable.from(lines, { objectMode: true }));
    });
    api.get('/api/metrics', async () => control.metrics());
    api.get('/api/map', async () => control.map());
    api.get('/api/looks', async (request) =>
      control.looks(numberIn(request as Query, 'limit', 1, 100_000) ?? 1000),
    );
    api.get('/api/profile', async (_, reply) => {
      const profile = await control.profile();
      if (profile === null)
        throw new ApiError(404, 'there is no profile yet: too few sessions are over', { code: 'no_profile' });
      return reply.header('content-type', 'application/x-ndjson; charset=utf-8').send(profile);
    });
    api.get('/api/space', async (_, reply) => {
      const space = await control.space();
      if (space === null)
        throw new ApiError(404, 'there is no behaviour space yet: too few sessions are over', {
          code: 'no_space',
        });
      return reply.header('content-type', 'application/json; charset=utf-8').send(space);
    });

    api.get('/api/evolve', async (request, reply) => {
      const after = numberIn(request as Query, 'after', 0, Number.MAX_SAFE_INTEGER);
      return reply.header('content-type', 'application/json; charset=utf-8').send(control.evolve(after));
    });
    api.put('/api/evolve', large, async (request) => {
      const { title, command = null, run, bars = null } = bodyOf(request, evolveBodySchema);
      return control.setEvolve({
        title: title ?? `run ${run.settings.seed}`,
        command,
        // The schema holds what is shown to its types, and lets the rest through.
        run: run as unknown as EvolvePage['run'],
        bars,
      });
    });

    api.get('/api/gate', async (request, reply) => {
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const wait = Math.min(MOST_WAIT, numberIn(request as Query, 'wait', 0, 3600) ?? 0);
      return control.gate(
        numberIn(request as Query, 'after', 0, Number.MAX_SAFE_INTEGER),
        1000 * wait,
        gone.signal,
      );
    });
    api.post('/api/breaker', async (request) =>
      control.override(withoutUndefined(bodyOf(request, overrideSchema))),
    );

    api.post('/api/record', large, async (request) =>
      control.record(bodyOf(request, recordSchema).trajectories),
    );
    api.post('/api/decide', large, async (request) => {
      const { groups, zeroVariance } = bodyOf(request, decideSchema);
      return { decisions: await control.decide(groups, zeroVariance) };
    });
    api.post('/api/weights', large, async (request) => {
      const { ids, recipe } = bodyOf(request, weightsSchema);
      return control.weights(ids, recipe);
    });
    api.post('/api/select', large, async (request) => {
      const { candidates, n, recipe } = bodyOf(request, selectSchema);
      return control.select(
        candidates.map((one) => (typeof one === 'string' ? { id: one } : one)),
        n,
        recipe,
      );
    });
    api.get('/api/probes/nested', async (request) => {
      const query = request as Query;
      const contexts = queryOf(query, 'contexts')?.split(',').filter(Boolean) ?? [];
      if (contexts.length === 0)
        throw ApiError.invalid('name contexts (comma separated labels of tasks)', 'contexts');
      return {
        sessions: control.nestedPlan({
          contexts,
          agentSeeds: numberIn(query, 'agentSeeds', 2, 64) ?? 2,
          userSeeds: numberIn(query, 'userSeeds', 2, 64) ?? 2,
        }),
      };
    });

    api.get('/api/people/questions', async () => ({ questions: control.questions() }));
    api.post('/api/people/questions/:id', async (request) => {
      const { text } = bodyOf(request, answerSchema);
      if (!control.answerQuestion((request as Named).params.id, text))
        throw new ApiError(404, 'nobody waits for this answer any more', { code: 'unknown_question' });
      return { answered: true };
    });
  });
}

/** @throws ApiError 400 that says what is wrong, and names the first. */
function bodyOf<T extends z.ZodType>(request: FastifyRequest, schema: T): z.output<T> {
  const body: unknown = request.body ?? {};
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  const { words, path } = bodyFaults(read.error, body, schema, 'the body');
  throw ApiError.invalid(words, path);
}

function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return JSON.parse(JSON.stringify(value)) as { [K in keyof T]: Exclude<T[K], undefined> };
}

function queryOf(request: Query, name: string): string | null {
  const value = request.query[name];
  const one = Array.isArray(value) ? value[0] : value;
  return one === undefined || one === '' ? null : one;
}

function numberIn(request: Query, name: string, least: number, most: number): number | null {
  const text = queryOf(request, name);
  if (text === null) return null;
  const value = Number(text);
  if (!Number.isFinite(value) || value < least || value > most)
    throw ApiError.invalid(`${name} must be a number from ${least} to ${most}`, name);
  return value;
}

function oneOf<T extends string>(request: Query, name: string, names: readonly T[]): T | null {
  const text = queryOf(request, name);
  if (text === null) return null;
  if (!names.includes(text as T)) throw ApiError.invalid(`${name} must be one of ${names.join(', ')}`, name);
  return text as T;
}

function sessionQuery(request: Query): Parameters<Control['sessions']>[0] {
  return {
    state: oneOf(request, 'state', ['open', 'closed', 'orphan']),
    member: queryOf(request, 'member'),
    epoch: numberIn(request, 'epoch', 0, Number.MAX_SAFE_INTEGER),
    text: queryOf(request, 'text'),
    after: queryOf(request, 'after'),
    limit: numberIn(request, 'limit', 1, 1000) ?? 50,
  };
}

function trajectoryQuery(request: Query): Parameters<Control['trajectories']>[0] {
  return {
    of: oneOf(request, 'of', ['window', 'closed', 'all']) ?? 'closed',
    epoch: numberIn(request, 'epoch', 0, Number.MAX_SAFE_INTEGER),
    split: oneOf(request, 'split', ['seen', 'selection', 'test']),
    member: queryOf(request, 'member'),
    purposes: purposesOf(request),
  };
}

/** Probes of the population and nested sessions are no training data: they go to whoever names them. */
function purposesOf(request: Query): readonly Purpose[] {
  const text = queryOf(request, 'purpose');
  if (text === null) return COUNTED;
  const named = text.split(',').map((one) => one.trim());
  if (named.some((one) => !PURPOSES.some((purpose) => purpose === one)))
    throw ApiError.invalid(`purpose is one or several of ${PURPOSES.join(', ')}`, 'purpose');
  return PURPOSES.filter((purpose) => named.includes(purpose));
}
