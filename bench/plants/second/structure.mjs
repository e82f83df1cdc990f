// Second wordings: structures and lists where a user's words should be.
import { userForms } from '../host.mjs';

const J = JSON.stringify;
export const rawJson = {
  kind: 'raw JSON as a user turn',
  expect: 'drop',
  forms: userForms({
    a: (_h, _r, t) => J({ user: t }),
    b: (_h, _r, t) => `json\n${J({ reply: t })}`,
    c: (_h, _r, t) => J([{ type: 'text', text: t }]),
    d: (_h, _r, t) => `{"answer": "${t.slice(0, 50)}", "is_final": tru`,
    e: (_h, _r, t) => `<json>${J({ say: t })}</json>`,
    f: (_h, _r, t) => `Output: ${J({ content: t, terminate: false })}`,
    g: (_h, _r, t) => J({ a: { b: { c: t } } }),
    h: (_h, _r, t) => `{user_message: "${t}", sentiment: "neutral"}`,
    i: (_h, _r, t) => `{\n'utterance': "${t}",\n'goal_reached': None\n}`,
    j: (_h, _r, t) => `${J({ internal: 'annoyed', satisfaction: 2 })}\n\n${t}`,
    k: (_h, _r, t) => `<tool_call>\n${J({ name: 'respond', arguments: { text: t } })}\n</tool_call>`,
    l: (_h, _r, t) => `\`\`\`\n${J({ next: t })}`,
  }),
};
const alts = (_h, t) => [
  t,
  'I would rather wait a little.',
  'No thanks, that is too much for me.',
  'What else could you offer?',
];
export const candidateList = {
  kind: 'candidate list as a user turn',
  expect: 'drop',
  forms: userForms({
    a: (h, _r, t) =>
      alts(h, t)
        .map((x, i) => `${i + 1}) ${x} — probability ${[0.4, 0.3, 0.2, 0.1][i]}`)
        .join('\n'),
    b: (h, _r, t) =>
      J({ samples: alts(h, t).map((x, i) => ({ response: x, prob: [0.4, 0.3, 0.2, 0.1][i] })) }),
    c: (h, _r, t) =>
      alts(h, t)
        .map((x, i) => `<sample prob="${[0.4, 0.3, 0.2, 0.1][i]}">${x}</sample>`)
        .join(''),
    d: (h, _r, t) =>
      alts(h, t)
        .map((x, i) => `Reply ${i + 1} (${[40, 30, 20, 10][i]}%): ${x}`)
        .join('\n'),
    e: (h, _r, t) =>
      `Possible user messages:\n${alts(h, t)
        .map((x) => `* ${x}`)
        .join('\n')}`,
    f: (h, _r, t) =>
      alts(h, t)
        .map((x, i) => `[${i + 1}] ${x}`)
        .join('\n'),
    g: (h, _r, t) =>
      alts(h, t)
        .map((x, i) => `response: "${x}", likelihood: ${[0.4, 0.3, 0.2, 0.1][i]}`)
        .join('\n'),
    h: (h, _r, t) =>
      alts(h, t)
        .map((x, i) => `Version ${i + 1}:\n"${x}"`)
        .join('\n\n'),
    i: (h, _r, t) =>
      `- text: ${alts(h, t)
        .map((x, i) => `${x}\n  probability: ${[0.4, 0.3, 0.2, 0.1][i]}`)
        .join('\n- text: ')}`,
    j: (h, _r, t) =>
      alts(h, t)
        .map((x, i) => `${x} (${[0.4, 0.3, 0.2, 0.1][i]})`)
        .join(' | '),
  }),
};
