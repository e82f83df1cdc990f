import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type RunningGateway, startGateway } from '../../../src/gateway/server/gateway.ts';
import { readSettings } from '../../../src/gateway/settings/read-settings.ts';
import { GATEWAY_SCHEMA } from '../../../src/gateway/settings/settings.ts';
import { type FakeScript, type FakeUpstream, fakeUpstream } from '../fake-upstream.ts';

export const CLIENT_KEY = 'client-secret-4f1d9b';
export const ADMIN_KEY = 'admin-secret-77aa02';
export const UPSTREAM_KEY = 'upstream-secret-c0ffee';

type Json = Readonly<Record<string, unknown>>;

export interface StageOptions {
  /** Over the settings' own sections. */
  readonly settings?: Json;
  /** Over those of the one upstream. */
  readonly upstream?: Json;
  readonly clock?: () => number;
  /** Of an earlier stage, to go on with. */
  readonly store?: string;
  readonly before?: FakeUpstream;
}

/** A gateway before a fake upstream, and everything that it wrote down. */
export interface Stage {
  readonly gateway: RunningGateway;
  readonly url: string;
  readonly port: number;
  readonly upstream: FakeUpstream;
  readonly store: string;
  readonly log: string[];
  /** A chat completion with the client's key. */
  chat(body?: Json, more?: RequestInit): Promise<Response>;
  /** The control API with the admin key. */
  api(path: string, body?: unknown, method?: string): Promise<Response>;
  /** One session's turns, as exported. */
  turns(session: string): Promise<string[]>;
  close(keep?: boolean): Promise<void>;
}

/** Rejections that nobody handled, since the file began: a test file ends with `expectNoneUnhandled`. */
const unhandled: unknown[] = [];
process.on('unhandledRejection', (reason) => unhandled.push(reason));
process.on('uncaughtExceptionMonitor', (error) => unhandled.push(error));
const stages = new Set<Stage>();

/** Closes what tests left open. */
export async function tidyStages(): Promise<void> {
  for (const stage of stages) await stage.close();
  await new Promise((done) => setImmediate(done));
  expect(unhandled.splice(0)).toEqual([]);
}

export const ask = (text: string, more: Json = {}): Json => ({
  model: 'population',
  messages: [
    { role: 'system', content: 'You are a customer.' },
    { role: 'user', content: text },
  ],
  ...more,
});

export async function stageOf(script: FakeScript = {}, options: StageOptions = {}): Promise<Stage> {
  const upstream = options.before ?? (await fakeUpstream(script, { key: UPSTREAM_KEY }));
  const store = options.store ?? mkdtempSync(join(tmpdir(), 'ca-gateway-faults-'));
  const environment = { CA_CLIENT: CLIENT_KEY, CA_ADMIN: ADMIN_KEY, CA_UPSTREAM: UPSTREAM_KEY };
  const log: string[] = [];
  const settings = readSettings(
    {
      schema: GATEWAY_SCHEMA,
      listen: { port: 0 },
      store,
      keys: { clientEnv: 'CA_CLIENT', adminEnv: 'CA_ADMIN' },
      upstreams: {
        fake: { baseUrl: upstream.url, apiKeyEnv: 'CA_UPSTREAM', retries: 0, ...options.upstream },
      },
      population: {
        members: [{ id: 'plain', family: 'alder', model: 'alder-4b', upstream: 'fake' }],
        seen: ['plain'],
      },
      ...options.settings,
    },
    { environment },
  );
  const gateway = await startGateway(settings, {
    environment,
    log: 'debug',
    logSink: { write: (line) => log.push(line) },
    folder: store,
    ...(options.clock === undefined ? {} : { clock: options.clock }),
  });
  const { url } = gateway;
  const headers = { 'content-type': 'application/json' };
  const stage: Stage = {
    gateway,
    url,
    port: Number(new URL(url).port),
    upstream,
    store,
    log,
    chat: (body = ask('Hello.'), more = {}) =>
      fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        body: JSON.stringify(body),
        ...more,
        headers: { ...headers, authorization: `Bearer ${CLIENT_KEY}`, ...more.headers },
      }),
    api: (path, body, method = body === undefined ? 'GET' : 'POST') =>
      fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${ADMIN_KEY}`, ...(body === undefined ? {} : headers) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    async turns(session) {
      for (const line of (await (await stage.api('/api/trajectories?of=all')).text()).split('\n')) {
        const one = line === '' ? null : (JSON.parse(line) as { id: string; turns: { text: string }[] });
        if (one?.id === session) return one.turns.map(({ text }) => text);
      }
      return [];
    },
    async close(keep = false) {
      if (!stages.delete(stage)) return;
      await gateway.stop('test', 500);
      if (keep) return;
      await upstream.close();
      rmSync(store, { recursive: true, force: true });
    },
  };
  stages.add(stage);
  return stage;
}

export interface ErrorReply {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly error: { readonly message: string; readonly type: string; readonly code: string | null };
}

/** A reply that must be an error in the one form. */
export async function errorOf(response: Response | Promise<Response>): Promise<ErrorReply> {
  const came = await response;
  const { status, headers } = came;
  const body = (await came.json()) as ErrorReply & { error: { param: string | null } };
  expect(body).toEqual({
    error: {
      message: expect.any(String),
      type: expect.any(String),
      param: body.error.param === null ? null : expect.any(String),
      code: body.error.code === null ? null : expect.any(String),
    },
  });
  return { status, retryAfter: headers.get('retry-after'), error: body.error };
}

/** Payloads of a stream. */
export const payloads = (text: string): string[] =>
  text
    .split('\n\n')
    .filter((event) => event.startsWith('data: '))
    .map((event) => event.slice('data: '.length));

/** What a server sends back on a raw socket, until it closes it. */
export class RawClient {
  text = '';
  readonly socket: Socket;
  readonly closed: Promise<unknown>;

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.on('error', () => {});
    this.socket.setEncoding('latin1');
    this.socket.on('data', (piece) => {
      this.text += piece;
    });
    this.closed = once(this.socket, 'close');
  }

  send(text: string): void {
    if (this.socket.writable) this.socket.write(text, 'latin1');
  }

  /** Status codes of all replies so far. */
  get statuses(): number[] {
    return [...this.text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, code]) => Number(code));
  }
}

/** Sends `text` as it is, and gives what came until the server closed. */
export async function raw(port: number, text: string): Promise<RawClient> {
  const client = new RawClient(port);
  client.send(text);
  await client.closed;
  return client;
}

/** Polls until `met`: the event itself has no listener. */
export async function eventually(met: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (await met()) return;
    await new Promise((done) => setTimeout(done, 10));
  }
  throw new Error(`never came true: ${what}`);
}

/** The value of a line of `/metrics`. */
export async function metric(stage: Stage, line: string): Promise<number | null> {
  const text = await (await fetch(`${stage.url}/metrics`)).text();
  const found = text.split('\n').find((one) => one.startsWith(`${line} `));
  return found === undefined ? null : Number(found.slice(line.length + 1));
}
