import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NUMBER, tokens } from '../../src/embedding/index.ts';
import { expand, Lexicon } from '../../src/embedding/lexicon.ts';
import { sentences } from '../../src/embedding/sentences.ts';

describe('tokens', () => {
  it('lowercases words and keeps apostrophes inside them, straight or curly', () => {
    expect(tokens("I don't; it’s Children’s 'quoted'")).toEqual([
      'i',
      "don't",
      "it's",
      "children's",
      'quoted',
    ]);
  });

  it('folds numbers, prices, times and ids into one token', () => {
    for (const text of ['7', '3.50', '1,234', '10:30', '2024-05-15', 'HAT001', 'user_123', '5th', '٣'])
      expect(tokens(text)).toEqual([NUMBER]);
    expect(tokens('Pay $5, ok.')).toEqual(['pay', NUMBER, 'ok']);
  });

  it('reads accents, other scripts, ideographs and emoji', () => {
    expect(tokens('Café ÜBER привет')).toEqual(['café', 'über', 'привет']);
    expect(tokens('日本 yes 😀!')).toEqual(['日', '本', 'yes', '😀']);
  });

  it('gives question and exclamation marks only when asked', () => {
    expect(tokens('what?? no!')).toEqual(['what', 'no']);
    expect(tokens('what?? no!', true)).toEqual(['what', '?', 'no', '!']);
  });

  it('takes any text, half surrogates too, and gives no empty or spaced token', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const token of tokens(text, true)) expect(token).toMatch(/^\S+$/u);
      }),
    );
  });

  it('does not change when words are joined by other white space', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{1,8}$/)), (words) => {
        expect(tokens(words.join(' \n\t '))).toEqual(words);
      }),
    );
  });
});

describe('sentences', () => {
  it('ends at marks, not inside numbers or addresses', () => {
    expect(sentences('It is $3.50. Write me@x.org! why\nso')).toEqual([
      { words: ['it', 'is', NUMBER], mark: '.' },
      { words: ['write', 'me', 'x', 'org'], mark: '!' },
      { words: ['why'], mark: '' },
      { words: ['so'], mark: '' },
    ]);
  });

  it('hears a question in mixed marks', () => {
    expect(sentences('dont you think...?')).toEqual([{ words: ['dont', 'you', 'think'], mark: '?' }]);
  });
});

describe('lexicon', () => {
  it('writes out alternatives, an empty one too', () => {
    expect(expand('i (am|was) (very |)sad')).toEqual([
      'i am very sad',
      'i am sad',
      'i was very sad',
      'i was sad',
    ]);
  });

  it('binds to the start of a sentence, past openers', () => {
    const lexicon = new Lexicon({ no: ['^no'], know: ['i know'] });
    expect(lexicon.matchTexts(['well', 'no'])).toBe(lexicon.bit('no'));
    expect(lexicon.matchTexts(['i', 'say', 'no'])).toBe(0);
    expect(lexicon.matchTexts(['no', 'i', 'know'])).toBe(lexicon.bit('no') | lexicon.bit('know'));
  });
});
