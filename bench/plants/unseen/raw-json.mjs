// Unseen wordings: structures where a user's words should be.
import { inUserTurn, pick, say, userForms } from '../host.mjs';

const tools = {
  airline: 'get_reservation_details',
  retail: 'get_order_details',
  telecom: 'toggle_airplane_mode',
  donation: 'make_donation',
  opinion: 'update_belief',
  other: 'respond',
};
const tool = (host) => say(host, tools);
const id = (host, random) =>
  [...host.reservations, ...host.orders, ...host.userIds][0] ?? `item_${random.integer(9000) + 1000}`;
const json = JSON.stringify;

const writers = {
  'message of a chat api': (_, __, text) => json({ role: 'user', content: text }),
  'content blocks': (_, __, text) => json([{ type: 'text', text }]),
  'python repr of blocks': (_, __, text) => `[{'type': 'text', 'text': '${text.replaceAll("'", "\\'")}'}]`,
  'fenced object': (_, __, text) => `\`\`\`json\n${json({ response: text, done: false }, null, 2)}\n\`\`\``,
  'fence never closed': (_, __, text) => `\`\`\`json\n{\n  "utterance": ${json(text)},\n  "intent": "inform"`,
  'thought and reply': (_, __, text) =>
    json({ thought: 'The agent is waiting for my answer.', reply: text, stop: false }),
  'qwen tool call': (host, random) =>
    `<tool_call>\n{"name": "${tool(host)}", "arguments": {"id": "${id(host, random)}"}}\n</tool_call>`,
  'mistral tool call': (host, random) =>
    `[TOOL_CALLS][{"name": "${tool(host)}", "arguments": {"id": "${id(host, random)}"}}]`,
  'llama python tag': (host, random) =>
    `<|python_tag|>{"type": "function", "name": "${tool(host)}", "parameters": {"id": "${id(host, random)}"}}`,
  'call of openai': (host, random) =>
    json({
      tool_calls: [
        {
          id: `call_${random.integer(1e6)}`,
          type: 'function',
          function: { name: tool(host), arguments: json({ id: id(host, random) }) },
        },
      ],
    }),
  'call of a respond action': (_, __, text) =>
    `Action:\n{"name": "respond", "arguments": {"content": ${json(text)}}}`,
  'whole completion': (_, __, text) =>
    json({
      id: 'chatcmpl-9f3a',
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    }),
  'stream chunks': (_, __, text) =>
    `${text
      .split(' ')
      .slice(0, 4)
      .map((word) => `data: {"choices":[{"delta":{"content":${json(`${word} `)}}}]}`)
      .join('\n\n')}\n\ndata: [DONE]`,
  'python dict': (_, __, text) =>
    `{'speaker': 'user', 'utterance': ${json(text)}, 'is_final': False, 'emotion': None}`,
  'cut in the middle': (host, _, text) =>
    json({ user_goal: host.domain, state: 'in_progress', next_message: text }).slice(
      0,
      -Math.min(20, text.length),
    ),
  'escaped twice': (_, __, text) => json(json({ message: text })),
  'object after a lead': (_, __, text) =>
    `Here is the user's next message in JSON:\n\n${json({ message: text })}`,
  'dialogue state': (host, random) =>
    json(
      {
        domain: host.domain,
        slots: { id: id(host, random), confirmed: null, attempts: random.integer(4) },
        satisfaction: 3,
      },
      null,
      2,
    ),
  'list of turns': (host, _, text) =>
    json([
      { role: 'assistant', content: host.agentSaid[0] ?? 'Hello' },
      { role: 'user', content: text },
    ]),
  'json lines': (_, __, text) => `{"turn": 1, "text": ${json(text)}}\n{"turn": 2, "text": "Yes, please."}`,
  'schema in place of an instance': () =>
    json({
      type: 'object',
      properties: { message: { type: 'string', description: 'The next message of the user' } },
      required: ['message'],
    }),
  'empty structure': (_, random) =>
    pick(random, ['{}', '[]', '{"content": ""}', '{"message": null}', '```json\n```']),
  'single quotes and a comma too many': (_, __, text) =>
    `{'text': '${text.replaceAll("'", '’')}', 'end': false,}`,
};

export const rawJson = {
  kind: 'raw JSON as a user turn',
  expect: 'drop',
  forms: [
    ...userForms(writers),
    inUserTurn(
      'last: end told in an object',
      (_, __, text) => json({ message: text, end_conversation: true }),
      {
        where: 'last',
      },
    ),
  ],
};
