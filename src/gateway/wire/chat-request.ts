import { ApiError } from './api-error.ts';

/** A message of the chat completions API, as it was sent: what is not named here goes through untouched. */
export interface WireMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool' | 'function';
  readonly content?: string | readonly ContentPart[] | null;
  readonly name?: string;
  readonly tool_calls?: readonly WireToolCall[];
  readonly tool_call_id?: string;
}

export interface ContentPart {
  readonly type: string;
  readonly text?: string;
}

export interface WireToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** What a client asks, checked. In it `assistant` is the simulated user, whose next turn is asked for; `user` the agent. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly WireMessage[];
  readonly stream: boolean;
  /** `stream_options.include_usage` */
  readonly includeUsage: boolean;
  readonly seed: number | null;
  readonly tools: readonly unknown[] | null;
  readonly user: string | null;
  readonly metadata: Readonly<Record<string, string>> | null;
  /** The whole body: fields that the gateway does not know go to the upstream. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface RequestLimits {
  /** Messages of one request. */
  readonly messages: number;
  /** Levels of nesting in the body. */
  readonly depth: number;
}

const ROLES = new Set<unknown>(['system', 'developer', 'user', 'assistant', 'tool', 'function']);
type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @throws ApiError 400 naming the parameter. */
export function readChatRequest(body: unknown, limits: RequestLimits): ChatRequest {
  if (!isObject(body)) throw ApiError.invalid('the body is not a JSON object', null);
  if (deeper(body, limits.depth))
    throw ApiError.invalid(`the body is nested more than ${limits.depth} levels`, null);
  const { model, messages, stream, seed, tools, user, metadata, n } = body;
  if (typeof model !== 'string' || model === '')
    throw ApiError.invalid('model is missing: GET /v1/models lists them', 'model');
  if (!Array.isArray(messages) || messages.length === 0)
    throw ApiError.invalid('messages must be a list with at least one message', 'messages');
  if (messages.length > limits.messages)
    throw ApiError.invalid(`more than ${limits.messages} messages`, 'messages', 'context_length_exceeded');
  messages.forEach((message, at) => {
    const found = messageFault(message);
    if (found !== null) throw ApiError.invalid(`messages[${at}]: ${found}`, `messages[${at}]`);
  });
  if (stream != null && typeof stream !== 'boolean')
    throw ApiError.invalid('stream must be true or false', 'stream');
  // One session has one next turn.
  if (n != null && n !== 1)
    throw ApiError.invalid('n must be 1: a simulated user gives one reply a turn', 'n');
  if (seed != null && !Number.isSafeInteger(seed))
    throw ApiError.invalid('seed must be a whole number', 'seed');
  if (tools != null && !Array.isArray(tools)) throw ApiError.invalid('tools must be a list', 'tools');
  if (user != null && typeof user !== 'string') throw ApiError.invalid('user must be a string', 'user');
  if (
    metadata != null &&
    (!isObject(metadata) || Object.values(metadata).some((value) => typeof value !== 'string'))
  )
    throw ApiError.invalid('metadata must map names to strings', 'metadata');
  const options = body.stream_options;
  if (options != null && !isObject(options))
    throw ApiError.invalid('stream_options must be an object', 'stream_options');
  return {
    model,
    messages: messages as WireMessage[],
    stream: stream === true,
    includeUsage: isObject(options) && options.include_usage === true,
    seed: (seed as number | undefined) ?? null,
    tools: (tools as unknown[] | undefined) ?? null,
    user: (user as string | undefined) ?? null,
    metadata: (metadata as Record<string, string> | undefined) ?? null,
    body,
  };
}

function messageFault(message: unknown): string | null {
  if (!isObject(message)) return 'is not an object';
  if (!ROLES.has(message.role)) return `has the role ${JSON.stringify(message.role ?? null)}`;
  const { content, tool_calls: calls, name } = message;
  if (name != null && typeof name !== 'string') return 'has a name that is no text';
  if (content != null && typeof content !== 'string' && !isParts(content))
    return 'has content that is no text';
  if (calls != null && !(Array.isArray(calls) && calls.every(isCall))) return 'has malformed tool_calls';
  if (content == null && !(Array.isArray(calls) && calls.length > 0) && message.role !== 'assistant')
    return 'has no content';
  return null;
}

const isParts = (content: unknown) =>
  Array.isArray(content) && content.every((part) => isObject(part) && typeof part.type === 'string');
const isCall = (call: unknown) =>
  isObject(call) &&
  isObject(call.function) &&
  typeof call.function.name === 'string' &&
  typeof call.function.arguments === 'string';

/** The text of a message; '' where it has none. Parts that are no text are named. */
export function messageText({ content }: WireMessage): string {
  if (content == null) return '';
  if (typeof content === 'string') return content;
  return content.map(({ type, text }) => (typeof text === 'string' ? text : `[${type}]`)).join('\n');
}

function deeper(value: object, left: number): boolean {
  if (left === 0) return true;
  if (Array.isArray(value)) {
    for (const inner of value)
      if (typeof inner === 'object' && inner !== null && deeper(inner, left - 1)) return true;
    return false;
  }
  for (const key in value) {
    const inner = (value as Json)[key];
    if (typeof inner === 'object' && inner !== null && deeper(inner, left - 1)) return true;
  }
  return false;
}
