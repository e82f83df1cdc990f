import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type LevelNotice, startNotifier, WEBHOOK_SCHEMA } from '../../../src/gateway/live/notifier.ts';

const NOTICE: LevelNotice = {
  schema: WEBHOOK_SCHEMA,
  level: 'red',
  before: 'green',
  reasons: ['green -> red: SCD2 0.9'],
  epoch: 4,
  at: '2026-01-01T00:00:00.000Z',
};

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function receiver(answer: (request: IncomingMessage, response: ServerResponse, at: number) => void) {
  const bodies: unknown[] = [];
  const headers: IncomingMessage['headers'][] = [];
  let at = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    bodies.push(JSON.parse(Buffer.concat(chunks).toString()));
    headers.push(request.headers);
    answer(request, response, at++);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?token=secret`,
    bodies,
    headers,
  };
}

function notifierTo(url: string, headerEnv: string | null = null, more: object = {}) {
  const lines: string[] = [];
  const notifier = startNotifier([{ url, headerEnv }], {
    environment: { HOOK_KEY: 'Bearer hidden' },
    log: (event, facts) => lines.push(`${event} ${JSON.stringify(facts)}`),
    pausesMs: [1, 1, 1],
    ...more,
  });
  return { notifier, lines };
}

describe('a webhook', () => {
  it('gets the notice as JSON, with the header from the environment', async () => {
    const { url, bodies, headers } = await receiver((_, response) => response.end());
    const { notifier, lines } = notifierTo(url, 'HOOK_KEY');
    notifier.notify(NOTICE);
    await notifier.settled();
    expect(bodies).toEqual([NOTICE]);
    expect(headers[0]).toMatchObject({ authorization: 'Bearer hidden', 'content-type': 'application/json' });
    expect(notifier.counts).toEqual({ sent: 1, failed: 0 });
    expect(lines).toEqual([]);
  });

  it('is tried again after a fault, in the order of the notices', async () => {
    const { url, bodies } = await receiver((request, response, at) => {
      if (at === 0) request.socket.destroy();
      else response.writeHead(at === 1 ? 503 : 200).end();
    });
    const { notifier } = notifierTo(url);
    notifier.notify(NOTICE);
    notifier.notify({ ...NOTICE, level: 'green' });
    await notifier.settled();
    expect(bodies.map((body) => (body as LevelNotice).level)).toEqual(['red', 'red', 'red', 'green']);
    expect(notifier.counts).toEqual({ sent: 2, failed: 0 });
  });

  it('is given up after three retries, and says so without address or key', async () => {
    const { url, bodies } = await receiver((_, response) => response.writeHead(500).end());
    const { notifier, lines } = notifierTo(url, 'HOOK_KEY');
    notifier.notify(NOTICE);
    await notifier.settled();
    expect(bodies).toHaveLength(4);
    expect(notifier.counts).toEqual({ sent: 0, failed: 1 });
    expect(lines[0]).toContain('status 500');
    expect(lines.join()).not.toMatch(/secret|hidden/);
  });

  it('is not tried again where the receiver refuses, nor sent elsewhere', async () => {
    const refused = await receiver((_, response) => response.writeHead(404).end());
    const { notifier } = notifierTo(refused.url);
    notifier.notify(NOTICE);
    await notifier.settled();
    expect(refused.bodies).toHaveLength(1);
    const other = await receiver((_, response) => response.end());
    const moved = await receiver((_, response) => response.writeHead(307, { location: other.url }).end());
    const { notifier: second } = notifierTo(moved.url);
    second.notify(NOTICE);
    await second.settled();
    expect(other.bodies).toEqual([]);
    expect(second.counts.failed).toBe(1);
  });

  it('that never answers blocks nobody, and is let go at the end', async () => {
    const { url, bodies } = await receiver(() => {});
    const { notifier, lines } = notifierTo(url, null, { timeoutMs: 500 });
    notifier.notify(NOTICE);
    await notifier.settled();
    expect(bodies.length).toBe(4);
    expect(lines[0]).toContain('no answer in time');
    const { notifier: open } = notifierTo(url, null, { timeoutMs: 60_000, pausesMs: [60_000] });
    for (let i = 0; i < 150; i++) open.notify(NOTICE);
    await open.close();
    expect(open.counts.failed).toBeGreaterThanOrEqual(50);
  });

  it('with a variable that is not set is refused at the start', () => {
    expect(() => notifierTo('http://127.0.0.1:1/', 'NO_SUCH')).toThrow(/NO_SUCH/);
  });
});
