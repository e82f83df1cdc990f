import { coverageOf, drawFrom, fitShares, MixtureSession, type Simulator } from '../simulators/index.ts';
import { frozen } from './frozen.ts';
import type { Method, MethodSetup } from './method.ts';

/** Dialogues of the reference people that the clone is fitted to. */
const DIALOGUES = 300;

function cloneOfPeople({ world, reference, random }: MethodSetup): Simulator {
  const shares = fitShares(world, reference, DIALOGUES, random.fork('human-fitted'));
  const { users, shares: own } = coverageOf(world, shares);
  return {
    id: 'human-fitted',
    family: 'human-fitted',
    kind: 'trained',
    recipe: 'cloned from the reference people',
    open: (stream) =>
      new MixtureSession({
        users,
        shares: own,
        acts: world.userActs.length,
        gamma: 1,
        voice: users[drawFrom(own, stream.fork('voice'))]!,
        breadth: 1,
      }),
  };
}

export const humanFitted: Method = {
  id: 'human-fitted',
  title: 'Simulator fitted to people',
  model: `a mixture of the world's kinds of people with shares fitted (EM, with half a dialogue of each kind as prior) to ${DIALOGUES} dialogues of reference people; not collapsed`,
  usesPeople: true,
  trains: true,
  start: (study) => frozen([cloneOfPeople(study)]),
};
