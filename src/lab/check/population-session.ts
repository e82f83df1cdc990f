import type { Random } from '../../math/random.ts';
import { drawFrom, type Session, type Simulator } from '../simulators/index.ts';
import { worldName } from '../stage-zero/cell-place.ts';
import type { Encounter, Setting, World } from '../world/index.ts';

/** `persuasion-10`: a world may be checked at several horizons. */
export const placeOf = ({ id, horizon }: World): string => worldName({ world: id, horizon });

/** One member who reads a dialogue along: its law at every history, and the chances it gave to what was said. */
export interface Reader {
  readonly session: Session;
  readonly encounter: Encounter;
  readonly law: Float64Array;
  /** Of the user's turns so far. */
  readonly likelihoods: number[];
}

/**
 * Plays a dialogue of the demonstrator with `members[speaker]`, the others reading along. `before` is called at every
 * turn of the user, the laws of all members in place.
 */
export function playDialogue(
  world: World,
  setting: Setting,
  members: readonly Simulator[],
  speaker: number,
  random: Random,
  before: (readers: readonly Reader[], depth: number) => void,
): void {
  const readers = members.map((member, i): Reader => {
    const session = member.open(random.fork(`session/${i}`));
    return {
      session,
      encounter: world.begin(setting, session.users),
      law: new Float64Array(world.userActs.length),
      likelihoods: [],
    };
  });
  const own = readers[speaker]!;
  const agent = random.fork('agent');
  const user = random.fork('user');
  const policy = new Float64Array(world.agentActs.length);
  for (let depth = 0; own.encounter.phase !== 'over'; ) {
    if (own.encounter.phase === 'agent') {
      world.demonstrate(own.encounter, policy);
      const act = drawFrom(policy, agent);
      for (const { encounter } of readers) encounter.actAgent(act);
      continue;
    }
    for (const { session, encounter, law } of readers) session.law(encounter, law);
    before(readers, depth);
    depth += 1;
    const { act } = own.session.reply(own.encounter, user);
    for (const { session, encounter, law, likelihoods } of readers) {
      likelihoods.push(law[act]!);
      session.said(encounter, act);
      encounter.actUser(act);
    }
  }
}
