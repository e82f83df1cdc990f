// Sentences of the simulator's private scenario, said as they stand there or little changed.
import { inUserTurn, pick } from './host.mjs';

/** Sentences that tell the simulator what it is or wants. */
const secondPerson = (host) => host.sentences.filter((text) => /\b[Yy]ou(r)?\b/.test(text));
const longest = (host) => secondPerson(host).sort((a, b) => b.length - a.length || (a < b ? -1 : 1))[0];
const one = (host, random) => pick(random, secondPerson(host));
const words = (text) => text.split(' ');

const verbatim = {
  'whole scenario': (host) => host.episode.scenario,
  'first sentence': (host) => secondPerson(host)[0],
  'last sentence': (host) => secondPerson(host).at(-1),
  'longest sentence': (host) => longest(host),
  'two sentences': (host) => secondPerson(host).slice(0, 2).join(' '),
  'one sentence': one,
  'in quotation marks': (host, random) => `"${one(host, random)}"`,
  'after a short answer': (host, random) => `Sure. ${one(host, random)}`,
  'before a question': (host, random) => `${one(host, random)} Can you help me with that?`,
  'in the middle of a turn': (host, random, text) => `${text} ${one(host, random)} ${text}`,
  'as a list': (host) =>
    host.sentences
      .slice(0, 4)
      .map((text) => `- ${text}`)
      .join('\n'),
  'under a heading': (host) => `Scenario:\n${host.sentences.join('\n')}`,
};

const edited = {
  'lower case, no full stops': (host) => longest(host).toLowerCase().replace(/[.!?]/g, ''),
  'no commas': (host) => longest(host).replaceAll(',', ''),
  'curly marks': (host) =>
    longest(host).replaceAll("'", '\u2019').replaceAll('"', '\u201d').replaceAll(' - ', ' \u2014 '),
  'one word in ten gone': (host) =>
    words(longest(host))
      .filter((_word, at) => at % 10 !== 7)
      .join(' '),
  'want to, said otherwise': (host) =>
    `${secondPerson(host).slice(0, 2).join(' ')}`
      .replace(/\bwant\b/g, 'would like')
      .replace(/\bdo not\b/g, "don't"),
  'third person': (host) =>
    secondPerson(host)
      .slice(0, 3)
      .join(' ')
      .replace(/\bYou(?: are|'re)\b/g, 'The user is')
      .replace(/\byou're\b/g, 'the user is')
      .replace(/\byourself\b/g, 'themselves')
      .replace(/\byou are\b/g, 'the user is')
      .replace(/\bYou\b/g, 'The user')
      .replace(/\byou\b/g, 'the user')
      .replace(/\b([Yy])our\b/g, 'their'),
  'with two slips': (host) => {
    const at = words(longest(host));
    at[2] = at[2].slice(0, -1);
    at[5] = `${at[5]}${at[5].slice(-1)}`;
    return at.join(' ');
  },
  'doubled blanks and line breaks': (host) =>
    longest(host)
      .replaceAll(' ', '  ')
      .replace(/([,;])/g, '$1\n'),
};

const fits = (host) => host.task && secondPerson(host).length >= 2 && longest(host).length > 60;

export const leakedScenario = {
  kind: 'leaked scenario, verbatim',
  expect: 'drop',
  forms: Object.entries(verbatim).map(([name, write]) => inUserTurn(name, write, { fits })),
};

export const leakedScenarioEdited = {
  kind: 'leaked scenario, edited',
  expect: 'drop',
  forms: Object.entries(edited).map(([name, write]) => inUserTurn(name, write, { fits })),
};
