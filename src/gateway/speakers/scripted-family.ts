import {
  DEFAULT_FAMILIES,
  familySimulator,
  peopleOf,
  peopleSimulator,
  type Simulator,
  type SimulatorFamily,
  VERBALIZED,
  verbalizedSimulator,
} from '../../lab/simulators/index.ts';
import type { World } from '../../lab/world/world.ts';

/** Collapse of a family that the lab does not name; whom it covers is drawn by its name. */
export const UNNAMED: Omit<SimulatorFamily, 'id'> = { kappa: 0.6, gamma: 4, lean: 0.4 };
/** The family of one person at a time, drawn by the shares of the world's kinds. */
export const PEOPLE = 'people';
/** People that sessions are drawn from. */
const CROWD = 1000;
/** Behind a family's name: it is asked for a list of replies with probabilities. */
const VERBALIZED_SUFFIX = '-vs';

/**
 * Who answers for a scripted recipe's family: `people`, a family of the lab's default panels, any other name by
 * `UNNAMED`, and each of these with `-vs` behind its name by Verbalized Sampling.
 */
export function scriptedSimulator(world: World, name: string): Simulator {
  if (name === PEOPLE) return peopleSimulator(world, peopleOf(world, 'reference', CROWD, 0));
  if (name.endsWith(VERBALIZED_SUFFIX) && name.length > VERBALIZED_SUFFIX.length)
    return verbalizedSimulator(
      world,
      familyNamed(name.slice(0, -VERBALIZED_SUFFIX.length)),
      VERBALIZED,
      name,
    );
  return familySimulator(world, familyNamed(name));
}

function familyNamed(id: string): SimulatorFamily {
  const { seen, selection, test } = DEFAULT_FAMILIES;
  return [...seen, ...selection, ...test].find((family) => family.id === id) ?? { id, ...UNNAMED };
}
