import type { Random } from '../../math/random.ts';
import { drawFrom } from '../simulators/draw-act.ts';
import type { Session } from '../simulators/simulator.ts';
import type { Manner } from '../speech/manner.ts';
import type { Encounter } from '../world/encounter.ts';

/** Who could stand in the session's place, in a dialogue of its own with the same acts. */
export interface StandIn {
  readonly id: string;
  readonly family: string;
  /** P(it is the one who answers here). */
  readonly weight: number;
  readonly session: Session;
  readonly encounter: Encounter;
}

/** Replies drawn again at one visited history. */
export interface Probe {
  /** Index in the episode's steps of the user's step that was probed. */
  readonly step: number;
  /** Chance with which it was probed, in (0, 1]. */
  readonly probability: number;
  readonly replies: readonly ProbedReply[];
}

export interface ProbedReply {
  readonly law: 'member' | 'population';
  /** Id of the simulator that answered. */
  readonly member: string;
  readonly act: number;
  /** How it is worded; absent: as the episode's own user words. */
  readonly manner?: Manner;
}

/** A person has a hand of its own, a family of models one. */
export function mannerOf(family: string, session: Pick<Session, 'person' | 'voice' | 'breadth'>): Manner {
  const { person, voice, breadth } = session;
  return { voice, breadth, writer: `${family}/${person ?? ''}` };
}

/** The session's own member asked `n` times more. Changes nothing. */
export function askMember(
  member: string,
  session: Session,
  encounter: Encounter,
  n: number,
  random: Random,
): ProbedReply[] {
  return Array.from({ length: n }, () => ({
    law: 'member',
    member,
    act: session.reply(encounter, random).act,
  }));
}

/** A member drawn anew for each of `n` replies. @throws RangeError where no weight is above 0. */
export function askPopulation(members: readonly StandIn[], n: number, random: Random): ProbedReply[] {
  const total = members.reduce((sum, { weight }) => sum + weight, 0);
  if (!(total > 0 && total < Number.POSITIVE_INFINITY))
    throw new RangeError('the weights of the members have no sum to draw by');
  const shares = Float64Array.from(members, ({ weight }) => weight / total);
  return Array.from({ length: n }, () => {
    const { id, family, session, encounter } = members[drawFrom(shares, random)]!;
    return {
      law: 'population',
      member: id,
      act: session.reply(encounter, random).act,
      manner: mannerOf(family, session),
    };
  });
}
