import type { Figure } from '../metrics/index.ts';
import type { Member } from '../population/index.ts';
import type { Origin } from '../synthesis/index.ts';

/** A member that a run met: who it was made from, and what came of it. A line of the population tree. */
export interface MemberRecord {
  readonly member: Member;
  readonly origin: Origin;
  /** Round in which it was made; 0 = given at the start. */
  readonly round: number;
  /** What its audition showed; null for those given at the start. */
  readonly audition: {
    readonly n: number;
    /** Share of its episodes in the mode it was made for; null where it was made for none. */
    readonly yield: Figure | null;
    readonly realism: Figure;
    /** What the policy can still learn on it, 0..1. */
    readonly learnability: Figure;
    readonly turns: number;
  } | null;
  readonly kept: boolean;
  /** Why it was kept or refused, in a sentence. */
  readonly reason: string;
}
