import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import type { GatewayGate } from '../../../src/gateway/live/live.ts';
import { type RunningGateway, startGateway } from '../../../src/gateway/server/gateway.ts';
import { readSettings } from '../../../src/gateway/settings/read-settings.ts';
import { GATEWAY_SCHEMA } from '../../../src/gateway/settings/settings.ts';
import type { Trajectory } from '../../../src/trajectory/trajectory.ts';

export const CLIENT_KEY = 'client-key-of-the-test';
export const ADMIN_KEY = 'admin-key-of-the-test';

export interface HttpReply<Body = unknown> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Body;
}

/** A gateway on a real socket and how to talk to it: the data API with the client's key, the control API with its own. */
export interface Stand {
  readonly url: string;
  readonly store: string;
  /** `POST` of a chat request; rejects where it is aborted. */
  chat(
    body: Readonly<Record<string, unknown>>,
    options?: {
      readonly headers?: Readonly<Record<string, string>>;
      readonly signal?: AbortSignal;
      readonly key?: string;
      /** Base URL of the API (default: the gateway's own). */
      readonly base?: string;
    },
    // biome-ignore lint/suspicious/noExplicitAny: bodies of replies are looked into
  ): Promise<HttpReply<any>>;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of replies are looked into
  api(method: string, path: string, body?: unknown): Promise<HttpReply<any>>;
  /** The same, with the admin key unless told otherwise. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies of replies are looked into
  raw(method: string, path: string, body?: unknown, key?: string | null): Promise<HttpReply<any>>;
  gate(): Promise<GatewayGate>;
  trajectories(query?: string): Promise<Trajectory[]>;
  /** Stops and starts again on the same store, under a new port. */
  restart(more?: Readonly<Record<string, unknown>>): Promise<void>;
  close(): Promise<void>;
}

export interface StandOptions {
  /** Of the settings file, beside listen, store and keys. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** Where log lines go; each is one JSON object. */
  readonly lines?: string[];
  /** Journal that is there already. */
  readonly store?: string;
}

export async function stand(options: StandOptions = {}): Promise<Stand> {
  const store = options.store ?? mkdtempSync(join(tmpdir(), 'ca-end-to-end-'));
  const environment = { CA_CLIENT: CLIENT_KEY, CA_ADMIN: ADMIN_KEY, ...options.environment };
  const agent = new Agent({ connections: 64, pipelining: 1 });
  let gateway: RunningGateway;
  const start = async (more: Readonly<Record<string, unknown>>): Promise<void> => {
    const settings = readSettings(
      {
        schema: GATEWAY_SCHEMA,
        listen: { port: 0 },
        store,
        keys: { clientEnv: 'CA_CLIENT', adminEnv: 'CA_ADMIN' },
        ...more,
      },
      { environment },
    );
    gateway = await startGateway(settings, {
      environment,
      folder: store,
      ...(options.lines === undefined
        ? { log: 'silent' as const }
        : { log: 'info' as const, logSink: { write: (line: string) => void options.lines!.push(line) } }),
    });
  };
  await start(options.settings ?? {});
  let latest = options.settings ?? {};

  const send: Stand['raw'] = async (method, path, body, key = ADMIN_KEY) =>
    call(new URL(path, gateway.url).href, {
      method,
      key,
      ...(body === undefined ? {} : { body }),
    });
  const call = async (
    url: string,
    given: {
      readonly method: string;
      readonly key: string | null;
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
      readonly signal?: AbortSignal;
    },
  ): Promise<HttpReply> => {
    const { statusCode, headers, body } = await request(url, {
      dispatcher: agent,
      method: given.method as 'POST',
      headers: {
        ...(given.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(given.key === null ? {} : { authorization: `Bearer ${given.key}` }),
        ...given.headers,
      },
      headersTimeout: 0,
      bodyTimeout: 0,
      ...(given.body === undefined ? {} : { body: JSON.stringify(given.body) }),
      ...(given.signal === undefined ? {} : { signal: given.signal }),
    });
    const text = await body.text();
    const json = String(headers['content-type'] ?? '').startsWith('application/json');
    return { status: statusCode, headers, body: json ? JSON.parse(text) : text };
  };

  return {
    get url() {
      return gateway.url;
    },
    store,
    raw: send,
    chat: (body, { key = CLIENT_KEY, base = `${gateway.url}/v1`, ...rest } = {}) =>
      call(`${base}/chat/completions`, { method: 'POST', body, key, ...rest }),
    api: async (method, path, body) => {
      const reply = await send(method, path, body);
      if (reply.status !== 200)
        throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
      return reply;
    },
    gate: async () => (await send('GET', '/api/gate')).body as GatewayGate,
    trajectories: async (query = '') => {
      const { status, body } = await send('GET', `/api/trajectories${query}`);
      if (status !== 200) throw new Error(`trajectories: ${status} ${JSON.stringify(body)}`);
      return String(body)
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Trajectory);
    },
    restart: async (more) => {
      await gateway.stop('test');
      latest = more ?? latest;
      await start(latest);
    },
    close: async () => {
      await gateway.stop('test');
      await agent.close();
      rmSync(store, { recursive: true, force: true });
    },
  };
}

/** Waits for `look` to hold, however long that takes. */
export async function until<Value>(
  look: () => Promise<Value | null | false> | Value | null | false,
  what = 'it',
): Promise<Value> {
  for (let tries = 0; tries < 3000; tries++) {
    const found = await look();
    if (found !== null && found !== false) return found;
    await new Promise((done) => setTimeout(done, 10));
  }
  throw new Error(`${what} did not come about`);
}

/** Runs the jobs, so many at a time. */
export async function atOnce<Job>(
  jobs: readonly Job[],
  most: number,
  run: (job: Job, at: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < jobs.length; at = next++) await run(jobs[at]!, at);
  };
  await Promise.all(Array.from({ length: Math.min(most, jobs.length) }, worker));
}
