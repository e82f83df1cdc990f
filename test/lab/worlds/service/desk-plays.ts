import { AGENT, type AgentAct, USER, type UserAct } from '../../../../src/lab/worlds/service/acts.ts';
import type { ServiceEncounter } from '../../../../src/lab/worlds/service/encounter.ts';
import { service } from '../../../../src/lab/worlds/service/index.ts';
import type { ServiceSetting } from '../../../../src/lab/worlds/service/setting.ts';
import type { Random } from '../../../../src/math/random.ts';

export const world = service();

/** The first of 400 settings that is so. */
export function settingWhere(is: (setting: ServiceSetting) => boolean): ServiceSetting {
  for (let index = 0; index < 400; index++) {
    const setting = world.setting(index, 1) as ServiceSetting;
    if (is(setting)) return setting;
  }
  throw new Error('no such setting');
}

export const begin = (setting: ServiceSetting, users = [world.types[0]!.traits], horizon = 30) =>
  service(horizon).begin(setting, users) as ServiceEncounter;

/** Plays acts as written, "agent: user" by turn, a tool alone. Fails where an act is not allowed or not possible. */
export function play(
  setting: ServiceSetting,
  script: readonly (AgentAct | [AgentAct, UserAct])[],
): ServiceEncounter {
  const encounter = begin(setting);
  const allowed = new Uint8Array(world.agentActs.length);
  const law = new Float64Array(world.userActs.length);
  for (const line of script) {
    const [mine, theirs] = typeof line === 'string' ? [line, null] : line;
    encounter.allowed(allowed, 0);
    if (allowed[AGENT[mine]] !== 1) throw new Error(`${mine} is not allowed here`);
    encounter.actAgent(AGENT[mine]);
    if (theirs === null) continue;
    encounter.law(0, law);
    if (!(law[USER[theirs]]! > 0)) throw new Error(`${theirs} is not possible here`);
    encounter.actUser(USER[theirs]);
  }
  return encounter;
}

/** The usual start: goal, identity, order, look-up. */
export const OPENING = [
  ['ask-goal', 'state-goal'],
  ['ask-identity', 'give-identity'],
  ['ask-order', 'give-order'],
  'look-up',
] as const satisfies readonly (AgentAct | [AgentAct, UserAct])[];

export function draw(law: Float64Array, random: Random): number {
  let left = random.next();
  for (let act = 0; act < law.length; act++) {
    left -= law[act]!;
    if (left < 0) return act;
  }
  return law.findLastIndex((p) => p > 0);
}
