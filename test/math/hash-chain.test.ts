import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HashChain } from '../../src/math/hash-chain.ts';

const keyOf = (...texts: string[]) => {
  const chain = new HashChain();
  for (const text of texts) chain.take(text);
  return chain.key;
};

describe('a chain of hashes', () => {
  it('goes on from its key as if it had never stopped', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), fc.string(), (before, next) => {
        const key = keyOf(...before);
        expect(new HashChain().start(key).key).toBe(key);
        expect(new HashChain().start(key).take(next).key).toBe(keyOf(...before, next));
      }),
    );
  });

  it('tells texts apart by where they end', () => {
    const cuts = ['', 'a', 'ab', 'abc', 'abcdefgh', 'abcdefghi'].map((text) =>
      keyOf(text, 'abcdefghijk'.slice(text.length)),
    );
    expect(new Set(cuts).size).toBe(cuts.length);
    expect(keyOf('a')).not.toBe(keyOf('a\0'));
    expect(keyOf('\0')).not.toBe(keyOf('\0\0'));
    expect(keyOf()).not.toBe(keyOf('', ''));
  });

  it('changes with the mark', () => {
    const keys = [0, 1, 2, -1, 2 ** 30].map((mark) => new HashChain().start().take('text', mark).key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('gives 200,000 texts that are nearly alike as many keys, in every third of the key', () => {
    const thirds = [0, 1, 2].map(() => new Set<string>());
    for (let i = 0; i < 200_000; i++) {
      const key = keyOf(`task ${i % 500}: you ordered a lamp`, `turn ${Math.floor(i / 500)}`);
      thirds.forEach((seen, third) => {
        seen.add(key.slice(8 * third, 8 * third + 8));
      });
    }
    // 42.7 bits each: a pair of equal ones in 200,000 has a chance of 0.003.
    expect(thirds.map(({ size }) => size)).toEqual([200_000, 200_000, 200_000]);
  });

  it('changes about half of its bits with any bit of a text', () => {
    const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const text = 'Hi! How can I help you today?';
    const before = keyOf(text);
    for (let at = 0; at < text.length; at++)
      for (let bit = 0; bit < 16; bit++) {
        const code = text.charCodeAt(at) ^ (1 << bit);
        const after = keyOf(text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1));
        let changed = 0;
        for (let i = 0; i < before.length; i++) {
          const bits = signs.indexOf(before[i]!) ^ signs.indexOf(after[i]!);
          for (let b = 0; b < 6; b++) changed += (bits >> b) & 1;
        }
        // 64 of 128 with a standard deviation of 5.7.
        expect(changed).toBeGreaterThan(32);
        expect(changed).toBeLessThan(96);
      }
  });
});
