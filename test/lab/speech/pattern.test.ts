import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compile, say } from '../../../src/lab/speech/pattern.ts';

const all = (text: string) => {
  const said = new Set<string>();
  for (let i = 0; i < 60; i++) {
    let at = i;
    said.add(
      say(compile(text), { x: 'X' }, (n) => {
        const chosen = at % n;
        at = Math.floor(at / n);
        return chosen;
      }),
    );
  }
  return said;
};

it('says every branch, nested and empty ones too', () => {
  expect(all('a (b|c (d|e)|)')).toEqual(new Set(['a b', 'a c d', 'a c e', 'a ']));
});
it('fills slots', () => {
  expect(all('<x>(|!)')).toEqual(new Set(['X', 'X!']));
});
it('names a fault in a table', () => {
  expect(() => compile('a (b')).toThrow(SyntaxError);
  expect(() => compile('a <b')).toThrow(SyntaxError);
  expect(() => say(compile('<y>'), {}, () => 0)).toThrow(RangeError);
});
it('gives text without signs back as it is', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!/[(<]/.test(text));
      expect(say(compile(text), {}, () => 0)).toBe(text);
    }),
  );
});
