import { afterEach, describe, expect, it } from 'vitest';
import { type EndpointOptions, OpenAiEndpoint } from '../../src/endpoint/index.ts';
import { embedded, json, type Seen, type Served, said, serve, vectorOf } from './server.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close().catch(() => {});
});

async function start(
  answer: Parameters<typeof serve>[0],
  options: Partial<EndpointOptions> = {},
): Promise<{ server: Served; endpoint: OpenAiEndpoint }> {
  const server = await serve(answer);
  const endpoint = new OpenAiEndpoint({
    baseUrl: server.url,
    model: 'tiny',
    backoff: { first: 1, most: 2, retries: 3 },
    ...options,
  });
  open.push(server, endpoint);
  return { server, endpoint };
}
const failed = (code: string, message: RegExp) =>
  expect.objectContaining({ code, message: expect.stringMatching(message), todo: expect.any(String) });
const texts = (seen: Seen) => seen.body.input as string[];

describe('the endpoint client', () => {
  it('chats, sends the options, and counts tokens', async () => {
    const { server, endpoint } = await start((_, __, response) => json(response, 200, said('hello')));
    const reply = await endpoint.chat([{ role: 'user', content: 'hi' }], {
      temperature: 0,
      maxTokens: 5,
      seed: 1,
      json: true,
      extra: { top_p: 1 },
    });
    expect(reply).toMatchObject({ text: 'hello', finishReason: 'stop', model: 'tiny', toolCalls: [] });
    expect(server.seen[0]).toMatchObject({
      path: '/v1/chat/completions',
      body: {
        model: 'tiny',
        temperature: 0,
        max_tokens: 5,
        seed: 1,
        response_format: { type: 'json_object' },
        top_p: 1,
      },
    });
    expect(endpoint.usage).toEqual({
      calls: 1,
      retries: 0,
      failures: 0,
      promptTokens: 5,
      completionTokens: 2,
    });
  });

  it('keeps tool calls beside a null text', async () => {
    const message = { content: null, tool_calls: [{ function: { name: 'pay', arguments: '{}' } }] };
    const { endpoint } = await start((_, __, response) => json(response, 200, { choices: [{ message }] }));
    expect(await endpoint.chat([])).toMatchObject({
      text: null,
      toolCalls: [{ name: 'pay', arguments: '{}' }],
    });
  });

  it('puts vectors back in the order of the texts', async () => {
    const { endpoint } = await start((seen, _, response) => {
      const body = embedded(texts(seen));
      body.data.reverse();
      json(response, 200, body);
    });
    const { vectors } = await endpoint.embeddings(['a', 'bb', 'ccc']);
    expect(vectors.map((vector) => [...vector])).toEqual(['a', 'bb', 'ccc'].map(vectorOf));
  });

  it('reads base64 vectors, and items without an index in order', async () => {
    const base64 = Buffer.from(Float32Array.from([1, -2]).buffer).toString('base64');
    const { endpoint } = await start((_, __, response) =>
      json(response, 200, { data: [{ embedding: base64 }, { embedding: [3, 4] }] }),
    );
    const { vectors } = await endpoint.embeddings(['a', 'b']);
    expect(vectors.map((vector) => [...vector])).toEqual([
      [1, -2],
      [3, 4],
    ]);
  });

  it('tries again after 429, 500, a dropped connection and text that is not JSON', async () => {
    const { server, endpoint } = await start(
      (_, number, response) => {
        if (number === 0) json(response, 429, { error: { message: 'slow down' } }, { 'retry-after': '0' });
        else if (number === 1) json(response, 500, 'oops');
        else if (number === 2) response.destroy();
        else if (number === 3) json(response, 200, '<html>');
        else json(response, 200, said('at last'));
      },
      { backoff: { first: 1, most: 2, retries: 4 } },
    );
    expect((await endpoint.chat([])).text).toBe('at last');
    expect(server.seen.length).toBe(5);
    expect(endpoint.usage).toMatchObject({ calls: 1, retries: 4, failures: 0 });
  });

  it('does not return before the time the server asks for', async () => {
    let open = false;
    const { endpoint } = await start(
      (_, number, response) => {
        if (number > 0) return json(response, 200, said(open ? 'ok' : 'too early'));
        setTimeout(() => {
          open = true;
        }, 40);
        json(response, 429, '', { 'retry-after-ms': '150' });
      },
      { random: () => 0 },
    );
    expect((await endpoint.chat([])).text).toBe('ok');
  });

  it('gives up at once where the server asks for more patience than it has', async () => {
    const { server, endpoint } = await start((_, __, response) =>
      json(response, 503, 'down', { 'retry-after': '3600' }),
    );
    await expect(endpoint.chat([])).rejects.toMatchObject({
      code: 'CA_ENDPOINT_FAILED',
      todo: expect.stringContaining('3600 s'),
    });
    expect(server.seen.length).toBe(1);
  });

  it('gives up after the last attempt and says how many there were', async () => {
    const { server, endpoint } = await start((_, __, response) => json(response, 500, 'broken'));
    await expect(endpoint.chat([])).rejects.toEqual(
      failed('CA_ENDPOINT_FAILED', /500: broken \(4 attempts\)/),
    );
    expect(server.seen.length).toBe(4);
    expect(endpoint.usage).toMatchObject({ calls: 0, retries: 3, failures: 1 });
  });

  it('does not try again what will not get better', async () => {
    for (const [status, body] of [
      [400, 'bad'],
      [401, 'who'],
      [404, 'no model'],
      [429, '{"error":{"code":"insufficient_quota"}}'],
    ] as const) {
      const { server, endpoint } = await start((_, __, response) => json(response, status, body));
      await expect(endpoint.chat([])).rejects.toEqual(failed('CA_ENDPOINT_FAILED', new RegExp(`${status}`)));
      expect(server.seen.length).toBe(1);
    }
  });

  it('says so where nobody listens', async () => {
    const server = await serve(() => {});
    await server.close();
    const endpoint = new OpenAiEndpoint({
      baseUrl: server.url,
      model: 'm',
      backoff: { retries: 1, first: 1 },
    });
    open.push(endpoint);
    await expect(endpoint.chat([])).rejects.toEqual(failed('CA_ENDPOINT_FAILED', /ECONNREFUSED.*2 attempts/));
  });

  it('gives a server up sooner that was never reached than one that was', async () => {
    const backoff = { retries: 4, unreached: 1, first: 1, most: 2 };
    const { server, endpoint } = await start((_, __, response) => json(response, 500, 'broken'), { backoff });
    expect(endpoint.reached).toBe(false);
    await expect(endpoint.chat([])).rejects.toEqual(failed('CA_ENDPOINT_FAILED', /500.*5 attempts/));
    expect(endpoint.reached).toBe(true);
    await server.close();
    await expect(endpoint.chat([])).rejects.toEqual(failed('CA_ENDPOINT_FAILED', /failed.*5 attempts/));
    const other = new OpenAiEndpoint({ baseUrl: server.url, model: 'm', backoff });
    open.push(other);
    await expect(other.chat([])).rejects.toEqual(failed('CA_ENDPOINT_FAILED', /ECONNREFUSED.*2 attempts/));
    expect(other.reached).toBe(false);
  });

  it('ends an attempt at the first-byte limit and at the total limit', async () => {
    const silent = await start(() => {}, { limits: { firstByte: 60 }, backoff: { retries: 0 } });
    await expect(silent.endpoint.chat([])).rejects.toEqual(failed('CA_ENDPOINT_FAILED', /in time/));
    const dripping = await start(
      (_, __, response) => {
        response.writeHead(200);
        response.write('{');
      },
      { limits: { total: 80 }, backoff: { retries: 0 } },
    );
    await expect(dripping.endpoint.chat([])).rejects.toEqual(
      failed('CA_ENDPOINT_FAILED', /in time \(80 ms\)/),
    );
  });

  it('refuses replies that cannot be used', async () => {
    const two = [{ index: 0, embedding: [1] }];
    for (const body of [
      [],
      {},
      { data: [] },
      { data: two },
      { data: [...two, ...two] },
      { data: [...two, { index: 5, embedding: [1] }] },
      { data: [...two, { index: 1, embedding: [] }] },
      { data: [...two, { index: 1, embedding: ['1'] }] },
      { data: [...two, { index: 1, embedding: [1, 2] }] },
      { data: [...two, null] },
    ]) {
      const { endpoint } = await start((_, __, response) => json(response, 200, body));
      await expect(endpoint.embeddings(['a', 'b'])).rejects.toEqual(failed('CA_ENDPOINT_REPLY', /answered/));
    }
    for (const body of [{}, { choices: [] }, { choices: [{ message: { content: 5 } }] }]) {
      const { endpoint } = await start((_, __, response) => json(response, 200, body));
      await expect(endpoint.chat([])).rejects.toEqual(failed('CA_ENDPOINT_REPLY', /answered/));
    }
  });

  it('holds the limit of requests under way', async () => {
    const { server, endpoint } = await start(
      (_, __, response) => {
        setTimeout(() => json(response, 200, said('ok')), 5);
      },
      { concurrency: 3 },
    );
    await Promise.all(Array.from({ length: 20 }, () => endpoint.chat([])));
    expect(server.most()).toBeLessThanOrEqual(3);
    expect(endpoint.usage.calls).toBe(20);
  });

  it('stops when told to: in flight, while it waits to retry, and in the queue', async () => {
    const reason = new Error('enough');
    const slow = await start(() => {}, { concurrency: 1 });
    const stop = new AbortController();
    const running = slow.endpoint.chat([], {}, stop.signal);
    const queued = slow.endpoint.chat([], {}, stop.signal);
    setTimeout(() => stop.abort(reason), 20);
    await expect(running).rejects.toBe(reason);
    await expect(queued).rejects.toBe(reason);
    expect(slow.server.seen.length).toBeLessThanOrEqual(1);

    const later = new AbortController();
    const waiting = await start((_, __, response) => json(response, 503, '', { 'retry-after': '60' }));
    setTimeout(() => later.abort(reason), 30);
    await expect(waiting.endpoint.chat([], {}, later.signal)).rejects.toBe(reason);
    await expect(waiting.endpoint.chat([], {}, later.signal)).rejects.toBe(reason);
  });

  it('takes the key from the environment, sends it, and never prints it', async () => {
    const key = 'k-very-secret';
    const { server, endpoint } = await start(
      (seen, _, response) => json(response, 401, `wrong key ${seen.headers.authorization}`),
      { apiKeyEnv: 'MY_KEY', environment: { MY_KEY: key } },
    );
    const error = await endpoint.chat([]).catch((caught: unknown) => caught as Error & { line: string });
    expect(server.seen[0]!.headers.authorization).toBe(`Bearer ${key}`);
    expect(
      `${(error as Error).message}${(error as { line: string }).line}${(error as Error).stack}`,
    ).not.toContain(key);
    expect((error as { todo?: string }).todo).toBe('check the key in MY_KEY');
    expect(JSON.stringify(endpoint)).not.toContain(key);
  });

  it('keeps a query string and a path, and hides credentials of a URL', async () => {
    const server = await serve((_, __, response) => json(response, 200, said('ok')));
    const url = new URL(server.url);
    const endpoint = new OpenAiEndpoint({
      baseUrl: `http://me:secret@${url.host}/v1/?api-version=2`,
      model: 'm',
    });
    open.push(server, endpoint);
    await endpoint.chat([]);
    expect(server.seen[0]!.path).toBe('/v1/chat/completions?api-version=2');
    expect(endpoint.name).toBe(`http://${url.host}/v1`);
  });

  it('refuses a base URL that is none and a key variable that is not set', () => {
    for (const baseUrl of ['nowhere', 'ftp://host/v1'])
      expect(() => new OpenAiEndpoint({ baseUrl, model: 'm' })).toThrow(
        expect.objectContaining({ code: 'CA_USAGE' }),
      );
    expect(
      () => new OpenAiEndpoint({ baseUrl: 'http://h/v1', model: 'm', apiKeyEnv: 'NONE', environment: {} }),
    ).toThrow(expect.objectContaining({ code: 'CA_USAGE', message: expect.stringContaining('NONE') }));
  });
});
