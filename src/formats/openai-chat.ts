import { simulatorFacts } from '../trajectory/identity.ts';
import { chatTurns, kindOf } from './chat-message.ts';
import { guardRow, rowError } from './drop.ts';
import { firstObject } from './head.ts';
import { jsonValues } from './json-stream.ts';
import type { Head, Reader, Row, Source } from './reader.ts';
import { isObject, textOf } from './tau2-episode.ts';

/** OpenAI chat data, as in fine-tuning files: {messages, tools?} a line, or a bare list of messages a line. */
export const openaiChat: Reader = {
  name: 'openai-chat',
  title: 'OpenAI chat JSONL (messages, tools)',
  checkedOn: 'real files',
  detect(head) {
    if (messageList(head.first)) return 0.5;
    const first = firstObject(head);
    if (first === null) return 0;
    // Low: other formats hold such lists too, with more beside them.
    return messageList(first.messages) || firstMessage(head, first) ? 0.5 : 0;
  },
  async *read(source, options) {
    const id = options.simulator ?? `unknown (file ${source.name})`;
    if (options.simulator === undefined && options.simulatorFrom === undefined)
      source.warn('chat data do not name the user simulator: give --simulator or --simulator-from');
    for await (const item of jsonValues(source, { rowLimit: options.rowLimit, flatten: false })) {
      if (item.kind === 'dropped') yield item;
      else if (Array.isArray(item.value) && !messageList(item.value))
        for (const value of item.value) yield chatRow(value, source, item.line, id, options.simulatorRole);
      else yield chatRow(item.value, source, item.line, id, options.simulatorRole);
    }
  },
};

/**
 * The system prompt is the agent's, not the simulator's instruction, and may be the same for a whole
 * benchmark: it gives no context. Rows that carry a task id have that as label, all others have contexts
 * that do not repeat. Only where the assistant's side is the simulator is the system prompt its scenario.
 */
function chatRow(value: unknown, source: Source, line: number, simulator: string, role?: string): Row {
  const row = guardRow(source, line, () => {
    const messages = Array.isArray(value) ? value : isObject(value) ? value.messages : undefined;
    if (messages === undefined)
      throw rowError(`messages: expected an array, found nothing in ${kindOf(value)}`);
    if (Array.isArray(messages) && messages.length === 0) throw rowError('messages is empty', 'CA_ROW_EMPTY');
    const turns = chatTurns(messages, { simulatorRole: role });
    const raw = isObject(value) ? value : {};
    const first = turns[0];
    const label = textOf(raw.task_id) ?? textOf(raw.prompt_id) ?? textOf(raw.example_id);
    return {
      id: textOf(raw.id) ?? textOf(raw.conversation_id) ?? textOf(raw.uuid),
      contextLabel: label,
      scenario: role === 'assistant' && first?.role === 'system' ? first.text : null,
      simulator: simulatorFacts({ id: simulator }),
      policy: { id: textOf(raw.model) ?? 'unknown', checkpoint: null },
      turns,
      reward: typeof raw.reward === 'number' && Number.isFinite(raw.reward) ? raw.reward : null,
      source: { file: source.path, line },
    };
  });
  return row as Row;
}

function messageList(value: unknown): boolean {
  return (
    Array.isArray(value) && isObject(value[0]) && typeof value[0].role === 'string' && 'content' in value[0]
  );
}

/** A first message longer than the head leaves only the beginning of the list. */
function firstMessage(head: Head, first: Record<string, unknown>): boolean {
  return (
    head.partial &&
    Array.isArray(first.messages) &&
    isObject(first.messages[0]) &&
    'role' in first.messages[0]
  );
}
