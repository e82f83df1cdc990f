// Unseen wordings: text that no one would write, as broken, tiny or badly quantised models do.
import { inUserTurn, pick, userForms } from '../host.mjs';

const repeat = (text, n) => Array(n).fill(text).join('');
const words = (text) => text.split(/\s+/).filter((word) => word !== '');
const start = (text, n = 8) => words(text).slice(0, n).join(' ');
const draw = (random, list, n, glue = ' ') => Array.from({ length: n }, () => pick(random, list)).join(glue);

const SHARDS =
  'ĠĠ addCriterion erot slunt .${ ForCanBeConverted NEGLIGENCE ávající <unused41> ypad Ċ ");\n rawDesc 的的 ộc zbMATH ujících bilder GetEnumerator Vor RTL ///'.split(
    ' ',
  );
const SCRIPTS = 'の для 的 και को للم 구 ים при 在 ที่ da är של 和 в nicht という'.split(' ');
const NOUNS =
  'flight purple however refund tokens lake the of of window therefore seat to to carbon donate blanket and an is is was quickly'.split(
    ' ',
  );

const writers = {
  'one word for ever': (_, random) =>
    repeat(`${pick(random, ['please', 'the', 'yes', 'thank', 'and'])} `, 60).trim(),
  'one sign for ever': (_, random) => repeat(pick(random, ['!', '0', '-', '\u0002', '!!', '▁', '�']), 120),
  'tail in a loop': (_, __, text) => `${start(text)} ${repeat('and the and the ', 25)}`,
  'sentence in a loop': (host) =>
    repeat(`${host.request.split(/(?<=[.!?])\s/)[0].slice(0, 110)} `, 12).trim(),
  'a phrase in a loop, cut': (_, __, text) => {
    const phrase = start(text, 5);
    return `${repeat(`${phrase}, `, 14)}${phrase.slice(0, 7)}`;
  },
  'shards of tokens': (_, random) => draw(random, SHARDS, 35),
  'scripts at random': (_, random) => draw(random, SCRIPTS, 40),
  'shards after a start': (_, random, text) =>
    `${start(text, 5)} ${draw(random, [...SHARDS, ...SCRIPTS], 25)}`,
  'words at random': (_, random) => draw(random, NOUNS, 45),
  'letters at random': (_, random) =>
    Array.from({ length: 30 }, () =>
      draw(random, [...'bcdfghjklmnpqrstvwxz'], 3 + random.integer(6), ''),
    ).join(' '),
  'broken encoding': (_, __, text) =>
    [...`${text} – “très” naïve café déjà vu — `.repeat(2)]
      .map((c) => (/[a-z]/.test(c) ? c : 'Ã¢â‚¬'))
      .join('')
      .slice(0, 300),
  'replacement signs': (_, __, text) => [...text].map((c, at) => (at % 3 === 1 ? '\ufffd' : c)).join(''),
  'letters apart': (_, __, text) => [...text.slice(0, 120)].join(' '),
  'no spaces at all': (_, __, text) => repeat(text.replace(/\s+/g, ''), 3).slice(0, 320),
  'every word twice and more': (_, __, text) =>
    words(text)
      .slice(0, 20)
      .flatMap((word) => [word, word, word])
      .join(' '),
  'raw byte tokens': (_, random) =>
    draw(random, ['<0xE2>', '<0x80>', '<0x99>', '<0x0A>', '<0xF0>', '<0x9F>'], 30, ''),
  'end signs for ever': (_, random) =>
    repeat(pick(random, ['<|endoftext|>', '</s>', '<pad>', '<|im_end|>', '<unk> ', '[PAD]']), 20),
  'numbers that count up': () => Array.from({ length: 80 }, (_, at) => at + 1).join(', '),
  'line for line the same': () => repeat('- Yes, I would like that.\n', 20),
  backwards: (_, __, text) => [...`${text} ${text}`.slice(0, 200)].reverse().join(''),
  'a web page': () =>
    'Share this:\nTweet\nLike Loading...\nRelated Posts\nLeave a Reply Cancel reply\nYour email address will not be published. Required fields are marked *\nPowered by WordPress | Theme: Astra',
  'code out of nowhere': () =>
    'import java.util.Scanner;\npublic class Main {\n    public static void main(String[] args) {\n        Scanner sc = new Scanner(System.in);\n        int n = sc.nextInt();\n        System.out.println(n * (n + 1) / 2);\n    }\n}',
  'an exam out of nowhere': () =>
    'Question: A train leaves at 3 pm with a speed of 60 km/h. How far is it at 5 pm?\nAnswer: 120 km\n\nQuestion: What is the capital of France?\nAnswer: Paris\n\nQuestion:',
  'symbols of markup': (_, random) =>
    draw(random, ['**', '##', '```', '||', '>>', '$$', '\\\\', '{{', '}}'], 50),
  'laughs for ever': () => `ha${repeat('ha', 150)}`,
};

export const degenerate = {
  kind: 'degenerate text of the user',
  expect: 'drop',
  forms: [
    // Program text is no sign of a broken user where the talk is about programs: these go into other talk only.
    ...userForms(writers),
    inUserTurn(
      'last: goes on by itself',
      (host, _, text) =>
        `${text}\n\nAgent: ${(host.agentSaid[0] ?? 'Sure, I can help with that.').slice(0, 200)}\n\nUser: ${text}\n\nAgent: Okay.\n\nUser: ${text}\n\nAgent: Okay.\n\nUser:`,
      { where: 'last' },
    ),
  ],
};
