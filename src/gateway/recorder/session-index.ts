import { hash32 } from '../../math/hash.ts';
import type { SessionList, SessionSummary } from '../api/control.ts';
import { addExchange, countStanding, type ExchangeLog, loseExchange } from './exchange-log.ts';
import { type Purpose, purposeOf, purposeOfEpisode } from './purpose.ts';
import type { JournalRecord } from './records.ts';

/** A session as it is kept in memory: its summary, and what a next record may change. */
export interface IndexedSession extends SessionSummary {
  /** Of its first record: sessions are in this order. */
  readonly seq: number;
  readonly purpose: Purpose;
  readonly served: boolean;
  readonly rewarded: boolean;
  readonly names: readonly string[];
  readonly records: number;
}

export interface SessionFilter {
  readonly state?: SessionSummary['state'] | null;
  readonly member?: string | null;
  readonly epoch?: number | null;
  /** Part of an id. */
  readonly text?: string | null;
}

type Entry = { -readonly [K in keyof IndexedSession]: IndexedSession[K] } & {
  closed: boolean;
  /** While the session is open; afterwards its turns, packed. */
  log: ExchangeLog<1> | null;
  packed: readonly number[];
};

/** Summaries of all sessions on record, in the order in which they began. Records are applied in the order of `seq`. */
export class SessionIndex {
  readonly #byId = new Map<string, Entry>();
  /** By `seq`, rising; those that were dropped are cut out now and then. */
  #inOrder: Entry[] = [];
  readonly #states = { open: 0, closed: 0, orphan: 0 };

  get(id: string): IndexedSession | undefined {
    return this.#byId.get(id);
  }

  get size(): number {
    return this.#byId.size;
  }

  counts(): Readonly<Record<SessionSummary['state'], number>> {
    return { ...this.#states };
  }

  /** Oldest first. */
  all(): readonly IndexedSession[] {
    return this.#inOrder;
  }

  apply(record: JournalRecord, seq: number): void {
    if (record.session === null) return;
    const entry = this.#byId.get(record.session) ?? this.#begun(record, seq);
    if (entry === null) return;
    const before = entry.state;
    entry.records++;
    entry.touchedAt = record.at;
    change(entry, record);
    const { closed, turns } = entry;
    entry.state = !closed ? 'open' : turns > 0 ? 'closed' : 'orphan';
    this.#states[before]--;
    this.#states[entry.state]++;
  }

  #begun(record: JournalRecord, seq: number): Entry | null {
    const entry = beginning(record, seq);
    if (entry === null) return null;
    this.#byId.set(entry.id, entry);
    this.#inOrder.push(entry);
    this.#states[entry.state]++;
    return entry;
  }

  drop(ids: readonly string[]): void {
    for (const id of ids) {
      const entry = this.#byId.get(id);
      if (entry === undefined) continue;
      this.#states[entry.state]--;
      this.#byId.delete(id);
    }
    this.#inOrder = this.#inOrder.filter((entry) => this.#byId.get(entry.id) === entry);
  }

  /** Newest first. `after`: `next` of the page before; a session that has begun since is on no later page. */
  page(filter: SessionFilter, after: string | null, limit: number): SessionList {
    const from = after === null || !/^\d+$/.test(after) ? Number.POSITIVE_INFINITY : Number(after);
    const sessions: SessionSummary[] = [];
    let total = 0;
    let more = false;
    let last = 0;
    for (let at = this.#inOrder.length - 1; at >= 0; at--) {
      const entry = this.#inOrder[at]!;
      if (!matches(entry, filter)) continue;
      total++;
      if (entry.seq >= from) continue;
      if (sessions.length < limit) {
        sessions.push(summaryOf(entry));
        last = entry.seq;
      } else more = true;
    }
    return { sessions, next: more ? String(last) : null, total };
  }
}

const matches = (
  { id, state, member, epoch }: IndexedSession,
  { state: inState, member: of, epoch: inEpoch, text }: SessionFilter,
): boolean =>
  (inState == null || state === inState) &&
  (of == null || member === of) &&
  (inEpoch == null || epoch === inEpoch) &&
  (text == null || id.includes(text));

/** Null: a record of a session that is not on record (it was dropped, or its beginning was never written). */
function beginning(record: JournalRecord, seq: number): Entry | null {
  const common = {
    state: 'open',
    turns: 0,
    reward: null,
    rewarded: false,
    termination: null,
    openedAt: record.at,
    touchedAt: record.at,
    seq,
    records: 0,
    closed: false,
    log: null,
    packed: [],
  } as const;
  if (record.kind === 'open') {
    const { id, bound, simulator, split, group, epoch, names = [] } = record.facts;
    return {
      ...common,
      id,
      bound,
      member: simulator.id,
      fingerprint: simulator.fingerprint,
      split,
      group,
      epoch,
      names,
      purpose: purposeOf(record.facts),
      served: true,
    };
  }
  if (record.kind === 'episode') {
    const { id, simulator, split, group, epoch } = record.trajectory;
    return {
      ...common,
      id,
      bound: 'record',
      member: simulator.id,
      fingerprint: simulator.fingerprint,
      split,
      group,
      epoch,
      names: [],
      purpose: purposeOfEpisode(record.trajectory),
      served: false,
    };
  }
  return null;
}

function change(entry: Entry, record: JournalRecord): void {
  switch (record.kind) {
    case 'exchange':
      addExchange(logOf(entry), record.turn, hash32(record.asked), 1);
      entry.closed = false;
      entry.termination = null;
      entry.turns = countStanding(entry.log!);
      break;
    case 'undelivered':
      loseExchange(logOf(entry), record.turn);
      entry.turns = countStanding(entry.log!);
      break;
    case 'reward':
      entry.reward = record.reward;
      entry.rewarded = true;
      break;
    case 'close':
      entry.closed = true;
      entry.termination = record.termination;
      break;
    case 'episode': {
      if (entry.served) break;
      // Sent again, it replaces itself.
      const { turns, reward, termination, simulator, split, group, epoch } = record.trajectory;
      entry.member = simulator.id;
      entry.fingerprint = simulator.fingerprint;
      entry.split = split;
      entry.group = group;
      entry.epoch = epoch;
      entry.purpose = purposeOfEpisode(record.trajectory);
      entry.turns = turns.filter(({ role }) => role === 'user').length;
      entry.closed = true;
      entry.termination = termination;
      if (!entry.rewarded) entry.reward = reward;
      if (reward !== null) entry.rewarded = true;
      break;
    }
  }
  if (entry.closed && entry.log !== null) pack(entry);
}

/** A few numbers a turn instead of maps and lists: most sessions are closed and stay so. */
function pack(entry: Entry): void {
  entry.packed = [...entry.log!].flatMap(([turn, { asked, said, lost }]) => [
    turn,
    asked as number,
    said.length,
    lost.length,
  ]);
  entry.log = null;
}

function logOf(entry: Entry): ExchangeLog<1> {
  if (entry.log === null) {
    entry.log = new Map();
    for (let at = 0; at < entry.packed.length; at += 4) {
      const [turn, asked, said, lost] = entry.packed.slice(at, at + 4) as [number, number, number, number];
      entry.log.set(turn, { asked, said: Array(said).fill(1), lost: Array(lost).fill(1) });
    }
    entry.packed = [];
  }
  return entry.log;
}

export function summaryOf(entry: IndexedSession): SessionSummary {
  const { id, state, bound, member, fingerprint, split, group, epoch, turns } = entry;
  const { reward, termination, openedAt, touchedAt } = entry;
  return {
    id,
    state,
    bound,
    member,
    fingerprint,
    split,
    group,
    epoch,
    turns,
    reward,
    termination,
    openedAt,
    touchedAt,
  };
}
