import type { IndexedSession } from './session-index.ts';

/** Which sessions that are over are kept; null = all of them. What is open is never dropped. */
export interface RetentionRules {
  readonly keepSessions: number | null;
  /** Since the last record, by the wall clock. */
  readonly keepDays: number | null;
  /** Bytes in use above which the oldest go. */
  readonly keepBytes?: number | null;
}

const DAY = 24 * 3600 * 1000;

/**
 * Ids to be dropped now, the oldest first (by when they began), at most `most`. `bytes` are shared out evenly over
 * `records` to guess how many have to go: the next round looks again.
 */
export function outdated(
  sessions: readonly IndexedSession[],
  rules: RetentionRules,
  now: number,
  use: { readonly bytes: number; readonly records: number },
  most: number,
): string[] {
  const { keepSessions, keepDays, keepBytes = null } = rules;
  if (keepSessions === null && keepDays === null && keepBytes === null) return [];
  const over = sessions.filter(({ state }) => state !== 'open');
  const tooMany = keepSessions === null ? 0 : Math.max(0, over.length - keepSessions);
  const before = keepDays === null ? Number.NEGATIVE_INFINITY : now - keepDays * DAY;
  let excess = keepBytes === null ? 0 : Math.max(0, use.bytes - keepBytes);
  const each = use.records === 0 ? 0 : use.bytes / use.records;
  const dropped: string[] = [];
  for (let at = 0; at < over.length && dropped.length < most; at++) {
    const { id, touchedAt, records } = over[at]!;
    if (at >= tooMany && touchedAt >= before && excess <= 0) continue;
    dropped.push(id);
    excess -= records * each;
  }
  return dropped;
}
