import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Halt, type StopSignal } from '../../endpoint/index.ts';
import { namedBy } from '../sessions/named.ts';
import type { GatewaySettings } from '../settings/settings.ts';
import type { Said, StreamedReply } from '../speakers/speaker.ts';
import { ApiError } from '../wire/api-error.ts';
import { readChatRequest } from '../wire/chat-request.ts';
import { type CompletionHead, chunksOf, completionOf } from '../wire/completion.ts';
import { END_OF_STREAM, eventText } from '../wire/server-sent-events.ts';
import type { Answer } from './conversation.ts';
import type { Conversations } from './conversations.ts';
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

/** Who waits for the reply. */
interface Caller {
  /** Raised when they go away, and when another request takes the place of theirs. */
  readonly stop: Halt;
  gone: boolean;
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
  const caller: Caller = { stop: new Halt(), gone: false };
  const { raw } = reply;
  const leave = () => {
    if (raw.writableFinished) return;
    caller.gone = true;
    caller.stop.raise(new ApiError(499, 'the client went away', { code: 'client_gone' }));
  };
  raw.once('close', leave);
  let streamed = false;
  let status = 200;
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
      keySession,
      retry: retryCount(request),
      headers: request.headers,
      stop: caller.stop,
      arrived,
    });
    instruments.overhead.observe(answer.overheadMs / 1000);
    const head = headOf(answer, chat.model, services);
    const headers = headersOf(answer, request.id);
    if (chat.stream)
      status = await sendStream(reply, headers, answer, head, chat.includeUsage, caller, services);
    else await sendWhole(reply, headers, answer, head, caller);
    return reply;
  } catch (cause) {
    const error = apiErrorOf(cause, settings.limits.bodyBytes);
    status = error.status;
    throw error;
  } finally {
    raw.off('close', leave);
    const took = (ticks() - arrived) / 1000;
    instruments.duration.observe(took, streamed);
    instruments.requests.add(status, streamed);
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
const header = (text: string): string => (PLAIN.test(text) ? text : encodeURI(text)).slice(0, 1000);
const PLAIN = /^[\w.~-]*$/;

type Headers = Record<string, string | number>;

function headersOf({ conversation: { facts }, turn, reply, overheadMs }: Answer, requestId: string): Headers {
  const headers: Headers = {
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    'x-session-id': header(facts.id),
    'x-ca-turn': turn,
    'x-ca-simulator': header(facts.simulator.id),
    'x-ca-fingerprint': facts.simulator.fingerprint ?? '',
    'x-ca-overhead-ms': overheadMs.toFixed(2),
  };
  if (reply.kind === 'whole') {
    headers['x-ca-attempts'] = reply.said.attempts;
    if (reply.said.fallback !== null) headers['x-ca-fallback'] = header(reply.said.fallback);
  }
  return headers;
}

async function sendWhole(
  reply: FastifyReply,
  headers: Headers,
  answer: Answer,
  head: CompletionHead,
  caller: Caller,
): Promise<void> {
  if (answer.reply.kind !== 'whole') throw new Error('a stream for a client that asked for none');
  const { said, completion, text } = answer.reply;
  await recorded(answer, said);
  if (caller.gone) {
    answer.lost(null);
    throw caller.stop.reason;
  }
  // Before the bytes go: whoever has them may come back with the next turn at once.
  answer.delivered(said);
  const body = text ?? JSON.stringify(completion ?? completionOf(head, said));
  headers['content-type'] = 'application/json; charset=utf-8';
  headers['content-length'] = Buffer.byteLength(body);
  // Nothing is left for the library to do.
  reply.hijack();
  reply.raw.writeHead(200, headers);
  reply.raw.end(body);
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

/** The status that it is counted under: the one that was sent is 200 whatever comes of the stream. */
async function sendStream(
  reply: FastifyReply,
  headers: Headers,
  answer: Answer,
  head: CompletionHead,
  includeUsage: boolean,
  caller: Caller,
  services: ChatServices,
): Promise<number> {
  const { raw } = reply;
  // A whole reply is on record before its first byte.
  if (answer.reply.kind === 'whole') await recorded(answer, answer.reply.said);
  reply.hijack();
  headers['content-type'] = 'text/event-stream; charset=utf-8';
  headers['cache-control'] = 'no-cache';
  headers['x-accel-buffering'] = 'no';
  raw.writeHead(200, headers);
  try {
    if (answer.reply.kind === 'whole') {
      const { said } = answer.reply;
      let events = '';
      for (const chunk of chunksOf(head, said, { includeUsage })) events += eventText(chunk);
      if (caller.gone) throw caller.stop.reason;
      answer.delivered(said);
      raw.end(events + END_OF_STREAM);
      return 200;
    }
    await forward(raw, answer.reply, caller.stop, services.settings.limits.requestMs);
    const said = answer.reply.said();
    await answer.record(said);
    if (caller.gone) throw caller.stop.reason;
    answer.delivered(said);
    raw.end(END_OF_STREAM);
    return 200;
  } catch (cause) {
    const error = apiErrorOf(cause, 0);
    const left = caller.gone;
    answer.lost(left ? null : error);
    if (!left)
      services.log.warn(
        { session: answer.conversation.facts.id, code: error.code, why: error.message },
        'stream broke off',
      );
    // Headers are out: an error event and the end, without [DONE], is all that can be said.
    if (!raw.destroyed) raw.end(left ? undefined : eventText(JSON.stringify(error.body)));
    return left ? 499 : error.status;
  }
}

async function forward(
  raw: FastifyReply['raw'],
  reply: StreamedReply,
  gone: StopSignal,
  patienceMs: number,
): Promise<void> {
  const { chunks } = reply;
  for await (const chunk of chunks) {
    // What came in one piece goes on in one piece.
    let events = eventText(chunk);
    for (let more = chunks.ready?.(); more != null; more = chunks.ready?.()) events += eventText(more);
    if (gone.aborted) throw gone.reason;
    // A client that reads slowly slows its upstream, not the gateway's memory.
    if (!raw.write(events)) await drained(raw, gone, patienceMs);
  }
}

/** A client that takes nothing for `patienceMs` has gone, whatever its socket says. */
function drained(raw: FastifyReply['raw'], gone: StopSignal, patienceMs: number): Promise<void> {
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
