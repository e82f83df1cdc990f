import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Manner, renderTurns, type Spoken } from '../../../src/lab/speech/index.ts';
import { compile, compileAll } from '../../../src/lab/speech/pattern.ts';
import { seeded } from '../../../src/math/index.ts';

const SCENE = {
  agentActs: ['ask', 'search'],
  userActs: ['want', 'deny', 'open', 'move'],
  wordings: {
    agent: compileAll({ ask: ['(What|Which one) would you like(, please|)?'] }),
    user: {
      want: {
        core: compile('(I would like|I want|Could you find) the <thing> (|today|tomorrow).'),
        terse: compile('(<thing>|That <thing>).'),
        more: compile('(It is for my sister|My old one is gone).'),
      },
      deny: { core: compile('(It|That) is not (mine|what I meant).') },
      open: { core: compile('Let me (look|see).') },
    },
  },
};
const setting = { slots: { thing: 'red lamp' } };
const manner = (change: Partial<Manner['voice']> = {}, breadth = 1): Manner => ({
  voice: { trust: 1, consistency: 1, politeness: 0.5, expressiveness: 0.5, ...change },
  breadth,
});
const user = (act: number): Spoken => ({ side: 'user', act });
const said = (act: number, how: Manner, n = 200) =>
  Array.from({ length: n }, (_, i) => renderTurns(SCENE, setting, [user(act)], how, seeded(i))[0]!.text!);
const share = (texts: readonly string[], sign: RegExp) =>
  texts.filter((text) => sign.test(text)).length / texts.length;

describe('renderTurns', () => {
  it('writes words, calls and answers of both sides', () => {
    const call = (name: string) => ({ call: { name, arguments: { of: 1 } }, answer: '{"ok":true}' });
    const steps: Spoken[] = [
      { side: 'agent', act: 1, tool: call('search') },
      { side: 'user', act: 2, tool: call('open') },
      { side: 'user', act: 3, tool: call('move') },
    ];
    const turns = renderTurns(SCENE, setting, steps, manner({ politeness: 1 }), seeded(0));
    expect(turns.map(({ role }) => role)).toEqual(['agent', 'tool', 'user', 'tool', 'user', 'tool']);
    expect(turns[0]).toEqual({
      role: 'agent',
      text: null,
      toolCalls: [{ name: 'search', arguments: { of: 1 } }],
      acts: ['search'],
    });
    expect(turns[1]).toEqual({ role: 'tool', text: '{"ok":true}', requestor: 'agent' });
    expect(turns[2]!.text).toMatch(/^Let me (look|see)/);
    expect(turns[3]!.requestor).toBe('user');
    expect(turns[4]!.text).toBeNull();
  });

  it('lets facts of the step overrule those of the setting', () => {
    const [turn] = renderTurns(
      SCENE,
      setting,
      [{ ...user(0), slots: { thing: 'boat' } }],
      manner(),
      seeded(1),
    );
    expect(turn!.text).toContain('boat');
  });

  it('is a function of steps, manner and seed, step by step', () => {
    const trait = fc.double({ min: 0, max: 1, noNaN: true });
    const voice = fc.record({ trust: trait, consistency: trait, politeness: trait, expressiveness: trait });
    const acts = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(
        voice,
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        acts,
        fc.nat(),
        (voice, breadth, acts, seed) => {
          const write = (some: readonly number[]) =>
            renderTurns(SCENE, setting, some.map(user), { voice, breadth }, seeded(seed));
          const turns = write(acts);
          expect(write(acts)).toEqual(turns);
          expect(write([...acts, 1]).slice(0, acts.length)).toEqual(turns);
          for (const { text } of turns) {
            expect(text).not.toBe('');
            expect(text).not.toMatch(/ {2}|^ | $| [.,?!]/);
          }
        },
      ),
    );
  });

  it('names acts that cannot be written down', () => {
    expect(() => renderTurns(SCENE, setting, [user(3)], manner(), seeded(0))).toThrow(
      /"move" has no wording/,
    );
    expect(() => renderTurns(SCENE, setting, [user(9)], manner(), seeded(0))).toThrow(/no act 9/);
    expect(() => renderTurns(SCENE, setting, [user(0)], manner({}, 0), seeded(0))).toThrow(/breadth/);
  });
});

describe('the wording of a user', () => {
  it('is terse at little expressiveness, longer at much', () => {
    expect(share(said(0, manner({ expressiveness: 0 })), /^(That )?red lamp/i)).toBe(1);
    expect(share(said(0, manner({ expressiveness: 1 })), /sister|gone/)).toBe(1);
    const between = said(0, manner({ expressiveness: 0.45 }));
    expect(share(between, /^(That )?red lamp/i) + share(between, /sister|gone/)).toBe(0);
  });

  it('has courtesies of polite users, and of nobody else', () => {
    const courtesy = /please|thank|appreciate|sorry/i;
    for (const act of [0, 1]) {
      expect(share(said(act, manner({ politeness: 1 })), courtesy)).toBeGreaterThan(0.3);
      expect(share(said(act, manner({ politeness: 0.3 })), courtesy)).toBe(0);
    }
  });

  it('loses its courtesies with curt users', () => {
    const polite = {
      ...SCENE,
      wordings: { ...SCENE.wordings, user: { want: { core: compile('Sorry, could you please wait?') } } },
    };
    const write = (politeness: number) =>
      renderTurns(polite, setting, [user(0)], manner({ politeness }), seeded(1))[0]!.text!.toLowerCase();
    expect(write(0)).toBe('could you wait?');
    expect(write(0.9)).toBe('sorry, could you please wait?');
  });

  it('hesitates where trust and consistency are low', () => {
    expect(
      share(said(1, manner({ trust: 0, consistency: 0 })), /^(well|hmm|i guess|honestly|i mean|um),? /i),
    ).toBeGreaterThan(0.2);
    expect(share(said(1, manner()), /^(well|hmm|i guess|honestly|i mean|um),? /i)).toBe(0);
  });

  it('shortens forms where they can be', () => {
    const worded = {
      ...SCENE,
      wordings: { agent: {}, user: { want: { core: compile('That is what it is now, and it is late.') } } },
    };
    const texts = Array.from({ length: 40 }, (_, seed) =>
      renderTurns(worded, setting, [user(0)], manner({ politeness: 0.6 }), seeded(seed))[0]!.text!.replace(
        /[.!]$/,
        '',
      ),
    );
    expect(new Set(texts)).toContain("That's what it is now, and it's late");
    expect(new Set(texts)).not.toContain("That's what it's now, and it's late");
  });

  it('keeps to one hand within a dialogue', () => {
    const curt = manner({ politeness: 0, expressiveness: 0.4 });
    for (let seed = 0; seed < 40; seed++) {
      const texts = renderTurns(SCENE, setting, [1, 2, 1, 2].map(user), curt, seeded(seed)).map(
        ({ text }) => text!,
      );
      expect(new Set(texts.map((text) => text === text.toLowerCase())).size).toBe(1);
      expect(new Set(texts.map((text) => text.endsWith('.'))).size).toBe(1);
    }
  });

  it('says no sentence twice in a dialogue while there are others, and short answers as often as it likes', () => {
    for (let seed = 0; seed < 40; seed++) {
      const write = (act: number, how: Manner) =>
        renderTurns(SCENE, setting, [act, act, act].map(user), how, seeded(seed)).map(({ text }) => text);
      expect(new Set(write(0, manner({ expressiveness: 1 }, 0.2))).size).toBe(3);
      expect(new Set(write(0, manner({ expressiveness: 0 }, 0.2))).size).toBe(1);
    }
  });

  it('is of few kinds where the breadth is small', () => {
    const kinds = (breadth: number) => new Set(said(0, manner({ expressiveness: 1 }, breadth))).size;
    expect(kinds(1)).toBeGreaterThan(12);
    expect(kinds(0.6)).toBeLessThan(0.8 * kinds(1));
    expect(kinds(0.2)).toBeLessThan(5);
  });
});
