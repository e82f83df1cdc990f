import { setImmediate } from 'node:timers/promises';
import type { Trajectory } from '../../trajectory/trajectory.ts';

/** A session or foreign episode on record. */
export interface FoundSession {
  /** Its id is the session's, whatever id it was asked for by. */
  readonly trajectory: Trajectory;
  readonly state: 'open' | 'closed' | 'orphan';
  /** The trainer has reported its reward, be it that there is none. */
  readonly rewarded: boolean;
}

/** Sessions by the ids asked for, as many as there are: the session's own or one that the trainer gave it. */
export type SessionSource = (ids: readonly string[]) => Promise<ReadonlyMap<string, FoundSession>>;

/** Trajectories that are worked on before clients are answered again. */
export const CHUNK = 16;

/** Each id once, in the order of ids, so that the order of a request decides nothing; null = not on record. */
export async function* sessionsOf(
  ids: Iterable<string>,
  source: SessionSource,
): AsyncGenerator<{ readonly id: string; readonly found: FoundSession | null }> {
  const all = [...new Set(ids)].sort();
  for (let at = 0; at < all.length; at += CHUNK) {
    const chunk = all.slice(at, at + CHUNK);
    const sessions = await source(chunk);
    for (const id of chunk) yield { id, found: sessions.get(id) ?? null };
    // Thousands of trajectories are seconds of work: clients are answered in between.
    await setImmediate();
  }
}
