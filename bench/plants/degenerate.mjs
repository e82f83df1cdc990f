// Text that no one would write: loops, broken encodings, noise.
import { pick, userForms, withText } from './host.mjs';

const again = (text, n, between = ' ') => Array.from({ length: n }, () => text).join(between);
const some = (random, alphabet, n) => {
  const letters = [...alphabet];
  return Array.from({ length: n }, () => pick(random, letters)).join('');
};
const SALAD =
  'lantern quickly seven the under marmalade of because river typed glass until seldom bright opposes a tractor mild whose verify lake carpet into nine forgiven they yellow among'.split(
    ' ',
  );
const first = (text, n) => text.split(' ').slice(0, n).join(' ');

const writers = {
  'one word': (_host, _random, _text) => again('yes', 80),
  'one word after an answer': (_host, _random, text) => `${text} ${again('the', 120)}`,
  'a phrase': (_host, _random, text) => again(first(text, 4) || 'please go ahead', 40),
  'a sentence': (_host, _random, text) => again(`${text.slice(0, 120)}.`, 15),
  'a sentence with a number': (_host, _random, text) =>
    Array.from({ length: 25 }, (_x, n) => `${n + 1}. ${first(text, 8)}`).join('\n'),
  'one letter': () => 'a'.repeat(400),
  'one letter after an answer': (_host, _random, text) => `${text} ${'o'.repeat(300)}`,
  'broken UTF-8': (_host, _random, text) =>
    `${text} ${again('\u00e2\u20ac\u2122\u00c3\u00a2\u00e2\u201a\u00ac\u00c5\u201c', 12, '')}`,
  'UTF-8 broken throughout': (_host, random) =>
    some(random, '\u00c3\u00a9\u00c2\u00a0\u00e2\u20ac\u0153\u00c3\u00bc\u00c5\u00b8\u00ef\u00bf\u00bd', 180),
  'replacement characters': (_host, random, text) =>
    `${text.slice(0, 20)} ${some(random, '\ufffd\ufffd\ufffd ', 90)}`,
  'random characters': (_host, random) =>
    some(random, 'abcdefghijklmnopqrstuvwxyz0123456789#$%&*@!<>{}[]|~^', 220),
  'random letters in words': (_host, random) =>
    Array.from({ length: 40 }, () => some(random, 'bcdfghjklmnpqrstvwxz', 4 + random.integer(6))).join(' '),
  'word salad': (_host, random) => Array.from({ length: 60 }, () => pick(random, SALAD)).join(' '),
  'endless exclamation': (_host, _random, text) => `${text}${'!'.repeat(300)}`,
  'endless dots': () => '.'.repeat(500),
  'punctuation noise': (_host, random) => some(random, '.,;:!?-/()"\'', 200),
  symbols: () => again('\ud83d\ude02\ud83d\ude4f', 120, ''),
  'scripts mixed': (_host, random) =>
    some(random, '\u0431\u0436\u0449\u8fd9\u4e2a\u3042\u0e01\u0e02\u05d0\u0645\u0915\u03a9abcXZ', 160),
  'byte tokens': () => again('<0xE2><0x80><0x99>', 40, ''),
  'special tokens': () => again('<unk>', 60, ''),
  'padding tokens after an answer': (_host, _random, text) => `${text}${again('<pad>', 80, '')}`,
  entities: (_host, _random, text) => `${text} ${again('&amp;amp;amp;quot;', 40, '')}`,
  'base 64': (_host, random) =>
    `${some(random, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', 500)}==`,
  'blank lines': (_host, _random, text) => `${text}${'\n'.repeat(250)}.`,
  'two words': () => again('okay thanks', 60),
  'hidden characters': () => '\u200b'.repeat(200),
};

export const degenerate = {
  kind: 'degenerate text of the user',
  expect: 'drop',
  forms: userForms(writers),
};

/** The same from the agent is a policy's failure: it must stay in training. */
export const degenerateAgent = {
  kind: 'control: degenerate text of the agent',
  expect: 'keep',
  forms: Object.entries(writers).map(([name, write]) => ({
    name,
    fits: (host) => host.agentSaid.length >= 3,
    plant(host, random) {
      const places = host.episode.turns.flatMap((turn, at) =>
        turn.role === 'agent' && (turn.text ?? '').length > 40 ? [at] : [],
      );
      // Not the last one: the user's parting words would then answer something else.
      const index = places[1 + random.integer(Math.max(1, places.length - 2))];
      return withText(host.episode, index, write(host, random, host.episode.turns[index].text.trim()));
    },
  })),
};
