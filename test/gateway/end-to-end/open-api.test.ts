import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../src/gateway/server/operations.ts';
import { ADMIN_KEY, CLIENT_KEY, type Stand, stand } from './stand.ts';

let gateway: Stand;
beforeAll(async () => {
  gateway = await stand();
});
afterAll(() => gateway.close());

const pathOf = (path: string) => path.replace(/\{\w+\}/g, 'nobody');

describe('the OpenAPI document', () => {
  it('has every path that is served: each answers, behind its key', async () => {
    for (const { method, path, key, body } of OPERATIONS) {
      const url = pathOf(path);
      const given = body === undefined ? undefined : {};
      const reply = await gateway.raw(
        method.toUpperCase(),
        url,
        given,
        key === 'client' ? CLIENT_KEY : ADMIN_KEY,
      );
      expect(reply.status, `${method} ${path}`).not.toBe(405);
      expect(reply.body?.error?.code, `${method} ${path}`).not.toBe('unknown_url');
      const without = await gateway.raw(method.toUpperCase(), url, given, null);
      if (key === 'none') expect(without.status, path).toBe(200);
      else expect([without.status, without.body.error.code], path).toEqual([401, 'invalid_api_key']);
      const other = await gateway.raw(method.toUpperCase(), url, given, key === 'admin' ? CLIENT_KEY : null);
      if (key === 'admin') expect(other.status, path).toBe(401);
    }
  });

  it('lists no fewer than are served', async () => {
    const known = new Set(OPERATIONS.map(({ method, path }) => `${method} ${pathOf(path)}`));
    const paths = new Set(OPERATIONS.map(({ path }) => pathOf(path)));
    for (const path of paths)
      for (const method of ['get', 'post', 'put', 'patch', 'delete']) {
        if (known.has(`${method} ${path}`)) continue;
        const { status, body } = await gateway.raw(
          method.toUpperCase(),
          path,
          method === 'get' ? undefined : {},
        );
        expect([404, 405], `${method} ${path}`).toContain(status);
        if (status === 404) expect(body.error.code, `${method} ${path}`).toBe('unknown_url');
      }
  });

  it('is OpenAPI 3.1 as far as its parts say: operations, parameters, bodies that are JSON Schema', async () => {
    const { body: document } = await gateway.api('GET', '/api/openapi.json');
    expect(document.openapi).toMatch(/^3\.1\.\d$/);
    expect(document.info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
    const ajv = new Ajv2020({ strict: false });
    const ids = new Set<string>();
    let operations = 0;
    // biome-ignore lint/suspicious/noExplicitAny: a document is looked into
    for (const [path, item] of Object.entries<any>(document.paths)) {
      expect(path).toMatch(/^\//);
      // biome-ignore lint/suspicious/noExplicitAny: a document is looked into
      for (const operation of Object.values(item as Record<string, any>)) {
        operations += 1;
        expect(ids.has(operation.operationId)).toBe(false);
        ids.add(operation.operationId);
        const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
        // biome-ignore lint/suspicious/noExplicitAny: a document is looked into
        const inPath = (operation.parameters ?? []).filter((one: any) => one.in === 'path');
        // biome-ignore lint/suspicious/noExplicitAny: a document is looked into
        expect(inPath.map((one: any) => one.name)).toEqual(names);
        // biome-ignore lint/suspicious/noExplicitAny: a document is looked into
        for (const one of inPath as any[]) expect(one.required).toBe(true);
        for (const security of operation.security)
          for (const scheme of Object.keys(security))
            expect(Object.keys(document.components.securitySchemes)).toContain(scheme);
        expect(Object.keys(operation.responses)).toContain('default');
        const schema = operation.requestBody?.content['application/json'].schema;
        if (schema !== undefined) expect(ajv.validateSchema(schema), path).toBe(true);
      }
    }
    expect(operations).toBe(OPERATIONS.length);
  });

  it('takes the rewards of a batch one by one: one that is wrong loses no other', async () => {
    await gateway.raw('POST', '/api/sessions', { id: 'batch' });
    const { status, body } = await gateway.raw('POST', '/api/rewards', {
      rewards: [
        { session: 'batch', reward: 1 },
        { session: 'batch', reward: 'NaN' },
      ],
    });
    expect([status, body.accepted]).toEqual([200, 1]);
    expect(body.rejected).toMatchObject([{ id: 'batch', code: 'reward_invalid' }]);
  });

  it('goes with bodies that are refused with the field that is wrong', async () => {
    for (const [method, path, body, field] of [
      ['POST', '/api/rewards', {}, 'rewards'],
      ['POST', '/api/epochs', { epoch: -1 }, 'epoch'],
      ['POST', '/api/decide', { groups: [{ sessions: 's' }] }, 'groups[0].sessions'],
      ['POST', '/api/select', { candidates: ['a'], n: 0 }, 'n'],
      ['POST', '/api/weights', { ids: [1] }, 'ids[0]'],
      ['POST', '/api/sessions', { id: 'with a space' }, 'id'],
      ['POST', '/api/sessions', { group: 7 }, 'group'],
      ['PATCH', '/api/population/weights', { weights: { nobody: 1 }, by: 'me' }, 'weights.nobody'],
      ['PATCH', '/api/population/weights', { weights: { alder: -1 }, by: 'me' }, 'weights.alder'],
      ['GET', '/api/sessions?limit=0', undefined, 'limit'],
      ['GET', '/api/trajectories?of=some', undefined, 'of'],
      ['GET', '/api/gate?after=soon', undefined, 'after'],
      ['GET', '/api/probes/nested', undefined, 'contexts'],
    ] as const) {
      const reply = await gateway.raw(method, path, body);
      expect([reply.status, reply.body.error.param], `${path} ${field}`).toEqual([400, field]);
      expect(reply.body.error.message).not.toBe('');
    }
    for (const body of [
      { level: 'blue', by: 'me', reason: 'x' },
      { level: 'red', reason: 'x' },
    ])
      expect((await gateway.raw('POST', '/api/breaker', body)).status).toBe(400);
    const wrong = {
      members: [{ id: 'x', family: 'x', recipe: { kind: 'scripted', family: 'x' }, wieght: 2 }],
      seen: ['y'],
    };
    const put = await gateway.raw('PUT', '/api/population', { population: wrong, by: 'me' });
    expect(put.status).toBe(400);
    expect(put.body.error).toMatchObject({
      code: 'CA_CONFIG_INVALID',
      message: expect.stringContaining('wieght'),
    });
  });
});

describe('bodies that are refused', () => {
  it.each([
    [
      '/api/breaker',
      { level: 'rd', by: 'anna', reason: 'x' },
      'level',
      /^level: found 'rd', expected one of green, yellow, red$/,
    ],
    [
      '/api/breaker',
      { level: 'red', reason: 'x' },
      'by',
      /^by: found nothing, expected a text of 1 to 300 characters$/,
    ],
    ['/api/rewards', {}, 'rewards', /^rewards: found nothing, expected a list of at most 100000 rewards$/],
    [
      '/api/epochs',
      { epoch: 'two' },
      'epoch',
      /^epoch: found 'two', expected a whole number from 0 to 999999999999999$/,
    ],
  ])('by %s say which field, what was found and what may be', async (path, body, param, words) => {
    const { status, body: refused } = await gateway.raw('POST', path, body);
    expect([status, refused.error.param]).toEqual([400, param]);
    expect(refused.error.message).toMatch(words);
  });
});
