import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { chunksOf, completionOf, type FakeToolCall, itemsAsked, speechFor } from './fake-replies.ts';

/** How a fake answers one request; nothing given = a plain reply at once. */
export interface FakeAnswer {
  /** What the model says. Default: a sentence; where a JSON schema is asked for, `candidates` as JSON. */
  readonly text?: string | null;
  readonly toolCalls?: readonly FakeToolCall[];
  /** Verbalized candidates that are said where a schema (or JSON) is asked for. */
  readonly candidates?: readonly unknown[];
  /** Milliseconds before the headers. */
  readonly latencyMs?: number;
  /** Milliseconds from the headers to the first byte of the body. */
  readonly firstByteMs?: number;
  /** Milliseconds between two chunks of a stream. */
  readonly chunkMs?: number;
  /** An error of the API, with `Retry-After` as it is given. */
  readonly status?: number;
  readonly retryAfter?: string;
  readonly message?: string;
  /**
   * `garbage`: 200 and no JSON; `half`: a body that stops in the middle; `empty`: 200 and nothing; `reset`: the socket
   * is cut before the headers; `reset-body`: after the headers, before any byte; `reset-mid`: after `after` chunks (or
   * half the JSON); `stall`: goes silent there instead; `hang`: never answers; `error-event`: an error inside the
   * stream after `after` chunks; `no-done`: a stream that ends without `[DONE]`.
   */
  readonly fault?:
    | 'garbage'
    | 'half'
    | 'empty'
    | 'reset'
    | 'reset-body'
    | 'reset-mid'
    | 'stall'
    | 'hang'
    | 'error-event'
    | 'no-done';
  /** Chunks before the fault (default 2). */
  readonly after?: number;
  /** What the server does not take: then it answers 400. */
  readonly refuses?: 'schema' | 'json';
  /** Raw pieces of the body, written one by one: for broken borders of events. */
  readonly raw?: readonly string[];
}

export interface FakeRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
  /** The caller went away before the reply was whole. */
  cancelled: boolean;
  answered: boolean;
}

export type FakeScript = FakeAnswer | ((request: FakeRequest, number: number) => FakeAnswer);

export interface FakeUpstream {
  /** `http://127.0.0.1:PORT/v1` */
  readonly url: string;
  /** In order of arrival. */
  readonly requests: readonly FakeRequest[];
  readonly cancelled: () => number;
  /** Under way now, and the most there ever were. */
  readonly running: () => number;
  readonly most: () => number;
  /** From now on it answers so. */
  answer(script: FakeScript): void;
  /** Resolves once `count` requests have come (cancelled ones, where asked). */
  arrived(count: number, which?: 'all' | 'cancelled'): Promise<void>;
  close(): Promise<void>;
}

export interface FakeOptions {
  /** Key that it asks for; a wrong one is echoed in a 401, as real servers do. */
  readonly key?: string;
  readonly port?: number;
  readonly models?: readonly string[];
}

/** An OpenAI-compatible server with a model of canned words, on a real socket. */
export async function fakeUpstream(
  script: FakeScript = {},
  options: FakeOptions = {},
): Promise<FakeUpstream> {
  let now = script;
  const requests: FakeRequest[] = [];
  const waiting = new Set<() => void>();
  const changed = (): void => {
    for (const look of waiting) look();
  };
  let running = 0;
  let most = 0;
  const cancelled = (): number => requests.filter((request) => request.cancelled).length;

  const server = createServer(async (incoming, response) => {
    response.on('error', () => {});
    if (incoming.method === 'GET') {
      const data = (options.models ?? ['fake']).map((id) => ({ id, object: 'model', owned_by: 'fake' }));
      return json(response, 200, { object: 'list', data });
    }
    const body = await bodyOf(incoming);
    if (body === null)
      return json(response, 400, errorBody('We could not parse the JSON body of your request.'));
    const request: FakeRequest = {
      path: incoming.url ?? '',
      headers: incoming.headers,
      body,
      cancelled: false,
      answered: false,
    };
    const number = requests.push(request) - 1;
    running++;
    most = Math.max(most, running);
    let cut = false;
    response.on('close', () => {
      running--;
      request.answered = response.writableFinished;
      request.cancelled = !response.writableFinished && !cut;
      changed();
    });
    changed();
    const key = incoming.headers.authorization?.replace(/^Bearer /, '');
    if (options.key !== undefined && key !== options.key)
      return json(response, 401, errorBody(`Incorrect API key provided: ${key ?? ''}.`, 'invalid_api_key'));
    const answer = typeof now === 'function' ? now(request, number) : now;
    await reply(response, request, number, answer, () => {
      cut = true;
      incoming.socket.resetAndDestroy();
    });
  });
  await listen(server, options.port ?? 0);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    cancelled,
    running: () => running,
    most: () => most,
    answer: (next) => {
      now = next;
    },
    arrived: (count, which = 'all') =>
      new Promise((resolve) => {
        const look = (): void => {
          if ((which === 'all' ? requests.length : cancelled()) < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function reply(
  response: ServerResponse,
  { body }: FakeRequest,
  number: number,
  answer: FakeAnswer,
  cut: () => void,
): Promise<void> {
  const { fault, status = 200 } = answer;
  if (fault === 'hang') return;
  if (!(await waited(response, answer.latencyMs))) return;
  if (fault === 'reset') return cut();
  if (status !== 200)
    return json(
      response,
      status,
      errorBody(answer.message ?? `fake error ${status}`),
      answer.retryAfter === undefined ? {} : { 'retry-after': answer.retryAfter },
    );
  const format = (body.response_format as { type?: unknown; json_schema?: unknown } | undefined) ?? {};
  if (format.type === 'json_schema' && answer.refuses !== undefined)
    return json(response, 400, errorBody('response_format: json_schema is not supported'));
  if (format.type === 'json_object' && answer.refuses === 'json')
    return json(response, 400, errorBody('response_format is not supported'));

  const text =
    answer.text !== undefined
      ? answer.text
      : answer.candidates !== undefined || format.type === 'json_schema'
        ? JSON.stringify({ candidates: answer.candidates ?? canned(itemsAsked(format) ?? 5) })
        : answer.toolCalls !== undefined
          ? null
          : `Reply ${number} of the fake model.`;
  const speech = speechFor(body, text, answer.toolCalls);
  const id = `fake${number}`;
  const stream = body.stream === true;
  response.writeHead(200, {
    'content-type': stream && fault !== 'garbage' ? 'text/event-stream; charset=utf-8' : 'application/json',
  });
  const started = answer.firstByteMs !== undefined || fault === 'reset-body' || fault === 'stall';
  if (started) response.flushHeaders();
  if (!(await waited(response, answer.firstByteMs))) return;
  if (fault === 'empty') return void response.end();
  if (fault === 'garbage') return void response.end('<html><body>Bad Gateway</body></html>');
  if (fault === 'reset-body') return void setImmediate(cut);
  if (answer.raw !== undefined) {
    for (const piece of answer.raw) {
      if (!(await waited(response, answer.chunkMs ?? 1))) return;
      response.write(piece);
    }
    return void response.end();
  }
  if (!stream) {
    const whole = JSON.stringify(completionOf(id, body, speech));
    const half = whole.slice(0, whole.length >> 1);
    if (fault === 'half') return void response.end(half);
    if (fault === 'reset-mid') return void response.write(half, () => setImmediate(cut));
    if (fault === 'stall') return void response.write(half);
    return void response.end(whole);
  }
  const chunks = chunksOf(id, body, speech);
  for (const [at, chunk] of chunks.entries()) {
    if (at > 0 && !(await waited(response, answer.chunkMs))) return;
    if (at === (answer.after ?? 2)) {
      if (fault === 'reset-mid') return void setTimeout(cut, 5);
      if (fault === 'stall') return;
      if (fault === 'half') return void response.end(`data: ${chunk.slice(0, chunk.length >> 1)}`);
      if (fault === 'error-event')
        return void response.end(`data: ${JSON.stringify(errorBody('the fake model fell over'))}\n\n`);
    }
    if (chunk === '[DONE]' && fault === 'no-done') break;
    response.write(`data: ${chunk}\n\n`);
  }
  response.end();
}

const canned = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ text: `Candidate ${at}.`, probability: 1 / count }));

const errorBody = (message: string, code: string | null = null) => ({
  error: { message, type: 'fake_error', param: null, code },
});

function json(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

async function bodyOf(incoming: IncomingMessage): Promise<Record<string, unknown> | null> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of incoming) pieces.push(piece as Buffer);
    return JSON.parse(Buffer.concat(pieces).toString('utf8')) as Record<string, unknown>;
  } catch {
    return null;
  }
}

/** False where the caller went away meanwhile. */
function waited(response: ServerResponse, milliseconds = 0): Promise<boolean> | boolean {
  if (milliseconds <= 0) return !response.destroyed;
  return new Promise((resolve) => {
    const gone = (): void => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      response.off('close', gone);
      resolve(!response.destroyed);
    }, milliseconds);
    response.once('close', gone);
  });
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}
