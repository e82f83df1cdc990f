import { recordEpisode } from '../lab/record/index.ts';
import {
  DEFAULT_FAMILIES,
  familySimulator,
  type MemberWorld,
  memberSimulator,
  type Person,
  peopleOf,
  playDemonstration,
  type Simulator,
  traitsInWords,
  VERBALIZED,
  watchedDialogue,
} from '../lab/simulators/index.ts';
import { TRAINING } from '../lab/trainer/index.ts';
import type { UserTraits, World, WorldId } from '../lab/world/index.ts';
import { worldOf } from '../lab/worlds/index.ts';
import { type Random, seeded } from '../math/random.ts';
import { type Member, readMember } from '../population/index.ts';
import { drafted, type PersonaDraft, type SearchCandidate } from '../synthesis/index.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import type { Stage } from './synthesize-stage.ts';

/** Dialogues of people, and of each base: as many as a first look at a population has. */
const PEOPLE = 400;
const ROLLOUTS = 128;
/** Settings of people's dialogues, of rollouts and of what is made. */
const FIRST = { people: 600_000, rollouts: 610_000, made: 620_000 } as const;
/** Kinds of people that a mode is described by. */
const KINDS = 3;

/** A world of the lab in place of files and endpoints. */
export interface WorldWorkshop {
  readonly rollouts: readonly Trajectory[];
  readonly people: readonly Trajectory[];
  readonly members: ReadonlyMap<string, Member>;
  draftsOf(exemplars: readonly Trajectory[]): readonly PersonaDraft[];
  readonly numbers: readonly string[];
  memberOf(candidate: SearchCandidate, bases: readonly Member[]): Member;
  stage(contexts: number): Stage;
}

/** Families of the seen panel and recorded people, all with the world's demonstrator as the policy. */
export function worldWorkshop(id: WorldId, seed: number): WorldWorkshop {
  const world = worldOf(id);
  const setup: MemberWorld = {
    world,
    families: DEFAULT_FAMILIES.seen,
    personaStrength: TRAINING.personaStrength,
    verbalized: VERBALIZED,
  };
  const random = seeded(`synthesize/${id}/${seed}`);
  const spoken = new Map<string, Float64Array>();
  const people = peopleOf(world, 'reference', PEOPLE, seed).map((person, at) => {
    const found = recordedPerson(world, person, at, seed, random.fork(person.id));
    spoken.set(found.trajectory.id, found.posterior);
    return found.trajectory;
  });
  const rollouts = DEFAULT_FAMILIES.seen.flatMap((family) =>
    Array.from({ length: ROLLOUTS }, (_, i) => {
      const name = `rollouts/${family.id}/${i}`;
      const setting = FIRST.rollouts + Math.floor(i / 2);
      return played(world, familySimulator(world, family), setting, seed, name, null, random.fork(name));
    }),
  );
  const names = traitNames(world);
  return {
    rollouts,
    people,
    members: new Map(DEFAULT_FAMILIES.seen.map(({ id: own }) => [own, readMember({ id: own, family: own })])),
    draftsOf: (exemplars) =>
      kindsOf(world, exemplars, spoken).map((traits) => ({ text: traitsInWords(world, traits) })),
    numbers: names,
    memberOf(candidate, bases) {
      const base = bases.find(({ id: own }) => own === candidate.base)!;
      const text = traitsInWords(world, traitsOf(world, candidate.numbers));
      return drafted(base, { text }, `${base.id}+${candidate.id}`);
    },
    stage: (contexts) => ({
      contexts,
      lanes: 1,
      mark: { world: id, seed, people: PEOPLE, rollouts: ROLLOUTS },
      check(member) {
        memberSimulator(setup, member);
      },
      async play({ id: name, member, context }, run) {
        const simulator = memberSimulator(setup, member);
        const setting = FIRST.made + context;
        const trajectory = played(world, simulator, setting, seed, `${run}/${name}`, run, random.fork(name));
        return { trajectory, tokens: null };
      },
      async close() {},
    }),
  };
}

function played(
  world: World,
  simulator: Simulator,
  index: number,
  seed: number,
  name: string,
  run: string | null,
  random: Random,
): Trajectory {
  const setting = world.setting(index, seed);
  const session = simulator.open(random.fork('session'));
  const encounter = world.begin(setting, session.users);
  playDemonstration(world, encounter, session, random.fork('agent'), random.fork('user'));
  return recordEpisode({
    world,
    setting,
    steps: encounter.steps,
    reward: encounter.reward,
    outcome: encounter.outcome,
    termination: encounter.termination,
    simulator,
    session,
    policy: { id: 'demonstrator', checkpoint: null },
    seed: name,
    id: name,
    run,
  });
}

function recordedPerson(world: World, person: Person, at: number, seed: number, random: Random) {
  const setting = world.setting(FIRST.people + Math.floor(at / 4), seed);
  const { encounter, posterior } = watchedDialogue(
    world,
    person,
    setting,
    random.fork('agent'),
    random.fork('user'),
  );
  const trajectory = recordEpisode({
    world,
    setting,
    steps: encounter.steps,
    reward: encounter.reward,
    outcome: encounter.outcome,
    termination: encounter.termination,
    simulator: { id: 'people', family: 'people', kind: 'human', recipe: 'a person' },
    session: { person: person.id, voice: person.traits, breadth: 1 },
    policy: { id: 'demonstrator', checkpoint: null },
    seed: `people/${person.id}`,
    id: `people/${seed}/${person.id}`,
  });
  return { trajectory, posterior };
}

/** Kinds that the dialogues of a mode speak for, the likeliest first: what a careful reader could say of their people. */
function kindsOf(
  world: World,
  exemplars: readonly Trajectory[],
  spoken: ReadonlyMap<string, Float64Array>,
): readonly UserTraits[] {
  const total = new Float64Array(world.types.length);
  for (const { id } of exemplars)
    spoken.get(id)?.forEach((p, kind) => {
      total[kind]! += p;
    });
  return [...total.keys()]
    .filter((kind) => total[kind]! > 0)
    .sort((a, b) => total[b]! - total[a]! || a - b)
    .slice(0, KINDS)
    .map((kind) => world.types[kind]!.traits);
}

const SHARES = ['trust', 'patience', 'disclosure', 'consistency', 'politeness', 'expressiveness'] as const;

function traitNames(world: World): readonly string[] {
  return [...SHARES, 'habit', ...world.appeals.map((appeal) => `likes ${appeal}`)];
}

/** Numbers from 0 to 1 as traits: affinities from -1 to 1, one of the world's habits. */
function traitsOf(world: World, numbers: Readonly<Record<string, number>>): UserTraits {
  const shares = Object.fromEntries(SHARES.map((name) => [name, numbers[name]!])) as Record<
    (typeof SHARES)[number],
    number
  >;
  return {
    ...shares,
    habit: Math.min(world.habits - 1, Math.floor(numbers.habit! * world.habits)),
    affinities: world.appeals.map((appeal) => 2 * numbers[`likes ${appeal}`]! - 1),
  };
}
