// The structured output of the simulator's own call, unparsed, as a user turn.
import { userForms } from './host.mjs';

const json = JSON.stringify;

export const rawJson = {
  kind: 'raw JSON as a user turn',
  expect: 'drop',
  forms: userForms({
    'response key': (_host, _random, text) => json({ response: text }),
    'message and stop': (_host, _random, text) => json({ message: text, stop: false }),
    'fenced block': (_host, _random, text) => `\`\`\`json\n${json({ user_response: text }, null, 2)}\n\`\`\``,
    'chat message': (_host, _random, text) => json({ role: 'user', content: text }),
    'list of chat messages': (host) =>
      json(host.said.slice(0, 2).map((content) => ({ role: 'user', content }))),
    'thought and response': (_host, _random, text) =>
      json({ thought: 'The agent needs an answer.', response: text, emotion: 'neutral' }),
    'pretty printed': (_host, _random, text) =>
      json({ utterance: text, intent: 'inform', satisfied: false }, null, 4),
    'cut off': (_host, _random, text) =>
      `{"reasoning": "I should answer the question that was asked", "reply": "${text.slice(0, 40)}`,
    'Python dictionary': (_host, _random, text) =>
      `{'content': '${text.replaceAll("'", "\\'")}', 'done': False}`,
    'escaped twice': (_host, _random, text) => json(json({ text })),
    'tool call as text': (host) =>
      json({ name: 'get_user_details', arguments: { user_id: host.userIds[0] ?? 'sara_doe_496' } }),
    'trailing comma': (_host, _random, text) =>
      `{\n  "next_message": ${json(text)},\n  "end_conversation": false,\n}`,
    announced: (_host, _random, text) =>
      `Here is my response in the requested format:\n${json({ response: text, action: 'continue' })}`,
    'text after it': (_host, _random, text) => `${json({ state: 'waiting', turn: 4 })}\n${text}`,
    'two lines': (_host, _random, text) =>
      `${json({ type: 'thought', value: 'keep it short' })}\n${json({ type: 'utterance', value: text })}`,
    'facts only': (host) =>
      json({
        name: host.name?.join(' ') ?? 'unknown',
        user_id: host.userIds[0] ?? null,
        zip: host.zips[0] ?? null,
        goal: host.request,
      }),
    'fence without a language': (_host, _random, text) =>
      `\`\`\`\n${json({ output: { message: text } })}\n\`\`\``,
    'single element list': (_host, _random, text) => json([text]),
    'function call object': (_host, _random, text) =>
      json({
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'say', arguments: json({ text }) } },
        ],
      }),
    'completion object': (_host, _random, text) =>
      json({
        id: 'chatcmpl-9x',
        object: 'chat.completion',
        choices: [{ index: 0, message: { content: text }, finish_reason: 'stop' }],
      }),
  }),
};
