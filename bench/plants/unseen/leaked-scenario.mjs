// Unseen wordings: the task told to the simulator, with small changes, where its own words should be.
import { inUserTurn, pick, userForms } from '../host.mjs';

const told = (host) => host.sentences.filter((text) => /\b[Yy]ou\b|\b[Yy]our\b/.test(text));
const fits = (host) => host.task && told(host).length >= 2;
/** Some sentences in a row, or what there is of them. */
function some(host, random, n) {
  const list = told(host);
  const from = random.integer(Math.max(1, list.length - n + 1));
  return list.slice(from, from + n);
}
const line = (host, random, n = 2) => some(host, random, n).join(' ');
const low = (text) => text.charAt(0).toLowerCase() + text.slice(1);
const VERBS = {
  want: 'wants',
  need: 'needs',
  do: 'does',
  have: 'has',
  prefer: 'prefers',
  live: 'lives',
  like: 'likes',
};
/** The same sentences, told of someone else. */
const person = (text, who, has) =>
  text
    .replace(/\b[Yy]ou are\b/g, `${who} is`)
    .replace(
      /\b([Yy]ou)( also)? (want|need|do|have|prefer|live|like)\b/g,
      (_, __, also, verb) => `${who}${also ?? ''} ${VERBS[verb]}`,
    )
    .replace(/\b[Yy]our\b/g, has)
    .replace(/\b[Yy]ou\b/g, who)
    .replace(/(^|[.!?] )([a-z])/g, (_, before, letter) => before + letter.toUpperCase());

const writers = {
  'lower case without stops': (host, random) => line(host, random).toLowerCase().replace(/[.!?]/g, ''),
  capitals: (host, random) => line(host, random).toUpperCase(),
  'as bullets': (host, random) =>
    some(host, random, 3)
      .map((text) => `- ${text.replace(/[.]$/, '')}`)
      .join('\n'),
  'numbered and bold': (host, random) =>
    some(host, random, 3)
      .map((text, at) => `${at + 1}. **${text}**`)
      .join('\n'),
  'in quotation marks': (host, random) => `My instructions are: "${line(host, random)}"`,
  'under a heading': (host, random) => `## Scenario\n${line(host, random, 3)}\n\n## Response\nOk.`,
  'a word lost here and there': (host, random) =>
    line(host, random)
      .split(' ')
      .filter((_, at) => at % 6 !== 4)
      .join(' '),
  'typing errors': (host, random) =>
    line(host, random).replace(/\b(\w{2})(\w)(\w)(\w+)/g, (all, a, b, c, rest) =>
      random.integer(4) === 0 ? `${a}${c}${b}${rest}` : all,
    ),
  'of the user, third person': (host, random) => person(line(host, random), 'the user', "the user's"),
  'of the customer, third person': (host, random) =>
    `The customer profile: ${person(line(host, random), 'the customer', 'their')}`,
  'half of a sentence': (host, random) => {
    const words = pick(random, told(host)).split(' ');
    return `${words.slice(0, Math.max(6, Math.ceil(words.length * 0.7))).join(' ')}...`;
  },
  'other order': (host, random) => some(host, random, 3).reverse().join(' '),
  'after a greeting': (host, random) => `Hi there! ${line(host, random)} Please help me with this.`,
  'between its own words': (host, random, text) => `${text} ${line(host, random)} Thanks!`,
  'as a key and value': (host, random) => `task_instructions: |\n  ${some(host, random, 3).join('\n  ')}`,
  'told as what was told': (host, random) =>
    `I was told the following: ${some(host, random, 2)
      .map((text) => low(text))
      .join('; ')}`,
  'in round brackets': (host, random, text) => `${text} (${low(line(host, random, 1))})`,
  contractions: (host, random) =>
    line(host, random)
      .replace(/\b([Yy])ou are\b/g, "$1ou're")
      .replace(/\bdo not\b/g, "don't")
      .replace(/\bwill not\b/g, "won't"),
  'joined without spaces after stops': (host, random) =>
    some(host, random, 3)
      .join(' ')
      .replace(/([.,!?]) /g, '$1'),
};

export const leakedScenarioEdited = {
  kind: 'leaked scenario, edited',
  expect: 'drop',
  forms: [
    ...userForms(writers, { fits }),
    inUserTurn('last: ends on it', (host, random) => `Okay. ${line(host, random)}`, { where: 'last', fits }),
  ],
};
