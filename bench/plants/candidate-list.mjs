// Verbalized sampling that was not parsed: all the candidates instead of the one drawn.
import { clean, userForms } from './host.mjs';

const json = JSON.stringify;
const CHANCES = [0.32, 0.24, 0.19, 0.15, 0.1];
const OTHERS = [
  "I'm not sure about that, could you explain it again?",
  'No, that is not what I had in mind.',
  "Okay, let's go ahead then.",
  'Can you tell me more before I decide?',
  'That works for me, thanks.',
];

/** Five different replies: the one that stood there, others of the host, and stock ones. */
function candidates(host, text) {
  const own = host.said
    .map(clean)
    .filter((other) => other !== text && other.length > 0 && other.length < 160);
  return [...new Set([text, ...own.slice(0, 2), ...OTHERS])]
    .slice(0, 5)
    .map((reply, at) => ({ text: reply, probability: CHANCES[at] }));
}

const each =
  (write, between = '\n') =>
  (host, _random, text) =>
    candidates(host, text)
      .map((candidate, at) => write(candidate.text, candidate.probability, at + 1))
      .join(between);

export const candidateList = {
  kind: 'candidate list as a user turn',
  expect: 'drop',
  forms: userForms({
    'JSON list': (host, _random, text) => json(candidates(host, text)),
    'JSON object': (host, _random, text) => json({ responses: candidates(host, text) }, null, 2),
    'fenced JSON': (host, _random, text) =>
      `\`\`\`json\n${json({ candidates: candidates(host, text) }, null, 2)}\n\`\`\``,
    'one JSON a line': each((text, probability) => json({ text, probability })),
    'cut JSON list': (host, _random, text) => json(candidates(host, text)).slice(0, -60),
    'response tags': each(
      (text, p) => `<response>\n<text>${text}</text>\n<probability>${p}</probability>\n</response>`,
    ),
    'response tags, cut': (host, random, text) =>
      each((reply, p) => `<response><text>${reply}</text><probability>${p}</probability></response>`, '')(
        host,
        random,
        text,
      ).slice(0, -45),
    'candidate tags': each((text, p, at) => `<candidate id="${at}" p="${p}">${text}</candidate>`),
    'numbered with p=': each((text, p, at) => `${at}. ${text} (p=${p})`),
    'numbered with probability': each((text, p, at) => `${at}. "${text}" (probability: ${p})`),
    'bold labels': each((text, p, at) => `**Response ${at}** (probability ${p}): ${text}`, '\n\n'),
    'options with brackets': each((text, p, at) => `Option ${'ABCDE'[at - 1]}: ${text} [${p}]`),
    'percent first': each((text, p) => `- (${Math.round(100 * p)}%) ${text}`),
    table: (host, random, text) =>
      `| # | response | probability |\n|---|---|---|\n${each((reply, p, at) => `| ${at} | ${reply} | ${p} |`)(host, random, text)}`,
    'labels without probabilities': each((text, _p, at) => `Candidate ${at}: ${text}`),
    'announced, without probabilities': (host, random, text) =>
      `Here are five possible responses the user might give:\n\n${each((reply, _p, at) => `${at}. ${reply}`)(host, random, text)}`,
    'text and probability lines': each((text, p) => `text: ${text}\nprobability: ${p}`, '\n\n'),
    'arrow lists': each((text, p) => `${p} -> ${text}`),
    'alternatives with or': each((text, _p, at) => `Response ${at}:\n${text}`, '\n---\n'),
    'Python list': (host, _random, text) =>
      `[${candidates(host, text)
        .map((candidate) => `('${candidate.text.replaceAll("'", "\\'")}', ${candidate.probability})`)
        .join(', ')}]`,
  }),
};
