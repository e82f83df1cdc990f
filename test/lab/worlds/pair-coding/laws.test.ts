import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PARTNER_ACTS } from '../../../../src/lab/worlds/pair-coding/acts.ts';
import { pairCoding } from '../../../../src/lab/worlds/pair-coding/index.ts';
import type { PairSetting } from '../../../../src/lab/worlds/pair-coding/pair-setting.ts';
import { seeded } from '../../../../src/math/random.ts';
import { anyAllowed, begin, draw } from './dialogue.ts';

it('gives everybody a law over the same possible acts, and numbers of 0 to 1 to see', () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 10, max: 60 }), (seed, horizon) => {
      const random = seeded(seed);
      const world = pairCoding(horizon);
      const users = [
        ...world.types.map((type) => type.traits),
        world.anyTraits(random),
        world.anyTraits(random),
      ];
      const encounter = begin(world, world.setting(seed % 300, 1) as PairSetting, users);
      const law = new Float64Array(PARTNER_ACTS.length);
      const first = new Float64Array(PARTNER_ACTS.length);
      const agent = anyAllowed(random);
      const acts = new Float64Array(world.agentActs.length);
      while (encounter.phase !== 'over') {
        const seen = new Float64Array(world.inputs + 2).fill(-1);
        encounter.observe(seen, 1);
        const cues = new Float64Array(world.cues + 2).fill(-1);
        encounter.cues(cues, 1);
        for (const written of [seen, cues]) {
          expect([written[0], written.at(-1)]).toEqual([-1, -1]);
          expect(written.subarray(1, -1).every((x) => x >= 0 && x <= 1)).toBe(true);
        }
        if (encounter.phase === 'agent') {
          world.demonstrate(encounter, acts);
          expect(acts.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
          encounter.actAgent(agent(encounter));
          continue;
        }
        for (let who = 0; who < users.length; who++) {
          encounter.law(who, law);
          expect(law.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
          if (who === 0) first.set(law);
          expect([...law].map((p) => p > 0)).toEqual([...first].map((p) => p > 0));
        }
        encounter.actUser(draw(law, random));
      }
      expect(encounter.turn).toBeLessThanOrEqual(horizon);
      expect([0, 1]).toContain(encounter.reward);
      expect(encounter.termination).not.toBeNull();
      if (encounter.turn === horizon)
        expect(['turn limit', 'agent', 'user']).toContain(encounter.termination);
    }),
    { numRuns: 60 },
  );
});
it('does not depend on who else is followed, and is read as often as one likes', () => {
  const world = pairCoding();
  const traits = world.types.map((type) => type.traits);
  const setting = world.setting(3, 1) as PairSetting;
  const all = begin(world, setting, traits);
  const alone = traits.map((one) => begin(world, setting, [one]));
  const random = seeded('together');
  const agent = anyAllowed(random);
  const [law, other] = [new Float64Array(18), new Float64Array(18)];
  while (all.phase !== 'over') {
    if (all.phase === 'agent') {
      const act = agent(all);
      for (const encounter of [all, ...alone]) encounter.actAgent(act);
      continue;
    }
    for (const [who, encounter] of alone.entries()) {
      all.law(who, law);
      all.law(who, law);
      encounter.law(0, other);
      expect([...law]).toEqual([...other]);
    }
    const act = draw(law, random);
    for (const encounter of [all, ...alone]) encounter.actUser(act);
  }
  for (const encounter of alone) expect(encounter.steps).toEqual(all.steps);
});
it('has kinds of people whose shares sum to 1, of traits in their ranges', () => {
  const world = pairCoding();
  expect(world.types.reduce((sum, type) => sum + type.share, 0)).toBeCloseTo(1, 12);
  expect(new Set(world.types.map((type) => type.id)).size).toBe(world.types.length);
  for (const { traits } of world.types) {
    expect(traits.affinities).toHaveLength(world.appeals.length);
    expect(traits.affinities.every((one) => Math.abs(one) <= 1)).toBe(true);
    expect(traits.habit).toBeLessThan(world.habits);
    expect(world.agreeableness(traits)).toBeGreaterThanOrEqual(0);
    expect(world.agreeableness(traits)).toBeLessThanOrEqual(1);
  }
});
it('yields more to an appeal that it likes', () => {
  const world = pairCoding();
  const { traits } = world.types[0]!;
  const users = [-1, 0, 1].map((liking) => ({ ...traits, affinities: [liking, 0, 0] }));
  const encounter = begin(world, world.setting(0, 1) as PairSetting, users);
  encounter.actAgent(2);
  const law = new Float64Array(18);
  const yields = users.map((_, who) => {
    encounter.law(who, law);
    return law[3]!;
  });
  expect(yields).toEqual([...yields].sort((a, b) => a - b));
  expect(yields[2]! - yields[0]!).toBeGreaterThan(0.3);
});
