import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MixtureSession } from '../../../src/lab/simulators/index.ts';
import { seeded } from '../../../src/math/index.ts';
import { ASK, handWorld, kind, LAWS, LEAVE, MAYBE, NO, PRESS, SHARES, YES } from './hand-world.ts';

const world = handWorld(8);
const KINDS = [kind(0), kind(1), kind(2)];

function opened(gamma: number, shares: readonly number[] = SHARES) {
  const session = new MixtureSession({ users: KINDS, shares, acts: 4, gamma, voice: KINDS[0]!, breadth: 1 });
  return { session, encounter: world.begin(world.setting(0, 1), session.users) };
}

/** The agent acts, the user is made to say `act`. */
function turn({ session, encounter }: ReturnType<typeof opened>, agent: number, act: number) {
  encounter.actAgent(agent);
  session.said(encounter, act);
  encounter.actUser(act);
}

const normalised = (weights: readonly number[]) => {
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((w) => w / sum);
};
const mixture = (weights: readonly number[], table: 'ask' | 'press') =>
  [0, 1, 2, 3].map((act) => weights.reduce((sum, w, z) => sum + w * LAWS[table][z]![act]!, 0));
const near = (found: ArrayLike<number>, expected: readonly number[], digits = 14) => {
  expect(found.length).toBe(expected.length);
  expected.forEach((x, i) => {
    expect(found[i]).toBeCloseTo(x, digits);
  });
};

describe('a mixture of kinds', () => {
  it('answers first by the shares', () => {
    const at = opened(1);
    at.encounter.actAgent(ASK);
    const law = new Float64Array(4);
    expect(at.session.law(at.encounter, law)).toBe(true);
    // 0.5 x 0.1 + 0.3 x 0.3 + 0.2 x 0.8, and so on.
    near(law, [0.3, 0.38, 0.32, 0]);
  });

  it('is served as the mixture to the power of gamma, normalised', () => {
    const at = opened(4);
    at.encounter.actAgent(ASK);
    const law = new Float64Array(4);
    at.session.law(at.encounter, law);
    const fourth = [0.3 ** 4, 0.38 ** 4, 0.32 ** 4, 0];
    near(law, normalised(fourth));
    // The mixture itself stays to be seen.
    at.session.reference(at.encounter, law);
    near(law, [0.3, 0.38, 0.32, 0]);
  });

  it('learns of its kind by Bayes, at any gamma alike', () => {
    for (const gamma of [1, 4]) {
      const at = opened(gamma);
      turn(at, ASK, YES);
      near(at.session.posterior, [0.05 / 0.3, 0.09 / 0.3, 0.16 / 0.3]);
      turn(at, PRESS, MAYBE);
      const posterior = normalised([0.05 * 0.1, 0.09 * 0.25, 0.16 * 0.15]);
      near(at.session.posterior, posterior);
      at.encounter.actAgent(PRESS);
      const law = new Float64Array(4);
      at.session.law(at.encounter, law);
      near(law, normalised(mixture(posterior, 'press').map((p) => p ** gamma)));
    }
  });

  it('has the posterior of the whole history, whatever was said', () => {
    const turns = fc.array(fc.tuple(fc.constantFrom(ASK, PRESS), fc.constantFrom(YES, NO, MAYBE)), {
      maxLength: 7,
    });
    fc.assert(
      fc.property(turns, (history) => {
        const at = opened(3);
        const weights = [...SHARES];
        for (const [agent, act] of history) {
          turn(at, agent, act);
          for (let z = 0; z < 3; z++) weights[z]! *= LAWS[agent === PRESS ? 'press' : 'ask'][z]![act]!;
        }
        near(at.session.posterior, normalised(weights), 12);
      }),
    );
  });

  it('has shares as given, and changes nothing in what it was given', () => {
    const shares = [...SHARES];
    const at = opened(1, shares);
    near(at.session.posterior, shares, 15);
    turn(at, ASK, NO);
    expect(shares).toEqual(SHARES);
  });

  it('gives kinds of share 0 nothing, whatever is said', () => {
    const at = opened(1, [0, 0.4, 0.6]);
    for (const act of [NO, NO, NO]) turn(at, PRESS, act);
    expect(at.session.posterior[0]).toBe(0);
  });

  it('knows nothing more of its kind after an act that no kind would do', () => {
    const at = opened(1);
    turn(at, ASK, YES);
    turn(at, ASK, LEAVE);
    near(at.session.posterior, [1 / 3, 1 / 3, 1 / 3]);
  });

  it('is changed neither by looking nor by answering', () => {
    const at = opened(2);
    at.encounter.actAgent(PRESS);
    const before = new Float64Array(4);
    at.session.law(at.encounter, before);
    for (let i = 0; i < 20; i++) at.session.reply(at.encounter, seeded(i));
    const after = new Float64Array(4);
    at.session.law(at.encounter, after);
    expect(after).toEqual(before);
    near(at.session.posterior, SHARES, 15);
  });

  it('says with what probability it answered, and answers as often as that', () => {
    const at = opened(2);
    at.encounter.actAgent(PRESS);
    const law = new Float64Array(4);
    at.session.law(at.encounter, law);
    const random = seeded('replies');
    const n = 20_000;
    const counts = [0, 0, 0, 0];
    for (let i = 0; i < n; i++) {
      const { act, probability } = at.session.reply(at.encounter, random);
      counts[act]! += 1;
      expect(probability).toBe(law[act]);
    }
    let chiSquare = 0;
    counts.forEach((count, act) => {
      chiSquare += (count - n * law[act]!) ** 2 / (n * law[act]!);
    });
    // 99.9% of a chi-square with 3 degrees of freedom lie below.
    expect(chiSquare).toBeLessThan(16.27);
  });

  it('is a person where it is of one kind at gamma 1', () => {
    const person = new MixtureSession({
      users: [KINDS[1]!],
      shares: [1],
      acts: 4,
      gamma: 1,
      voice: KINDS[1]!,
      breadth: 1,
      person: 'somebody',
    });
    const encounter = world.begin(world.setting(0, 1), person.users);
    encounter.actAgent(PRESS);
    const law = new Float64Array(4);
    person.law(encounter, law);
    expect([...law]).toEqual(LAWS.press[1]);
    expect(person.person).toBe('somebody');
    expect(opened(1).session.person).toBeNull();
  });
});
