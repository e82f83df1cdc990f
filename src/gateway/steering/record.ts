import { setImmediate } from 'node:timers/promises';
import { nativeRow } from '../../formats/native.ts';
import { contentHash } from '../../trajectory/identity.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';
import type { Receipt } from '../api/control.ts';
import { CHUNK } from './session-source.ts';

export interface ForeignEpisodes {
  readonly accepted: readonly Trajectory[];
  readonly rejected: Receipt['rejected'];
}

/**
 * Episodes that the gateway did not serve, checked as the native reader checks a line of a file. `isServed`: whether the
 * gateway has recorded a session of that id itself, which no request may replace. The same episode sent again is accepted
 * again (it replaces itself); two episodes under one id in one request are a fault of the second.
 * A rejected episode without an id is named by its place, `#0` being the first: there is no other name for it.
 */
export async function readForeign(
  trajectories: readonly unknown[],
  isServed: (id: string) => boolean,
): Promise<ForeignEpisodes> {
  const accepted = new Map<string, Trajectory>();
  const rejected: Receipt['rejected'][number][] = [];
  for (const [at, value] of trajectories.entries()) {
    if (at % CHUNK === CHUNK - 1) await setImmediate();
    const row = nativeRow(value, 'POST /api/record', at, false);
    if (row.kind !== 'trajectory') {
      const { id, code, reason } = row.dropped;
      rejected.push({ id: id ?? `#${at}`, code, reason });
      continue;
    }
    const trajectory = { ...row.trajectory, source: sourceOf(value) };
    const fault = faultOf(trajectory, accepted.get(trajectory.id), isServed);
    if (fault === null) accepted.set(trajectory.id, trajectory);
    else rejected.push({ id: trajectory.id, ...fault });
  }
  return { accepted: [...accepted.values()], rejected };
}

function faultOf(
  trajectory: Trajectory,
  other: Trajectory | undefined,
  isServed: (id: string) => boolean,
): { code: string; reason: string } | null {
  const { id, turns, scenario } = trajectory;
  if (id === '') return { code: 'CA_ROW_INVALID', reason: 'the id is empty' };
  if (turns.length === 0) return { code: 'CA_ROW_EMPTY', reason: 'no messages' };
  if (!turns.some(({ role }) => role === 'user'))
    return { code: 'CA_ROW_NO_SIMULATOR_TURN', reason: 'no turn of the simulated user' };
  if (isServed(id))
    return { code: 'session_served', reason: 'the gateway served a session of this id itself' };
  if (other === undefined) return null;
  const same =
    contentHash(other.turns, other.scenario) === contentHash(turns, scenario) &&
    other.reward === trajectory.reward &&
    other.simulator.id === trajectory.simulator.id;
  return same ? null : { code: 'CA_ROW_INVALID', reason: 'another episode of this id came before it' };
}

/** Where the trainer says that it comes from; the request itself else. */
function sourceOf(value: unknown): Trajectory['source'] {
  const given = (value as { readonly source?: Trajectory['source'] | null }).source;
  return given == null ? { file: 'POST /api/record', line: null } : { file: given.file, line: given.line };
}
