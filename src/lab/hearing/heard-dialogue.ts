import type { Session } from '../simulators/simulator.ts';
import type { Slots } from '../speech/pattern.ts';
import type { Encounter } from '../world/encounter.ts';
import type { Setting } from '../world/setting.ts';
import type { World } from '../world/world.ts';
import { type AgentHearing, agentHearing, type Heard, openingOf } from './agent-hearing.ts';
import { playedAgain, type ShownCall, shownCalls, silentCalls, type TakenAct } from './silent-calls.ts';
import { type UserHearing, userHearing } from './user-hearing.ts';

/** A dialogue of which only words are known, followed in the world: what each side said becomes acts of it. */
export interface HeardDialogue {
  readonly encounter: Encounter;
  readonly setting: Setting;
  /**
   * The agent said something. Null where it cannot: the dialogue is over, or it has spoken already. `calls` are those it
   * made before; null (the default) = it shows none, and they are guessed.
   */
  agentSaid(text: string, calls?: readonly ShownCall[] | null): Heard | null;
  /** The agent made a call that nobody heard, or said an act in whatever words. False where it cannot act so now. */
  agentDid(act: number): boolean;
  /**
   * The user said something, by name of its act where that is known; else, or where the act is not possible now, by its
   * words. Returns the act, null where the dialogue is over.
   */
  userSaid(text: string, act?: string): number | null;
  /** It is the user's turn, whoever spoke last: an agent that has said nothing is taken to have opened neutrally. */
  awaitUser(): void;
}

const known = new WeakMap<object, { readonly agent: AgentHearing; readonly user: UserHearing }>();

/** The hearing of a world, made once for all its horizons. */
export function hearingOf(world: World): { readonly agent: AgentHearing; readonly user: UserHearing } {
  const made = known.get(world.wordings.agent) ?? { agent: agentHearing(world), user: userHearing(world) };
  known.set(world.wordings.agent, made);
  return made;
}

/** A new dialogue with the user of `session`, who is told of every act of its own. */
export function followDialogue(world: World, setting: Setting, session: Session): HeardDialogue {
  const hearing = hearingOf(world);
  const encounter = world.begin(setting, session.users);
  const allowed = new Uint8Array(world.agentActs.length);
  const law = new Float64Array(world.userActs.length);
  const everything = new Uint8Array(world.agentActs.length).fill(1);
  const taken: TakenAct[] = [];

  const agentDid = (act: number): boolean => {
    if (encounter.phase !== 'agent') return false;
    encounter.allowed(allowed, 0);
    if (allowed[act] !== 1) return false;
    encounter.actAgent(act);
    taken.push({ side: 'agent', act });
    return true;
  };
  const userDid = (act: number): void => {
    session.said(encounter, act);
    encounter.actUser(act);
    taken.push({ side: 'user', act });
  };
  const slotsOf = (act: number): Slots => {
    const step = playedAgain(world, setting, [...taken, { side: 'user', act }]).steps.at(-1);
    return step?.slots ?? {};
  };
  /** A user that speaks out of turn, or an agent that does, has heard the least that could have been said. */
  const awaitUser = (): void => {
    // An agent's act may be one that ends its own turn only.
    for (let guard = 0; encounter.phase === 'agent' && guard < 3; guard++) {
      encounter.allowed(allowed, 0);
      const opening = openingOf(world);
      const first = taken.length === 0 && allowed[opening] === 1;
      agentDid(first ? opening : hearing.agent.neutral(allowed));
    }
  };
  return {
    encounter,
    setting,
    agentDid,
    awaitUser,
    agentSaid(text, calls = null) {
      if (encounter.phase !== 'agent') return null;
      for (const act of shownCalls(world, setting, taken, calls ?? [])) agentDid(act);
      if (encounter.phase !== 'agent') return null;
      // What is not allowed as things seem to stand may be so after calls that nobody saw.
      const meant = hearing.agent.hear(text, setting, everything);
      if (calls === null) for (const act of silentCalls(world, setting, taken, meant.act)) agentDid(act);
      encounter.allowed(allowed, 0);
      const heard = allowed[meant.act] === 1 ? meant : hearing.agent.hear(text, setting, allowed);
      return agentDid(heard.act) ? heard : null;
    },
    userSaid(text, act) {
      awaitUser();
      if (encounter.phase !== 'user') return null;
      // Which acts are possible does not depend on who the user is.
      encounter.law(0, law);
      const named = act === undefined ? -1 : world.userActs.indexOf(act);
      if (named >= 0 && law[named]! > 0) {
        userDid(named);
        return named;
      }
      if (session.law(encounter, law) === false) encounter.law(0, law);
      const own = hearing.user.hear(text, setting, possibleToo(encounter, law), slotsOf);
      userDid(own);
      return own;
    },
  };
}

/** A collapsed law underflows to 0 where an act is possible all the same. */
function possibleToo(encounter: Encounter, law: Float64Array): Float64Array {
  const possible = new Float64Array(law.length);
  encounter.law(0, possible);
  for (let act = 0; act < law.length; act++)
    if (possible[act]! > 0) possible[act] = Math.max(law[act]!, 1e-300);
  return possible;
}
