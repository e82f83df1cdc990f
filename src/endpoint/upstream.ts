import { setMaxListeners } from 'node:events';
import type { Pool } from 'undici';
import { CollapseAwareError } from '../errors.ts';
import { openConnections } from './connections.ts';
import { EventStream } from './event-stream.ts';
import { Exchange, ExchangeFault } from './exchange.ts';
import { Halt, type StopSignal } from './halt.ts';
import { type Lane, Lanes } from './lanes.ts';
import { type Backoff, backoffWait, pause, retryAfter } from './retry.ts';
import { bodyText, isEvents, parsed, Refusal, refuseError, unusable } from './upstream-body.ts';
import { errorIn, UpstreamError, type UpstreamFault } from './upstream-error.ts';

export interface UpstreamOptions {
  /** What errors call it. */
  readonly name: string;
  /** `https://host/v1`; `/chat/completions` is put behind it, a query string is kept. */
  readonly baseUrl: string;
  /** Name of the environment variable that holds the key; null = no key is sent. */
  readonly apiKeyEnv: string | null;
  /** Requests under way at once, and waiting; more are turned away. */
  readonly concurrency: number;
  readonly queue: number;
  /** Attempts after the first, before the first byte only. */
  readonly retries: number;
  /** Milliseconds: to connect; from a request to the first byte of its reply; between two pieces of it. */
  readonly connectMs: number;
  readonly firstByteMs: number;
  readonly idleMs: number;
  /** Milliseconds for all of it: waiting in the queue, every attempt, and the reply to its end. */
  readonly totalMs: number;
}

export interface UpstreamEdges {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** [0, 1), for the jitter between attempts. */
  readonly random?: () => number;
  /** Upper ends of the waits between attempts, and the longest wait an upstream may ask for, in ms. */
  readonly backoff?: Partial<Pick<Backoff, 'first' | 'most' | 'patience'>>;
}

export interface SendOptions {
  readonly signal: StopSignal;
  readonly stream: boolean;
  /** Default `client`. */
  readonly priority?: Lane;
  readonly headers?: Readonly<Record<string, string>>;
  /** How often the client itself has tried before: so many attempts fewer are made here. Default 0. */
  readonly retry?: number;
}

export type UpstreamReply = JsonReply | EventReply;

interface Told {
  /** Requests that were made. */
  readonly attempts: number;
  /**
   * Milliseconds that the upstream took: waiting for a place at it, then every attempt and the pauses between them, until
   * the first byte of a stream, the last of a JSON reply.
   */
  readonly upstreamMs: number;
}

export interface JsonReply extends Told {
  readonly kind: 'json';
  readonly json: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export interface EventReply extends Told {
  readonly kind: 'events';
  /** Payloads as they come, without `[DONE]`: the first is there. Throws UpstreamError; `return()` cancels. */
  readonly events: EventStream;
}

const AGAIN = new Set([408, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529]);
const BACKOFF: Omit<Backoff, 'retries' | 'unreached'> = { first: 200, most: 5000, patience: 10_000 };
const SNIPPET = 300;

/** Chat completions of one OpenAI-compatible server, passed on with as little touched as can be. */
export class Upstream {
  readonly name: string;
  readonly #options: UpstreamOptions;
  readonly #pool: Pool;
  readonly #path: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #secrets: readonly string[];
  readonly #lanes: Lanes;
  readonly #random: () => number;
  readonly #backoff: Backoff;
  /** Milliseconds of a usual request, for `Retry-After`. */
  #usual = 1000;

  /** @throws CA_USAGE for a base URL that is none, or a key variable that is not set. */
  constructor(options: UpstreamOptions, edges: UpstreamEdges = {}) {
    const { environment = process.env, random = Math.random } = edges;
    const url = URL.canParse(options.baseUrl) ? new URL(options.baseUrl) : null;
    if (url === null || !/^https?:$/.test(url.protocol))
      throw new CollapseAwareError('CA_USAGE', `the base URL of upstream ${options.name} is no http URL`, {
        todo: 'give one such as http://127.0.0.1:8000/v1',
      });
    const key = options.apiKeyEnv === null ? null : (environment[options.apiKeyEnv]?.trim() ?? '');
    if (key === '')
      throw new CollapseAwareError('CA_USAGE', `the environment variable ${options.apiKeyEnv} is not set`, {
        todo: `export ${options.apiKeyEnv}=... before the command`,
      });
    this.name = options.name;
    this.#options = options;
    this.#path = `${url.pathname.replace(/\/+$/, '')}/chat/completions${url.search}`;
    this.#secrets = [key ?? '', url.password, ...url.searchParams.values()].filter(
      (secret) => secret.length > 3,
    );
    this.#headers = {
      'content-type': 'application/json',
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    };
    this.#lanes = new Lanes(options.concurrency, options.queue);
    this.#random = random;
    this.#backoff = { ...BACKOFF, retries: options.retries, unreached: options.retries, ...edges.backoff };
    // The lanes limit; a socket that still reads what stands behind [DONE] must hold nobody up.
    this.#pool = openConnections(url.origin, { connections: null, connect: { timeout: options.connectMs } });
  }

  /** Requests under way, and those that wait. */
  get load(): { readonly running: number; readonly waiting: number } {
    return { running: this.#lanes.running, waiting: this.#lanes.waiting };
  }

  /**
   * Resolves when the reply can be passed on: a stream with its first payload, anything else whole and parsed. A server
   * that was asked for a stream and answers in one piece is taken at its word.
   * @throws UpstreamError, or the signal's reason.
   */
  async send(body: object, options: SendOptions): Promise<UpstreamReply> {
    const payload = JSON.stringify(body);
    const { totalMs } = this.#options;
    // Probes share a signal: no leak to warn of.
    if (options.priority === 'probe' && options.signal instanceof EventTarget)
      setMaxListeners(0, options.signal);
    const stop = new Halt(options.signal);
    const timer = setTimeout(
      () => stop.raise(this.#error({ kind: 'timeout', found: `took longer than ${totalMs} ms` })),
      totalMs,
    );
    let release: (() => void) | null = null;
    const began = performance.now();
    const finish = (): void => {
      clearTimeout(timer);
      stop.release();
      if (release === null) return;
      release();
      release = null;
      this.#usual += 0.1 * (performance.now() - began - this.#usual);
    };
    try {
      const place = this.#lanes.enter(options.priority ?? 'client', stop);
      release = place instanceof Promise ? await place : place;
      if (release === null) throw this.#full();
      return await this.#attempts(payload, options, stop, began, finish);
    } catch (cause) {
      finish();
      throw cause;
    }
  }

  /** No new requests; resolves once those under way are over. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  async #attempts(
    payload: string,
    options: SendOptions,
    signal: StopSignal,
    began: number,
    finish: () => void,
  ): Promise<UpstreamReply> {
    const retries = Math.max(0, this.#options.retries - (options.retry ?? 0));
    for (let attempt = 0; ; attempt++) {
      const told = (): Told => ({ attempts: attempt + 1, upstreamMs: performance.now() - began });
      try {
        return await this.#once(payload, options, signal, told, finish);
      } catch (cause) {
        signal.throwIfAborted();
        const { fault, again } = this.#judge(cause);
        const total = told();
        // Those who were told the same time do not come back together.
        const wait = (fault.retryAfter ?? 0) * 1000 + backoffWait(attempt, this.#backoff, this.#random);
        if (!again || attempt >= retries || (fault.retryAfter ?? 0) * 1000 > this.#backoff.patience)
          throw this.#error({ ...fault, ...total });
        await pause(wait, signal);
      }
    }
  }

  async #once(
    payload: string,
    options: SendOptions,
    signal: StopSignal,
    told: () => Told,
    finish: () => void,
  ): Promise<UpstreamReply> {
    let handed = false;
    let over = false;
    const exchange = new Exchange(
      this.#pool,
      { path: this.#path, headers: { ...options.headers, ...this.#headers }, body: payload },
      this.#options,
      signal,
      () => {
        over = true;
        if (handed) finish();
      },
    );
    try {
      const first = await exchange.next();
      const { status, headers } = exchange;
      if (status < 200 || status > 299) {
        const text = await bodyText(exchange, first);
        const said = errorIn(parsed(text));
        const wait = retryAfter(headers, Date.now());
        throw new Refusal({
          kind: 'refused',
          found: `answered ${status}: ${said?.message ?? text}`,
          status,
          retryAfter: wait === null ? null : wait / 1000,
          said,
        });
      }
      if (options.stream && first !== null && isEvents(headers['content-type'], first)) {
        const events = new EventStream(exchange, (cause) => this.#broken(cause, signal));
        const payload = await events.peek([first]);
        if (payload === null) throw unusable('answered with a stream without any event');
        // Some servers begin a stream before they know that they cannot answer.
        if (payload.includes('"error"')) refuseError(parsed(payload));
        const reply: EventReply = { kind: 'events', events, ...told() };
        handed = true;
        if (over) finish();
        return reply;
      }
      const text = await bodyText(exchange, first);
      const json = parsed(text);
      if (typeof json !== 'object' || json === null || Array.isArray(json))
        throw unusable(`answered ${status} with text that is no JSON object: ${text || 'nothing'}`);
      refuseError(json);
      const reply: JsonReply = { kind: 'json', json: json as JsonReply['json'], text, ...told() };
      finish();
      return reply;
    } catch (cause) {
      exchange.cancel();
      throw cause;
    }
  }

  /** What went wrong in an attempt, and whether another may mend it. */
  #judge(cause: unknown): { readonly fault: UpstreamFault; readonly again: boolean } {
    if (cause instanceof Refusal) {
      const { fault } = cause;
      // A spent quota answers 429 too, and waiting does not refill it.
      const spent = /insufficient_quota|billing/i.test(`${fault.said?.code} ${fault.said?.message}`);
      return { fault, again: fault.kind === 'reply' || (AGAIN.has(fault.status ?? 0) && !spent) };
    }
    if (cause instanceof ExchangeFault) {
      const { kind, message, connecting } = cause;
      if (kind === 'timeout')
        return { fault: { kind, found: `did not answer: ${message}` }, again: connecting };
      if (kind === 'unreached')
        return { fault: { kind, found: `cannot be reached: ${message}` }, again: true };
      return { fault: { kind: 'reply', found: `broke off its reply: ${message}` }, again: true };
    }
    return { fault: { kind: 'reply', found: `failed: ${(cause as Error)?.message ?? cause}` }, again: false };
  }

  /** What a reader of a stream sees when it breaks. */
  #broken(cause: unknown, signal: StopSignal): unknown {
    if (signal.aborted && cause === signal.reason) return cause;
    return this.#error(this.#judge(cause).fault);
  }

  #full(): UpstreamError {
    const { concurrency, queue } = this.#options;
    const seconds = Math.ceil((this.#usual / 1000) * Math.max(1, queue / concurrency));
    return this.#error({
      kind: 'queue',
      found: `has ${concurrency} requests under way and ${queue} waiting`,
      retryAfter: Math.min(30, Math.max(1, seconds)),
      attempts: 0,
    });
  }

  #error(fault: UpstreamFault): UpstreamError {
    const clean = (text: string): string => {
      // Cut first, far behind what is shown: a key that is cut in two cannot be found any more.
      let rest = text.slice(0, 20 * SNIPPET);
      for (const secret of this.#secrets) rest = rest.replaceAll(secret, '***');
      return rest.replace(/\s+/g, ' ').trim().slice(0, SNIPPET);
    };
    const { said } = fault;
    return new UpstreamError({
      ...fault,
      found: clean(`${this.name} ${fault.found}`),
      ...(said == null
        ? {}
        : {
            said: {
              message: clean(said.message),
              param: said.param && clean(said.param),
              code: said.code && clean(said.code),
            },
          }),
    });
  }
}
