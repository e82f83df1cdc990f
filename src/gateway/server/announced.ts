import type { JournalRecord } from '../recorder/records.ts';

/** Sessions that were opened beforehand (POST /api/sessions) and not begun: by id, since when. Times in ticks. */
export class Announced {
  readonly #since = new Map<string, number>();
  /** Requests for the first turn that are held, by id: nobody has given these sessions up. */
  readonly #held = new Map<string, number>();

  has(id: string): boolean {
    return this.#since.has(id);
  }

  add(id: string, now: number): void {
    this.#since.set(id, now);
  }

  delete(id: string): void {
    this.#since.delete(id);
  }

  /** Keeps the session while `wait` lasts; where it fails, the client has as long again to come back. */
  async held(id: string, wait: Promise<void>, ticks: () => number): Promise<void> {
    this.#held.set(id, (this.#held.get(id) ?? 0) + 1);
    try {
      await wait;
    } finally {
      const others = this.#held.get(id)! - 1;
      if (others === 0) this.#held.delete(id);
      else this.#held.set(id, others);
      if (this.has(id)) this.add(id, ticks());
    }
  }

  /** Ids of those that nobody has begun since `until`. */
  stale(until: number): string[] {
    return [...this.#since].filter(([id, since]) => since <= until && !this.#held.has(id)).map(([id]) => id);
  }
}

/** Ids of open sessions that were opened beforehand and that nothing came for, from all their records. */
export function announcedIn(records: readonly JournalRecord[]): Set<string> {
  const ids = new Set<string>();
  for (const record of records) {
    if (record.session === null) continue;
    // A session's own key is given out with its opening alone.
    if (record.kind === 'open' && record.facts.bound === 'key') ids.add(record.session);
    else if (BEGUN.has(record.kind)) ids.delete(record.session);
  }
  return ids;
}

const BEGUN: ReadonlySet<JournalRecord['kind']> = new Set(['exchange', 'undelivered', 'failure', 'spent']);
