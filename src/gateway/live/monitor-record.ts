import type { Look } from './live.ts';
import type { MonitorLight } from './live-core.ts';

export const MONITOR_RECORD_SCHEMA = 'collapse-aware/live-monitor@1';

/** `monitor` of a `breaker` record of the journal: all that a later life of the gateway goes on from. Plain JSON. */
export interface MonitorRecord {
  readonly schema: typeof MONITOR_RECORD_SCHEMA;
  readonly revision: number;
  readonly state: MonitorLight;
  /** Where a look was what happened. */
  readonly look: Look | null;
}

/** Null for what another version wrote, or nobody did. */
export function readMonitorRecord(value: unknown): MonitorRecord | null {
  if (typeof value !== 'object' || value === null) return null;
  const { schema, revision, state, look } = value as Partial<MonitorRecord>;
  if (schema !== MONITOR_RECORD_SCHEMA || !Number.isSafeInteger(revision)) return null;
  if (typeof state !== 'object' || state === null || typeof state.breaker !== 'object') return null;
  return { schema, revision: revision!, state, look: look ?? null };
}
