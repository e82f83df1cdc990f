import type { Random } from '../../math/random.ts';
import { seeded } from '../../math/random.ts';
import type { UserTraits } from '../world/traits.ts';
import type { World } from '../world/world.ts';
import { drawFrom } from './draw-act.ts';
import { MixtureSession } from './mixture-session.ts';
import type { Simulator } from './simulator.ts';

export interface Person {
  readonly id: string;
  /** Index in the world's types. */
  readonly type: number;
  readonly traits: UserTraits;
}

/** How far a person's manner is from that of its kind. */
const MANNER = 0.12;

const clip = (x: number) => Math.min(1, Math.max(0, x));

/** People of a world, by seed. Those of `reference` and of `test` are different people. */
export function peopleOf(world: World, part: 'reference' | 'test', count: number, seed: number): Person[] {
  const random = seeded(`lab/people/${world.id}/${part}/${seed}`);
  const shares = Float64Array.from(world.types, ({ share }) => share);
  return Array.from({ length: count }, (_, i) => {
    const own = random.fork(String(i));
    const type = drawFrom(shares, own);
    const { traits } = world.types[type]!;
    // What a kind does is its law; how a person of it writes is its own.
    return {
      id: `${part}-${i}`,
      type,
      traits: {
        ...traits,
        expressiveness: clip(traits.expressiveness + MANNER * own.normal()),
      },
    };
  });
}

/** One of the people answers, each alike. */
export function peopleSimulator(world: World, people: readonly Person[], id = 'people'): Simulator {
  return {
    id,
    family: 'people',
    kind: 'human',
    recipe: 'a person',
    open: (random) => openPerson(world, people[random.integer(people.length)]!),
  };
}

export function openPerson(world: World, { id, traits }: Person): MixtureSession {
  return openUser(world, traits, id);
}

/** Somebody of known traits: one kind, not collapsed, in all its words. */
function openUser(world: World, traits: UserTraits, person: string | null): MixtureSession {
  return new MixtureSession({
    users: [traits],
    shares: [1],
    acts: world.userActs.length,
    gamma: 1,
    voice: traits,
    breadth: 1,
    person,
  });
}

/** Users drawn with no regard to people: every trait over its whole range (domain randomisation). */
export function anyoneSimulator(world: World): Simulator {
  return {
    id: 'anyone',
    family: 'domain-randomisation',
    kind: 'scripted',
    recipe: 'traits drawn uniformly',
    open: (random: Random) => openUser(world, world.anyTraits(random.fork('traits')), null),
  };
}
