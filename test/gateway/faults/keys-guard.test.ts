import { afterEach, describe, expect, it } from 'vitest';
import { startGateway } from '../../../src/gateway/server/gateway.ts';
import { readSettings } from '../../../src/gateway/settings/read-settings.ts';
import { GATEWAY_SCHEMA } from '../../../src/gateway/settings/settings.ts';
import { ADMIN_KEY, ask, CLIENT_KEY, errorOf, eventually, stageOf, tidyStages } from './stage.ts';

afterEach(tidyStages);

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

describe('a gateway without keys', () => {
  it('listens on loopback unless it is told otherwise', () => {
    expect(readSettings({ schema: GATEWAY_SCHEMA }).listen.host).toBe('127.0.0.1');
  });

  it.each(['0.0.0.0', '::', '192.168.1.7', 'localhost.example.org', '127.example.org'])(
    'does not start on %s',
    async (host) => {
      const settings = (keys: object) =>
        readSettings({ schema: GATEWAY_SCHEMA, listen: { host, port: 0 }, keys, store: '/nowhere' });
      for (const keys of [{}, { clientEnv: 'A' }, { adminEnv: 'B' }])
        await expect(
          startGateway(settings(keys), { environment: { A: 'aaaa', B: 'bbbb' }, folder: '/' }),
        ).rejects.toMatchObject({ code: 'CA_USAGE' });
    },
  );
});

describe('keys', () => {
  it('of clients open no door of the control API, and the other way round', async () => {
    const stage = await stageOf();
    for (const key of ['', CLIENT_KEY, `${ADMIN_KEY}x`, ADMIN_KEY.slice(0, -1), 'x'.repeat(10_000)]) {
      for (const [path, method] of [
        ['/api/status', 'GET'],
        ['/api/population', 'PUT'],
        ['/api/trajectories', 'GET'],
        ['/api/breaker', 'POST'],
        ['/api/openapi.json', 'GET'],
      ] as const) {
        const { status, error } = await errorOf(
          fetch(`${stage.url}${path}`, {
            method,
            headers: key === '' ? {} : bearer(key),
            ...(method === 'GET' ? {} : { body: '{}' }),
          }),
        );
        expect([path, status, error.code]).toEqual([path, 401, 'invalid_api_key']);
        expect(error.message).not.toContain('secret');
      }
    }
    for (const key of [ADMIN_KEY, `${CLIENT_KEY}x`, CLIENT_KEY.slice(1), 'ca-session-made-up'])
      for (const sent of [
        stage.chat(ask('Hello.'), { headers: bearer(key) }),
        fetch(`${stage.url}/v1/models`, { headers: bearer(key) }),
      ])
        expect((await errorOf(sent)).status).toBe(401);
    expect(stage.upstream.requests).toHaveLength(0);
  });

  it('of a session open that session, and end with it', async () => {
    const stage = await stageOf({}, { settings: { sessions: { retrySeconds: 0 } } });
    const made = (await (await stage.api('/api/sessions', { id: 'mine' })).json()) as Record<string, string>;
    const headers = bearer(made.key!);
    const came = await stage.chat(ask('Hello.'), { headers });
    expect([came.status, came.headers.get('x-session-id')]).toEqual([200, 'mine']);
    for (const other of [
      fetch(`${stage.url}/sessions/other/v1/chat/completions`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(ask('Hello.')),
      }),
      stage.chat(ask('Hello.'), { headers: { ...headers, 'x-session-id': 'other' } }),
    ])
      expect(await errorOf(other)).toMatchObject({ status: 403, error: { code: 'session_key_mismatch' } });
    expect((await fetch(`${stage.url}/api/status`, { headers })).status).toBe(401);
    await stage.api('/api/sessions/mine/end', { termination: 'done' });
    await eventually(
      async () => (await stage.chat(ask('Hello.'), { headers })).status === 401,
      'the key is of no use any more',
    );
  });
});

describe('pages of other sites', () => {
  it('are answered under none of their own names, and read nothing', async () => {
    const stage = await stageOf();
    const { request } = await import('node:http');
    const under = (host: string, path = '/v1/models') =>
      new Promise<number>((done, fail) => {
        request(
          { port: stage.port, host: '127.0.0.1', path, headers: { host, ...bearer(CLIENT_KEY) } },
          (response) => response.resume().on('end', () => done(response.statusCode!)),
        )
          .on('error', fail)
          .end();
      });
    for (const own of ['localhost', `127.0.0.1:${stage.port}`, '[::1]:80', 'LOCALHOST:1', '127.8.9.1'])
      expect(await under(own)).toBe(200);
    for (const foreign of [
      'evil.example',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'evil.example:8420',
      '10.0.0.1',
      'localhost@evil.example',
      '0.0.0.0',
    ])
      for (const path of ['/v1/models', '/', '/api/status', '/metrics', '/healthz'])
        expect([foreign, await under(foreign, path)]).toEqual([foreign, 403]);
  });

  it('get no leave to read across origins, and no preflight passes', async () => {
    const stage = await stageOf();
    const headers = {
      origin: 'https://evil.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    };
    const answers = await Promise.all([
      ...['/v1/chat/completions', '/api/status', '/', '/metrics', '/v1/models'].map((path) =>
        fetch(`${stage.url}${path}`, { method: 'OPTIONS', headers }),
      ),
      stage.chat(ask('Hello.'), { headers }),
      fetch(`${stage.url}/`, { headers }),
      fetch(`${stage.url}/api/status`, { headers: { ...headers, ...bearer(ADMIN_KEY) } }),
    ]);
    for (const [at, { headers: given, status }] of answers.entries()) {
      if (at < 5) expect([404, 405]).toContain(status);
      expect([...given.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(given.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('cannot frame the dashboard, whose own policy allows its own script alone', async () => {
    const stage = await stageOf();
    const page = await fetch(`${stage.url}/`);
    if (page.status === 503) return expect((await errorOf(page)).error.code).toBe('CA_PAGE_NOT_BUILT');
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(await page.text()).toMatch(
      /Content-Security-Policy" content="default-src 'none'; script-src 'sha256-/,
    );
  });
});

describe('counts', () => {
  it('need no key on loopback, and one of the two beyond it', async () => {
    const stage = await stageOf();
    expect((await fetch(`${stage.url}/metrics`)).status).toBe(200);
    const open = await stageOf({}, { settings: { listen: { host: '0.0.0.0', port: 0 } } });
    const url = `http://127.0.0.1:${open.port}`;
    expect((await errorOf(fetch(`${url}/metrics`))).status).toBe(401);
    expect((await errorOf(fetch(`${url}/metrics`, { headers: bearer('wrong') }))).status).toBe(401);
    for (const key of [CLIENT_KEY, ADMIN_KEY])
      expect((await fetch(`${url}/metrics`, { headers: bearer(key) })).status).toBe(200);
    for (const path of ['/healthz', '/readyz']) expect((await fetch(`${url}${path}`)).status).toBe(200);
  });
});
