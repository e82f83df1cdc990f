import { gateOf, type MonitorPlan, type MonitorState, steerMonitor } from '../audit/index.ts';
import { writeFileAtomic } from '../store/index.ts';
import { leftRequests } from './watch-requests.ts';
import type { WatchState, WatchStore } from './watch-state.ts';

export interface Steered {
  readonly monitor: MonitorState;
  /** Empty where nothing happened. */
  readonly notes: readonly string[];
  /** Removes the requests: once the new state is saved. */
  done(): Promise<void>;
}

/** Time passing (lapsed overrides, the time limit), then what operators asked for, in its order. */
export async function steer(
  plan: MonitorPlan,
  monitor: MonitorState,
  home: string,
  at: number,
): Promise<Steered> {
  let moved = steerMonitor(plan, monitor, { kind: 'tick', at });
  const notes = [...moved.notes];
  const requests = await leftRequests(home);
  for (const { request } of requests) {
    moved = steerMonitor(plan, moved.state, { ...request, at: Math.max(at, request.at) });
    if (request.kind === 'release') notes.push(`${request.by} released the override`);
    else {
      const until = request.until === null ? '' : ` until ${new Date(request.until).toISOString()}`;
      notes.push(`${request.by} set ${request.level}${until}: ${request.reason}`);
    }
  }
  return {
    monitor: moved.state,
    notes,
    done: async () => {
      for (const one of requests) await one.done();
    },
  };
}

/** The same for a watch that no process runs at the moment. */
export async function steerStored(
  state: WatchState,
  store: WatchStore,
  at: number,
): Promise<readonly string[]> {
  const { monitor, notes, done } = await steer(state.plan, state.monitor, store.home, at);
  await store.save({ ...state, monitor });
  if (state.gate !== null) await writeGate(state.gate, monitor, at);
  await done();
  return notes;
}

export function writeGate(path: string, monitor: MonitorState, at: number): Promise<void> {
  return writeFileAtomic(path, `${JSON.stringify(gateOf(monitor, at), null, 2)}\n`);
}
