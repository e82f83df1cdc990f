import { type JsonReply, type Upstream, UpstreamError, type UpstreamReply } from '../../endpoint/index.ts';
import type { MemberSampling } from '../../population/index.ts';
import type { WireMessage } from '../wire/chat-request.ts';
import type { Reply, Said, Turn } from './speaker.ts';
import { usageOf, wordsOf } from './spoken.ts';
import { SpokenStream } from './spoken-stream.ts';
import { addUsage } from './token-sums.ts';
import { apiErrorOf } from './upstream-fault.ts';

/** Which model is asked, how, and as whom it answers. */
export interface Asked {
  readonly upstream: Upstream;
  readonly model: string;
  readonly sampling: MemberSampling | null;
  readonly answeredBy: Said['answeredBy'];
}

export interface AskOptions {
  /** Why the recipe is not kept. */
  readonly fallback?: string;
  /** No stream, whatever the client asked for. */
  readonly whole?: boolean;
}

type Body = Record<string, unknown>;

/** The client's own request, put to a member's model with `messages`. Rejects with ApiError, or the signal's reason. */
export async function modelReply(
  asked: Asked,
  turn: Turn,
  messages: readonly WireMessage[],
  { fallback, whole = false }: AskOptions = {},
): Promise<Reply> {
  const stream = turn.request.stream && !turn.probe && !whole;
  const reply = await askModel(asked, turn, bodyFor(asked, turn, messages, stream), stream);
  const { attempts, upstreamMs } = reply;
  const rest = { answeredBy: asked.answeredBy, fallback: fallback ?? null, attempts, upstreamMs };
  if (reply.kind === 'json') {
    // Before it is read: what is no reply was paid for too.
    countTokens(asked, turn, reply.json);
    return {
      kind: 'whole',
      said: { ...wordsOf(reply.json), ...rest },
      completion: reply.json,
      text: reply.text,
    };
  }
  const chunks = new SpokenStream(reply.events, turn.request.includeUsage);
  return { kind: 'stream', chunks, said: () => ({ ...chunks.words(), ...rest }) };
}

export function countTokens({ answeredBy }: Asked, { tokens }: Turn, reply: JsonReply['json']): void {
  if (tokens !== undefined) addUsage(tokens, answeredBy.id, usageOf(reply));
}

/** The body of the client's request as a member's model gets it: unknown fields go along. */
export function bodyFor(asked: Asked, turn: Turn, messages: readonly WireMessage[], stream: boolean): Body {
  const { temperature = null, topP = null } = asked.sampling ?? {};
  const body: Body = { ...turn.request.body, model: asked.model, messages };
  if (temperature !== null) body.temperature = temperature;
  if (topP !== null) body.top_p = topP;
  if (body.stream_options !== undefined) delete body.stream_options;
  if (stream) {
    const options = turn.request.body.stream_options as Body | null | undefined;
    body.stream_options = { ...options, include_usage: true };
  } else if (body.stream !== undefined) delete body.stream;
  return body;
}

/** Fields that some servers do not take and that change no reply: left out where one was refused. */
const SPARE = ['stream_options', 'metadata'] as const;
const REFUSED = new WeakMap<Upstream, Set<string>>();

/** @throws ApiError, or the signal's reason. */
async function askModel(asked: Asked, turn: Turn, body: Body, stream: boolean): Promise<UpstreamReply> {
  try {
    return await send(asked, turn, body, stream);
  } catch (cause) {
    throw apiErrorOf(cause);
  }
}

/** @throws UpstreamError, or the signal's reason. */
export async function send(asked: Asked, turn: Turn, body: Body, stream: boolean): Promise<UpstreamReply> {
  const { upstream } = asked;
  const refused = REFUSED.get(upstream) ?? new Set<string>();
  REFUSED.set(upstream, refused);
  for (const field of refused) delete body[field];
  const options = {
    signal: turn.signal,
    stream,
    priority: turn.probe ? 'probe' : 'client',
    retry: turn.retry ?? 0,
  } as const;
  try {
    return await upstream.send(body, options);
  } catch (cause) {
    const field = SPARE.find((name) => name in body && refuses(cause, name));
    if (field === undefined) throw cause;
    const { [field]: _, ...rest } = body;
    const reply = await upstream.send(rest, options);
    refused.add(field);
    return { ...reply, attempts: reply.attempts + 1 };
  }
}

/** A server that takes no such field: 400 or 422, naming it. */
function refuses(cause: unknown, field: string): boolean {
  return (
    cause instanceof UpstreamError &&
    (cause.status === 400 || cause.status === 422) &&
    `${cause.said?.param} ${cause.said?.message ?? cause.message}`.includes(field)
  );
}

/** @throws UpstreamError, or the signal's reason. */
export async function sendWhole(asked: Asked, turn: Turn, body: Body): Promise<JsonReply> {
  const reply = await send(asked, turn, body, false);
  if (reply.kind === 'json') return reply;
  void reply.events.return();
  throw new UpstreamError({ kind: 'reply', found: `${asked.upstream.name} streamed unasked` });
}
