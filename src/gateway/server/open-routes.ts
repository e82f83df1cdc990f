import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { routeNames } from '../cast/index.ts';
import type { PopulationSettings } from '../settings/settings.ts';
import type { Instruments } from './instruments.ts';
import type { KeyRing } from './keys.ts';

export interface OpenServices {
  readonly keys: KeyRing;
  readonly instruments: Instruments;
  readonly population: () => PopulationSettings;
  /** Null: requests are taken; else why not. */
  readonly unready: () => string | null;
  /** Brings gauges up to date. */
  readonly measure: () => void;
  /** Seconds since 1970. */
  readonly startedAt: number;
  readonly dashboard: () => Promise<string>;
  readonly dashboardHeaders: Readonly<Record<string, string>>;
  /** Others than this machine's own programs can ask. */
  readonly exposed: boolean;
}

/**
 * What needs no admin key: models, health, Prometheus, and the dashboard's page, which holds no data. Beyond loopback
 * the counts by member are asked for with the clients' key or the admin's: a scraper needs no right to change anything.
 */
export function openRoutes(server: FastifyInstance, services: OpenServices): void {
  const { keys, instruments, population, unready, measure, startedAt, dashboard, dashboardHeaders, exposed } =
    services;
  const models = async (request: FastifyRequest) => {
    keys.client(request.headers.authorization);
    return {
      object: 'list',
      data: routeNames(population()).map((id) => ({
        id,
        object: 'model',
        created: startedAt,
        owned_by: 'collapse-aware',
      })),
    };
  };
  server.get('/v1/models', models);
  server.get('/sessions/:sid/v1/models', models);
  server.get('/healthz', async () => ({ status: 'alive' }));
  server.get('/readyz', async (_, reply) => {
    const reason = unready();
    return reply
      .code(reason === null ? 200 : 503)
      .send(reason === null ? { status: 'ready' } : { status: reason });
  });
  server.get('/metrics', async (request, reply) => {
    if (exposed) keys.either(request.headers.authorization);
    measure();
    instruments.flush();
    return reply
      .header('content-type', instruments.registry.contentType)
      .send(await instruments.registry.metrics());
  });
  const page = async (_: FastifyRequest, reply: FastifyReply) =>
    reply.headers({ ...dashboardHeaders }).send(await dashboard());
  server.get('/', page);
}
