import type { Random } from '../../math/random.ts';
import type { Session, Simulator } from '../simulators/simulator.ts';
import type { Encounter } from '../world/encounter.ts';
import type { Setting } from '../world/setting.ts';
import type { World } from '../world/world.ts';

export interface FirstReply {
  readonly simulator: Simulator;
  readonly session: Session;
  readonly act: number;
}

/**
 * The first reply of a user, drawn again `n` times: whom `draw` says, each in a dialogue of its own in which the policy
 * has said the same. Later turns cannot be asked so: who comes to them hangs on what was said before.
 */
export function firstReplies(
  world: Pick<World, 'begin'>,
  setting: Setting,
  encounter: Encounter,
  draw: (random: Random, at: number) => Simulator,
  n: number,
  random: Random,
): FirstReply[] {
  return Array.from({ length: n }, (_, at) => {
    const own = random.fork(String(at));
    const simulator = draw(own, at);
    const session = simulator.open(own.fork('session'));
    const again = world.begin(setting, session.users);
    for (const { act } of encounter.steps) again.actAgent(act);
    return { simulator, session, act: session.reply(again, own).act };
  });
}
