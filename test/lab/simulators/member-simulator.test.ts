import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BlendSession } from '../../../src/lab/simulators/blend-session.ts';
import {
  type MemberWorld,
  memberSimulator,
  type Session,
  type SimulatorFamily,
  VERBALIZED,
} from '../../../src/lab/simulators/index.ts';
import { readTraits, traitsInWords } from '../../../src/lab/simulators/trait-words.ts';
import { WORLD_IDS, worldOf } from '../../../src/lab/worlds/index.ts';
import { seeded } from '../../../src/math/index.ts';
import { type Member, readMember } from '../../../src/population/index.ts';
import { ASK, handWorld, kind, MAYBE, PRESS, YES } from './hand-world.ts';

const world = handWorld(4);
const families: SimulatorFamily[] = [
  { id: 'leaning', kappa: 0.6, gamma: 4, lean: 1 },
  { id: 'plain', kappa: 0.1, gamma: 1, lean: 0 },
];
const setup: MemberWorld = { world, families, personaStrength: 0.5, verbalized: VERBALIZED };

/** Laws at the first turns of a dialogue in which the agent asks, presses and asks, the user says what it is told. */
function laws(open: (random: ReturnType<typeof seeded>) => Session, said = [YES, MAYBE, MAYBE]): number[][] {
  const session = open(seeded('one'));
  const encounter = world.begin(world.setting(0, 1), session.users);
  return [ASK, PRESS, ASK].map((act, turn) => {
    encounter.actAgent(act);
    const law = new Float64Array(world.userActs.length);
    expect(session.law(encounter, law)).toBe(true);
    session.said(encounter, said[turn]!);
    encounter.actUser(said[turn]!);
    return [...law];
  });
}
const lawsOf = (member: Member) => laws((random) => memberSimulator(setup, member).open(random));
const near = (found: number[][], expected: number[][]) =>
  found.forEach((law, turn) => {
    law.forEach((p, act) => {
      expect(p).toBeCloseTo(expected[turn]![act]!, 12);
    });
  });
const direct = (family: string, temperature?: number) =>
  readMember({ id: family, family, ...(temperature === undefined ? {} : { sampling: { temperature } }) });
const between = (lambda: number) =>
  readMember({
    id: 'between',
    family: 'blend',
    recipe: {
      ...{ kind: 'interpolate', lambda, how: 'mixture' },
      ...{ a: { id: 'leaning', family: 'leaning' }, b: { id: 'plain', family: 'plain' } },
    },
  });

describe('a member as a user of the lab', () => {
  it('between two others has their laws mixed at every history, and is either at the ends', () => {
    const [a, b] = [lawsOf(direct('leaning')), lawsOf(direct('plain'))];
    near(lawsOf(between(0)), a);
    near(lawsOf(between(1)), b);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (lambda) => {
        const mixed = a.map((law, turn) => law.map((p, act) => (1 - lambda) * p + lambda * b[turn]![act]!));
        near(lawsOf(between(lambda)), mixed);
      }),
      { numRuns: 20 },
    );
  });

  it('answers by the law it states, and says of no reply that its chance is that of one part', () => {
    const session = memberSimulator(setup, between(0.3)).open(seeded('one'));
    const encounter = world.begin(world.setting(0, 1), session.users);
    encounter.actAgent(PRESS);
    const law = new Float64Array(4);
    session.law(encounter, law);
    const random = seeded('replies');
    const counts = new Float64Array(4);
    for (let n = 0; n < 20_000; n++) {
      const { act, probability } = session.reply(encounter, random);
      counts[act]! += 1 / 20_000;
      expect(probability).toBeNull();
    }
    law.forEach((p, act) => {
      expect(Math.abs(counts[act]! - p)).toBeLessThan(0.02);
    });
  });

  it('has no law in closed form where a part has none', () => {
    const part = (known: boolean): Session => ({
      ...{ users: [kind(0)], voice: kind(0), breadth: 0.5, person: null },
      ...{ law: () => known, reply: () => ({ act: 0, probability: 1 }), said: () => {} },
    });
    const encounter = world.begin(world.setting(0, 1), [kind(0), kind(0)]);
    for (const [a, b] of [
      [true, false],
      [false, true],
    ] as const)
      expect(new BlendSession(part(a), part(b), 0.5, 4).law(encounter, new Float64Array(4))).toBe(false);
  });

  it('is wider the hotter it is sampled, stays a law at any temperature, and is the family at 1', () => {
    near(lawsOf(direct('leaning', 1)), lawsOf(direct('leaning')));
    const top = (temperature: number) => Math.max(...lawsOf(direct('leaning', temperature))[0]!);
    for (const [cold, hot] of [
      [0, 0.5],
      [0.5, 1],
      [1, 2],
    ] as const)
      expect(top(cold)).toBeGreaterThanOrEqual(top(hot));
    for (const temperature of [0, 1e-9, 2]) {
      for (const law of lawsOf(direct('leaning', temperature))) {
        expect(law.every((p) => p >= 0 && p <= 1)).toBe(true);
        expect(law.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 9);
      }
    }
    expect(top(0)).toBeGreaterThan(0.999);
  });

  it('takes on a persona, of a bank the same one for a dialogue', () => {
    const text = traitsInWords(world, kind(2));
    const persona = readMember({ id: 'p', family: 'leaning', recipe: { kind: 'persona', text } });
    expect(lawsOf(persona)[0]).not.toEqual(lawsOf(direct('leaning'))[0]);
    const bank = [0, 1].map((habit) => traitsInWords(world, kind(habit)));
    const many = memberSimulator(
      setup,
      readMember({ id: 'b', family: 'leaning', recipe: { kind: 'persona', bank } }),
    );
    const habits = Array.from({ length: 40 }, (_, n) => many.open(seeded(n)).users.at(-1)!.habit);
    expect(new Set(habits)).toEqual(new Set([0, 1]));
    expect(many.open(seeded(3)).users).toEqual(many.open(seeded(3)).users);
  });

  it('is refused with its name and what to do where the lab has no such thing', () => {
    const wrong: [unknown, RegExp][] = [
      [{ id: 'x', family: 'nobody' }, /"nobody"/],
      [{ id: 'x', family: 'nobody', recipe: { kind: 'scripted', family: 'nobody' } }, /"nobody"/],
      [{ id: 'x', family: 'plain', recipe: { kind: 'persona', text: 'a nurse of 40' } }, /persona/],
      [{ id: 'x', family: 'plain', recipe: { kind: 'verbalized', persona: 'a nurse' } }, /persona/],
      [{ id: 'x', family: 'y', recipe: { kind: 'human' } }, /human/],
      [
        {
          id: 'x',
          family: 'y',
          recipe: {
            ...{ kind: 'interpolate', lambda: 0.5, how: 'prompt' },
            ...{ a: { id: 'leaning', family: 'leaning' }, b: { id: 'plain', family: 'plain' } },
          },
        },
        /interpolation by prompt/,
      ],
    ];
    for (const [given, message] of wrong) {
      const member = readMember(given as Parameters<typeof readMember>[0]);
      let thrown: unknown = null;
      try {
        memberSimulator(setup, member);
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toMatchObject({ code: 'CA_CONFIG_INVALID', message: expect.stringMatching(message) });
      expect((thrown as { todo: string }).todo).toMatch(/\S/);
    }
  });
});

describe.each(WORLD_IDS)('traits in words in the world %s', (id) => {
  const own = worldOf(id, 30);

  it('are read back to two digits', () => {
    for (let n = 0; n < 30; n++) {
      const traits = own.anyTraits(seeded(n));
      const text = traitsInWords(own, traits);
      const read = readTraits(own, text)!;
      expect(traitsInWords(own, read)).toBe(text);
      expect(read.habit).toBe(traits.habit);
      expect(Math.abs(read.trust - traits.trust)).toBeLessThanOrEqual(0.005 + 1e-9);
    }
    for (const { traits } of own.types) expect(readTraits(own, traitsInWords(own, traits))).not.toBeNull();
  });

  it('are none where one is missing, twice there, out of range or strange', () => {
    const text = traitsInWords(own, own.types[0]!.traits);
    const parts = text.split(', ');
    for (const wrong of [
      '',
      ',',
      parts.slice(1).join(', '),
      `${text}, ${parts[0]}`,
      `${text}, charm 0.50`,
      `${text}, __proto__ 0.50`,
      `${text},`,
      text.replace(/trust [\d.]+/, 'trust 1.01'),
      text.replace(/trust [\d.]+/, 'trust -0.01'),
      text.replace(/trust [\d.]+/, 'trust NaN'),
      text.replace(/trust [\d.]+/, 'trust 1e-1'),
      text.replace(/habit \d+/, 'habit 0.5'),
      text.replace(/habit \d+/, `habit ${own.habits}`),
      text.replace(/habit \d+/, 'habit -1'),
      'trust 0.5 '.repeat(20_000),
      `trust ${'1'.repeat(20_000)}`,
    ])
      expect(readTraits(own, wrong)).toBeNull();
  });

  it('are read or refused, and never thrown at, whatever the text is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(readTraits(own, text)).toBeNull();
      }),
    );
  });
});
