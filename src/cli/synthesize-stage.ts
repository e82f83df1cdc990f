import type { Member } from '../population/index.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';

/** One dialogue that is to be played. */
export interface Job {
  /** Unique in a folder; the same whenever the same is asked for. */
  readonly id: string;
  readonly member: Member;
  /** Index in the stage's contexts. */
  readonly context: number;
}

export interface Played {
  readonly trajectory: Trajectory;
  /** Of both sides, probes none; null where nobody counted. */
  readonly tokens: number | null;
}

/** A place where a member can be played: an agent to talk to, and what dialogues start from. */
export interface Stage {
  /** Contexts there are. */
  readonly contexts: number;
  /** Dialogues at once. */
  readonly lanes: number;
  /** Names what is played and how: another one makes other episodes. */
  readonly mark: unknown;
  /** @throws CollapseAwareError for a member that cannot be played here. */
  check(member: Member): void;
  /** Rejects with a CollapseAwareError where the dialogue could not be played, or with the signal's reason. */
  play(job: Job, run: string, signal: AbortSignal): Promise<Played>;
  close(): Promise<void>;
}

export interface Deal {
  readonly contexts: number;
  /** Dialogues in each. */
  readonly each: number;
  /** Another one gives other dialogues in the same contexts. */
  readonly luck: number | string;
}

/** Every member in so many contexts: the same for all, so that members are compared in them. */
export function jobsOf(members: readonly Member[], { contexts, each, luck }: Deal): readonly Job[] {
  return members.flatMap((member) =>
    Array.from({ length: contexts * each }, (_, i): Job => {
      const context = i % contexts;
      return { id: `${luck}/${member.id}/${context}/${Math.floor(i / contexts)}`, member, context };
    }),
  );
}
