import { simulatorFacts } from '../trajectory/identity.ts';
import { chatTurns, kindOf } from './chat-message.ts';
import { rowError } from './drop.ts';
import { firstObject } from './head.ts';
import type { Reader } from './reader.ts';
import { episodeFacts } from './scope.ts';
import {
  EpisodeIds,
  firstName,
  isRaw,
  jsonRows,
  nameOf,
  numberOf,
  rawOf,
  SIMULATOR_FIELDS,
  unknownSimulator,
} from './trainer-rows.ts';

/**
 * ShareGPT: `conversations: [{from: human | gpt | system | tool | function_call | observation, value}]`, an array in
 * one JSON file or a record a line. `human` is the user.
 */
export const sharegpt: Reader = {
  name: 'sharegpt',
  title: 'ShareGPT conversations (JSON or JSON lines)',
  checkedOn: 'schema',

  detect(head) {
    const first = firstObject(head);
    if (first === null || !Array.isArray(first.conversations)) return 0;
    const turn = rawOf(first.conversations[0]);
    return 'from' in turn && 'value' in turn ? 0.97 : first.conversations.length === 0 ? 0.5 : 0;
  },

  async *read(source, options) {
    const ids = new EpisodeIds();
    yield* jsonRows(source, options, (raw, line) => {
      const { conversations } = raw;
      if (!Array.isArray(conversations))
        throw rowError(`conversations: expected an array, found ${kindOf(conversations)}`);
      if (conversations.length === 0) throw rowError('the row has no messages', 'CA_ROW_EMPTY');
      const system = nameOf(raw.system);
      const messages = conversations.map((turn, i) => {
        if (!isRaw(turn)) throw rowError(`conversations[${i}]: expected an object, found ${kindOf(turn)}`);
        return messageOf(turn);
      });
      if (system !== null) messages.unshift({ role: 'system', content: system });
      const turns = chatTurns(messages, options);
      const meta = rawOf(raw.metadata ?? raw.meta);
      const facts = episodeFacts(raw, meta);
      return {
        ...facts,
        id: nameOf(raw.id) ?? nameOf(raw.conversation_id) ?? ids.of(turns, facts.group, facts.epoch),
        turns,
        simulator: simulatorFacts({
          id: firstName([raw, meta], SIMULATOR_FIELDS) ?? unknownSimulator(source, options),
        }),
        reward: numberOf(raw.reward) ?? numberOf(raw.score),
        source: { file: source.path, line },
      };
    });
  },
};

function messageOf(turn: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const role = turn.from ?? turn.role;
  const content = turn.value ?? turn.content ?? null;
  // A call has a role of its own here; it is the assistant that makes it.
  if (role === 'function_call' || role === 'tool_call') {
    const call = parsedCall(content);
    return call === null ? { role: 'gpt', content } : { role: 'gpt', content: null, tool_calls: [call] };
  }
  return { role, content };
}

function parsedCall(content: unknown): Record<string, unknown> | null {
  try {
    const call = typeof content === 'string' ? JSON.parse(content) : content;
    return isRaw(call) && typeof call.name === 'string'
      ? { name: call.name, arguments: call.arguments ?? null }
      : null;
  } catch {
    return null;
  }
}
