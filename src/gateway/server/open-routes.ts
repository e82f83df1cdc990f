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
}

/** What needs no admin key: models, health, Prometheus, and the dashboard's page, which holds no data. */
export function openRoutes(server: FastifyInstance, services: OpenServices): void {
  const { keys, instruments, population, unready, measure, startedAt, dashboard } = services;
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
  server.get('/metrics', async (_, reply) => {
    measure();
    return reply
      .header('content-type', instruments.registry.contentType)
      .send(await instruments.registry.metrics());
  });
  const page = async (_: FastifyRequest, reply: FastifyReply) =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('x-frame-options', 'DENY')
      .header('referrer-policy', 'no-referrer')
      .send(await dashboard());
  server.get('/', page);
}
