import { toolCallsOf } from '../../formats/chat-message.ts';
import type { ToolCall, Turn } from '../../trajectory/trajectory.ts';
import { messageText, type WireMessage, type WireToolCall } from '../wire/chat-request.ts';

/** Whose tool calls have been seen, by their id. */
export type Callers = Map<string, 'user' | 'agent'>;

/** A message of a request as a turn: `assistant` is the simulated user there, `user` the agent. */
export function turnOfMessage(message: WireMessage, callers: Callers): Turn {
  const text = messageText(message);
  switch (message.role) {
    case 'assistant':
      return spoken('user', text, message.tool_calls ?? [], callers);
    case 'user':
      return spoken('agent', text, message.tool_calls ?? [], callers);
    case 'tool':
    case 'function':
      // The gateway speaks for the user only: a result of an unknown call is one of the user's own.
      return { role: 'tool', text, requestor: callers.get(message.tool_call_id ?? '') ?? 'user' };
    default:
      return { role: 'system', text };
  }
}

/** What one side said; `text` is null where there are tool calls alone. */
export function spoken(
  role: 'user' | 'agent',
  text: string | null,
  wire: readonly WireToolCall[],
  callers: Callers,
): Turn {
  const calls = parsedCalls(wire);
  for (const { id } of calls) if (id !== undefined) callers.set(id, role);
  if (calls.length === 0) return { role, text: text ?? '' };
  return { role, text: text === '' ? null : text, toolCalls: calls };
}

export function parsedCalls(calls: readonly WireToolCall[]): ToolCall[] {
  return calls.flatMap((call) => {
    try {
      return toolCallsOf([call]);
    } catch {
      // Arguments nested deeper than a record may be: they stay text.
      return [{ id: call.id, name: call.function.name, arguments: call.function.arguments }];
    }
  });
}
