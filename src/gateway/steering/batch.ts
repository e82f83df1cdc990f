import type { Records } from '../../audit/options.ts';
import { groupOf } from '../../curator/place-gated.ts';
import { contentHash } from '../../trajectory/identity.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';
import { type SessionSource, sessionsOf } from './session-source.ts';

/** What stays in memory of a session. */
export interface BatchSession {
  /** Of what was said when the batch was read. */
  readonly hash: string;
  readonly turns: number;
  /** Of its run, epoch and checkpoint, as `curate` names it, or the one that the request gave. */
  readonly group: string | null;
  readonly reward: number | null;
}

/** The sessions of one request, each once, to be read as often as the stages need. */
export interface Batch {
  /** By the session's id. */
  readonly sessions: ReadonlyMap<string, BatchSession>;
  /** The session's id of every id asked for that is on record. */
  readonly own: ReadonlyMap<string, string>;
  /** Ids asked for that are not to be had, and why. */
  readonly unknown: ReadonlyMap<string, string>;
  /** In the order of ids; sessions under way end where they ended when the batch was read. */
  readonly records: Records;
}

/** `groups`: by the id asked for, groups that the request gives; they stand before those on record. */
export async function readBatch(
  ids: readonly string[],
  source: SessionSource,
  groups: ReadonlyMap<string, string> = new Map(),
): Promise<Batch> {
  const sessions = new Map<string, BatchSession>();
  const own = new Map<string, string>();
  const unknown = new Map<string, string>();
  const given = new Map<string, string>();
  for await (const { id, found } of sessionsOf(ids, source)) {
    if (found === null) unknown.set(id, 'no such session is on record');
    else if (found.state === 'orphan') unknown.set(id, 'the client never came back for its reply');
    else if (!found.trajectory.turns.some(({ role }) => role === 'user'))
      unknown.set(id, 'the user has not spoken yet');
    else {
      const { trajectory } = found;
      own.set(id, trajectory.id);
      if (sessions.has(trajectory.id)) continue;
      const named = groups.get(id);
      if (named !== undefined) given.set(trajectory.id, named);
      sessions.set(trajectory.id, {
        hash: contentHash(trajectory.turns, trajectory.scenario),
        turns: trajectory.turns.length,
        group: named === undefined ? groupOf(trajectory) : givenGroup(named),
        reward: trajectory.reward,
      });
    }
  }
  const records = async function* (): AsyncGenerator<Trajectory> {
    for await (const { id, found } of sessionsOf(sessions.keys(), source)) {
      const known = sessions.get(id)!;
      if (found === null) continue;
      const { trajectory } = found;
      yield {
        ...trajectory,
        reward: known.reward,
        group: given.get(id) ?? trajectory.group,
        turns: trajectory.turns.slice(0, known.turns),
      };
    }
  };
  return { sessions, own, unknown, records };
}

/** No name on record looks like it. */
export function givenGroup(name: string): string {
  return JSON.stringify({ given: name });
}
