// The user says the same again, word for word or nearly, whatever the other side answers.
import { clean, withTurns } from './host.mjs';

/** An agent that says one thing only earns the same answer. */
const deaf = (host) => new Set(host.agentSaid).size < 0.8 * host.agentSaid.length;

/** Writes user turns from number `from` on: `write(line, n, text that stood there)`, n counting from 0. */
const repeated = (
  name,
  write,
  { from = 0, atMost = Number.POSITIVE_INFINITY, least = 4, line = (host) => host.request } = {},
) => ({
  name,
  fits: (host) => host.users.length >= from + least && line(host).length >= 40 && !deaf(host),
  plant(host) {
    const said = line(host);
    const places = new Map(
      host.users
        .slice(from, -1)
        .slice(0, atMost)
        .map((index, n) => [index, n]),
    );
    return withTurns(
      host.episode,
      host.episode.turns.map((turn, at) =>
        places.has(at) ? { role: 'user', text: write(said, places.get(at), clean(turn.text)) } : turn,
      ),
    );
  },
});
const lower = (text) => text[0].toLowerCase() + text.slice(1);
const OPENINGS = ['', 'Sure! ', 'Okay. ', 'Thanks. ', 'Well, ', 'Hi, ', 'Yes. ', 'Please. '];
const CLOSINGS = [
  '',
  ' Thanks!',
  ' Please.',
  ' Can you help?',
  ' Thank you.',
  ' Any update?',
  ' Let me know.',
  ' Hello?',
];
const halves = (text) => {
  const parts = text.split(/(?<=[.!?])\s+/);
  return parts.length > 1
    ? parts
    : [text.slice(0, text.indexOf(' ', text.length / 2)), text.slice(text.indexOf(' ', text.length / 2) + 1)];
};
const PLAIN = [
  [/\bwant to\b/g, 'would like to'],
  [/\bneed to\b/g, 'have to'],
  [/\bI'd like\b/g, 'I would like'],
  [/\bbut\b/g, 'though'],
  [/\bI think\b/g, 'I feel'],
  [/\bhelp\b/g, 'assist'],
];
const dense = (host) => host.said.toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1))[0];

export const repetition = {
  kind: 'repeats itself',
  expect: 'drop',
  forms: [
    repeated('the need in every turn', (line) => line),
    repeated('the need three more times', (line) => line, { from: 1, atMost: 3 }),
    repeated('the longest turn in every turn', (line) => line, { line: dense }),
    repeated('the longest turn, three times', (line) => line, { line: dense, from: 1, atMost: 3 }),
    repeated(
      'two turns by turns',
      (line, n) => (n % 2 === 0 ? line : 'I am still waiting for an answer to what I asked you.'),
      { least: 7 },
    ),
    repeated('other case', (line, n) => [line, line.toUpperCase(), line.toLowerCase()][n % 3]),
    repeated('other punctuation', (line, n) => line.replace(/[.!?]+/g, ['.', '!', '...', ' '][n % 4])),
    repeated('other opening', (line, n) => OPENINGS[n % OPENINGS.length] + (n === 0 ? line : lower(line))),
    repeated('other closing', (line, n) => line + CLOSINGS[n % CLOSINGS.length]),
    repeated('other opening and closing', (line, n) => OPENINGS[n % 8] + line + CLOSINGS[(3 * n) % 8]),
    repeated('one word missing each time', (line, n) =>
      line
        .split(' ')
        .filter((_word, at) => at !== 3 + n)
        .join(' '),
    ),
    repeated('sentences in other order', (line, n) => {
      const parts = halves(line);
      return n % 2 === 0 ? parts.join(' ') : [...parts.slice(1), parts[0]].join(' ');
    }),
    repeated('plain synonyms', (line, n) =>
      n % 2 === 0 ? line : PLAIN.reduce((text, [from, to]) => text.replace(from, to), line),
    ),
    repeated('one more word each time', (line, n) => `${line}${' please'.repeat(n)}`),
    repeated('with a running number', (line, n) => `${n + 1}. ${line}`),
    repeated('as I said', (line, n) => (n === 0 ? line : `As I said, ${lower(line)}`)),
    repeated('appended to every answer', (line, n, text) =>
      n === 0 ? line : `${text.slice(0, 25)} ${line}`,
    ),
    repeated('typing slips', (line, n) => line.slice(0, 10 + n) + line.slice(11 + n)),
  ],
};
