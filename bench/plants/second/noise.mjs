// Second wordings: text that no one would write.
import { pick, userForms } from '../host.mjs';

const rl = (r, a, n) => Array.from({ length: n }, () => pick(r, [...a])).join('');
export const degenerate = {
  kind: 'degenerate text of the user',
  expect: 'drop',
  forms: userForms({
    a: () => 'no '.repeat(150),
    b: () => 'I understand. '.repeat(40),
    c: (_h, _r, t) => `${t} ${'and then '.repeat(60)}`,
    d: () => 'ha'.repeat(250),
    e: () => '-'.repeat(400),
    f: () => '? '.repeat(150),
    g: (_h, r) => rl(r, 'qwertyuiopasdfghjklzxcvbnm', 300),
    h: (_h, r) => rl(r, '\u00c3\u00a2\u00e2\u20ac\u0161\u00c2\u00ac\u00c6\u2019', 150),
    i: () => '<|reserved_special_token_12|>'.repeat(20),
    j: () => '\\u00e2\\u0080\\u0099'.repeat(30),
    k: (_h, r) =>
      Array.from({ length: 70 }, () =>
        pick(r, [
          'velvet',
          'against',
          'harvest',
          'none',
          'quietly',
          'seven',
          'orbit',
          'if',
          'stone',
          'whom',
          'gravel',
          'toward',
        ]),
      ).join(' '),
    l: (_h, r) => rl(r, '0123456789', 400),
    m: () => '\ud83d\udc4d'.repeat(200),
    n: (_h, _r, t) => `${t}${'\n- '.repeat(120)}`,
    o: (_h, r) =>
      Array.from({ length: 50 }, () => rl(r, 'abcdefghijklmnopqrstuvwxyz', 1 + r.integer(3))).join(' '),
    p: () => 'the price the price of the price the price of '.repeat(20),
    q: () => '1, 2, 3, 4, 5, 6, 7, 8, 9, 10, '.repeat(15),
    r: () => `${'\u00a0'.repeat(300)}.`,
  }),
};
