import { describe, expect, it } from 'vitest';
import {
  type SimulatorFamily,
  VERBALIZED,
  type VerbalizedSettings,
  verbalizedSimulator,
} from '../../../src/lab/simulators/index.ts';
import { worldOf } from '../../../src/lab/worlds/index.ts';
import { seeded } from '../../../src/math/index.ts';
import { ASK, handWorld, LAWS, PRESS } from './hand-world.ts';

const world = handWorld(8);
/** Covers kinds 1 and 2 with shares 0.2 and 0.8; that it is collapsed must not be seen. */
const family: SimulatorFamily = { id: 'leaning', kappa: 0.6, gamma: 4, lean: 1 };
const phiRef = [0, 1, 2, 3].map((act) => 0.2 * LAWS.press[1]![act]! + 0.8 * LAWS.press[2]![act]!);
const N = 12_000;

function replies(settings: Partial<VerbalizedSettings>, n = N, agent = PRESS) {
  const session = verbalizedSimulator(world, family, { ...VERBALIZED, ...settings }).open(seeded('open'));
  const encounter = world.begin(world.setting(0, 1), session.users);
  encounter.actAgent(agent);
  const random = seeded(JSON.stringify(settings));
  return Array.from({ length: n }, () => session.reply(encounter, random));
}

/** Pearson's, over acts that may occur. */
function chiSquare(drawn: readonly { readonly act: number }[], law: readonly number[]): number {
  const counts = law.map(() => 0);
  for (const { act } of drawn) counts[act]! += 1;
  return counts.reduce((sum, count, act) => {
    const expected = drawn.length * law[act]!;
    if (expected === 0) {
      expect(count).toBe(0);
      return sum;
    }
    return sum + (count - expected) ** 2 / expected;
  }, 0);
}

/** 99.9% quantiles of the chi-square distribution, by degrees of freedom. */
const BOUND: Readonly<Record<number, number>> = { 2: 13.82, 3: 16.27 };

describe('Verbalized Sampling without error', () => {
  it('asked for all acts and drawn by what is stated, restores phi_ref', () => {
    expect(chiSquare(replies({ candidates: 9, error: 0, noise: 0, draw: 'prob' }), phiRef)).toBeLessThan(
      BOUND[3]!,
    );
  });

  it('asked for one act is a draw from phi_ref', () => {
    for (const draw of ['prob', 'random'] as const)
      expect(chiSquare(replies({ candidates: 1, error: 0, noise: 0, draw }), phiRef)).toBeLessThan(BOUND[3]!);
  });

  it('asked for two has the law that follows from drawing without replacement', () => {
    const law = [0, 0, 0, 0];
    for (let a = 0; a < 4; a++)
      for (let b = 0; b < 4; b++)
        if (a !== b) {
          const listed = (phiRef[a]! * phiRef[b]!) / (1 - phiRef[a]!);
          law[a]! += (listed * phiRef[a]!) / (phiRef[a]! + phiRef[b]!);
          law[b]! += (listed * phiRef[b]!) / (phiRef[a]! + phiRef[b]!);
        }
    expect(law.reduce((x, y) => x + y, 0)).toBeCloseTo(1, 12);
    expect(chiSquare(replies({ candidates: 2, error: 0, noise: 0 }), law)).toBeLessThan(BOUND[3]!);
    // The test would see the difference.
    expect(chiSquare(replies({ candidates: 2, error: 0, noise: 0 }), phiRef)).toBeGreaterThan(BOUND[3]!);
  });

  it('states the probabilities of phi_ref over those listed', () => {
    for (const { act, candidates, probability } of replies({ candidates: 3, error: 0, noise: 0 }, 200)) {
      expect(probability).toBeNull();
      const total = candidates!.reduce((sum, one) => sum + phiRef[one.act]!, 0);
      for (const one of candidates!) expect(one.probability).toBeCloseTo(phiRef[one.act]! / total, 12);
      expect(candidates!.map((one) => one.act)).toContain(act);
    }
  });
});

describe('the list of candidates', () => {
  it('has distinct possible acts, as many as asked for or as there are', () => {
    for (const candidates of [1, 2, 3, 4, 9])
      for (const agent of [ASK, PRESS])
        for (const reply of replies({ candidates }, 200, agent)) {
          const acts = reply.candidates!.map(({ act }) => act);
          expect(acts).toHaveLength(Math.min(candidates, agent === ASK ? 3 : 4));
          expect(new Set(acts).size).toBe(acts.length);
          if (agent === ASK) expect(acts).not.toContain(3);
          expect(reply.candidates!.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 12);
        }
  });

  it('is drawn from phi_ref mixed with the uniform by the error', () => {
    const mixed = phiRef.map((p) => 0.6 * p + 0.4 / 4);
    expect(chiSquare(replies({ candidates: 1, error: 0.4 }), mixed)).toBeLessThan(BOUND[3]!);
    expect(chiSquare(replies({ candidates: 9, error: 1, noise: 0 }), [0.25, 0.25, 0.25, 0.25])).toBeLessThan(
      BOUND[3]!,
    );
    // Uniform over possible acts alone: nobody leaves at an ask.
    const asked = [0, 1, 2, 3].map((act) => 0.2 * LAWS.ask[1]![act]! + 0.8 * LAWS.ask[2]![act]!);
    const possible = asked.map((p) => (p === 0 ? 0 : 0.6 * p + 0.4 / 3));
    expect(chiSquare(replies({ candidates: 1, error: 0.4 }, N, ASK), possible)).toBeLessThan(BOUND[2]!);
    expect(chiSquare(replies({ candidates: 1, error: 1 }, N, ASK), [1 / 3, 1 / 3, 1 / 3, 0])).toBeLessThan(
      BOUND[2]!,
    );
  });

  it('states what is off by the noise', () => {
    const ratios = replies({ candidates: 4, error: 0, noise: 0.5 }, 4000).map(({ candidates }) => {
      const stated = (act: number) => candidates!.find((one) => one.act === act)!.probability;
      return Math.log(stated(0) / stated(1)) - Math.log(phiRef[0]! / phiRef[1]!);
    });
    const mean = ratios.reduce((sum, x) => sum + x, 0) / ratios.length;
    const variance = ratios.reduce((sum, x) => sum + (x - mean) ** 2, 0) / ratios.length;
    // Two independent normal numbers of deviation 0.5 apart.
    expect(Math.abs(mean)).toBeLessThan(5 * Math.sqrt(0.5 / 4000));
    expect(Math.abs(variance - 0.5)).toBeLessThan(5 * 0.5 * Math.sqrt(2 / 4000));
  });
});

describe('who answers from the list', () => {
  it('is each alike where drawn at random', () => {
    expect(chiSquare(replies({ candidates: 9, draw: 'random' }), [0.25, 0.25, 0.25, 0.25])).toBeLessThan(
      BOUND[3]!,
    );
    const places = replies({ candidates: 3, draw: 'random' }).map(({ act, candidates }) => ({
      act: candidates!.findIndex((one) => one.act === act),
    }));
    expect(chiSquare(places, [1 / 3, 1 / 3, 1 / 3])).toBeLessThan(BOUND[2]!);
  });

  it('has no law in closed form, and says so', () => {
    const session = verbalizedSimulator(world, family, VERBALIZED).open(seeded(1));
    const encounter = world.begin(world.setting(0, 1), session.users);
    encounter.actAgent(ASK);
    const law = new Float64Array(4).fill(7);
    expect(session.law(encounter, law)).toBe(false);
    expect([...law]).toEqual([7, 7, 7, 7]);
  });

  it('learns of its kind by what was said, as phi_ref does', () => {
    const settings = { candidates: 9, error: 0, noise: 0, draw: 'prob' } as const;
    const session = verbalizedSimulator(world, family, settings).open(seeded(1));
    const encounter = world.begin(world.setting(0, 1), session.users);
    encounter.actAgent(ASK);
    session.said(encounter, 1);
    encounter.actUser(1);
    encounter.actAgent(PRESS);
    const weights = [0.2 * 0.2, 0.8 * 0.1];
    const law = [0, 1, 2, 3].map(
      (act) =>
        (weights[0]! * LAWS.press[1]![act]! + weights[1]! * LAWS.press[2]![act]!) /
        (weights[0]! + weights[1]!),
    );
    const { candidates } = session.reply(encounter, seeded(2));
    for (const { act, probability } of candidates!) expect(probability).toBeCloseTo(law[act]!, 12);
  });

  it('is named after family and draw, uses all wordings and answers alike by one stream', () => {
    const simulator = verbalizedSimulator(world, family, VERBALIZED);
    expect(simulator).toMatchObject({ id: 'leaning-vs-prob', family: 'leaning', kind: 'llm' });
    expect(simulator.open(seeded(1)).breadth).toBe(1);
    expect(replies({}, 50)).toEqual(replies({}, 50));
  });

  it('works in a world of many acts with fewer candidates', () => {
    const real = worldOf('persuasion');
    const session = verbalizedSimulator(real, family, VERBALIZED).open(seeded(1));
    const encounter = real.begin(real.setting(0, 1), session.users);
    const law = new Float64Array(real.agentActs.length);
    const random = seeded(3);
    let asked = 0;
    while (encounter.phase !== 'over') {
      if (encounter.phase === 'agent') {
        real.demonstrate(encounter, law);
        encounter.actAgent(law.indexOf(Math.max(...law)));
        continue;
      }
      const { act, candidates } = session.reply(encounter, random);
      expect(candidates!.length).toBeLessThanOrEqual(VERBALIZED.candidates);
      session.said(encounter, act);
      encounter.actUser(act);
      asked += 1;
    }
    expect(asked).toBeGreaterThan(0);
  });
});
