import { afterEach, describe, expect, it } from 'vitest';
import { ask, CLIENT_KEY, errorOf, RawClient, raw, stageOf, tidyStages } from './stage.ts';

afterEach(tidyStages);

const head = (length: number | string, type = 'application/json') =>
  `POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${CLIENT_KEY}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`;
const bodyOf = ({ text }: RawClient) => JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4));

describe('a request that trickles in', () => {
  it('is given up with 408, be it in its headers or its body, while others are served', async () => {
    const stage = await stageOf({}, { settings: { limits: { requestSeconds: 1 } } });
    const idle = Array.from({ length: 20 }, () => new RawClient(stage.port));
    for (const client of idle) client.send('POST /v1/chat/completions HTTP/1.1\r\nHost: loc');
    const slow = [new RawClient(stage.port), new RawClient(stage.port)] as const;
    slow[0].send('POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n');
    slow[1].send(`${head(5000)}{"model": "popu`);
    const trickle = setInterval(() => {
      slow[0].send('x-a: b\r\n');
      slow[1].send(' ');
    }, 100);
    for (let turn = 0; turn < 5; turn++) expect((await stage.chat(ask(`Turn ${turn}.`))).status).toBe(200);
    await Promise.all([...idle, ...slow].map(({ closed }) => closed));
    clearInterval(trickle);
    expect(slow[0].statuses).toEqual([408]);
    expect(slow[1].statuses).toEqual([408]);
    expect(bodyOf(slow[0]).error).toMatchObject({ type: 'timeout_error', code: 'request_timeout' });
    expect((await stage.chat()).status).toBe(200);
    expect(stage.upstream.requests).toHaveLength(6);
  });
});

describe('a request that is malformed', () => {
  it('is refused with a typed error, and no upstream hears of it', async () => {
    const limits = { bodyBytes: 4096, depth: 10, messages: 20 };
    const stage = await stageOf({}, { settings: { limits } });
    const send = (body: string, type = 'application/json') =>
      stage.chat({}, { body, headers: { 'content-type': type } });
    const whole = JSON.stringify(ask('Hello.'));
    const deep = `${'['.repeat(20)}${']'.repeat(20)}`;
    const many = Array.from({ length: 21 }, () => ({ role: 'user', content: 'x' }));
    for (const [sent, status] of [
      [send(whole.slice(0, -10)), 400],
      [send(''), 400],
      [send('null'), 400],
      [send('[]'), 400],
      [send('\u0000\u0001'), 400],
      [send(whole, 'text/plain'), 415],
      [send(whole, 'application/x-www-form-urlencoded'), 415],
      [send(whole, 'multipart/form-data; boundary=x'), 415],
      [send(whole, 'nonsense'), 415],
      [send(JSON.stringify(ask('x'.repeat(5000)))), 413],
      [stage.chat(ask('Hello.', { tools: JSON.parse(deep) })), 400],
      [stage.chat({ model: 'population', messages: many }), 400],
      [stage.chat(ask('Hello.', { n: 2 })), 400],
      [stage.chat(ask('Hello.', { model: 'nobody' })), 404],
    ] as const) {
      const { status: found, error } = await errorOf(sent);
      expect([found, error.message]).toEqual([status, expect.any(String)]);
    }
    expect(stage.upstream.requests).toHaveLength(0);
    const status = (await (await stage.api('/api/status')).json()) as { sessions: unknown };
    expect(status.sessions).toMatchObject({ open: 0 });
    expect((await stage.chat()).status).toBe(200);
  });

  it('as HTTP itself is answered in the same form, and its socket closed', async () => {
    const stage = await stageOf();
    const large = await raw(
      stage.port,
      `GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ${'a'.repeat(40_000)}\r\n\r\n`,
    );
    expect(large.statuses).toEqual([431]);
    expect(bodyOf(large).error.code).toBe('headers_too_large');
    const noise = await raw(stage.port, '\u0016\u0003\u0001 TLS, for all I know\r\n\r\n');
    expect(noise.statuses).toEqual([400]);
    expect(bodyOf(noise).error.code).toBe('invalid_request');
    // Half a body and away.
    const half = new RawClient(stage.port);
    half.send(`${head(500)}{"model"`);
    half.socket.end();
    await half.closed;
    expect((await stage.chat()).status).toBe(200);
  });

  it('deeper than the parser likes ends no process', async () => {
    const stage = await stageOf();
    const deep = '['.repeat(200_000);
    expect((await errorOf(stage.chat({}, { body: deep }))).status).toBe(400);
    const closed = `{"model":"population","messages":[{"role":"user","content":"x"}],"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect((await errorOf(stage.chat({}, { body: closed }))).status).toBe(400);
    expect((await stage.chat()).status).toBe(200);
  });
});

describe('limits', () => {
  it('end a dialogue at its last turn with an error that says so', async () => {
    const stage = await stageOf({ text: 'Go on.' }, { settings: { limits: { turns: 2 } } });
    const messages: unknown[] = [{ role: 'user', content: 'Hello.' }];
    const turn = () => stage.chat({ model: 'population', messages }, { headers: { 'x-session-id': 'long' } });
    for (let at = 0; at < 2; at++) {
      expect((await turn()).status).toBe(200);
      messages.push({ role: 'assistant', content: 'Go on.' }, { role: 'user', content: `And ${at}?` });
    }
    const { status, error } = await errorOf(turn());
    expect([status, error.code]).toEqual([400, 'turn_limit']);
    expect(stage.upstream.requests).toHaveLength(2);
  });

  it('refuse sessions beyond the number that the gateway takes, and say when to come again', async () => {
    const stage = await stageOf({}, { settings: { limits: { sessions: 3 } } });
    const open = (id: string) => stage.chat(ask('Hello.'), { headers: { 'x-session-id': id } });
    for (const id of ['a', 'b', 'c']) expect((await open(id)).status).toBe(200);
    const { status, error, retryAfter } = await errorOf(open('d'));
    expect([status, error.code]).toEqual([429, 'session_limit']);
    expect(Number(retryAfter)).toBeGreaterThanOrEqual(1);
    await stage.api('/api/sessions/a/end', { termination: 'done' });
    expect((await open('d')).status).toBe(200);
  });

  it('refuse what waits for an upstream beyond its queue', async () => {
    const stage = await stageOf({ fault: 'hang' }, { upstream: { concurrency: 1, queue: 1 } });
    const left = new AbortController();
    const open = (id: string) =>
      stage.chat(ask('Hello.'), { headers: { 'x-session-id': id }, signal: left.signal });
    const held = [open('a')];
    await stage.upstream.arrived(1);
    held.push(open('b'));
    const refused = await Promise.race([open('c'), open('d')]);
    const { status, error, retryAfter } = await errorOf(refused);
    expect([status, error.code]).toEqual([429, 'queue_full']);
    expect(Number(retryAfter)).toBeGreaterThanOrEqual(1);
    left.abort();
    await Promise.allSettled(held);
  });
});
