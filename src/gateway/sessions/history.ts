import { HashChain } from '../../math/hash-chain.ts';
import type { ChatRequest, ContentPart, WireMessage, WireToolCall } from '../wire/chat-request.ts';
import type { Spoken } from './session.ts';

/**
 * A request's history as hashes: each message's is hashed with the one before (a chain), so that two requests have a
 * hash in common exactly where they are the same from the start up to there.
 */
export interface History {
  /** Model, scope and the leading system messages, without the seed. */
  readonly base: string;
  /** Up to and including the simulated user's last turn; the empty history where there is none. */
  readonly head: string;
  /** All of it. */
  readonly asked: string;
  /** Turns of the simulated user in it. */
  readonly replies: number;
  /** Where the messages after the last of those begin. */
  readonly freshFrom: number;
  /** Ids of the tool calls in those, as one hash; '' = they call none. No other hash has them in it. */
  readonly calls: string;
  /** All of it, and the ids: what a retry has in common with what it repeats. */
  readonly same: string;
}

/**
 * @param scope what else keeps sessions apart (a weak name); null = nothing. The model is in it too: whoever pinned
 * one simulator must not be given another one's session.
 */
export function historyOf({ model, seed, messages }: ChatRequest, scope: string | null): History {
  let at = 0;
  rooted(model, scope);
  while (at < messages.length && isSystem(messages[at]!)) take(messages[at++]!, []);
  const base = chain.key;
  chain.take(String(seed));
  let head: string | null = null;
  let replies = 0;
  let freshFrom = 0;
  let calls = '';
  let open: readonly string[] = NONE;
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  if (last < at) head = chain.key;
  for (; at < messages.length; at++) {
    const message = messages[at]!;
    take(message, open);
    if (message.role !== 'assistant') continue;
    replies += 1;
    freshFrom = at + 1;
    if (at === last) head = chain.key;
    open = callIds(message.tool_calls);
    if (open.length > 0) {
      const here = chain.key;
      calls = callsAfter(calls, message.tool_calls);
      chain.start(here);
    }
  }
  const asked = chain.key;
  return { base, head: head!, asked, replies, freshFrom, calls, same: sameAs(asked, calls) };
}

/** `History.base` of messages alone. */
export function baseOf(model: string, scope: string | null, messages: readonly WireMessage[]): string {
  rooted(model, scope);
  for (const message of messages) {
    if (!isSystem(message)) break;
    take(message, []);
  }
  return chain.key;
}

/** The head at which a client waits that asked `asked` and was told `reply`. */
export const headAfter = (asked: string, reply: Spoken): string =>
  take(asMessage(reply), NONE, chain.start(asked)).key;
export const replyHash = (reply: Spoken): string => take(asMessage(reply), NONE, chain.start()).key;
/** `History.calls` one turn later. */
export const callsAfter = (calls: string, more: readonly WireToolCall[] | null | undefined): string =>
  more == null || more.length === 0
    ? calls
    : chain.start(calls === '' ? null : calls).take(JSON.stringify(callIds(more))).key;
/** `History.same` of what else is known. */
export const sameAs = (asked: string, calls: string): string => (calls === '' ? asked : joined(asked, calls));
/** Of every turn of the simulated user in a history, in order; equal to `replyHash` of what was said. */
export const replyHashes = (messages: readonly WireMessage[]): string[] =>
  messages
    .filter(({ role }) => role === 'assistant')
    .map((message) => take(message, NONE, chain.start()).key);
/** One key of several. */
export const joined = (a: string, b: string | number): string => `${a} ${b}`;

const isSystem = ({ role }: WireMessage) => role === 'system' || role === 'developer';
// One for all: nothing here waits for anything.
const chain = new HashChain();
const rooted = (model: string, scope: string | null) =>
  chain
    .start()
    .take(model)
    .take(scope ?? '', scope === null ? 0 : 1);
const NONE: readonly string[] = [];
const asMessage = ({ text, toolCalls }: Spoken): WireMessage => ({
  role: 'assistant',
  content: text,
  tool_calls: toolCalls,
});
const callIds = (calls: readonly WireToolCall[] | null | undefined) =>
  calls == null || calls.length === 0 ? NONE : calls.map(({ id }) => id ?? '');

/**
 * A message without the differences that clients make on the way: null, absent or '' as content, white space at the
 * ends and of line ends, text as one part or as a string, `developer` for `system`, no or empty or null `tool_calls`,
 * spaces and order in arguments, fields like `reasoning`, a thought before the reply. Of a reply that comes back its
 * `name` is left out too (frameworks add one); anybody else's is what the client itself says each time, and kept.
 *
 * Ids of tool calls are left out: clients rewrite them for the model they talk to, and they differ between dialogues
 * that are the same in all that was said. Which call a tool answers is kept, as its number among the calls of the turn
 * before (`calls`), so that exchanged results are not the same history.
 */
function take(message: WireMessage, calls: readonly string[], into = chain): HashChain {
  const { role, tool_calls: called } = message;
  const text = textOf(message.content);
  const name = role === 'assistant' || role === 'tool' ? null : (message.name ?? null);
  const calling = called != null && called.length > 0;
  const answers = role === 'tool' ? calls.indexOf(message.tool_call_id ?? '') + 1 : 0;
  into.take(
    role === 'assistant' && text.startsWith('<think>') ? text.replace(THOUGHT, '') : text,
    ROLES[role] | (calling ? 8 : 0) | (name === null ? 0 : 16) | (answers << 5),
  );
  if (calling) into.take(JSON.stringify(called.map(({ function: f }) => [f.name, argumentsOf(f.arguments)])));
  if (name !== null) into.take(name);
  return into;
}

const ROLES = { system: 0, developer: 0, user: 1, assistant: 2, tool: 3, function: 4 } as const;
const THOUGHT = /^<think>[\s\S]*?<\/think>\s*/;

function textOf(content: WireMessage['content']): string {
  if (content == null) return '';
  const text = typeof content === 'string' ? content : content.map(partOf).join('\n');
  return (text.includes('\r') ? text.replaceAll('\r\n', '\n') : text).trim();
}

const partOf = (part: ContentPart) =>
  typeof part.text === 'string' ? part.text : JSON.stringify(ordered(part));

function argumentsOf(text: string): unknown {
  try {
    return ordered(JSON.parse(text));
  } catch {
    return text.trim();
  }
}

/** The same value with every object's fields in one order. Depth is bounded where requests are read. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return fields.map(([name, inner]) => [name, ordered(inner)]);
}
