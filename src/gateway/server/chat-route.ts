import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { namedBy } from '../sessions/named.ts';
import type { GatewaySettings } from '../settings/settings.ts';
import type { Said, StreamedReply } from '../speakers/speaker.ts';
import { ApiError } from '../wire/api-error.ts';
import { readChatRequest } from '../wire/chat-request.ts';
import { type CompletionHead, chunksOf, completionOf } from '../wire/completion.ts';
import { END_OF_STREAM, eventText } from '../wire/server-sent-events.ts';
import type { Answer, Conversations } from './conversations.ts';
import { apiErrorOf } from './http.ts';
import type { Instruments } from './instruments.ts';
import type { KeyRing } from './keys.ts';
import type { Log } from './log.ts';

export interface ChatServices {
  readonly settings: GatewaySettings;
  readonly keys: KeyRing;
  readonly conversations: Conversations;
  readonly instruments: Instruments;
  readonly log: Log;
  readonly clock: () => number;
  readonly ticks: () => number;
}

type ChatCall = FastifyRequest<{ Params: { sid?: string } }>;

/** `POST /v1/chat/completions`, and the same under `/sessions/{sid}`. */
export function chatRoutes(server: FastifyInstance, services: ChatServices): void {
  const answer = (request: ChatCall, reply: FastifyReply) => converse(request, reply, services);
  server.post('/v1/chat/completions', answer);
  server.post('/sessions/:sid/v1/chat/completions', answer);
}

async function converse(
  request: ChatCall,
  reply: FastifyReply,
  services: ChatServices,
): Promise<FastifyReply> {
  const { settings, keys, conversations, instruments, ticks } = services;
  const arrived = ticks();
  instruments.running.inc();
  const gone = new AbortController();
  const { raw } = reply;
  const leave = () => {
    if (!raw.writableFinished) gone.abort(new ApiError(499, 'the client went away', { code: 'client_gone' }));
  };
  raw.once('close', leave);
  let streamed = false;
  try {
    const keySession = keys.client(request.headers.authorization);
    const chat = readChatRequest(request.body, settings.limits);
    streamed = chat.stream;
    const named = namedBy(chat, {
      pathId: request.params.sid ?? null,
      headers: request.headers,
      keyId: keySession,
      headerNames: settings.sessions.headers,
    });
    const answer = await conversations.answer({
      request: chat,
      named,
      retry: retryCount(request),
      headers: request.headers,
      signal: gone.signal,
      arrived,
    });
    instruments.overhead.observe(answer.overheadMs / 1000);
    const head = headOf(answer, chat.model, services);
    for (const [name, value] of headersOf(answer)) reply.header(name, value);
    if (!chat.stream) return await sendWhole(reply, answer, head, gone.signal);
    await sendStream(reply, answer, head, chat.includeUsage, gone.signal, services);
    return reply;
  } catch (cause) {
    const error = apiErrorOf(cause, settings.limits.bodyBytes);
    instruments.requests.inc({ status: String(error.status), stream: String(streamed) });
    throw error;
  } finally {
    instruments.running.dec();
    raw.off('close', leave);
    const took = (ticks() - arrived) / 1000;
    instruments.duration.observe({ stream: String(streamed) }, took);
    if (raw.statusCode < 400)
      instruments.requests.inc({ status: String(raw.statusCode), stream: String(streamed) });
  }
}

const retryCount = ({ headers }: FastifyRequest): number => {
  const count = Number(headers['x-stainless-retry-count'] ?? 0);
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
};

function headOf({ conversation, turn }: Answer, model: string, { clock }: ChatServices): CompletionHead {
  const { facts } = conversation;
  return {
    id: `chatcmpl-${facts.id}-${turn}`,
    created: Math.floor(clock() / 1000),
    model,
    fingerprint: facts.simulator.fingerprint ?? '',
  };
}

/** Names in headers are ASCII: others are escaped as in a URL. */
const header = (text: string): string => encodeURI(text).slice(0, 1000);

function headersOf({ conversation: { facts }, turn, reply, overheadMs }: Answer): [string, string][] {
  const whole = reply.kind === 'whole' ? reply.said : null;
  return [
    ['x-session-id', header(facts.id)],
    ['x-ca-turn', String(turn)],
    ['x-ca-simulator', header(facts.simulator.id)],
    ['x-ca-fingerprint', facts.simulator.fingerprint ?? ''],
    ['x-ca-overhead-ms', overheadMs.toFixed(2)],
    ...(whole === null ? [] : ([['x-ca-attempts', String(whole.attempts)]] as [string, string][])),
    ...(whole?.fallback == null ? [] : ([['x-ca-fallback', header(whole.fallback)]] as [string, string][])),
  ];
}

async function sendWhole(
  reply: FastifyReply,
  answer: Answer,
  head: CompletionHead,
  gone: AbortSignal,
): Promise<FastifyReply> {
  if (answer.reply.kind !== 'whole') throw new Error('a stream for a client that asked for none');
  const { said, completion } = answer.reply;
  await recorded(answer, said);
  if (gone.aborted) {
    answer.lost(null);
    throw gone.reason;
  }
  // Before the bytes go: whoever has them may come back with the next turn at once.
  answer.delivered(said);
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(completion ?? completionOf(head, said)));
}

/** @throws ApiError where it cannot be kept: what is not on record is not given out. */
async function recorded(answer: Answer, said: Said): Promise<void> {
  try {
    await answer.record(said);
  } catch (cause) {
    answer.lost(null);
    throw cause;
  }
}

async function sendStream(
  reply: FastifyReply,
  answer: Answer,
  head: CompletionHead,
  includeUsage: boolean,
  gone: AbortSignal,
  services: ChatServices,
): Promise<void> {
  const { raw } = reply;
  // A whole reply is on record before its first byte.
  if (answer.reply.kind === 'whole') await recorded(answer, answer.reply.said);
  reply.hijack();
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  });
  raw.flushHeaders();
  try {
    if (answer.reply.kind === 'whole') {
      const { said } = answer.reply;
      let events = '';
      for (const chunk of chunksOf(head, said, { includeUsage })) events += eventText(chunk);
      if (gone.aborted) throw gone.reason;
      answer.delivered(said);
      raw.end(events + END_OF_STREAM);
      return;
    }
    await forward(raw, answer.reply, gone, services.settings.limits.requestMs);
    const said = answer.reply.said();
    await answer.record(said);
    if (gone.aborted) throw gone.reason;
    answer.delivered(said);
    raw.end(END_OF_STREAM);
  } catch (cause) {
    const error = apiErrorOf(cause, 0);
    const left = gone.aborted;
    answer.lost(left ? null : error);
    services.instruments.requests.inc({ status: left ? '499' : String(error.status), stream: 'true' });
    if (!left)
      services.log.warn({ session: head.id, code: error.code, why: error.message }, 'stream broke off');
    // Headers are out: an error event and the end, without [DONE], is all that can be said.
    if (!raw.destroyed) raw.end(left ? undefined : eventText(JSON.stringify(error.body)));
  }
}

async function forward(
  raw: FastifyReply['raw'],
  reply: StreamedReply,
  gone: AbortSignal,
  patienceMs: number,
): Promise<void> {
  for await (const chunk of reply.chunks) {
    if (gone.aborted) throw gone.reason;
    // A client that reads slowly slows its upstream, not the gateway's memory.
    if (!raw.write(eventText(chunk))) await drained(raw, gone, patienceMs);
  }
}

/** A client that takes nothing for `patienceMs` has gone, whatever its socket says. */
function drained(raw: FastifyReply['raw'], gone: AbortSignal, patienceMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => raw.destroy(), patienceMs);
    const done = () => {
      clearTimeout(timer);
      gone.removeEventListener('abort', left);
      resolve();
    };
    const left = () => {
      clearTimeout(timer);
      raw.off('drain', done);
      reject(gone.reason);
    };
    raw.once('drain', done);
    gone.addEventListener('abort', left, { once: true });
  });
}
