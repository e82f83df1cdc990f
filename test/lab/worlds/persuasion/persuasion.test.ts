import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Encounter, UserTraits, World } from '../../../../src/lab/world/index.ts';
import type { PersuasionEncounter } from '../../../../src/lab/worlds/persuasion/encounter.ts';
import { persuasion } from '../../../../src/lab/worlds/persuasion/index.ts';
import { type Random, seeded } from '../../../../src/math/random.ts';

const world = persuasion();
const act = (name: string) => world.agentActs.indexOf(name);
const reply = (name: string) => world.userActs.indexOf(name);
const [LEAVE, FIRST_DECISION] = [reply('leave'), reply('give-0')];
const sum = (values: Iterable<number>) => [...values].reduce((a, b) => a + b, 0);

function draw(law: Float64Array, random: Random): number {
  let rest = random.next();
  for (const [i, p] of law.entries()) {
    rest -= p;
    if (rest < 0) return i;
  }
  return law.findLastIndex((p) => p > 0);
}

function lawOf(encounter: Encounter, who = 0, of: World = world): Float64Array {
  const law = new Float64Array(of.userActs.length);
  encounter.law(who, law);
  return law;
}

/** A dialogue of `acts` in which nobody walks out and every reply is the same. */
function told(acts: readonly string[], users: readonly UserTraits[], answer = 'acknowledge'): Encounter {
  const encounter = world.begin(world.setting(0, 1), users);
  acts.forEach((name, i) => {
    encounter.actAgent(act(name));
    if (i < acts.length - 1) encounter.actUser(reply(answer));
  });
  return encounter;
}

const traits = world.types[0]!.traits;
const liking = (affinities: readonly number[]): UserTraits => ({ ...traits, trust: 0.5, affinities });

describe('a dialogue of persuasion', () => {
  it('gives every user of whatever traits a distribution, the same acts being possible for all', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.array(fc.nat(world.agentActs.length - 1), { minLength: 10, maxLength: 10 }),
        (seed, acts) => {
          const random = seeded(seed);
          const users = Array.from({ length: 4 }, () => world.anyTraits(random));
          const extreme = (value: number, affinity: number, habit: number): UserTraits => ({
            trust: value,
            affinities: world.appeals.map(() => affinity),
            patience: value,
            disclosure: value,
            consistency: value,
            politeness: value,
            expressiveness: value,
            habit,
          });
          users.push(extreme(0, -1, 3), extreme(1, 1, 0), extreme(1, -1, 1), extreme(0, 1, 2));
          const encounter = world.begin(world.setting(0, 1), users);
          for (const one of acts) {
            encounter.actAgent(one);
            const laws = users.map((_, who) => lawOf(encounter, who));
            for (const law of laws) {
              expect(Math.abs(sum(law) - 1)).toBeLessThan(1e-9);
              expect(law.every((p) => p >= 0)).toBe(true);
              expect([...law].map((p) => p > 0)).toEqual([...laws[0]!].map((p) => p > 0));
            }
            encounter.actUser(draw(laws[random.integer(users.length)]!, random));
            if (encounter.phase === 'over') break;
            const seen = new Float64Array(world.inputs + 2).fill(7);
            encounter.observe(seen, 1);
            expect([seen[0], seen[world.inputs + 1]]).toEqual([7, 7]);
            expect(seen.every((value) => Number.isFinite(value))).toBe(true);
          }
          expect(encounter.phase).toBe('over');
        },
      ),
      { numRuns: 150 },
    );
  });

  it('lets users decide when the agent closes or the turns are gone, and only then', () => {
    const open = lawOf(told(['greet', 'logic'], [traits]));
    expect(sum(open.subarray(FIRST_DECISION))).toBe(0);
    expect(open[LEAVE]).toBeGreaterThan(0);
    const closed = told(['greet', 'close'], [traits]);
    expect(sum(lawOf(closed).subarray(FIRST_DECISION))).toBeCloseTo(1, 12);
    closed.actUser(reply('give-0.50'));
    expect(closed).toMatchObject({
      phase: 'over',
      reward: 0.25,
      outcome: 'donated 0.5',
      termination: 'agent',
    });
    const late = told(new Array(10).fill('rapport'), [traits]);
    expect(sum(lawOf(late).subarray(0, FIRST_DECISION))).toBe(0);
    late.actUser(reply('give-2'));
    expect(late).toMatchObject({ reward: 1, termination: 'turn limit' });
  });

  it('rewards half of the dollars given, and nothing where the user walks out', () => {
    const rewards = world.userActs.slice(FIRST_DECISION).map((name) => {
      const encounter = told(['close'], [traits]);
      encounter.actUser(reply(name));
      return encounter.reward;
    });
    expect(rewards).toEqual([0, 0.05, 0.125, 0.25, 0.5, 1]);
    const left = told(['propose'], [traits]);
    left.actUser(LEAVE);
    expect(left).toMatchObject({ phase: 'over', reward: 0, outcome: 'left', termination: 'user' });
  });

  it('refuses acts out of turn', () => {
    const encounter = told(['greet'], [traits]);
    expect(() => encounter.actAgent(0)).toThrow(/out of turn/);
    expect(() => encounter.actUser(reply('give-1'))).toThrow(/cannot give-1/);
    encounter.actUser(reply('greet'));
    expect(() => encounter.actUser(0)).toThrow(/out of turn/);
    expect(() => told(['close'], [traits]).actUser(reply('warm'))).toThrow(/cannot warm/);
  });

  it.each([3, 10, 30, 50])('comes to an end within %i turns', (horizon) => {
    const long = persuasion(horizon);
    const random = seeded(horizon);
    const policy = new Float64Array(long.agentActs.length);
    for (let episode = 0; episode < 20; episode++) {
      const users = [long.anyTraits(random)];
      const encounter = long.begin(long.setting(episode, 1), users);
      while (encounter.phase !== 'over') {
        long.demonstrate(encounter, policy);
        expect(sum(policy)).toBeCloseTo(1, 10);
        encounter.actAgent(draw(policy, random));
        encounter.actUser(draw(lawOf(encounter, 0, long), random));
      }
      expect(encounter.turn).toBeLessThanOrEqual(horizon);
      expect(encounter.reward).toBeGreaterThanOrEqual(0);
      expect(encounter.reward).toBeLessThanOrEqual(1);
    }
  });

  it('is the same law at the same history, whoever else is followed and whatever was asked', () => {
    const others = world.types.map(({ traits: one }) => one);
    const acts = ['greet', 'inquire', 'emotion', 'propose', 'ask-amount'];
    const [alone, among] = [told(acts, [others[5]!]), told(acts, others)];
    lawOf(among, 0);
    expect(lawOf(among, 5)).toEqual(lawOf(alone, 0));
  });
});

describe('a persuadee', () => {
  it('shows in the next reply whether an appeal is to its liking', () => {
    const consent = (affinity: number) => {
      const law = lawOf(told(['emotion'], [liking([0, affinity, 0, 0])]));
      return law[reply('warm')]! + law[reply('agree')]!;
    };
    expect(consent(0.9)).toBeGreaterThan(2 * consent(0));
    expect(consent(0)).toBeGreaterThan(2 * consent(-0.9));
  });

  it('gives more after appeals it likes, less and less so by repetition', () => {
    const resolve = (...acts: string[]) =>
      (told(['propose', ...acts], [liking([0, 0.9, 0, 0])]) as PersuasionEncounter).resolve(0);
    const [none, one, two] = [resolve(), resolve('emotion'), resolve('emotion', 'emotion')];
    expect(one).toBeGreaterThan(none);
    expect(two).toBeGreaterThan(one);
    expect(two - one).toBeLessThan(one - none);
    expect(resolve('logic')).toBe(none);
  });

  it('gives less and walks out sooner where it is pressed while it does not want to', () => {
    const cold: UserTraits = { ...liking([0, 0, 0, 0]), trust: 0.2, patience: 0.2 };
    const pressed = told(['propose', 'propose', 'ask-amount', 'propose'], [cold]);
    const once = told(['rapport', 'rapport', 'rapport', 'propose'], [cold]);
    expect((pressed as PersuasionEncounter).resolve(0)).toBeLessThan(
      (once as PersuasionEncounter).resolve(0),
    );
    expect(lawOf(pressed)[LEAVE]).toBeGreaterThan(5 * lawOf(once)[LEAVE]!);
  });

  it('gives little that nobody asked for', () => {
    const given = (name: string) => {
      const law = lawOf(told([name, 'close'], [liking([0, 0, 0, 0])]));
      return 1 - law[FIRST_DECISION]!;
    };
    expect(given('rapport')).toBeLessThan(0.6 * given('propose'));
  });
});

describe('what a policy sees', () => {
  it('follows from the acts alone, not from who is there', () => {
    const see = (users: readonly UserTraits[]) => {
      const encounter = told(['greet', 'emotion', 'logic'], users, 'warm');
      encounter.actUser(reply('push-back'));
      const [into, cues] = [new Float64Array(world.inputs), new Float64Array(world.cues)];
      encounter.observe(into, 0);
      encounter.cues(cues, 0);
      return [[...into], [...cues]];
    };
    const [observed, cues] = see([traits]);
    expect(see([world.anyTraits(seeded(3))])).toEqual([observed, cues]);
    expect(observed!.slice(-world.appeals.length)).toEqual([-1, 1, 0, 1]);
    expect(observed!.length).toBeLessThanOrEqual(60);
  });

  it('allows every act at all times', () => {
    const allowed = new Uint8Array(world.agentActs.length + 1);
    world.begin(world.setting(0, 1), [traits]).allowed(allowed, 1);
    expect([...allowed]).toEqual([0, ...world.agentActs.map(() => 1)]);
  });
});

describe('the world of persuasion', () => {
  it('has settings of its own by seed and number, the same each time', () => {
    const scenarios = Array.from({ length: 300 }, (_, i) => world.setting(i, 4).scenario);
    expect(new Set(scenarios).size).toBe(300);
    expect(world.setting(7, 4)).toEqual(world.setting(7, 4));
    expect(world.setting(7, 5).label).not.toBe(world.setting(7, 4).label);
  });

  it('has kinds of people whose shares sum to 1', () => {
    expect(sum(world.types.map(({ share }) => share))).toBeCloseTo(1, 12);
    expect(new Set(world.types.map(({ id }) => id)).size).toBe(12);
    for (const { traits: one } of world.types) expect(one.affinities.length).toBe(world.appeals.length);
  });

  it('calls those agreeable who trust and like more', () => {
    expect(world.agreeableness({ ...traits, trust: 0.9 })).toBeGreaterThan(world.agreeableness(traits));
    for (let i = 0; i < 50; i++) {
      const value = world.agreeableness(world.anyTraits(seeded(i)));
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(1);
    }
  });

  it('says what is wrong with a horizon or a user that it cannot have', () => {
    expect(() => persuasion(2)).toThrow(/3 or more/);
    expect(() => persuasion(4.5)).toThrow(/3 or more/);
    expect(() => world.begin(world.setting(0, 1), [{ ...traits, habit: 4 }])).toThrow(/habit of 0 \.\. 3/);
    expect(() => world.begin(world.setting(0, 1), [{ ...traits, affinities: [1] }])).toThrow(/4 affinities/);
  });
});
