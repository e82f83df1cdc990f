import { fit, scan } from '../../audit/index.ts';
import type { BehaviourSpace } from '../../space/index.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';
import type { BucketedSession } from './closed-session.ts';
import { recordsOf } from './window-figures.ts';

/** The space of a run, fitted as `audit` fits it. @throws CA_SPACE_TOO_SMALL, CA_INPUT_EMPTY. */
export async function fitOnFirst(
  sessions: readonly BucketedSession[],
  people: readonly Trajectory[],
  seed: number,
): Promise<BehaviourSpace> {
  const { sample } = await scan(recordsOf(sessions.map(({ trajectory }) => trajectory)), { seed });
  return (await fit(sample, people, { seed })).space;
}

/** People with each content once, as in an audit. */
export async function distinctPeople(people: readonly Trajectory[]): Promise<readonly Trajectory[]> {
  if (people.length === 0) return people;
  return (await scan(recordsOf(people), { sampleLimit: Number.MAX_SAFE_INTEGER })).sample;
}
