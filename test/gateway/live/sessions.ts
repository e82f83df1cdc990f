import type { BucketedSession } from '../../../src/gateway/live/closed-session.ts';
import { purposeOfEpisode } from '../../../src/gateway/recorder/purpose.ts';
import type { Trajectory } from '../../../src/trajectory/trajectory.ts';
import { stepOfRun, type TrainingRun } from '../../audit/training-run.ts';

export function closedSession(trajectory: Trajectory, rest: Partial<BucketedSession> = {}): BucketedSession {
  return {
    trajectory,
    purpose: purposeOfEpisode(trajectory),
    epoch: trajectory.epoch ?? 0,
    nested: null,
    at: 1_700_000_000_000 + 1000 * (trajectory.epoch ?? 0),
    ...rest,
  };
}

/** Epoch `epoch` of a run: its steps count from 1, as its epochs here. */
export function sessionsOf(run: TrainingRun, epoch: number): BucketedSession[] {
  return stepOfRun(run, epoch).map((trajectory) => closedSession(trajectory));
}
