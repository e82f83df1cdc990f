import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type RunningGateway, readSettings, startGateway } from '../../src/gateway/index.ts';
import { newInstruments } from '../../src/gateway/server/instruments.ts';
import { OPERATIONS } from '../../src/gateway/server/operations.ts';
import { sampleEvolve } from '../report/evolve-fixture.ts';
import { pages, ROOT, tableUnder } from './pages.ts';

const pageOf = (path: string) => pages().find((page) => page.path === path)!;
const codes = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);

it('docs/gateway-operations.md lists every figure for Prometheus, its kind and its labels', async () => {
  const { registry } = newInstruments();
  const metrics = new Map((await registry.getMetricsAsJSON()).map(({ name, type }) => [name, type]));
  const listed = tableUnder(pageOf('docs/gateway-operations.md'), 'Prometheus').map(
    ([name, kind, labels]) => ({
      name: `collapse_aware_${codes(name!)[0]}`,
      kind: kind!,
      labels: codes(labels!),
    }),
  );
  expect(listed.map(({ name }) => name).sort()).toEqual([...metrics.keys()].sort());
  for (const { name, kind, labels } of listed) {
    expect(kind, name).toBe(String(metrics.get(name)));
    const own = registry.getSingleMetric(name) as { readonly labelNames?: readonly string[] } | undefined;
    if (own?.labelNames !== undefined) expect(labels, name).toEqual(own.labelNames);
  }
});

describe('docs/gateway.md and docs/gateway-api.md', () => {
  const rows = [
    ...tableUnder(pageOf('docs/gateway.md'), 'Errors'),
    ...tableUnder(pageOf('docs/gateway-api.md'), 'Codes of the control API'),
    // No client is there to read it.
    ['499', '`client_gone`'],
  ].map(([status, code]) => ({ status: status!, codes: codes(code!) }));
  const sources = [
    'cast',
    'sessions',
    'speakers',
    'wire',
    'server',
    'live',
    'steering',
    'recorder',
    'probes',
  ].flatMap((room) =>
    readdirSync(join(ROOT, 'src/gateway', room)).map((name) =>
      readFileSync(join(ROOT, 'src/gateway', room, name), 'utf8'),
    ),
  );
  const found = (pattern: RegExp) => sources.flatMap((source) => [...source.matchAll(pattern)]);

  it('list the codes of all errors', () => {
    const listed = rows.flatMap((row) => row.codes);
    const thrown = found(/new ApiError\((?:[^()]|\([^()]*\))*?code: '(\w+)'/g).map(([, code]) => code!);
    expect(thrown.length).toBeGreaterThan(20);
    for (const code of thrown) expect(listed, code).toContain(code);
  });

  it('say with which status each comes', () => {
    const thrown = found(/new ApiError\((\d+),(?:[^()]|\([^()]*\))*?code: '(\w+)'/g);
    expect(thrown.length).toBeGreaterThan(20);
    for (const [, status, code] of thrown)
      expect(rows.filter((row) => row.codes.includes(code!)).map((row) => row.status)).toContain(status);
  });

  it('say which stand in a receipt, and give those alone no status', () => {
    // A list of faults, or what `reject` is told.
    const told = found(/code: '([a-z]\w+)',\s*reason|reject\(\s*'(\w+)'/g).map(
      ([, one, other]) => one ?? other!,
    );
    const inReceipts = rows.filter(({ status }) => status === 'in `rejected`').flatMap((row) => row.codes);
    expect([...new Set(told)].sort()).toEqual([...inReceipts].sort());
  });
});

it('docs/gateway.md lists the headers of a reply', () => {
  const source = readFileSync(join(ROOT, 'src/gateway/server/chat-route.ts'), 'utf8');
  const sent = [...source.matchAll(/'(x-(?:ca|session)-[a-z-]+)'/g)].map(([, name]) => name!);
  expect(sent.length).toBeGreaterThan(5);
  for (const name of sent) expect(pageOf('docs/gateway.md').text).toContain(`\`${name}\``);
});

const TAGS = {
  Chat: 'chat',
  Sessions: 'sessions',
  Training: 'training',
  Figures: 'figures',
  Population: 'population',
  Operations: 'operations',
} as const;

describe('docs/gateway-api.md', () => {
  const rows = Object.keys(TAGS).flatMap((heading) =>
    tableUnder(pageOf('docs/gateway-api.md'), heading).map(([path, asks, answer]) => ({
      heading,
      path: codes(path!)[0]!,
      asks: codes(asks!),
      answer: codes(answer!),
    })),
  );
  const nameOf = ({ method, path }: (typeof OPERATIONS)[number]) => `${method.toUpperCase()} ${path}`;

  it('lists every path, once, with all that it takes', () => {
    expect(rows.map(({ path }) => path).sort()).toEqual(OPERATIONS.map(nameOf).sort());
    for (const operation of OPERATIONS) {
      const { path, asks } = rows.find((row) => row.path === nameOf(operation))!;
      const names = [...Object.keys(operation.query ?? {}), ...fieldsOf(operation.body)];
      for (const name of names) expect(asks, path).toContain(name);
    }
  });

  describe('says what a gateway answers', () => {
    let gateway: RunningGateway;
    const store = mkdtempSync(join(tmpdir(), 'collapse-aware-api-'));
    beforeAll(async () => {
      const settings = readSettings({ schema: 'collapse-aware/gateway@1', listen: { port: 0 }, store });
      gateway = await startGateway(settings, { environment: {}, folder: store, log: 'silent' });
      await ask('POST /api/sessions', { id: 's' }, '');
      await ask('POST /sessions/s/v1/chat/completions', CHAT, '');
    });
    afterAll(async () => {
      await gateway.stop('done');
      rmSync(store, { recursive: true, force: true });
    });

    const ask = async (path: string, body: unknown, query: string): Promise<Record<string, unknown>> => {
      const [method, url] = path.split(' ');
      const answer = await fetch(`${gateway.url}${url!.replace('{id}', 's').replace('{sid}', 's')}${query}`, {
        method: method!,
        headers: {
          ...(path.includes(' /api') ? { authorization: `Bearer ${gateway.madeAdminKey}` } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const said = await answer.text();
      expect(answer.status, `${path}: ${said}`).toBe(200);
      return JSON.parse(said) as Record<string, unknown>;
    };

    const CHAT = { model: 'population', messages: [{ role: 'user', content: 'Hello.' }] };
    const by = 'test';
    /** Bodies and queries of those whose answer is a JSON object with fields of its own. */
    const ASKED: Readonly<Record<string, { readonly body?: unknown; readonly query?: string }>> = {
      'GET /v1/models': {},
      'GET /sessions/{sid}/v1/models': {},
      'POST /api/sessions': { body: { id: 't' } },
      'GET /api/sessions': {},
      'GET /api/sessions/{id}': {},
      'POST /api/sessions/{id}/end': { body: {} },
      'GET /api/people/questions': {},
      'POST /api/rewards': { body: { rewards: [] } },
      'POST /api/rewards/dump': { body: { rows: [] } },
      'POST /api/record': { body: { trajectories: [] } },
      'POST /api/decide': { body: { groups: [] } },
      'POST /api/weights': { body: { ids: [] } },
      'POST /api/select': { body: { candidates: [], n: 2 } },
      'GET /api/gate': {},
      'GET /api/metrics': {},
      'GET /api/looks': {},
      'GET /api/evolve': {},
      'PUT /api/evolve': { body: sampleEvolve({ rounds: 1 }) },
      'GET /api/probes/nested': { query: '?contexts=a' },
      'GET /api/population': {},
      'GET /api/status': {},
      'GET /api/openapi.json': {},
      'GET /healthz': {},
      'GET /readyz': {},
    };
    it.each(Object.keys(ASKED))('to %s', async (path) => {
      const { body, query = '' } = ASKED[path]!;
      const fields = Object.keys(await ask(path, body, query));
      expect(fields.length).toBeGreaterThan(0);
      const { answer } = rows.find((row) => row.path === path)!;
      for (const field of fields) expect(answer, path).toContain(field);
    });

    it('to those that answer the same as another', async () => {
      const gate = Object.keys(await ask('GET /api/gate', undefined, ''));
      expect(Object.keys(await ask('POST /api/epochs', { epoch: 1 }, ''))).toEqual(gate);
      const released = await ask('POST /api/breaker', { release: true, by }, '');
      expect(Object.keys(released)).toEqual(gate);
      const view = await ask('GET /api/population', undefined, '');
      const weighed = await ask('PATCH /api/population/weights', { weights: { birch: 2 }, by }, '');
      expect(Object.keys(weighed)).toEqual(Object.keys(view));
      const { population } = view;
      const put = await ask('PUT /api/population', { population, by }, '');
      expect(Object.keys(put)).toEqual(Object.keys(view));
    });
  });
});

/** Names at the first level of a body, of every form that it may have. */
function fieldsOf(schema: z.ZodType | undefined): string[] {
  if (schema === undefined) return [];
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((one) => fieldsOf(one as z.ZodType));
  return [];
}
