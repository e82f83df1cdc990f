// Unseen wordings: several replies at once, as sampling prompts ask for them and parsers fail to take apart.
import { pick, say, userForms } from '../host.mjs';

const others = {
  airline: [
    'Could you tell me what it would cost to change the flight?',
    'Never mind the fee, I just want to travel that day.',
    "I'm not sure about that, what other flights do you have?",
    'Can I keep my seat if I do that?',
  ],
  retail: [
    'Could you check if the item is still in stock?',
    "I'd rather get a refund to my original card.",
    'How long will the exchange take?',
    'Can you send it to my other address?',
  ],
  telecom: [
    'I already restarted it and nothing changed.',
    'Where do I find that setting?',
    'It still says no signal at the top.',
    'Will I lose my pictures if I do that?',
  ],
  donation: [
    'How much of it really reaches the children?',
    'I already give to another charity.',
    'Maybe fifty cents would be fine.',
    "I'd like to know more before I decide.",
  ],
  opinion: [
    "I see your point but I'm not convinced.",
    'What about the people who cannot afford it?',
    'That does change my mind a bit.',
    'Do you have any evidence for that?',
  ],
  other: [
    'Could you tell me more?',
    'I am not sure about that.',
    'That works for me.',
    'What else could we do?',
  ],
};
/** What stood there and others, shuffled, on one line each. */
function replies(host, random, text, n = 4) {
  const list = random.shuffle([...say(host, others)]).slice(0, n - 1);
  return [text.replace(/\s*\n\s*/g, ' '), ...list];
}
const chances = (random, n) => Array.from({ length: n }, () => ((5 + random.integer(30)) / 100).toFixed(2));
const put =
  (write, { n = 4, glue = '\n' } = {}) =>
  (host, random, text) => {
    const chance = chances(random, n);
    return replies(host, random, text, n)
      .map((reply, at) => write(reply, at, chance[at]))
      .join(glue);
  };
const lettered = (at) => 'ABCDEFG'[at];

const writers = {
  'tags with text and probability': put(
    (reply, _, p) => `<response>\n<text>${reply}</text>\n<probability>${p}</probability>\n</response>`,
  ),
  'tags cut after the second': (host, random, text) =>
    `${put((reply, _, p) => `<response><text>${reply}</text><probability>${p}</probability></response>`, { n: 2 })(host, random, text)}\n<response><text>I was`,
  'object with responses': (host, random, text) => {
    const p = chances(random, 3);
    const responses = replies(host, random, text, 3).map((reply, at) => ({
      text: reply,
      probability: Number(p[at]),
    }));
    return JSON.stringify({ responses });
  },
  'fenced list of objects': (host, random, text) =>
    `\`\`\`json\n${JSON.stringify(
      replies(host, random, text, 3).map((reply) => ({ candidate: reply, p: 0.2 })),
      null,
      2,
    )}\n\`\`\``,
  'numbers with chances': put((reply, at, p) => `${at + 1}. ${reply} (p=${p})`),
  'percent first': put((reply, _, p) => `[${Math.round(p * 100)}%] ${reply}`),
  'options by letter': put((reply, at) => `Option ${lettered(at)}: ${reply}`, { glue: '\n\n' }),
  'responses by number': put((reply, at) => `Response ${at + 1}: "${reply}"`, { glue: '\n\n' }),
  'bold candidates': put((reply, at) => `**Candidate ${at + 1}:** ${reply}`),
  'lead and bullets': (host, random, text) =>
    `Here are four possible things the user might say next:\n\n${put((reply) => `- "${reply}"`)(host, random, text)}`,
  table: (host, random, text) =>
    `| # | User reply | Probability |\n|---|---|---|\n${put((reply, at, p) => `| ${at + 1} | ${reply} | ${p} |`)(host, random, text)}`,
  'quoted list of python': (host, random, text) =>
    `[${replies(host, random, text)
      .map((reply) => `"${reply.replaceAll('"', '\\"')}"`)
      .join(', ')}]`,
  yaml: (host, random, text) =>
    `responses:\n${put((reply, _, p) => `  - text: ${reply}\n    probability: ${p}`)(host, random, text)}`,
  'or between quotes': put((reply) => `"${reply}"`, { glue: '\n\nor\n\n' }),
  alternatively: put((reply) => reply, { n: 3, glue: '\n\nAlternatively, you could say:\n\n' }),
  'rules between': put((reply) => reply, { n: 3, glue: '\n\n---\n\n' }),
  'by mood': (host, random, text) => {
    const moods = ['Polite', 'Impatient', 'Confused', 'Neutral'];
    return put((reply, at) => `(${moods[at]}) ${reply}`)(host, random, text);
  },
  'reply tags without chances': put((reply, at) => `<reply_${at + 1}>${reply}</reply_${at + 1}>`),
  'choice asked': (host, random, text) =>
    `${put((reply, at) => `${lettered(at)}) ${reply}`, { n: 3 })(host, random, text)}\n\nWhich of these replies would you like me to use?`,
  'log probabilities': put((reply, _, p) => `${reply}\tlogprob=-${(Number(p) * 9).toFixed(3)}`),
  'score in brackets': put((reply, at, p) => `${at + 1}) ${reply} [score: ${p}]`),
  'text and chance by line': put((reply, _, p) => `text: ${reply}\nprobability: ${p}`, { glue: '\n\n' }),
  'chosen one told': (host, random, text) =>
    `${put((reply, at) => `Reply ${at + 1}: ${reply}`, { n: 3 })(host, random, text)}\n\nSelected: Reply ${pick(random, [1, 2, 3])}`,
};

export const candidateList = {
  kind: 'candidate list as a user turn',
  expect: 'drop',
  forms: userForms(writers),
};
