import { afterEach, describe, expect, it } from 'vitest';
import { fakeUpstream } from '../fake-upstream.ts';
import { ask, CLIENT_KEY, errorOf, raw, type Stage, stageOf, tidyStages, UPSTREAM_KEY } from './stage.ts';

afterEach(tidyStages);

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n\r\n`;
const AUTH = `Authorization: Bearer ${CLIENT_KEY}`;
const JSON_TYPE = 'Content-Type: application/json';
const whole = JSON.stringify(ask('Hello.'));
const LENGTH = `Content-Length: ${whole.length}`;
const POST = 'POST /v1/chat/completions HTTP/1.1';

describe('no request', () => {
  it('chooses where an upstream is, by its body, its headers or its target', async () => {
    const trap = await fakeUpstream();
    const stage = await stageOf();
    const root = trap.url.replace('/v1', '');
    const bodies = [
      { api_base: trap.url, base_url: trap.url, baseURL: trap.url, endpoint: trap.url, url: trap.url },
      { extra_body: { api_base: trap.url }, extra_headers: { host: root } },
      { metadata: { api_base: trap.url, upstream: trap.url } },
      { headers: { authorization: 'Bearer stolen' }, api_key: 'stolen', proxy: root },
      { upstream: 'other', provider: { base_url: trap.url }, route: 'fallback', models: [trap.url] },
    ];
    for (const more of bodies) expect((await stage.chat(ask('Hello.', more))).status).toBe(200);
    const headers = {
      'x-forwarded-host': root,
      'x-forwarded-for': '1.2.3.4',
      'x-forwarded-proto': 'https',
      'x-original-url': `${root}/v1`,
      'x-rewrite-url': '/api/status',
      'x-upstream': trap.url,
      'openai-base-url': trap.url,
      forwarded: `host=${root}`,
      via: '1.1 evil',
      cookie: 'session=stolen',
      'x-api-key': 'stolen',
      'openai-organization': 'stolen',
    };
    expect((await stage.chat(ask('Hello.'), { headers })).status).toBe(200);
    for (const model of [trap.url, `openai/${trap.url}`, '../../evil', 'population/http://x', '//evil'])
      expect((await errorOf(stage.chat(ask('Hello.', { model })))).error.code).toBe('model_not_found');
    for (const target of [`${root}/v1/chat/completions`, `//127.0.0.1:1/v1/chat/completions`]) {
      const { statuses } = await raw(
        stage.port,
        lines(`POST ${target} HTTP/1.1`, 'Host: localhost', AUTH, JSON_TYPE, LENGTH, 'Connection: close') +
          whole,
      );
      expect([200, 404]).toContain(statuses[0]);
    }
    const connect = await raw(stage.port, lines(`CONNECT ${root.slice(7)} HTTP/1.1`, `Host: localhost`));
    expect(connect.statuses.filter((status) => status < 400)).toEqual([]);
    expect(trap.requests).toEqual([]);
    // A target in absolute form is this server's own path.
    expect(stage.upstream.requests).toHaveLength(bodies.length + 2);
    for (const { path, headers: sent, body } of stage.upstream.requests) {
      expect(path).toBe('/v1/chat/completions');
      expect(body.model).toBe('alder-4b');
      expect(sent).toMatchObject({
        host: new URL(stage.upstream.url).host,
        authorization: `Bearer ${UPSTREAM_KEY}`,
      });
      const known =
        /^(host|connection|content-type|content-length|authorization|accept|user-agent|transfer-encoding)$/;
      expect(Object.keys(sent).filter((name) => !known.test(name))).toEqual([]);
    }
    await trap.close();
  });

  it('hides another one in its body', async () => {
    const stage = await stageOf();
    const hidden = lines('GET /api/status HTTP/1.1', 'Host: localhost', 'X-Hidden: 1');
    const chunked = `${whole.length.toString(16)}\r\n${whole}\r\n0\r\n\r\n`;
    for (const [headers, body] of [
      // Both lengths; two lengths; a length that is none; obscured encodings.
      [[`Content-Length: ${chunked.length}`, 'Transfer-Encoding: chunked'], chunked + hidden],
      [['Transfer-Encoding: chunked', 'Content-Length: 6'], `0\r\n\r\n${hidden}`],
      [[LENGTH, `Content-Length: ${whole.length + hidden.length}`], whole + hidden],
      [['Content-Length: +5'], whole + hidden],
      [['Content-Length: 5, 5'], whole + hidden],
      [['Content-Length : 5'], whole + hidden],
      [['Transfer-Encoding: xchunked'], chunked + hidden],
      [['Transfer-Encoding: chunked, identity'], chunked + hidden],
      [['Transfer-Encoding:\u000bchunked'], chunked + hidden],
      [['X: y\nTransfer-Encoding: chunked'], chunked + hidden],
    ] as const) {
      const { statuses, text } = await raw(
        stage.port,
        lines(POST, 'Host: localhost', AUTH, JSON_TYPE, ...headers) + body,
      );
      expect([headers, statuses]).toEqual([headers, [400]]);
      expect(text.toLowerCase()).toContain('connection: close');
    }
    expect(stage.upstream.requests).toHaveLength(0);
    // What is sound is served: two in one go, each answered for itself.
    const sound = lines(POST, 'Host: localhost', AUTH, JSON_TYPE, LENGTH) + whole;
    const last = lines(POST, 'Host: localhost', AUTH, JSON_TYPE, LENGTH, 'Connection: close') + whole;
    expect((await raw(stage.port, sound + last)).statuses).toEqual([200, 200]);
  });
});

describe('the id of a session in the path', () => {
  const at = (stage: Stage, sid: string) =>
    fetch(`${stage.url}/sessions/${sid}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${CLIENT_KEY}` },
      body: whole,
    });

  it('is data, whatever it looks like', async () => {
    const stage = await stageOf({ text: 'A reply.' });
    for (const id of [
      'plain',
      '../../etc/passwd',
      '..\\..\\x',
      'a/b',
      '__proto__',
      'constructor',
      'toString',
      '<script>alert(1)</script>',
      "';DROP/**/TABLE/**/record;--",
      '%2e%2e',
      'größe-ñ-日本-🦆',
      '~2',
      'x~2',
      '$(id)`id`',
      '{{7*7}}',
    ]) {
      const came = await at(stage, encodeURIComponent(id));
      expect([id, came.status]).toEqual([id, 200]);
      expect(decodeURI(came.headers.get('x-session-id')!)).toBe(id);
      const kept = await stage.api(`/api/sessions/${encodeURIComponent(id)}`);
      expect(((await kept.json()) as { id: string }).id).toBe(id);
      expect(await stage.turns(id)).toEqual(['Hello.', 'A reply.']);
    }
    await stage.close(true);
    // And found again after a restart.
    const again = await stageOf({}, { store: stage.store, before: stage.upstream });
    expect(await again.turns('__proto__')).toEqual(['Hello.', 'A reply.']);
  });

  it('is refused where it cannot be one', async () => {
    const stage = await stageOf();
    for (const sid of [
      '%00',
      'a%00b',
      'a%20b',
      'a%0d%0aset-cookie:x=1',
      '%0a',
      '%e2%80%ae',
      '%ff',
      '%',
      '%zz',
      'x'.repeat(201),
      'x'.repeat(10_000),
      '%41'.repeat(3000),
    ]) {
      const { status } = await errorOf(at(stage, sid));
      expect([sid.slice(0, 30), [400, 404, 414].includes(status)]).toEqual([sid.slice(0, 30), true]);
    }
    for (const path of ['/sessions//v1/chat/completions', '/v1/../api/status']) {
      const { statuses } = await raw(
        stage.port,
        lines(`POST ${path} HTTP/1.1`, 'Host: localhost', AUTH, JSON_TYPE, LENGTH, 'Connection: close') +
          whole,
      );
      expect([path, [400, 401, 404].includes(statuses[0]!)]).toEqual([path, true]);
    }
    expect(stage.upstream.requests).toHaveLength(0);
  });

  it('or anything else of a client puts no header into a reply', async () => {
    const stage = await stageOf({ text: 'A reply.' });
    const evil = 'x\r\nset-cookie: stolen=1\r\n\r\n<html>';
    const lone = 'half \ud83e of a duck';
    for (const more of [
      { user: `${evil}-12345678` },
      { metadata: { session_id: evil, group: evil, policy: evil, trace_id: lone } },
      { metadata: { session_id: lone, task: lone, __proto__: 'x' } },
      { user: `user-1234-${lone}` },
    ]) {
      const came = await stage.chat(ask('Hello.', more));
      expect(came.status).toBe(200);
      expect(came.headers.get('set-cookie')).toBeNull();
      expect([...came.headers.values()].join('')).not.toContain('stolen');
    }
    for (const id of ['x\u0000y', 'a b', 'ÿ\u0080'])
      expect(
        (
          await raw(
            stage.port,
            lines(
              POST,
              'Host: localhost',
              AUTH,
              JSON_TYPE,
              LENGTH,
              `X-Session-ID: ${id}`,
              'Connection: close',
            ) + whole,
          )
        ).statuses,
      ).toEqual([400]);
    const wild = await stage.chat(ask('Hello.'), {
      headers: { 'x-request-id': 'a b;c', 'x-ca-group': '<b>' },
    });
    expect(wild.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect((await stage.api('/api/trajectories?of=all')).status).toBe(200);
  });
});

describe('a text that is made to be slow', () => {
  it('is read once, however often it begins anew', async () => {
    const stage = await stageOf({ text: 'A reply.' });
    const say = (system: string, more: object = {}) =>
      stage.chat({
        model: 'population',
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: 'Hello.' },
        ],
        ...more,
      });
    // Each of these takes minutes where time grows with the square of the text.
    const long = 3_000_000;
    for (const came of [
      await say('<scenario>'.repeat(long / 10)),
      await say('</scenario>'.repeat(long / 11)),
      await say(' '.repeat(long)),
      await say('x', { user: 'a'.repeat(long) }),
    ])
      expect(came.status).toBe(200);
    expect((await errorOf(say('x', { model: 'p-'.repeat(long / 2) }))).status).toBe(404);
    expect((await errorOf(say('x', { model: `population/${'a~'.repeat(long / 2)}` }))).status).toBe(404);
  });
});

describe('a body that names what objects are made of', () => {
  it('changes no object but itself, and reaches the upstream without it', async () => {
    const stage = await stageOf();
    const polluted = (inside: string) =>
      `{"model":"population","messages":[{"role":"user","content":"Hello."}],${inside}}`;
    for (const inside of [
      '"__proto__":{"polluted":1,"isAdmin":true}',
      '"constructor":{"prototype":{"polluted":1}}',
      '"metadata":{"__proto__":"x"}',
      '"\\u005f_proto__":{"polluted":1}',
      '"stream_options":{"__proto__":{"include_usage":true}}',
      '"tools":[{"type":"function","function":{"name":"f","parameters":{"__proto__":{"polluted":1}}}}]',
    ]) {
      const { status } = await stage.chat({}, { body: polluted(inside) });
      expect([inside, status]).toEqual([inside, 200]);
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    for (const { body } of stage.upstream.requests) expect(JSON.stringify(body)).not.toContain('polluted');
    for (const model of ['__proto__', 'constructor', 'toString', 'population/__proto__', 'hasOwnProperty'])
      expect((await errorOf(stage.chat(ask('Hello.', { model })))).status).toBe(404);
    for (const [path, body, method] of [
      ['/api/population/weights', '{"by":"x","weights":{"__proto__":5}}', 'PATCH'],
      ['/api/population/weights', '{"by":"x","weights":{"constructor":5}}', 'PATCH'],
      ['/api/sessions', '{"id":"p","__proto__":{"model":"panel/test"}}', 'POST'],
      ['/api/rewards', '{"rewards":[{"session":"__proto__","reward":1}]}', 'POST'],
      ['/api/weights', '{"ids":["__proto__","constructor"]}', 'POST'],
      ['/api/select', '{"candidates":["__proto__"],"n":1}', 'POST'],
    ] as const) {
      const came = await stage.api(path, JSON.parse('{}'), method);
      await came.text();
      const sent = await fetch(`${stage.url}${path}`, {
        method,
        body,
        headers: { 'content-type': 'application/json', authorization: 'Bearer admin-secret-77aa02' },
      });
      expect([path, body, sent.status < 500]).toEqual([path, body, true]);
      await sent.text();
    }
    expect(({} as Record<string, unknown>).model).toBeUndefined();
    expect((await stage.chat()).status).toBe(200);
  });
});
