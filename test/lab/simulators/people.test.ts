import { describe, expect, it } from 'vitest';
import { anyoneSimulator, openPerson, peopleOf, peopleSimulator } from '../../../src/lab/simulators/index.ts';
import { WORLD_IDS, worldOf } from '../../../src/lab/worlds/index.ts';
import { seeded } from '../../../src/math/index.ts';
import { ASK, handWorld, LAWS, SHARES } from './hand-world.ts';

const hand = handWorld();

describe('people of a world', () => {
  it('are others for reference and for test', () => {
    const reference = peopleOf(hand, 'reference', 300, 1);
    const test = peopleOf(hand, 'test', 300, 1);
    const ids = new Set(reference.map(({ id }) => id));
    expect(ids.size).toBe(300);
    expect(test.some(({ id }) => ids.has(id))).toBe(false);
    // Not the same people under other names.
    const manners = new Set(reference.map(({ traits }) => traits.expressiveness));
    const same = test.filter(({ traits: { expressiveness: e } }) => e > 0 && e < 1 && manners.has(e));
    expect(same).toEqual([]);
  });

  it('are the same by seed and place, however many are asked for', () => {
    expect(peopleOf(hand, 'test', 40, 7)).toEqual(peopleOf(hand, 'test', 40, 7));
    expect(peopleOf(hand, 'test', 40, 7).slice(0, 10)).toEqual(peopleOf(hand, 'test', 10, 7));
    expect(peopleOf(hand, 'test', 40, 8)).not.toEqual(peopleOf(hand, 'test', 40, 7));
    expect(peopleOf(hand, 'test', 0, 7)).toEqual([]);
  });

  it('are of each kind as often as its share says', () => {
    const n = 6000;
    const people = peopleOf(hand, 'reference', n, 3);
    SHARES.forEach((share, z) => {
      const found = people.filter(({ type }) => type === z).length / n;
      expect(Math.abs(found - share)).toBeLessThan(5 * Math.sqrt((share * (1 - share)) / n));
    });
  });

  it.each(WORLD_IDS)('do as their kind does in %s, and write in a manner of their own', (id) => {
    const world = worldOf(id);
    const people = peopleOf(world, 'test', 200, 1);
    for (const { type, traits } of people) {
      const { expressiveness, ...rest } = traits;
      const { expressiveness: usual, ...kind } = world.types[type]!.traits;
      expect(rest).toEqual(kind);
      expect(expressiveness).toBeGreaterThanOrEqual(0);
      expect(expressiveness).toBeLessThanOrEqual(1);
      expect(Math.abs(expressiveness - usual)).toBeLessThan(0.12 * 6);
    }
    expect(new Set(people.map(({ traits }) => traits.expressiveness)).size).toBeGreaterThan(100);
  });
});

describe('one of the people as a user', () => {
  const people = peopleOf(hand, 'test', 5, 1);

  it('is each alike, by name', () => {
    const simulator = peopleSimulator(hand, people);
    expect(simulator).toMatchObject({ id: 'people', family: 'people', kind: 'human' });
    const n = 5000;
    const counts = new Map<string | null, number>();
    const random = seeded('draw');
    for (let i = 0; i < n; i++) {
      const { person } = simulator.open(random);
      counts.set(person, (counts.get(person) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual(people.map(({ id }) => id));
    for (const count of counts.values())
      expect(Math.abs(count / n - 0.2)).toBeLessThan(5 * Math.sqrt(0.16 / n));
  });

  it('answers by the law of its kind, in all wordings', () => {
    for (const person of people) {
      const session = openPerson(hand, person);
      const encounter = hand.begin(hand.setting(0, 1), session.users);
      encounter.actAgent(ASK);
      const law = new Float64Array(4);
      expect(session.law(encounter, law)).toBe(true);
      expect([...law]).toEqual(LAWS.ask[person.type]);
      expect(session).toMatchObject({ breadth: 1, person: person.id, voice: person.traits });
    }
  });
});

describe('a user drawn with no regard to people', () => {
  it.each(WORLD_IDS)('has traits of the range of %s, and is nobody', (id) => {
    const world = worldOf(id);
    const simulator = anyoneSimulator(world);
    expect(simulator).toMatchObject({ id: 'anyone', kind: 'scripted' });
    const drawn = Array.from({ length: 300 }, (_, i) => simulator.open(seeded(i)));
    for (const { users, person } of drawn) {
      expect(users).toHaveLength(1);
      expect(person).toBeNull();
      const { affinities, habit, ...rest } = users[0]!;
      expect(affinities).toHaveLength(world.appeals.length);
      for (const one of affinities) expect(Math.abs(one)).toBeLessThanOrEqual(1);
      expect(habit).toBeLessThan(world.habits);
      for (const trait of Object.values(rest)) expect(trait >= 0 && trait <= 1).toBe(true);
    }
    const trust = drawn.map(({ users }) => users[0]!.trust);
    expect(Math.min(...trust)).toBeLessThan(0.05);
    expect(Math.max(...trust)).toBeGreaterThan(0.95);
    expect(new Set(drawn.map(({ users }) => users[0]!.habit)).size).toBe(world.habits);
  });
});
