import type { Encounter } from '../world/encounter.ts';
import type { Setting } from '../world/setting.ts';
import type { UserTraits } from '../world/traits.ts';
import type { World } from '../world/world.ts';

/** An act of either side as it was taken. */
export interface TakenAct {
  readonly side: 'agent' | 'user';
  readonly act: number;
}

/** A tool call as it may come with an agent's message. */
export interface ShownCall {
  readonly name: string;
  /** Parsed. */
  readonly arguments: unknown;
}

const NOBODY: readonly UserTraits[] = [];
/** Tool calls in a row that are thought of. */
const MOST = 8;
/** Each must make what was said so many times likelier: without need an agent is not thought to have done anything. */
const WORTH = 2;

/** The dialogue played again, with nobody followed. */
export function playedAgain(
  world: Pick<World, 'begin'>,
  setting: Setting,
  taken: readonly TakenAct[],
): Encounter {
  const encounter = world.begin(setting, NOBODY);
  for (const { side, act } of taken)
    if (side === 'agent') encounter.actAgent(act);
    else encounter.actUser(act);
  return encounter;
}

/**
 * Tool calls that an agent will have made before it said `act`. They are not on the simulator's side of a chat, and yet
 * "that is done" follows from them. They are guessed as what the world's demonstrator would most likely call next, as
 * many in a row as make the act said at least `WORTH` times likelier each.
 */
export function silentCalls(
  world: World,
  setting: Setting,
  taken: readonly TakenAct[],
  act: number,
): number[] {
  if (world.agentActs.every((name) => world.wordings.agent[name] !== undefined)) return [];
  const encounter = playedAgain(world, setting, taken);
  const law = new Float64Array(world.agentActs.length);
  const calls: number[] = [];
  let best: readonly number[] = [];
  let top = Number.NEGATIVE_INFINITY;
  for (let made = 0; made <= MOST; made++) {
    // The turn after the last is nobody's: what was said must still fit in.
    if (encounter.phase !== 'agent' || encounter.turn >= world.horizon) break;
    world.demonstrate(encounter, law);
    const score = Math.log(law[act]!) - made * Math.log(WORTH);
    if (score > top + 1e-9) {
      top = score;
      best = [...calls];
    }
    let next = -1;
    for (let one = 0; one < law.length; one++)
      if (
        world.wordings.agent[world.agentActs[one]!] === undefined &&
        law[one]! > (next < 0 ? 0 : law[next]!)
      )
        next = one;
    if (next < 0) break;
    encounter.actAgent(next);
    calls.push(next);
  }
  return [...best];
}

/** The acts that calls shown by an agent are; calls of tools that the world has not are passed over. */
export function shownCalls(
  world: World,
  setting: Setting,
  taken: readonly TakenAct[],
  calls: readonly ShownCall[],
): number[] {
  const made: number[] = [];
  const allowed = new Uint8Array(world.agentActs.length);
  for (const call of calls) {
    const before = [...taken, ...made.map((act): TakenAct => ({ side: 'agent', act }))];
    const now = playedAgain(world, setting, before);
    if (now.phase !== 'agent' || now.turn + 1 >= world.horizon) break;
    now.allowed(allowed, 0);
    let named = -1;
    let same = -1;
    world.agentActs.forEach((name, act) => {
      if (allowed[act] !== 1 || world.wordings.agent[name] !== undefined) return;
      const own = playedAgain(world, setting, [...before, { side: 'agent', act }]).steps.at(-1)?.tool?.call;
      if (own?.name !== call.name) return;
      if (named < 0) named = act;
      if (same < 0 && JSON.stringify(own.arguments) === JSON.stringify(call.arguments)) same = act;
    });
    const act = same >= 0 ? same : named;
    if (act >= 0) made.push(act);
  }
  return made;
}
