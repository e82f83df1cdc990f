import { ClientError, nextAttempt, retryAfterMs } from './client-error.ts';
import { type ClientOptions, type Patience, patienceOf, rootOf } from './client-options.ts';

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly body?: unknown;
  /** Of the query; absent and null ones are left out. */
  readonly query?: Readonly<Record<string, string | number | null | undefined>>;
  /** Milliseconds that the service may hold the answer back, on top of the usual time. */
  readonly heldMs?: number;
  readonly signal?: AbortSignal;
}

/** One gateway over HTTP: keys, time-outs, retries. */
export interface Transport {
  /** @throws ClientError, or the signal's reason. */
  json<T>(path: string, call?: Call): Promise<T>;
  /** Lines of a reply of any length, as they come. @throws ClientError */
  lines(path: string, call?: Call): AsyncGenerator<string, void>;
  readonly counts: { requests: number; retries: number };
}

export function openTransport(options: ClientOptions): Transport {
  const ask = options.fetch ?? fetch;
  const root = rootOf(options.baseUrl);
  const patience = patienceOf(options);
  const counts = { requests: 0, retries: 0 };
  // A service that just failed gets one attempt a call until it answers again: a step must not wait for it every time.
  let wasDown = false;

  const headers = {
    accept: 'application/json',
    ...(options.adminKey === undefined ? {} : { authorization: `Bearer ${options.adminKey}` }),
  };
  const urlOf = (path: string, query: Call['query']) => {
    const url = new URL(root + path);
    for (const [name, value] of Object.entries(query ?? {}))
      if (value !== null && value !== undefined) url.searchParams.set(name, String(value));
    return url;
  };
  const send = (path: string, call: Call, signal: AbortSignal) =>
    ask(urlOf(path, call.query), {
      method: call.method ?? (call.body === undefined ? 'GET' : 'POST'),
      headers: call.body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      signal,
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    });

  async function persist<T>(call: Call, attempt: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const held = call.heldMs ?? 0;
    const until = Date.now() + patience.totalMs + held;
    for (let at = 0; ; at += 1) {
      call.signal?.throwIfAborted();
      counts.requests += 1;
      try {
        const result = await timed(patience, until, held, call.signal, attempt);
        wasDown = false;
        return result;
      } catch (error) {
        if (!(error instanceof ClientError)) throw error;
        const retries = wasDown ? 0 : patience.retries;
        const wait = nextAttempt(error, at, retries, until - Date.now(), Math.random());
        if (wait === null) {
          wasDown = error.passing;
          throw error;
        }
        counts.retries += 1;
        await pause(wait, call.signal);
      }
    }
  }

  return {
    counts,
    json: <T>(path: string, call: Call = {}) =>
      persist(call, async (signal) => {
        const response = await send(path, call, signal);
        const text = await response.text();
        if (!response.ok) throw refusal(response, text);
        return parsed<T>(text, path);
      }),
    async *lines(path, call = {}) {
      const quiet = new AbortController();
      const stop = () => quiet.abort(call.signal?.reason);
      call.signal?.addEventListener('abort', stop, { once: true });
      try {
        const response = await persist(call, async (signal) => {
          const cut = () => quiet.abort(signal.reason);
          signal.addEventListener('abort', cut, { once: true });
          const answer = await send(path, call, quiet.signal).finally(() =>
            signal.removeEventListener('abort', cut),
          );
          if (!answer.ok) throw refusal(answer, await answer.text());
          return answer;
        });
        yield* linesOf(response, patience.timeoutMs, call.signal);
      } finally {
        call.signal?.removeEventListener('abort', stop);
      }
    },
  };
}

/** Runs one attempt within its time; what goes wrong on the way is a ClientError, a caller's abort stays what it is. */
async function timed<T>(
  { timeoutMs }: Patience,
  until: number,
  held: number,
  signal: AbortSignal | undefined,
  attempt: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ms = Math.max(1, Math.min(timeoutMs + held, until - Date.now()));
  const clock = AbortSignal.timeout(ms);
  try {
    return await attempt(signal === undefined ? clock : AbortSignal.any([clock, signal]));
  } catch (error) {
    if (error instanceof ClientError) throw error;
    if (signal?.aborted) throw signal.reason;
    const why = clock.aborted ? `no answer within ${Math.round(ms)} ms` : causeOf(error);
    throw new ClientError(`the gateway cannot be reached: ${why}`, { status: null, cause: error });
  }
}

async function* linesOf(
  response: Response,
  quietMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, void> {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const piece = await nextPiece(reader, quietMs, signal);
      rest += piece === null ? decoder.decode() : decoder.decode(piece, { stream: true });
      const lines = rest.split('\n');
      rest = piece === null ? '' : lines.pop()!;
      for (const line of lines) if (line.trim() !== '') yield line;
      if (piece === null) return;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

async function nextPiece(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  quietMs: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | null> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    const fail = () =>
      reject(new ClientError(`the gateway fell silent for ${quietMs} ms in a reply`, { status: null }));
    timer = setTimeout(fail, quietMs);
  });
  try {
    const { done, value } = await Promise.race([reader.read(), silence]);
    return done ? null : value;
  } catch (error) {
    if (error instanceof ClientError) throw error;
    if (signal?.aborted) throw signal.reason;
    throw new ClientError(`the reply broke off: ${causeOf(error)}`, { status: null, cause: error });
  } finally {
    clearTimeout(timer);
  }
}

function refusal(response: Response, text: string): ClientError {
  const { status, headers } = response;
  const said = errorOf(text);
  return new ClientError(
    `the gateway answers ${status}: ${said.message ?? (text.slice(0, 200) || 'nothing')}`,
    {
      status,
      reason: said.code ?? null,
      retryAfterMs: retryAfterMs(headers.get('retry-after'), Date.now()),
    },
  );
}

function errorOf(text: string): { readonly message?: string; readonly code?: string | null } {
  try {
    const value = JSON.parse(text) as { error?: { message?: string; code?: string | null } };
    return value.error ?? {};
  } catch {
    return {};
  }
}

function parsed<T>(text: string, path: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    // Something else answers there, or half an answer came: as good as none.
    throw new ClientError(`${path} is answered with something that is not JSON`, { status: null, cause });
  }
}

function causeOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message?: string };
  return cause?.code ?? cause?.message ?? message ?? String(error);
}

/** Waits, or rejects with the signal's reason. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((done, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      done();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
