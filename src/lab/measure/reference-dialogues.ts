import { seeded } from '../../math/random.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';
import { recordEpisode } from '../record/index.ts';
import { openPerson, type Person, peopleOf, playDemonstration } from '../simulators/index.ts';
import type { World } from '../world/index.ts';

/** Settings from here on are met by the people of a world's space. */
const SETTINGS = 400_000;
/** Dialogues in each of them. */
const PER_SETTING = 5;

export interface ReferenceOptions {
  /** People, each in one dialogue (default 600). */
  readonly people?: number;
  /** Of people, settings and luck (default 0). */
  readonly seed?: number;
}

/** People of a world as they are recorded: each in one dialogue with its demonstrator, five people a setting. */
export function referenceDialogues(
  world: World,
  { people = 600, seed = 0 }: ReferenceOptions = {},
): Trajectory[] {
  const random = seeded(`lab/reference/${world.id}/${world.horizon}/${seed}`);
  return peopleOf(world, 'reference', people, seed).map((person, at) => {
    const name = `reference/${world.id}/${world.horizon}/${seed}/${person.id}`;
    return dialogue(
      world,
      person,
      SETTINGS + Math.floor(at / PER_SETTING),
      seed,
      random.fork(person.id),
      name,
    );
  });
}

function dialogue(
  world: World,
  person: Person,
  index: number,
  seed: number,
  random: ReturnType<typeof seeded>,
  name: string,
): Trajectory {
  const setting = world.setting(index, seed);
  const session = openPerson(world, person);
  const encounter = world.begin(setting, session.users);
  const [agent, user] = [random.fork('agent'), random.fork('user')];
  playDemonstration(world, encounter, session, agent, user);
  return recordEpisode({
    world,
    setting,
    steps: encounter.steps,
    reward: encounter.reward,
    outcome: encounter.outcome,
    termination: encounter.termination,
    simulator: PEOPLE,
    session,
    policy: { id: 'demonstrator', checkpoint: null },
    seed: name,
    id: name,
  });
}

/** What people are called in a record. */
export const PEOPLE = { id: 'people', family: 'people', kind: 'human', recipe: 'a person' } as const;
