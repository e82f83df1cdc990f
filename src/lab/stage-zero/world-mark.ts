import { seeded } from '../../math/random.ts';
import { hashText } from '../../trajectory/identity.ts';
import {
  familySimulator,
  peopleOf,
  peopleSimulator,
  playDemonstration,
  type Simulator,
} from '../simulators/index.ts';
import type { World } from '../world/index.ts';
import { DEFAULT_PANELS } from './panels.ts';

const DIALOGUES = 24;

/**
 * A hash of how a world behaves: acts and rewards of a few dialogues of its demonstrator with people and with a family.
 * Another constant of the world gives another mark, so that cells of before and after never stand in one table.
 */
export function worldMark(world: World): string {
  const people = peopleSimulator(world, peopleOf(world, 'reference', DIALOGUES, 0));
  const family = familySimulator(world, DEFAULT_PANELS.seen[0]!);
  return hashText(JSON.stringify([playedWith(world, people), playedWith(world, family)]));
}

function playedWith(world: World, simulator: Simulator): unknown[] {
  return Array.from({ length: DIALOGUES }, (_, at) => {
    const random = seeded(`lab/mark/${at}`);
    const session = simulator.open(random.fork('open'));
    const setting = world.setting(at, 0);
    const encounter = world.begin(setting, session.users);
    const [agent, user] = [random.fork('agent'), random.fork('user')];
    playDemonstration(world, encounter, session, agent, user);
    return [setting.scenario, encounter.steps.map(({ side, act }) => [side, act]), encounter.reward];
  });
}
