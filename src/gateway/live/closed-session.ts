import type { Trajectory } from '../../trajectory/trajectory.ts';
import type { Purpose } from '../recorder/purpose.ts';
import type { SessionFacts } from '../recorder/records.ts';

/** A session that is over, as the figures need it. Given again under its id when a reward or a probe comes later. */
export interface ClosedSession {
  /** Its id is the session's. */
  readonly trajectory: Trajectory;
  readonly purpose: Purpose;
  /** As its record says: the one under way when it began, or what the trainer said. Null: nothing is said. */
  readonly epoch: number | null;
  readonly nested: SessionFacts['nested'];
  /** Milliseconds since 1970 of its newest record. */
  readonly at: number;
}

/** With the epoch that it counts for (EpochBuckets). */
export interface BucketedSession extends ClosedSession {
  readonly epoch: number;
}
