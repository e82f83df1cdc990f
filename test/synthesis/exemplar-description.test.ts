import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { interactionFeatures, spokenTexts } from '../../src/embedding/index.ts';
import { behaviourInWords, dialogueInWords, personaDrafts, RunsOf } from '../../src/synthesis/index.ts';
import type { Trajectory } from '../../src/trajectory/index.ts';
import { episodes, hasData } from '../data.ts';
import { episode } from '../embedding/episode.ts';

/** An asker in short lines, and a talker who refuses. */
const asker = (i: number) =>
  episode('a: Hello, would you give?', `u: how much ${i}?`, 'a: Any sum.', 'u: what is it for?');
const talker = (i: number) =>
  episode(
    'a: Hello, would you give?',
    `u: I do not want to give anything to a charity that I have never heard of, number ${i}.`,
    'a: Please.',
    'u: No, I really cannot afford that, and I doubt that the money would ever arrive there!',
  );
const people = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? asker(i) : talker(i)));
const askers = people.filter((_, i) => i % 2 === 0);

const shares = (drafts: ReturnType<typeof personaDrafts>, of: readonly Trajectory[]) => {
  const quoted = new RunsOf(of.flatMap((one) => [...spokenTexts(one, 'user'), ...spokenTexts(one, 'agent')]));
  return drafts.flatMap(({ text, exemplars = [] }) =>
    [text, ...exemplars].flatMap((one) => quoted.sharedWith(one)),
  );
};

describe('people in words', () => {
  it('says what sets them apart from people at large', () => {
    const [first, ...rest] = personaDrafts(askers, people);
    expect(rest).toHaveLength(2);
    expect(first!.text).toMatch(/about [34] words/);
    expect(first!.text).toContain('You ask something in nearly every message.');
    expect(first!.text).toContain('You almost never refuse, object or doubt.');
    expect(first!.exemplars).toHaveLength(2);
    expect(first!.exemplars![0]).toMatch(
      /^message 1: about \d words, asks.*; message 2: about 4 words, asks/,
    );
    const other = personaDrafts(
      people.filter((_, i) => i % 2 === 1),
      people,
    )[0]!;
    expect(other.text).toContain('You refuse, object or doubt in nearly every message.');
    expect(other.text).not.toBe(first!.text);
  });

  it('tells no exact length, no word and no number of a dialogue', () => {
    const told = dialogueInWords(talker(4711))!;
    expect(told).toMatch(/about (15|20) words, refuses or doubts/);
    expect(told).not.toMatch(/4711|charity|afford/);
    expect(dialogueInWords(episode('a: Hello?'))).toBeNull();
  });

  it('leaves out a sentence that an exemplar happens to have', () => {
    const parrot = episode('u: You almost never refuse, object or doubt. Is it so?');
    const drafts = personaDrafts([parrot], people);
    expect(drafts[0]!.text).not.toContain('refuse, object or doubt');
    expect(shares(drafts, [parrot])).toEqual([]);
  });

  it('hangs on no order, and has nothing to say of nobody', () => {
    expect(personaDrafts([...askers].reverse(), [...people].reverse())).toEqual(
      personaDrafts(askers, people),
    );
    expect(personaDrafts([], people)).toEqual([]);
    expect(personaDrafts(askers.slice(0, 1), people, { drafts: 1 })).toHaveLength(1);
    expect(behaviourInWords([], [])).toEqual([]);
  });

  it('says what it can of people in another language', () => {
    const turns = [
      'u: Ich m\u00f6chte das auf keinen Fall bezahlen, weil ich das Geld selbst brauche und nicht habe.',
    ];
    const drafts = personaDrafts([episode(...turns, ...turns)], []);
    expect(drafts[0]!.text).toMatch(/about 16 words/);
    expect(drafts[0]!.text).not.toContain('You ask');
  });

  it.skipIf(!hasData('p4g'))('quotes no five words of real people', async () => {
    const real = (await episodes(['p4g/full_dialog.csv.gz'])).slice(0, 300);
    for (let from = 0; from < 300; from += 10) {
      const some = real.slice(from, from + 10);
      const drafts = personaDrafts(some, real, { drafts: 10, exemplars: 5 });
      expect(drafts).toHaveLength(10);
      expect(shares(drafts, some)).toEqual([]);
      for (const { text } of drafts) expect(text.length).toBeGreaterThan(200);
    }
    const features = real.map(interactionFeatures);
    expect(behaviourInWords(features, features).length).toBe(4);
  });
});

describe('shared runs of words', () => {
  it('sees through case, marks and spaces', () => {
    const runs = new RunsOf(["I DON'T  want to, give!"]);
    expect(runs.sharedWith('he said i don\u2019t want to give')).toEqual(["i don't want to give"]);
    expect(runs.sharedWith('i want to give')).toEqual([]);
    expect(new RunsOf(['a b c'], 2).sharedWith('c a b, a b')).toEqual(['a b']);
  });

  it('finds every run of a text in itself', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{1,5}$/), { minLength: 5, maxLength: 30 }), (words) => {
        const text = words.join(' ');
        const found = new RunsOf([text]).sharedWith(text);
        expect(found.length).toBeGreaterThan(0);
        expect(found.length).toBeLessThanOrEqual(words.length - 4);
      }),
    );
  });
});
