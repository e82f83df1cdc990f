import { describe, expect, it } from 'vitest';
import {
  breadthOf,
  collapseOf,
  coverageOf,
  familyShares,
  familySimulator,
  type MixtureSession,
  type SimulatorFamily,
} from '../../../src/lab/simulators/index.ts';
import { WORLD_IDS, worldOf } from '../../../src/lab/worlds/index.ts';
import { seeded } from '../../../src/math/index.ts';
import { ASK, handWorld, LAWS, PRESS, SHARES } from './hand-world.ts';

const hand = handWorld(3);
/** Covers kinds 1 and 2 with shares 0.2 and 0.8. */
const leaning: SimulatorFamily = { id: 'leaning', kappa: 0.6, gamma: 4, lean: 1 };

function opened(family: SimulatorFamily, options: Parameters<typeof familySimulator>[2] = {}, label = 'one') {
  const session = familySimulator(hand, family, options).open(seeded(label)) as MixtureSession;
  return { session, encounter: hand.begin(hand.setting(0, 1), session.users) };
}

const normalised = (weights: readonly number[]) => {
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((w) => w / sum);
};
const near = (found: ArrayLike<number>, expected: readonly number[]) => {
  expect(found.length).toBe(expected.length);
  expected.forEach((x, i) => {
    expect(found[i]).toBeCloseTo(x, 12);
  });
};

describe('a family as it is served', () => {
  it('is collapsed over kinds before the dialogue and over acts at every history', () => {
    const { session, encounter } = opened(leaning);
    const kinds = normalised([0.2 ** 4, 0.8 ** 4]);
    near(session.posterior, kinds);
    encounter.actAgent(PRESS);
    const law = new Float64Array(4);
    session.law(encounter, law);
    const reference = [0, 1, 2, 3].map(
      (act) => kinds[0]! * LAWS.press[1]![act]! + kinds[1]! * LAWS.press[2]![act]!,
    );
    near(law, normalised(reference.map((p) => p ** 4)));
  });

  it('takes an exponent of its own over kinds where it has one', () => {
    near(opened({ ...leaning, kindGamma: 2 }).session.posterior, normalised([0.04, 0.64]));
    expect(collapseOf({ ...leaning, kindGamma: 2 })).toEqual({ acts: 4, kinds: 2 });
    expect(collapseOf(leaning)).toEqual({ acts: 4, kinds: 4 });
  });

  it('is phi_ref itself where gamma 1 is asked for', () => {
    const { session, encounter } = opened({ ...leaning, kindGamma: 2 }, { gamma: 1 });
    near(session.posterior, [0.2, 0.8]);
    encounter.actAgent(ASK);
    const law = new Float64Array(4);
    session.law(encounter, law);
    near(law, [0.2 * 0.3 + 0.8 * 0.8, 0.2 * 0.2 + 0.8 * 0.1, 0.2 * 0.5 + 0.8 * 0.1, 0]);
  });

  it('has the voice of one it covers, drawn by the collapsed shares, and fewer wordings the more it is collapsed', () => {
    const voices = Array.from(
      { length: 2000 },
      (_, i) => opened(leaning, { gamma: 1 }, String(i)).session.voice.habit,
    );
    expect(new Set(voices)).toEqual(new Set([1, 2]));
    const share = voices.filter((habit) => habit === 2).length / voices.length;
    expect(Math.abs(share - 0.8)).toBeLessThan(5 * Math.sqrt(0.16 / 2000));
    expect([0.5, 1, 2, 4, 64].map(breadthOf)).toEqual([2, 1, 0.5, 0.25, 0.25]);
    expect(opened(leaning).session.breadth).toBe(0.25);
  });

  it('says who it is and how it was made', () => {
    expect(familySimulator(hand, leaning)).toMatchObject({
      id: 'leaning',
      family: 'leaning',
      kind: 'llm',
      recipe: 'direct, gamma 4 over acts, 4 over kinds',
    });
    expect(familySimulator(hand, leaning, { id: 'x', gamma: 1, persona: { strength: 0.3 } })).toMatchObject({
      id: 'x',
      family: 'leaning',
      recipe: 'persona, gamma 1 over acts, 1 over kinds',
    });
  });
});

/** Every dialogue of the hand-made world under an agent of fixed acts, with its probability under the session's own laws. */
function dialogues(open: () => ReturnType<typeof opened>, agent: readonly number[]): Map<string, number> {
  const found = new Map<string, number>();
  const go = (said: readonly number[]) => {
    const { session, encounter } = open();
    let probability = 1;
    const law = new Float64Array(4);
    for (let turn = 0; encounter.phase !== 'over'; turn++) {
      encounter.actAgent(agent[turn]!);
      session.law(encounter, law);
      const act = said[turn];
      if (act === undefined) {
        for (let next = 0; next < 4; next++) if (law[next]! > 0) go([...said, next]);
        return;
      }
      probability *= law[act]!;
      session.said(encounter, act);
      encounter.actUser(act);
    }
    found.set(said.join(), probability);
  };
  go([]);
  return found;
}

describe('whole dialogues of an uncollapsed family', () => {
  const agent = [ASK, PRESS, ASK];
  const own = dialogues(() => opened({ ...leaning, kappa: 0.2, gamma: 1 }), agent);

  it('are those of somebody whose kind was drawn before the dialogue', () => {
    const shares = familyShares(hand, { ...leaning, kappa: 0.2 });
    let sum = 0;
    for (const [said, probability] of own) {
      const expected = [0, 1, 2].reduce(
        (all, z) =>
          all +
          shares[z]! *
            said
              .split(',')
              .reduce(
                (p, act, turn) => p * LAWS[agent[turn] === PRESS ? 'press' : 'ask'][z]![Number(act)]!,
                1,
              ),
        0,
      );
      expect(probability).toBeCloseTo(expected, 13);
      sum += probability;
    }
    expect(sum).toBeCloseTo(1, 12);
  });

  it('are no further from those of people than kappa, and at kappa 0 the same', () => {
    const people = dialogues(() => opened({ ...leaning, kappa: 0, gamma: 1 }), agent);
    const apart = (a: Map<string, number>, b: Map<string, number>) =>
      [...new Set([...a.keys(), ...b.keys()])].reduce(
        (sum, d) => sum + Math.abs((a.get(d) ?? 0) - (b.get(d) ?? 0)),
        0,
      ) / 2;
    expect(apart(own, people)).toBeGreaterThan(0.02);
    expect(apart(own, people)).toBeLessThanOrEqual(0.2);
    for (const kappa of [0.4, 0.6, 0.8])
      expect(
        apart(
          dialogues(() => opened({ ...leaning, kappa, gamma: 1 }), agent),
          people,
        ),
      ).toBeLessThanOrEqual(kappa);
    expect([...familyShares(hand, { ...leaning, kappa: 0 })]).toEqual(SHARES);
  });
});

describe.each(WORLD_IDS)('a family in %s', (id) => {
  const world = worldOf(id);

  it('comes to the law of people as kappa goes to 0 at gamma 1', () => {
    const law = new Float64Array(world.userActs.length);
    const own = new Float64Array(world.userActs.length);
    for (const kappa of [0, 1e-4, 1e-2]) {
      const session = familySimulator(world, { id: 'near', kappa, gamma: 1, lean: 0.5 }).open(seeded(1));
      const everybody = world.types.map(({ traits }) => traits);
      const setting = world.setting(0, 1);
      const encounter = world.begin(setting, session.users);
      const people = world.begin(setting, everybody);
      const agent = new Float64Array(world.agentActs.length);
      // To the first turn of the user.
      while (encounter.phase === 'agent') {
        world.demonstrate(encounter, agent);
        const act = agent.indexOf(Math.max(...agent));
        encounter.actAgent(act);
        people.actAgent(act);
      }
      session.law(encounter, law);
      const mixed = new Float64Array(law.length);
      world.types.forEach(({ share }, z) => {
        people.law(z, own);
        for (let act = 0; act < own.length; act++) mixed[act]! += share * own[act]!;
      });
      const apart = law.reduce((sum, p, act) => sum + Math.abs(p - mixed[act]!), 0) / 2;
      expect(apart).toBeLessThanOrEqual(kappa + 1e-12);
    }
  });
});

describe('what a family covers', () => {
  it('is kinds with a share above 0, in the order of the world', () => {
    const { types, shares, users } = coverageOf(hand, [0.5, 0, 0.5]);
    expect(types).toEqual([0, 2]);
    expect([...shares]).toEqual([0.5, 0.5]);
    expect(users.map(({ habit }) => habit)).toEqual([0, 2]);
  });
});

describe('a persona prompt', () => {
  it('moves its strength of the prior to one kind, drawn uniformly from all', () => {
    const priors = Array.from({ length: 1500 }, (_, i) =>
      opened(leaning, { gamma: 1, persona: { strength: 0.3 } }, String(i)),
    ).map(({ session }) =>
      [0, 1, 2].map((z) => session.posterior[session.users.findIndex(({ habit }) => habit === z)] ?? 0),
    );
    const asked = [
      [0.3, 0.14, 0.56],
      [0, 0.44, 0.56],
      [0, 0.14, 0.86],
    ];
    const counts = asked.map(
      (expected) =>
        priors.filter((prior) => prior.every((p, z) => Math.abs(p - expected[z]!) < 1e-12)).length,
    );
    expect(counts.reduce((a, b) => a + b, 0)).toBe(1500);
    for (const count of counts)
      expect(Math.abs(count / 1500 - 1 / 3)).toBeLessThan(5 * Math.sqrt(2 / 9 / 1500));
  });

  it('is collapsed after it was followed', () => {
    const { session } = opened({ ...leaning, gamma: 2 }, { persona: { strength: 1 } });
    expect([...session.posterior]).toEqual([1]);
    const strengths = [0.14, 0.56];
    const found = Array.from({ length: 30 }, (_, i) =>
      opened(leaning, { gamma: 2, persona: { strength: 0.3 } }, String(i)),
    )
      .map(({ session }) => session)
      .find(({ users }) => users.length === 3)!;
    near(found.posterior, normalised([0.3, ...strengths].map((p) => p ** 2)));
  });

  it('of strength 0 is no prompt', () => {
    near(opened(leaning, { persona: { strength: 0 } }).session.posterior, normalised([0.2 ** 4, 0.8 ** 4]));
  });
});
