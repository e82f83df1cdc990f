import type { Random } from '../../math/index.ts';
import { openPerson, type Person, playDemonstration } from '../simulators/index.ts';
import type { World } from '../world/index.ts';
import { type ActBehaviour, actBehaviour } from './act-behaviour.ts';

/** Seed of the settings of people's dialogues: runs of other seeds train and look on others. */
const SETTINGS = 1_000_003;

export interface PersonOnRecord extends ActBehaviour {
  readonly person: string;
}

/** Dialogues of people with the world's demonstrator, the people taken in turn. */
export function peopleOnRecord(
  world: World,
  people: readonly Person[],
  dialogues: number,
  random: Random,
): PersonOnRecord[] {
  return Array.from({ length: dialogues }, (_, d) => {
    const person = people[d % people.length]!;
    const own = random.fork(`dialogue/${d}`);
    const agent = own.fork('agent');
    const user = own.fork('user');
    const session = openPerson(world, person);
    const setting = world.setting(d, SETTINGS);
    const encounter = world.begin(setting, session.users);
    playDemonstration(world, encounter, session, agent, user);
    return {
      person: person.id,
      ...actBehaviour(setting, encounter, world.userActs.length, world.horizon),
    };
  });
}
