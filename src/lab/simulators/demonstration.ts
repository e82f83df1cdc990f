import type { Random } from '../../math/random.ts';
import type { Encounter } from '../world/encounter.ts';
import type { World } from '../world/world.ts';
import { drawFrom } from './draw-act.ts';
import type { Session } from './simulator.ts';

/** Told of an act of the demonstrator before it is done: the law it was drawn from is good until the next one. */
export type DemonstrationWitness = (act: number, law: Float64Array) => void;

/** Plays a dialogue of the world's demonstrator with `session` to its end; each side draws from a stream of its own. */
export function playDemonstration(
  world: World,
  encounter: Encounter,
  session: Session,
  agent: Random,
  user: Random,
  witness?: DemonstrationWitness,
): void {
  const law = new Float64Array(world.agentActs.length);
  while (encounter.phase !== 'over')
    if (encounter.phase === 'agent') {
      world.demonstrate(encounter, law);
      const act = drawFrom(law, agent);
      witness?.(act, law);
      encounter.actAgent(act);
    } else {
      const { act } = session.reply(encounter, user);
      session.said(encounter, act);
      encounter.actUser(act);
    }
}
