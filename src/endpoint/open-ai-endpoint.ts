import { setMaxListeners } from 'node:events';
import type { Pool } from 'undici';
import { CollapseAwareError } from '../errors.ts';
import { openConnections } from './connections.ts';
import { Gate } from './gate.ts';
import {
  type ChatMessage,
  type ChatReply,
  chatReply,
  type EmbeddingReply,
  embeddingReply,
  type TokenUse,
  tokenUse,
} from './reply.ts';
import { BACKOFF, type Backoff, backoffWait, pause, retryAfter } from './retry.ts';
import { stopWith } from './stop.ts';

export interface TimeLimits {
  /** To reach the server, in ms (default 10,000). */
  readonly connect: number;
  /** From the request to the first byte of the reply, in ms (default 60,000). */
  readonly firstByte: number;
  /** A whole attempt, in ms (default 180,000). */
  readonly total: number;
}

export interface EndpointOptions {
  /** `https://host/v1`; `/embeddings` and `/chat/completions` are put behind it, a query string is kept. */
  readonly baseUrl: string;
  readonly model: string;
  /** Name of the environment variable that holds the key; never the key itself. Absent: no key is sent. */
  readonly apiKeyEnv?: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Requests under way at once (default 8). */
  readonly concurrency?: number;
  readonly limits?: Partial<TimeLimits>;
  readonly backoff?: Partial<Backoff>;
  readonly headers?: Readonly<Record<string, string>>;
  /** [0, 1), for the jitter. */
  readonly random?: () => number;
}

export interface Usage extends TokenUse {
  /** Calls that were answered. */
  readonly calls: number;
  readonly retries: number;
  /** Calls given up. */
  readonly failures: number;
}

export interface ChatOptions {
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly seed?: number;
  /** Asks for a JSON object (`response_format`). */
  readonly json?: boolean;
  /** Any other field of the request body. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** One attempt's bad end. */
interface Failure {
  readonly found: string;
  readonly retry: boolean;
  readonly todo: string;
  readonly code: 'CA_ENDPOINT_FAILED' | 'CA_ENDPOINT_REPLY';
  readonly wait: number | null;
  readonly cause?: unknown;
  /** No connection came about, or it broke before any reply. */
  readonly unreached?: boolean;
}

const AGAIN = new Set([408, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529]);
const SNIPPET = 200;
/** Of one reply: 64 vectors of 4,096 numbers are about 6 MiB. */
const MOST_BYTES = 128 * 2 ** 20;

/** An OpenAI-compatible API: chat and embeddings, with retries, time limits, a limit of requests, and counters. */
export class OpenAiEndpoint {
  readonly model: string;
  /** The base URL without credentials or query: safe to print. */
  readonly name: string;
  readonly #pool: Pool;
  readonly #url: URL;
  readonly #key: string | null;
  readonly #keyName: string | null;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #gate: Gate;
  readonly #limits: TimeLimits;
  readonly #backoff: Backoff;
  readonly #random: () => number;
  #reached = false;
  #usage = { calls: 0, retries: 0, failures: 0, promptTokens: 0, completionTokens: 0 };

  /** @throws CA_USAGE for a base URL that is none, or a key variable that is not set. */
  constructor(options: EndpointOptions) {
    const { baseUrl, model, apiKeyEnv, environment = process.env, concurrency = 8 } = options;
    let url: URL;
    try {
      url = new URL(baseUrl);
    } catch {
      throw new CollapseAwareError('CA_USAGE', 'the base URL of the endpoint is not a URL', {
        todo: 'give one such as http://127.0.0.1:8000/v1',
      });
    }
    if (!/^https?:$/.test(url.protocol))
      throw new CollapseAwareError('CA_USAGE', `${url.protocol}// is not http`, {
        todo: 'give a base URL that begins with http:// or https://',
      });
    const key = apiKeyEnv === undefined ? null : (environment[apiKeyEnv]?.trim() ?? '');
    if (key === '')
      throw new CollapseAwareError('CA_USAGE', `the environment variable ${apiKeyEnv} is not set`, {
        todo: `export ${apiKeyEnv}=... before the command`,
      });
    this.#url = url;
    this.name = `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
    this.model = model;
    this.#key = key;
    this.#keyName = apiKeyEnv ?? null;
    this.#headers = options.headers ?? {};
    this.#gate = new Gate(concurrency);
    this.#limits = { connect: 10_000, firstByte: 60_000, total: 180_000, ...options.limits };
    this.#backoff = { ...BACKOFF, ...options.backoff };
    this.#random = options.random ?? Math.random;
    this.#pool = openConnections(url.origin, {
      connections: this.#gate.limit,
      connect: { timeout: this.#limits.connect },
      headersTimeout: this.#limits.firstByte,
      // The total limit is ours; a body may come slowly within it.
      bodyTimeout: 0,
    });
  }

  get usage(): Usage {
    return { ...this.#usage };
  }

  /** Whether a server ever took a request: it replied, if only with an error, or let us wait. */
  get reached(): boolean {
    return this.#reached;
  }

  /** @throws CA_ENDPOINT_FAILED, CA_ENDPOINT_REPLY, or the signal's reason. */
  async chat(
    messages: readonly ChatMessage[],
    options: ChatOptions = {},
    signal?: AbortSignal,
  ): Promise<ChatReply> {
    const body = await this.#call(
      '/chat/completions',
      {
        model: this.model,
        messages,
        ...(options.temperature === undefined ? {} : { temperature: options.temperature }),
        ...(options.maxTokens === undefined ? {} : { max_tokens: options.maxTokens }),
        ...(options.seed === undefined ? {} : { seed: options.seed }),
        ...(options.json ? { response_format: { type: 'json_object' } } : {}),
        ...options.extra,
      },
      signal,
    );
    return chatReply(body, this.name);
  }

  /** @throws CA_ENDPOINT_FAILED, CA_ENDPOINT_REPLY, or the signal's reason. */
  async embeddings(
    texts: readonly string[],
    extra: Readonly<Record<string, unknown>> = {},
    signal?: AbortSignal,
  ): Promise<EmbeddingReply> {
    const body = await this.#call(
      '/embeddings',
      { model: this.model, input: texts, encoding_format: 'float', ...extra },
      signal,
    );
    return embeddingReply(body, texts.length, this.name);
  }

  /** Ends idle connections; calls under way are finished first. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  #call(path: string, body: unknown, signal?: AbortSignal): Promise<unknown> {
    const payload = JSON.stringify(body);
    // Many calls may share the caller's signal: no leak to warn of.
    if (signal) setMaxListeners(0, signal);
    return this.#gate.run(() => this.#attempts(path, payload, signal), signal);
  }

  async #attempts(path: string, payload: string, signal?: AbortSignal): Promise<unknown> {
    for (let attempt = 0; ; attempt++) {
      signal?.throwIfAborted();
      const result = await this.#once(path, payload, signal);
      if (!('found' in result)) {
        this.#reached = true;
        this.#usage.calls++;
        const { promptTokens, completionTokens } = tokenUse(result.body);
        this.#usage.promptTokens += promptTokens;
        this.#usage.completionTokens += completionTokens;
        return result.body;
      }
      if (result.unreached !== true) this.#reached = true;
      const { retries, unreached } = this.#backoff;
      const most = this.#reached ? retries : Math.min(retries, unreached);
      const asked = result.wait !== null && result.wait > this.#backoff.patience;
      if (!result.retry || asked || attempt >= most) {
        this.#usage.failures++;
        const tries = attempt === 0 ? '' : ` (${attempt + 1} attempts)`;
        throw new CollapseAwareError(result.code, this.#redact(`${this.name} ${result.found}${tries}`), {
          todo: asked ? `it asks to wait ${Math.ceil(result.wait! / 1000)} s: try again later` : result.todo,
          ...(result.cause === undefined ? {} : { cause: result.cause }),
        });
      }
      this.#usage.retries++;
      await pause(result.wait ?? backoffWait(attempt, this.#backoff, this.#random), signal);
    }
  }

  async #once(path: string, payload: string, signal?: AbortSignal): Promise<{ body: unknown } | Failure> {
    const own = stopWith(signal);
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      own.raise(new Error('time limit'));
    }, this.#limits.total);
    try {
      const { statusCode, headers, body } = await this.#pool.request({
        method: 'POST',
        path: `${this.#url.pathname.replace(/\/+$/, '')}${path}${this.#url.search}`,
        headers: {
          ...this.#headers,
          'content-type': 'application/json',
          accept: 'application/json',
          ...(this.#key === null ? {} : { authorization: `Bearer ${this.#key}` }),
        },
        body: payload,
        signal: own.signal,
      });
      const text = await bodyText(body, MOST_BYTES);
      if (text === null) {
        return {
          found: `answered ${statusCode} with more than ${MOST_BYTES / 2 ** 20} MiB`,
          retry: false,
          todo: 'check that the base URL is an OpenAI-compatible API, or lower the batch',
          code: 'CA_ENDPOINT_REPLY',
          wait: null,
        };
      }
      if (statusCode >= 200 && statusCode < 300) {
        try {
          return { body: JSON.parse(text) as unknown };
        } catch {
          return {
            found: `answered ${statusCode} with text that is not JSON: ${text.slice(0, SNIPPET)}`,
            retry: true,
            todo: 'check that the base URL is an OpenAI-compatible API (it usually ends in /v1)',
            code: 'CA_ENDPOINT_REPLY',
            wait: null,
          };
        }
      }
      return this.#refused(statusCode, text, retryAfter(headers, Date.now()));
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      const { code = '' } = cause as { code?: string };
      const waited = late || /UND_ERR_(HEADERS|BODY)_TIMEOUT/.test(code);
      const slow = waited || code === 'UND_ERR_CONNECT_TIMEOUT';
      const why = (cause as Error).message || code || 'no connection';
      return {
        found: slow
          ? `did not answer in time (${late ? `${this.#limits.total} ms` : why})`
          : `failed: ${why}`,
        retry: true,
        todo: slow
          ? 'raise the time limits, or lower the concurrency or the batch'
          : 'check that it is running and reachable',
        code: 'CA_ENDPOINT_FAILED',
        wait: null,
        cause: new Error(this.#redact(String(cause))),
        unreached: !waited,
      };
    } finally {
      clearTimeout(timer);
      own.release();
    }
  }

  #refused(status: number, text: string, wait: number | null): Failure {
    // A spent quota answers 429 too, and waiting does not refill it.
    const spent = status === 429 && /insufficient_quota|billing/i.test(text);
    const todo = spent
      ? 'top up the account, or use another endpoint'
      : status === 401 || status === 403
        ? this.#keyName === null
          ? 'name the environment variable that holds the key'
          : `check the key in ${this.#keyName}`
        : status === 404
          ? `check the base URL and that it serves the model "${this.model}"`
          : status === 413 || status === 400 || status === 422
            ? 'check the model name; texts may be too long or too many for it (lower the batch)'
            : status === 429
              ? 'lower the concurrency, or try again later'
              : 'try again later, or use another endpoint';
    return {
      found: `answered ${status}: ${text.replace(/\s+/g, ' ').trim().slice(0, SNIPPET) || 'nothing'}`,
      retry: AGAIN.has(status) && !spent,
      todo,
      code: 'CA_ENDPOINT_FAILED',
      wait,
    };
  }

  /** Servers echo keys in their errors; nothing of ours may print one. */
  #redact(text: string): string {
    return this.#key === null ? text : text.replaceAll(this.#key, '***');
  }
}

/** A whole body as text; `null` where it is larger than `limit` bytes, and the rest is not waited for. */
async function bodyText(body: AsyncIterable<Uint8Array>, limit: number): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limit) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size).toString('utf8');
}
