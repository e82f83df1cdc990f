import { describe, expect, it } from 'vitest';
import {
  DEFAULT_FAMILIES,
  drawFrom,
  familySimulator,
  freshLogits,
  type MixtureSession,
  type SimulatorFamily,
  type TrainedSession,
  trainedInputs,
  trainedSimulator,
} from '../../../src/lab/simulators/index.ts';
import type { World } from '../../../src/lab/world/index.ts';
import { WORLD_IDS, worldOf } from '../../../src/lab/worlds/index.ts';
import { seeded } from '../../../src/math/index.ts';
import { ASK, handWorld, PRESS, YES } from './hand-world.ts';

const FLOOR = -12;
const hand = handWorld(8);
const leaning: SimulatorFamily = { id: 'leaning', kappa: 0.2, gamma: 4, lean: 1 };

function beside(world: World, family: SimulatorFamily, logits = freshLogits(world), index = 0) {
  const trained = trainedSimulator(world, family, logits, 'live').open(seeded('open')) as TrainedSession;
  const frozen = familySimulator(world, family).open(seeded('open')) as MixtureSession;
  const setting = world.setting(index, 1);
  return {
    trained,
    frozen,
    encounter: world.begin(setting, trained.users),
    other: world.begin(setting, frozen.users),
  };
}

/** Every history of the user in one dialogue with the demonstrator, where acts are drawn from what is served. */
function walk(
  world: World,
  pair: ReturnType<typeof beside>,
  look: (served: Float64Array, own: Float64Array, session: TrainedSession) => void,
  label = 'walk',
) {
  const { trained, frozen, encounter, other } = pair;
  const random = seeded(label);
  const agent = new Float64Array(world.agentActs.length);
  const served = new Float64Array(world.userActs.length);
  const own = new Float64Array(world.userActs.length);
  while (encounter.phase !== 'over') {
    if (encounter.phase === 'agent') {
      world.demonstrate(encounter, agent);
      const act = drawFrom(agent, random);
      encounter.actAgent(act);
      other.actAgent(act);
      continue;
    }
    frozen.law(other, served);
    expect(trained.law(encounter, own)).toBe(true);
    look(served, own, trained);
    const act = drawFrom(served, random);
    for (const [session, at] of [
      [trained, encounter],
      [frozen, other],
    ] as const) {
      session.said(at, act);
      at.actUser(act);
    }
  }
}

describe.each(WORLD_IDS)('a simulator before its training in %s', (id) => {
  const world = worldOf(id, 10);

  it('starts at the served law, exactly where no act is below the floor and within the floor else', () => {
    let exact = 0;
    let floored = 0;
    const gentle = { ...DEFAULT_FAMILIES.seen[0]!, gamma: 1.2 };
    for (const family of [DEFAULT_FAMILIES.seen[0]!, gentle])
      for (let index = 0; index < 4; index++)
        walk(
          world,
          beside(world, family, freshLogits(world), index),
          (served, own, { possible }) => {
            const above = served.every((p, act) => possible[act] === 0 || Math.log(p) >= FLOOR);
            if (above) exact += 1;
            else floored += 1;
            const bound = above ? 1e-12 : served.length * Math.exp(FLOOR);
            served.forEach((p, act) => {
              expect(Math.abs(own[act]! - p)).toBeLessThan(bound);
            });
          },
          `walk/${index}`,
        );
    // Both were met.
    expect(Math.min(exact, floored)).toBeGreaterThan(0);
  });
});

describe('a simulator in training', () => {
  it('sees the cues, then the logs of the served law', () => {
    const { trained, frozen, encounter, other } = beside(hand, leaning);
    encounter.actAgent(PRESS);
    other.actAgent(PRESS);
    const served = new Float64Array(4);
    frozen.law(other, served);
    trained.reply(encounter, seeded(1));
    expect(trainedInputs(hand)).toBe(6);
    expect(trained.seen[0]).toBe(1 / 8);
    expect(trained.seen[1]).toBe(1);
    served.forEach((p, act) => {
      expect(trained.seen[2 + act]).toBeCloseTo(Math.log(p), 12);
    });
    expect([...trained.possible]).toEqual([1, 1, 1, 1]);
  });

  it('never does what no kind would, whatever its logits are', () => {
    const logits = freshLogits(hand);
    logits.slice('logits.biases')[3] = 50;
    const { trained, encounter } = beside(hand, leaning, logits);
    encounter.actAgent(ASK);
    const law = new Float64Array(4);
    trained.law(encounter, law);
    expect(law[3]).toBe(0);
    expect([...trained.possible]).toEqual([1, 1, 1, 0]);
    expect(law.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
    // Where it is possible it does little else.
    const pressed = beside(hand, leaning, logits);
    pressed.encounter.actAgent(PRESS);
    pressed.trained.law(pressed.encounter, law);
    expect(law[3]).toBeGreaterThan(0.999);
  });

  it('undoes the collapse with weights of 1 / gamma on the logs', () => {
    const logits = freshLogits(hand);
    const weights = logits.slice('logits.weights');
    weights.forEach((w, i) => {
      weights[i] = w / 4;
    });
    const { trained, frozen, encounter, other } = beside(hand, leaning, logits);
    encounter.actAgent(PRESS);
    other.actAgent(PRESS);
    const reference = new Float64Array(4);
    frozen.reference(other, reference);
    const law = new Float64Array(4);
    trained.law(encounter, law);
    law.forEach((p, act) => {
      expect(p).toBeCloseTo(reference[act]!, 12);
    });
  });

  it('is the live network: what is trained shows in sessions that are open', () => {
    const logits = freshLogits(hand);
    const { trained, encounter } = beside(hand, leaning, logits);
    encounter.actAgent(PRESS);
    const before = new Float64Array(4);
    trained.law(encounter, before);
    logits.slice('logits.biases')[YES]! += 1;
    const after = new Float64Array(4);
    trained.law(encounter, after);
    // A logit that is 1 larger: its odds are e times what they were.
    const odds = (p: number) => p / (1 - p);
    expect(odds(after[YES]!) / odds(before[YES]!)).toBeCloseTo(Math.E, 9);
  });

  it('moves its posterior as what it started from does', () => {
    const pair = beside(hand, leaning);
    let looks = 0;
    walk(hand, pair, (served, own) => {
      looks += 1;
      served.forEach((p, act) => {
        expect(own[act]).toBeCloseTo(p, 4);
      });
    });
    expect(looks).toBeGreaterThan(1);
  });

  it('says with what probability it answered, and is changed by no answer', () => {
    const { trained, encounter } = beside(hand, leaning);
    encounter.actAgent(PRESS);
    const law = new Float64Array(4);
    trained.law(encounter, law);
    for (let i = 0; i < 50; i++) {
      const { act, probability } = trained.reply(encounter, seeded(i));
      expect(probability).toBe(law[act]);
    }
  });

  it('is recorded as trained, in the manner of its family', () => {
    const simulator = trainedSimulator(hand, leaning, freshLogits(hand), 'leaning-trained');
    expect(simulator).toMatchObject({ id: 'leaning-trained', family: 'leaning', kind: 'trained' });
    const frozen = familySimulator(hand, leaning).open(seeded('open'));
    const { voice, breadth, users, person } = simulator.open(seeded('open'));
    expect({ voice, breadth, users, person }).toEqual({
      voice: frozen.voice,
      breadth: frozen.breadth,
      users: frozen.users,
      person: null,
    });
  });
});
