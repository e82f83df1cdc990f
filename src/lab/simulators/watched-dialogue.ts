import type { Random } from '../../math/random.ts';
import type { Encounter, Setting, World } from '../world/index.ts';
import { drawFrom } from './draw-act.ts';
import { MixtureSession } from './mixture-session.ts';
import { openPerson, type Person } from './people.ts';

/** A person's dialogue with the demonstrator, and what its acts alone say of the person's kind. */
export interface WatchedDialogue {
  readonly encounter: Encounter;
  /** P(kind | acts) over the world's kinds, all alike beforehand: up to scale, their likelihood. */
  readonly posterior: Float64Array;
}

/** Plays the dialogue and reads it: all kinds are followed beside the person, whose kind stays hidden. */
export function watchedDialogue(
  world: World,
  person: Person,
  setting: Setting,
  agent: Random,
  voice: Random,
): WatchedDialogue {
  const kinds = world.types.length;
  const traits = world.types.map(({ traits: own }) => own);
  const user = openPerson(world, person);
  const observer = new MixtureSession({
    users: traits,
    shares: new Float64Array(kinds).fill(1 / kinds),
    acts: world.userActs.length,
    gamma: 1,
    voice: traits[0]!,
    breadth: 1,
  });
  const own = world.begin(setting, user.users);
  const seen = world.begin(setting, observer.users);
  const law = new Float64Array(world.agentActs.length);
  while (own.phase !== 'over') {
    if (own.phase === 'agent') {
      world.demonstrate(own, law);
      const act = drawFrom(law, agent);
      own.actAgent(act);
      seen.actAgent(act);
      continue;
    }
    const { act } = user.reply(own, voice);
    observer.said(seen, act);
    user.said(own, act);
    own.actUser(act);
    seen.actUser(act);
  }
  return { encounter: own, posterior: observer.posterior.slice() };
}
