import type { Role, ToolCall, Turn } from '../trajectory/trajectory.ts';
import { rowError } from './drop.ts';
import { parseJson } from './json-text.ts';

const ROLES: ReadonlyMap<string, Role> = new Map([
  ['user', 'user'],
  ['human', 'user'],
  ['assistant', 'agent'],
  ['agent', 'agent'],
  ['gpt', 'agent'],
  ['model', 'agent'],
  ['ai', 'agent'],
  ['tool', 'tool'],
  ['function', 'tool'],
  ['tool_response', 'tool'],
  ['observation', 'tool'],
  ['environment', 'tool'],
  ['system', 'system'],
  ['developer', 'system'],
]);

/**
 * Our role for a raw one, `null` where it is unknown. `simulatorRole` names the raw role that is the
 * simulated user; whoever else speaks (and is neither tool nor system) is then the agent.
 */
export function roleOf(raw: string, simulatorRole?: string): Role | null {
  const role = ROLES.get(raw.toLowerCase()) ?? null;
  if (simulatorRole === undefined) return role;
  if (raw === simulatorRole) return 'user';
  return role === 'tool' || role === 'system' ? role : 'agent';
}

/** Text of a message's content: a string, or parts of which the text is joined and the rest named (`[image]`). */
export function contentText(content: unknown): string | null {
  if (content === null || content === undefined) return null;
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) {
    const texts = content.map(partText).filter((text) => text !== '');
    return texts.length === 0 ? null : texts.join('\n');
  }
  if (typeof content === 'object') return partText(content);
  return String(content);
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part;
  if (part === null || typeof part !== 'object') return '';
  const { type, text, refusal } = part as Record<string, unknown>;
  if (typeof text === 'string') return text;
  if (typeof refusal === 'string') return refusal;
  if (typeof type !== 'string') return '[part]';
  return `[${type.replace(/^(input|output)_/, '').replace(/_url$/, '')}]`;
}

/** Later steps recurse over arguments (hashing, writing). */
export const MAX_DEPTH = 256;

/** Arguments as JSON where they parse, else the raw string. Deeper than `MAX_DEPTH` is refused. */
export function toolArguments(raw: unknown): unknown {
  let value = raw;
  if (typeof raw === 'string') {
    const parsed = parseJson(raw);
    if (!parsed.ok) return raw;
    value = parsed.value;
  }
  if (deeperThan(value, MAX_DEPTH))
    throw rowError(`tool call arguments are nested more than ${MAX_DEPTH} levels`);
  return value ?? null;
}

export function deeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= limit; depth++) {
    const next: unknown[] = [];
    for (const item of level)
      if (item !== null && typeof item === 'object')
        for (const child of Object.values(item)) next.push(child);
    if (next.length === 0) return false;
    level = next;
  }
  return true;
}

/** `tool_calls` of OpenAI messages ({function: {name, arguments}}) and the flat {name, arguments} of tau2. */
export function toolCallsOf(raw: unknown): ToolCall[] {
  if (!Array.isArray(raw)) return [];
  const calls: ToolCall[] = [];
  for (const entry of raw) {
    if (entry === null || typeof entry !== 'object') continue;
    const flat = entry as Record<string, unknown>;
    const call = (
      flat.function !== null && typeof flat.function === 'object' ? flat.function : flat
    ) as Record<string, unknown>;
    if (typeof call.name !== 'string') continue;
    calls.push({
      ...(typeof flat.id === 'string' && flat.id !== '' ? { id: flat.id } : {}),
      name: call.name,
      arguments: toolArguments(call.arguments ?? call.args ?? call.kwargs ?? null),
    });
  }
  return calls;
}

export interface ChatOptions {
  /** Raw role of the simulated user; default `user`. */
  readonly simulatorRole?: string | undefined;
}

/** OpenAI-style messages to turns. Throws a row error on an entry that is no message or a role nobody knows. */
export function chatTurns(messages: unknown, options: ChatOptions = {}): Turn[] {
  if (!Array.isArray(messages)) throw rowError(`messages: expected an array, found ${kindOf(messages)}`);
  const turns: Turn[] = [];
  const callers = new Map<string, 'user' | 'agent'>();
  let lastCaller: 'user' | 'agent' = 'agent';
  messages.forEach((message, i) => {
    if (message === null || typeof message !== 'object' || Array.isArray(message))
      throw rowError(`messages[${i}]: expected an object, found ${kindOf(message)}`);
    const raw = message as Record<string, unknown>;
    if (typeof raw.role !== 'string')
      throw rowError(`messages[${i}].role: expected a string, found ${kindOf(raw.role)}`);
    const role = roleOf(raw.role, options.simulatorRole);
    if (role === null) throw rowError(`messages[${i}].role: '${raw.role.slice(0, 40)}' is no known role`);
    const calls = toolCallsOf(raw.tool_calls);
    if (calls.length === 0 && raw.function_call !== null && typeof raw.function_call === 'object')
      calls.push(...toolCallsOf([raw.function_call]));
    const text = contentText(raw.content);
    if (role === 'tool') {
      const id = raw.tool_call_id ?? raw.id;
      const named = typeof raw.requestor === 'string' ? roleOf(raw.requestor, options.simulatorRole) : null;
      const requestor =
        named === 'user' || named === 'agent'
          ? named
          : ((typeof id === 'string' ? callers.get(id) : undefined) ?? lastCaller);
      turns.push({ role, text, requestor });
      return;
    }
    if (calls.length > 0 && (role === 'user' || role === 'agent')) {
      lastCaller = role;
      for (const call of calls) if (call.id !== undefined) callers.set(call.id, role);
      turns.push({ role, text: text === '' ? null : text, toolCalls: calls });
      return;
    }
    turns.push({ role, text });
  });
  return turns;
}

/** Name of a value's kind for messages. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
