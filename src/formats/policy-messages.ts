import type { ToolCall, Turn } from '../trajectory/trajectory.ts';

/** A chat message as the policy's side of the episode has it; absent fields are left out, as templates ask. */
export interface PolicyMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  /** Beside tool calls only: `null` in OpenAI's form; '' in that of templates, many of which fail at null. */
  readonly content: string | null;
  readonly tool_calls?: readonly PolicyCall[];
  /** Of a tool's reply: the call that it answers. */
  readonly tool_call_id?: string;
  readonly name?: string;
}

export interface PolicyCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: unknown };
}

/** Of calls' arguments: JSON text, as OpenAI has them, or values, as chat templates of the Transformers library do. */
export type ArgumentForm = 'text' | 'value';

const ROLES = { user: 'user', agent: 'assistant', system: 'system' } as const;

/**
 * What the policy saw and said. The user's own tool calls, and what tools answered the user, are left out: no policy
 * sees them. Calls without an id get `call_<n>`, and replies answer the open calls in order.
 */
export function policyMessages(turns: readonly Turn[], form: ArgumentForm): PolicyMessage[] {
  const open: PolicyCall[] = [];
  const messages: PolicyMessage[] = [];
  let calls = 0;
  for (const turn of turns) {
    if (turn.role === 'tool') {
      if (turn.requestor === 'user') continue;
      const call = open.shift();
      messages.push({
        role: 'tool',
        content: turn.text ?? '',
        tool_call_id: call?.id ?? `call_${++calls}`,
        ...(call === undefined ? {} : { name: call.function.name }),
      });
    } else if (turn.role !== 'agent' || turn.toolCalls === undefined || turn.toolCalls.length === 0) {
      if (turn.role !== 'user' || turn.text !== null || turn.toolCalls === undefined)
        messages.push({ role: ROLES[turn.role], content: turn.text ?? '' });
    } else {
      const made = turn.toolCalls.map((call) => policyCall(call, call.id ?? `call_${++calls}`, form));
      open.push(...made);
      messages.push({
        role: 'assistant',
        content: turn.text ?? (form === 'value' ? '' : null),
        tool_calls: made,
      });
    }
  }
  return messages;
}

function policyCall(call: ToolCall, id: string, form: ArgumentForm): PolicyCall {
  const given = call.arguments ?? {};
  const written = form === 'value' || typeof given === 'string' ? given : JSON.stringify(given);
  return { id, type: 'function', function: { name: call.name, arguments: written } };
}

/**
 * How many of the messages come before the policy's first answer: that is where its rollout starts. An opening of
 * the policy to which nobody had spoken belongs to what comes before, since no chat template starts from nothing; where
 * the policy never answers, all do.
 */
export function promptLength(messages: readonly PolicyMessage[]): number {
  const spoken = messages.findIndex(({ role }) => role === 'user');
  const answer = messages.findIndex(({ role }, at) => role === 'assistant' && at > spoken);
  return spoken === -1 || answer === -1 ? messages.length : answer;
}
