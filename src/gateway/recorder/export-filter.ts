import type { Split } from '../../trajectory/trajectory.ts';
import type { Purpose } from './purpose.ts';
import type { IndexedSession } from './session-index.ts';

/** Which sessions are exported; absent or null = whatever it is. */
export interface ExportFilter {
  /** Those that are over only. */
  readonly closedOnly?: boolean;
  readonly split?: Split | null;
  readonly epochs?: readonly number[] | null;
  readonly member?: string | null;
  readonly purposes?: readonly Purpose[] | null;
  /** Of these sessions alone. */
  readonly ids?: ReadonlySet<string> | null;
}

/** Whether a session is to be read at all; whether it is over, its records say. */
export function isWanted(session: IndexedSession, filter: ExportFilter): boolean {
  const { split, epochs, member, purposes, ids } = filter;
  return (
    (split == null || session.split === split) &&
    (epochs == null || (session.epoch !== null && epochs.includes(session.epoch))) &&
    (member == null || session.member === member) &&
    (purposes == null || purposes.includes(session.purpose)) &&
    (ids == null || ids.has(session.id))
  );
}
