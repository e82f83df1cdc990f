import { afterEach, describe, expect, it } from 'vitest';
import {
  Upstream,
  UpstreamError,
  type UpstreamOptions,
  type UpstreamReply,
} from '../../src/endpoint/index.ts';
import {
  type FakeAnswer,
  type FakeScript,
  type FakeUpstream,
  fakeUpstream,
} from '../gateway/fake-upstream.ts';

const KEY = 'sk-very-secret-key-0123456789';
const open: { close(): Promise<void> }[] = [];
afterEach(() => Promise.all(open.splice(0).map((one) => one.close())));

async function pair(
  script: FakeScript = {},
  options: Partial<UpstreamOptions> = {},
): Promise<{ fake: FakeUpstream; upstream: Upstream }> {
  const fake = await fakeUpstream(script);
  const upstream = upstreamAt(fake.url, options);
  open.push(fake);
  return { fake, upstream };
}

function upstreamAt(baseUrl: string, options: Partial<UpstreamOptions> = {}): Upstream {
  return new Upstream(
    {
      name: 'main',
      baseUrl,
      apiKeyEnv: 'KEY',
      concurrency: 8,
      queue: 8,
      retries: 2,
      connectMs: 2000,
      firstByteMs: 5000,
      idleMs: 5000,
      totalMs: 8000,
      ...options,
    },
    { environment: { KEY }, backoff: { first: 5, most: 10, patience: 100 } },
  );
}

const BODY = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const never = new AbortController().signal;
const send = (upstream: Upstream, stream = false, more: object = {}) =>
  upstream.send({ ...BODY, stream }, { signal: never, stream, ...more });
const fault = (sent: Promise<unknown>): Promise<UpstreamError> =>
  sent.then(
    () => Promise.reject(new Error('it was answered')),
    (cause: unknown) => {
      expect(cause).toBeInstanceOf(UpstreamError);
      return cause as UpstreamError;
    },
  );
async function payloads(reply: UpstreamReply): Promise<string[]> {
  if (reply.kind !== 'events') throw new Error('not streamed');
  const found: string[] = [];
  for await (const payload of reply.events) found.push(payload);
  return found;
}
const textOf = (chunks: readonly string[]) =>
  chunks.map((chunk) => JSON.parse(chunk).choices[0]?.delta.content ?? '').join('');
/** First so, then as a plain server. */
const once =
  (answer: FakeAnswer, times = 1): FakeScript =>
  (_, number) =>
    number < times ? answer : { text: 'well then' };

describe('a reply', () => {
  it('comes whole, with the key sent and the body as it was given', async () => {
    const { fake, upstream } = await pair({ text: 'hello there' });
    const reply = await send(upstream, false, {
      headers: { 'x-request-id': 'r1', authorization: 'Bearer other' },
    });
    expect(reply).toMatchObject({ kind: 'json', attempts: 1, json: { object: 'chat.completion' } });
    expect(fake.requests[0]!.headers).toMatchObject({ authorization: `Bearer ${KEY}`, 'x-request-id': 'r1' });
    expect(fake.requests[0]!.body).toEqual({ ...BODY, stream: false });
  });

  it('is streamed as it comes, and the place is free again at its end', async () => {
    const { upstream } = await pair({ text: 'one two three', chunkMs: 2 }, { concurrency: 1 });
    for (let i = 0; i < 3; i++) {
      const reply = await send(upstream, true);
      const chunks = await payloads(reply);
      expect(textOf(chunks)).toBe('one two three');
      expect(chunks).not.toContain('[DONE]');
      expect(reply.kind === 'events' && reply.events.done).toBe(true);
    }
    expect(upstream.load).toEqual({ running: 0, waiting: 0 });
  });

  it('is put together from events that are cut anywhere', async () => {
    const raw = [
      ': wait\r',
      '\n\r\nda',
      'ta: {"a":',
      '"é'.slice(0, 2),
      '"}\r\n',
      '\r\ndata: {"b":\ndata: 1}\n\ndata: [DO',
      'NE]\n\n',
    ];
    const { upstream } = await pair({ raw });
    expect((await payloads(await send(upstream, true))).map((chunk) => JSON.parse(chunk))).toEqual([
      { a: 'é' },
      { b: 1 },
    ]);
  });

  it('waits for a slow reader, and loses nothing', async () => {
    const word = `data: ${JSON.stringify({ choices: [{ delta: { content: 'x'.repeat(10_000) } }] })}\n\n`;
    const raw = [...Array.from({ length: 60 }, () => word.repeat(5)), 'data: [DONE]\n\n'];
    const { upstream } = await pair({ raw, chunkMs: 0 });
    const reply = await send(upstream, true);
    if (reply.kind !== 'events') throw new Error('not streamed');
    let length = 0;
    for await (const payload of reply.events) {
      if (length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
      length += textOf([payload]).length;
    }
    expect(length).toBe(3_000_000);
  });

  it('frees its place at [DONE], although the server holds the connection open', async () => {
    const raw = ['data: {"a":1}\n\ndata: [DONE]\n\n', ': and on', ': and on'];
    const { upstream } = await pair({ raw, chunkMs: 200 }, { concurrency: 1 });
    expect(await payloads(await send(upstream, true))).toEqual(['{"a":1}']);
    expect(upstream.load.running).toBe(0);
  });

  it('may come in one piece although a stream was asked for', async () => {
    const { upstream } = await pair((request) => {
      request.body.stream = false;
      return { text: 'whole' };
    });
    expect(await send(upstream, true)).toMatchObject({ kind: 'json' });
  });
});

describe('before the first byte', () => {
  it.each<[string, FakeAnswer]>([
    ['429', { status: 429, retryAfter: '0' }],
    ['500', { status: 500 }],
    ['503', { status: 503 }],
    ['a cut socket', { fault: 'reset' }],
    ['a cut after the headers', { fault: 'reset-body' }],
    ['garbage', { fault: 'garbage' }],
    ['an empty body', { fault: 'empty' }],
  ])('it is asked again after %s', async (_, answer) => {
    for (const stream of [false, true]) {
      const { fake, upstream } = await pair(once(answer, 2));
      const reply = await send(upstream, stream);
      expect(reply.attempts).toBe(3);
      if (stream) expect(textOf(await payloads(reply))).toBe('well then');
      expect(fake.requests).toHaveLength(3);
    }
  });

  it('half a JSON reply is asked for again, and never passed on', async () => {
    for (const broken of ['half', 'reset-mid'] as const) {
      const { upstream } = await pair(once({ fault: broken }));
      expect(await send(upstream)).toMatchObject({ kind: 'json', attempts: 2 });
      const { upstream: other } = await pair({ fault: broken });
      expect(await fault(send(other))).toMatchObject({ kind: 'reply', attempts: 3 });
    }
  });

  it('a stream that is cut inside its first event is asked for again', async () => {
    const { upstream } = await pair(once({ raw: ['data: {"a"'] }));
    const reply = await send(upstream, true);
    expect(reply.attempts).toBe(2);
    expect(textOf(await payloads(reply))).toBe('well then');
  });

  it('an error as the first event is an error, not a stream', async () => {
    const { upstream } = await pair({ fault: 'error-event', after: 0 });
    expect(await fault(send(upstream, true))).toMatchObject({
      kind: 'refused',
      status: 500,
      said: { message: 'the fake model fell over' },
    });
  });

  it.each([400, 401, 404, 422])('%i is not tried again', async (status) => {
    const { fake, upstream } = await pair({ status, message: `because ${KEY} of it` });
    const error = await fault(send(upstream));
    expect(error).toMatchObject({
      kind: 'refused',
      status,
      attempts: 1,
      said: { message: 'because *** of it' },
    });
    expect(fake.requests).toHaveLength(1);
  });

  it('a client that has tried itself has fewer attempts made for it', async () => {
    const { fake, upstream } = await pair({ status: 500 });
    await fault(send(upstream, false, { retry: 1 }));
    expect(fake.requests).toHaveLength(2);
    await fault(send(upstream, false, { retry: 5 }));
    expect(fake.requests).toHaveLength(3);
  });

  it('a wait beyond its patience is passed on', async () => {
    const { fake, upstream } = await pair({ status: 429, retryAfter: '7' });
    expect(await fault(send(upstream))).toMatchObject({ kind: 'refused', status: 429, retryAfter: 7 });
    expect(fake.requests).toHaveLength(1);
  });

  it('a storm of 429 ends by itself, and nobody is lost', async () => {
    const { upstream } = await pair(
      (_, n) => (n % 3 === 0 ? { text: 'ok' } : { status: 429, retryAfter: '0' }),
      {
        queue: 100,
        retries: 1,
      },
    );
    const ends = await Promise.all(
      Array.from({ length: 60 }, () =>
        send(upstream).then(
          () => 200,
          (cause: UpstreamError) => cause.status,
        ),
      ),
    );
    expect(ends).toHaveLength(60);
    expect(new Set(ends)).toEqual(new Set([200, 429]));
    expect(upstream.load).toEqual({ running: 0, waiting: 0 });
  });
});

describe('after the first byte', () => {
  it.each(['reset-mid', 'half', 'stall'] as const)(
    '%s breaks the stream and is not tried again',
    async (broken) => {
      const { fake, upstream } = await pair({ fault: broken, text: 'one two three' }, { idleMs: 60 });
      const reply = await send(upstream, true);
      const error = await fault(payloads(reply));
      expect(error.kind).toBe(broken === 'stall' ? 'timeout' : 'reply');
      expect(fake.requests).toHaveLength(1);
      expect(upstream.load.running).toBe(0);
    },
  );

  it('a stream that ends without [DONE] ends, and says so', async () => {
    const { upstream } = await pair({ fault: 'no-done', text: 'one' });
    const reply = await send(upstream, true);
    expect(textOf(await payloads(reply))).toBe('one');
    expect(reply.kind === 'events' && reply.events.done).toBe(false);
  });
});

describe('time', () => {
  it('limits the wait for the first byte, also where the headers came', async () => {
    for (const answer of [{ fault: 'hang' }, { firstByteMs: 1000 }] as const) {
      const { fake, upstream } = await pair(answer, { firstByteMs: 60 });
      for (const stream of [false, true]) expect((await fault(send(upstream, stream))).kind).toBe('timeout');
      await fake.arrived(2, 'cancelled');
    }
  });

  it('counts the wait for a place as time of the upstream', async () => {
    const { upstream } = await pair({ latencyMs: 60 }, { concurrency: 1 });
    const [first, second] = await Promise.all([send(upstream), send(upstream)]);
    expect(first.upstreamMs).toBeGreaterThan(50);
    expect(second.upstreamMs).toBeGreaterThan(110);
  });

  it('limits all of it together, waits in the queue included', async () => {
    const { fake, upstream } = await pair(
      { text: 'a b c d e f g h', chunkMs: 30 },
      { totalMs: 100, concurrency: 1 },
    );
    const reply = await send(upstream, true);
    const behind = fault(send(upstream));
    expect((await fault(payloads(reply))).kind).toBe('timeout');
    await fake.arrived(1, 'cancelled');
    expect((await behind).kind).toBe('timeout');
  });

  it('says of a closed port that nobody is there', async () => {
    const fake = await fakeUpstream();
    await fake.close();
    expect(await fault(send(upstreamAt(fake.url)))).toMatchObject({
      kind: 'unreached',
      status: null,
      attempts: 3,
    });
  });
});

describe('cancelling', () => {
  it('closes the upstream at once: while it waits, and in the middle of a stream', async () => {
    const { fake, upstream } = await pair({ fault: 'hang' });
    const first = new AbortController();
    const sent = upstream
      .send(BODY, { signal: first.signal, stream: false })
      .catch((cause: unknown) => cause);
    await fake.arrived(1);
    first.abort(new Error('gone'));
    expect(await sent).toMatchObject({ message: 'gone' });
    await fake.arrived(1, 'cancelled');

    fake.answer({ fault: 'stall' });
    const second = new AbortController();
    const reply = await upstream.send({ ...BODY, stream: true }, { signal: second.signal, stream: true });
    second.abort(new Error('gone too'));
    await expect(payloads(reply)).rejects.toThrow('gone too');
    await fake.arrived(2, 'cancelled');
    expect(upstream.load.running).toBe(0);
  });

  it('happens too when a reader of the stream leaves, even before it began to read', async () => {
    const { fake, upstream } = await pair({ fault: 'stall' });
    for (let left = 1; left <= 2; left++) {
      const reply = await send(upstream, true);
      if (reply.kind !== 'events') throw new Error('not streamed');
      if (left === 2) for await (const _ of reply.events) break;
      else await reply.events.return();
      await fake.arrived(left, 'cancelled');
    }
    expect(upstream.load.running).toBe(0);
  });

  it('leaves the queue, and the pause between two attempts', async () => {
    const { fake, upstream } = await pair({ fault: 'hang' }, { concurrency: 1 });
    const stop = new AbortController();
    const all = [1, 2].map(() =>
      upstream.send(BODY, { signal: stop.signal, stream: false }).catch((e: Error) => e.name),
    );
    await fake.arrived(1);
    expect(upstream.load).toEqual({ running: 1, waiting: 1 });
    stop.abort();
    expect(await Promise.all(all)).toEqual(['AbortError', 'AbortError']);
    expect(upstream.load).toEqual({ running: 0, waiting: 0 });
    expect(fake.requests).toHaveLength(1);
  });
});

describe('the queue', () => {
  it('lets so many through at once, and turns away what does not fit', async () => {
    const { fake, upstream } = await pair({ latencyMs: 20 }, { concurrency: 2, queue: 3 });
    const ends = await Promise.all(
      Array.from({ length: 8 }, () =>
        send(upstream).then(
          () => 'answered',
          (cause: UpstreamError) => cause,
        ),
      ),
    );
    expect(fake.most()).toBe(2);
    expect(ends.filter((end) => end === 'answered')).toHaveLength(5);
    for (const end of ends) if (end !== 'answered') expect(end).toMatchObject({ kind: 'queue', attempts: 0 });
    expect(ends.find((end) => end instanceof UpstreamError)).toMatchObject({
      retryAfter: expect.any(Number),
    });
  });

  it('lets probes wait behind clients, and drops them for clients', async () => {
    const { fake, upstream } = await pair({ latencyMs: 20 }, { concurrency: 1, queue: 2 });
    const order: string[] = [];
    const ask = (who: string, priority: 'client' | 'probe') =>
      upstream.send({ ...BODY, user: who }, { signal: never, stream: false, priority }).then(
        () => order.push(who),
        (cause: UpstreamError) => order.push(`${who} ${cause.kind}`),
      );
    await Promise.all([ask('a', 'client'), ask('p', 'probe'), ask('q', 'probe'), ask('b', 'client')]);
    expect(order).toEqual(['q queue', 'a', 'b', 'p']);
    expect(fake.requests.map(({ body }) => body.user)).toEqual(['a', 'b', 'p']);
  });
});

it('never shows a key, whatever the server echoes', async () => {
  const fake = await fakeUpstream({}, { key: 'another' });
  open.push(fake);
  const upstream = upstreamAt(`${fake.url}?api-version=${KEY}`);
  const error = await fault(send(upstream));
  expect(error.status).toBe(401);
  const shown = [
    error.message,
    error.line,
    error.stack,
    JSON.stringify(error),
    JSON.stringify(error.said),
    String(error.cause),
  ];
  expect(shown.join('\n')).not.toContain(KEY);
  expect(JSON.stringify(upstream)).not.toContain(KEY);
});

it('refuses to start without its key', () => {
  expect(() => upstreamAt('http://127.0.0.1:1/v1', { apiKeyEnv: 'NONE' })).toThrow(/NONE is not set/);
  expect(() => upstreamAt('ftp://x')).toThrow(/no http URL/);
});
