import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AGENT, USER } from '../../../../src/lab/worlds/service/acts.ts';
import type { ServiceEncounter } from '../../../../src/lab/worlds/service/encounter.ts';
import { service } from '../../../../src/lab/worlds/service/index.ts';
import { permitted } from '../../../../src/lab/worlds/service/rules.ts';
import type { ServiceSetting } from '../../../../src/lab/worlds/service/setting.ts';
import { seeded } from '../../../../src/math/random.ts';
import { begin, draw, OPENING, play, settingWhere, world } from './desk-plays.ts';

const AGENT_ACTS = world.agentActs.length;
const USER_ACTS = world.userActs.length;

describe('settings', () => {
  const settings = Array.from({ length: 300 }, (_, index) => world.setting(index, 3) as ServiceSetting);
  it('are distinct, and the same for the same seed and number', () => {
    expect(new Set(settings.map(({ scenario }) => scenario)).size).toBe(300);
    expect(world.setting(7, 3)).toEqual(settings[7]);
    expect(world.setting(7, 4).scenario).not.toBe(settings[7]!.scenario);
  });
  it('have two different goals, and know what the rules say of each', () => {
    for (const { goals, orders } of settings) {
      expect(goals[0].kind).not.toBe(goals[1].kind);
      for (const goal of goals)
        expect(goal.permitted).toBe(permitted(goal.kind, orders[goal.order]!, goal.shelf));
    }
  });
  it('forbid some first goals of every kind', () => {
    for (let kind = 0; kind < 4; kind++)
      for (const allowed of [true, false])
        expect(
          settings.filter(({ goals: [goal] }) => goal.kind === kind && goal.permitted === allowed).length,
        ).toBeGreaterThan(10);
  });
});

describe('people', () => {
  it('are shares that sum to 1, with traits in their ranges', () => {
    expect(world.types.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
    for (const { traits } of world.types) {
      expect(traits.affinities).toHaveLength(world.appeals.length);
      for (const value of traits.affinities) expect(Math.abs(value)).toBeLessThanOrEqual(1);
      const { trust, patience, disclosure, consistency, politeness, expressiveness } = traits;
      for (const value of [trust, patience, disclosure, consistency, politeness, expressiveness]) {
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
      }
      expect(world.agreeableness(traits)).toBeGreaterThan(0);
      expect(world.agreeableness(traits)).toBeLessThan(1);
    }
  });
});

/** Random legal play by any users; every law, mask and view on the way is checked. */
function stroll(seed: number, horizon: number): ServiceEncounter {
  const random = seeded(seed);
  const here = service(horizon);
  const users = [0, 1, 2, 3].map(() => here.anyTraits(random));
  users.push({ ...users[0]!, trust: 0, patience: 0, disclosure: 0, consistency: 0, politeness: 0 });
  users.push({ ...users[0]!, trust: 1, patience: 1, disclosure: 1, consistency: 1, politeness: 1 });
  const encounter = begin(here.setting(random.integer(500), 5) as ServiceSetting, users, horizon);
  const allowed = new Uint8Array(AGENT_ACTS);
  const view = new Float64Array(here.inputs + 2).fill(7);
  const cues = new Float64Array(here.cues + 2).fill(7);
  const law = new Float64Array(USER_ACTS);
  const other = new Float64Array(USER_ACTS);
  const shares = new Float64Array(AGENT_ACTS);
  while (encounter.phase !== 'over') {
    expect(encounter.reward).toBeNull();
    if (encounter.phase === 'agent') {
      encounter.allowed(allowed, 0);
      encounter.observe(view, 1);
      expect(view[0]! + view[here.inputs + 1]!).toBe(14);
      for (const value of view.subarray(1, here.inputs + 1)) expect(value >= 0 && value <= 1).toBe(true);
      here.demonstrate(encounter, shares);
      expect(shares.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
      for (let act = 0; act < AGENT_ACTS; act++) expect(shares[act]! > 0).toBe(allowed[act] === 1);
      encounter.actAgent(
        draw(
          Float64Array.from(allowed, (x) => x / allowed.reduce((a, b) => a + b, 0)),
          random,
        ),
      );
    } else {
      encounter.cues(cues, 1);
      expect(cues[0]! + cues[here.cues + 1]!).toBe(14);
      for (const value of cues.subarray(1, here.cues + 1)) expect(value >= 0 && value <= 1).toBe(true);
      encounter.law(0, law);
      for (let who = 0; who < users.length; who++) {
        encounter.law(who, other);
        expect(other.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
        for (let act = 0; act < USER_ACTS; act++) {
          expect(other[act]!).toBeGreaterThanOrEqual(0);
          expect(other[act]! > 0).toBe(law[act]! > 0);
        }
      }
      encounter.actUser(draw(law, random));
    }
  }
  return encounter;
}

describe('an encounter', () => {
  it('keeps laws, masks and views in order whatever is played', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), fc.constantFrom(10, 30, 50), (seed, horizon) => {
        const encounter = stroll(seed, horizon);
        expect(encounter.turn).toBeLessThanOrEqual(horizon);
        expect([0, 1]).toContain(encounter.reward);
        expect(['user', 'agent', 'turn limit']).toContain(encounter.termination);
      }),
      { numRuns: 25 },
    );
  });
  it('is the same for the same acts, and its law is read without changing it', () => {
    const a = stroll(11, 30);
    const b = stroll(11, 30);
    expect(b.steps.map(({ side, act }) => [side, act])).toEqual(a.steps.map(({ side, act }) => [side, act]));
    expect(b.outcome).toBe(a.outcome);
  });
  it('gives a user the same law alone as beside others', () => {
    const setting = world.setting(3, 1) as ServiceSetting;
    const all = begin(
      setting,
      world.types.map(({ traits }) => traits),
    );
    const law = new Float64Array(USER_ACTS);
    const alone = new Float64Array(USER_ACTS);
    world.types.forEach(({ traits }, who) => {
      const own = begin(setting, [traits]);
      for (const encounter of who === 0 ? [own, all] : [own]) encounter.actAgent(AGENT['ask-goal']);
      own.law(0, alone);
      all.law(who, law);
      expect(alone).toEqual(law);
    });
  });
  it('is cut off at the horizon', () => {
    const encounter = begin(world.setting(0, 1) as ServiceSetting, undefined, 10);
    for (let turn = 0; turn < 10; turn++) {
      encounter.actAgent(AGENT['ask-goal']);
      encounter.actUser(USER['not-sure']);
    }
    expect(encounter.phase).toBe('over');
    expect(encounter.termination).toBe('turn limit');
    expect(encounter.reward).toBe(0);
    expect(() => service(9)).toThrow('too short');
  });
  it('ends with a tool call where that is the last turn', () => {
    const setting = settingWhere(({ goals: [goal] }) => goal.kind === 0 && goal.permitted);
    const encounter = begin(setting, undefined, 10);
    for (const act of ['state-goal', 'give-identity', 'give-order'] as const) {
      encounter.actAgent(AGENT['ask-goal']);
      encounter.actUser(USER[act]);
    }
    for (let turn = 3; turn < 9; turn++) {
      encounter.actAgent(AGENT.explain);
      encounter.actUser(USER.accept);
    }
    encounter.actAgent(AGENT['do-cancel']);
    expect([encounter.termination, encounter.reward]).toEqual(['turn limit', 1]);
  });
  it('lets nobody write before identity, request and order are known', () => {
    const allowed = new Uint8Array(AGENT_ACTS);
    const encounter = play(
      settingWhere(({ goals: [goal] }) => goal.kind === 0),
      [OPENING[0], OPENING[1]],
    );
    encounter.allowed(allowed, 0);
    for (const act of ['do-cancel', 'do-refund', 'do-exchange', 'do-address', 'look-up', 'deny'] as const)
      expect(allowed[AGENT[act]]).toBe(0);
  });
});

describe('a user', () => {
  const lawAfter = (
    change: object,
    setting: ServiceSetting,
    acts: readonly [number, number][],
    last: number,
  ) => {
    const encounter = begin(setting, [{ ...world.types[0]!.traits, ...change }]);
    for (const [mine, theirs] of acts) {
      encounter.actAgent(mine);
      if (theirs >= 0) encounter.actUser(theirs);
    }
    encounter.actAgent(last);
    const law = new Float64Array(USER_ACTS);
    encounter.law(0, law);
    return law;
  };
  const setting = world.setting(0, 1) as ServiceSetting;
  const opening = [
    [AGENT['ask-goal'], USER['state-goal']],
    [AGENT['ask-identity'], USER['give-identity']],
    [AGENT['ask-order'], USER['give-order']],
  ] as [number, number][];
  it('who is consistent slips less, who discloses hints less, who is impatient leaves sooner', () => {
    const slip = (consistency: number) =>
      lawAfter({ consistency }, setting, opening.slice(0, 2), AGENT['ask-order'])[USER['give-wrong-order']]!;
    expect(slip(0.9)).toBeLessThan(slip(0.2) / 3);
    const hint = (disclosure: number) => lawAfter({ disclosure }, setting, [], AGENT['ask-goal'])[USER.hint]!;
    expect(hint(0.9)).toBeLessThan(hint(0.1) / 3);
    const long = [...opening, ...opening];
    const leave = (patience: number) => lawAfter({ patience }, setting, long, AGENT['ask-goal'])[USER.leave]!;
    expect(leave(0.9)).toBeLessThan(leave(0.1) / 3);
  });
  it('who is turned down is calmed by the appeal it likes, and not by one it dislikes', () => {
    const denied = [...opening, [AGENT.deny, USER['push-back']]] as [number, number][];
    const taken = (liking: number) =>
      lawAfter({ affinities: [liking, 0, 0] }, setting, denied, AGENT.explain)[USER.accept]!;
    expect(taken(0.9)).toBeGreaterThan(taken(0) * 1.3);
    expect(taken(0)).toBeGreaterThan(taken(-0.9) * 1.3);
  });
});
