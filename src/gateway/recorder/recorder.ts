import { setImmediate } from 'node:timers/promises';
import { CollapseAwareError } from '../../errors.ts';
import { soundJson } from '../../formats/json-text.ts';
import type { Journal } from '../../store/index.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';
import type {
  MemberCounts,
  Receipt,
  RewardEntry,
  SessionList,
  SessionView,
  StatusView,
} from '../api/control.ts';
import { type ComposedSession, type ComposeOptions, composeSession } from './compose-session.ts';
import { type ExportFilter, isWanted } from './export-filter.ts';
import { entryOf, recordsIn } from './journal-records.ts';
import { memberCounts, type PricesOf } from './member-tally.ts';
import { RecorderState } from './recorder-state.ts';
import type { Dropped, JournalRecord } from './records.ts';
import { outdated, type RetentionRules } from './retention.ts';
import { rewardRecords } from './reward-entries.ts';
import { type IndexedSession, type SessionFilter, summaryOf } from './session-index.ts';

export interface RecorderOptions extends ComposeOptions {
  readonly journal: Journal;
  readonly retention: RetentionRules;
  readonly pricesOf: PricesOf;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Told every record of the journal while it is read at the start, in its order. */
  readonly onRead?: (record: JournalRecord) => void;
  /** Between two rounds of retention, in ms; null = only when `retain` is called. Default a minute. */
  readonly retainEvery?: number | null;
  /** Between two looks whether the journal can be written again, in ms. Default a second. */
  readonly tryEvery?: number;
  /** Told after a round of retention that dropped something. */
  readonly onDrop?: (dropped: { readonly sessions: number; readonly unrewarded: number }) => void;
  /** Told which sessions are on record no more, a step of retention at a time. */
  readonly onForget?: (ids: readonly string[]) => void;
  /** What a listener threw. */
  readonly onFault?: (error: unknown) => void;
}

/** Everything that the gateway has on record. What is acknowledged is committed. */
export interface Recorder {
  /**
   * Resolves once the record is committed. Rejects as `Journal.append` does; nothing of the record is kept then, but for
   * an `open` record, which goes with the session's next one. CA_INTERNAL: of a session that is not on record.
   */
  append(record: JournalRecord): Promise<void>;
  /** Of a session or foreign episode, by its own id. */
  session(id: string): IndexedSession | undefined;
  /** The id of the one session of this id or name; null = none, or several. */
  find(idOrName: string): string | null;
  /** All that a session's records add up to. Null: unknown, or without a reply that arrived. */
  composed(id: string): Promise<ComposedSession | null>;
  view(id: string): Promise<SessionView | null>;
  /** Newest first. `limit` at least 1. */
  sessions(filter: SessionFilter, after: string | null, limit: number): SessionList;
  counts(): StatusView['sessions'];
  /** In the order in which they were written. */
  recordsOf(session: string): AsyncIterable<JournalRecord>;
  /** Of all sessions that are open now: what a gateway needs to go on after a restart. */
  openRecords(): AsyncIterable<JournalRecord>;
  /** Records of no session (population, epochs, breaker), oldest first. */
  timeline(kinds: readonly JournalRecord['kind'][]): AsyncIterable<JournalRecord>;
  /** The newest record of a kind of no session. */
  latest<K extends JournalRecord['kind']>(kind: K): Extract<JournalRecord, { readonly kind: K }> | null;
  /**
   * Oldest first, as they stand at the first call of `next`; what retention drops meanwhile is left out. One trajectory is
   * in memory at a time. Sessions without a reply that arrived are no trajectories.
   */
  exportSessions(filter?: ExportFilter): AsyncIterable<ComposedSession>;
  exportTrajectories(filter?: ExportFilter): AsyncIterable<Trajectory>;
  /** Native JSONL, a line with its end at a time. */
  exportLines(filter?: ExportFilter): AsyncIterable<string>;
  /**
   * Joins rewards by a session's id or name; a later one replaces an earlier. Those of unknown sessions are rejected with
   * the reason, and kept for a session that comes later.
   */
  addRewards(entries: readonly RewardEntry[]): Promise<Receipt>;
  /** Episodes that the gateway did not serve, valid records each. One that comes again replaces itself. */
  importEpisodes(trajectories: readonly Trajectory[]): Promise<Receipt>;
  /** Of one that nobody was asked for yet: all 0. */
  countsOf(member: string): MemberCounts;
  status(): StatusView['recorder'] & { readonly dropped: Dropped; readonly pendingRewards: number };
  /** Drops what the rules no longer keep, in small steps. Gives the number of sessions. */
  retain(): Promise<number>;
  /** Called after each commit, in the order of the journal; what it throws goes to `onFault`. Returns how to stop it. */
  subscribe(listener: (record: JournalRecord, session: IndexedSession | undefined) => void): () => void;
  /** Waits for what was asked for, and closes the journal. */
  close(): Promise<void>;
}

/** Sessions dropped in one transaction. */
const DROP = 50;
const RETAIN_MS = 60_000;
const TRY_MS = 1000;
/** Beginnings that wait for their session's next record. */
const UNOPENED = 10_000;
const NONE = { ids: new Set<string>(), done: Promise.resolve() };
/** Without the session's facts they can never be composed. */
const NEEDS_SESSION: ReadonlySet<JournalRecord['kind']> = new Set([
  'exchange',
  'undelivered',
  'probe',
  'close',
]);

/** Reads the whole journal once. Errors: CA_STORE_FAILED. */
export async function openRecorder(options: RecorderOptions): Promise<Recorder> {
  const { journal, retention, pricesOf, clock, retainEvery = RETAIN_MS } = options;
  const state = new RecorderState();
  for await (const { record, seq } of recordsIn(journal, {})) {
    state.apply(record, seq);
    options.onRead?.(record);
  }
  /** Beginnings of sessions that are not known to be committed. */
  const unopened = new Map<string, { readonly record: JournalRecord; readonly written: Promise<void> }>();
  const listeners = new Set<(record: JournalRecord, session: IndexedSession | undefined) => void>();
  /** Sessions on their way out: what comes for them waits, and finds them gone. */
  let dropping: { readonly ids: ReadonlySet<string>; readonly done: Promise<unknown> } = NONE;
  let unrecorded = 0;
  let failing: string | null = null;
  let closed = false;

  let trying: NodeJS.Timeout | null = null;
  /** Tries on its own until it succeeds: a gateway that says it is not ready gets no requests that would show it. */
  const fails = (error: unknown): void => {
    failing = error instanceof Error ? error.message : String(error);
    if (closed) return;
    trying ??= setTimeout(() => {
      trying = null;
      journal.check().then(() => {
        failing = null;
      }, fails);
    }, options.tryEvery ?? TRY_MS);
    trying.unref();
  };
  const commit = async (records: readonly JournalRecord[]): Promise<void> => {
    let seq: number;
    try {
      seq = await journal.append(records.map(entryOf));
    } catch (error) {
      unrecorded += records.length;
      fails(error);
      throw error;
    }
    records.forEach((record, at) => {
      if (!state.apply(record, seq - records.length + 1 + at)) return;
      for (const listener of listeners)
        try {
          listener(record, state.sessionOf(record));
        } catch (error) {
          // It is on record, whatever somebody makes of that.
          options.onFault?.(error);
        }
    });
    // A small record may find room where others do not.
    if (failing !== null)
      await journal.check().then(() => {
        failing = null;
      }, fails);
  };

  const append = async (record: JournalRecord): Promise<void> => {
    const { session } = record;
    if (session === null) return commit([record]);
    if (record.kind === 'open') {
      const written = commit(state.begun(record));
      unopened.set(session, { record, written });
      if (unopened.size > UNOPENED) unopened.delete(unopened.keys().next().value!);
      await written;
      unopened.delete(session);
      return;
    }
    await unopened.get(session)?.written.catch(() => {});
    if (dropping.ids.has(session)) await dropping.done.catch(() => {});
    // Still there: it could not be written.
    const opening = unopened.get(session)?.record;
    if (opening === undefined && state.index.get(session) === undefined && NEEDS_SESSION.has(record.kind))
      throw new CollapseAwareError('CA_INTERNAL', `the session ${session} is not on record`, {
        todo: 'it was dropped by retention, or never begun: write its open record first',
      });
    await commit(opening === undefined ? [record] : [...state.begun(opening), record]);
    unopened.delete(session);
  };

  const composed = async (id: string, upTo = journal.lastSeq): Promise<ComposedSession | null> => {
    const records: JournalRecord[] = [];
    for await (const { record } of recordsIn(journal, { session: id, upTo })) records.push(record);
    return composeSession(records, options);
  };

  async function* exportSessions(filter: ExportFilter = {}): AsyncGenerator<ComposedSession> {
    const upTo = journal.lastSeq;
    const chosen = state.index.all().filter((session) => isWanted(session, filter));
    for (let at = 0; at < chosen.length; at++) {
      const { id } = chosen[at]!;
      if (state.index.get(id) === undefined) continue;
      const one = await composed(id, upTo);
      if (one !== null && !(filter.closedOnly === true && !one.closed)) yield one;
      if (at % 32 === 31) await setImmediate();
    }
  }
  async function* exportTrajectories(filter?: ExportFilter): AsyncGenerator<Trajectory> {
    for await (const { trajectory } of exportSessions(filter)) yield trajectory;
  }

  let retaining: Promise<number> | null = null;
  let round = { sessions: 0, unrewarded: 0 };
  const dropSessions = async (ids: readonly string[]): Promise<void> => {
    const records: JournalRecord[] = [];
    for (const id of ids)
      for await (const { record } of recordsIn(journal, { session: id })) records.push(record);
    const tally = state.tallyOfDropped(ids, records, clock());
    const unrewarded = ids.filter((id) => state.index.get(id)?.rewarded === false).length;
    const { seq } = await journal.drop({ sessions: ids, seqs: state.tallySeqs }, [entryOf(tally)]);
    state.dropped(ids, tally, seq);
    options.onForget?.(ids);
    round.sessions += ids.length;
    round.unrewarded += unrewarded;
  };
  const retainAll = async (): Promise<number> => {
    let sessions = 0;
    for (;;) {
      // What is dropped leaves the database, and is in the log for a while.
      const use = { bytes: journal.bytes() - journal.logBytes(), records: journal.records() };
      const ids = outdated(state.index.all(), retention, clock(), use, DROP);
      if (ids.length === 0) {
        if (sessions > 0) await journal.checkpoint();
        return sessions;
      }
      const done = dropSessions(ids);
      dropping = { ids: new Set(ids), done };
      await done.finally(() => {
        dropping = NONE;
      });
      sessions += ids.length;
      await setImmediate();
    }
  };
  const retain = () => {
    retaining ??= retainAll().finally(() => {
      retaining = null;
      if (round.sessions > 0) options.onDrop?.(round);
      round = { sessions: 0, unrewarded: 0 };
    });
    return retaining;
  };
  // What could not be dropped now is tried again in the next round.
  const timer = retainEvery === null ? null : setInterval(() => void retain().catch(() => {}), retainEvery);
  timer?.unref();

  return {
    append,
    composed,
    exportSessions,
    exportTrajectories,
    retain,
    session: (id) => state.index.get(id),
    find(name) {
      const found = state.find(name);
      return found.length === 1 ? found[0]! : null;
    },
    async view(id) {
      const session = state.index.get(id);
      const one = session === undefined ? null : await composed(id);
      if (session === undefined || one === null) return null;
      return { ...summaryOf(session), trajectory: one.trajectory, answers: one.answers };
    },
    sessions: (filter, after, limit) => state.index.page(filter, after, limit),
    counts() {
      const { open, closed, orphan } = state.index.counts();
      return { open, closed, orphans: orphan };
    },
    async *recordsOf(session) {
      for await (const { record } of recordsIn(journal, { session })) yield record;
    },
    async *openRecords() {
      const upTo = journal.lastSeq;
      for (const session of state.index.all().filter(({ state: stands }) => stands === 'open'))
        for await (const { record } of recordsIn(journal, { session: session.id, upTo })) yield record;
    },
    async *timeline(kinds) {
      for await (const { record } of recordsIn(journal, { session: null, kinds })) yield record;
    },
    latest: (kind) => state.latest(kind),
    async *exportLines(filter) {
      for await (const trajectory of exportTrajectories(filter)) yield `${soundJson(trajectory)}\n`;
    },
    async addRewards(entries) {
      const { records, accepted, rejected } = rewardRecords(entries, state, clock());
      if (records.length > 0) await commit(records);
      return { accepted, rejected };
    },
    async importEpisodes(trajectories) {
      const rejected: Receipt['rejected'][number][] = [];
      const records: JournalRecord[] = [];
      for (const trajectory of trajectories) {
        const { id } = trajectory;
        if (state.index.get(id)?.served || unopened.has(id))
          rejected.push({
            id,
            code: 'session_served',
            reason: 'the gateway served a session of this id itself',
          });
        else records.push({ kind: 'episode', at: clock(), session: id, trajectory });
      }
      if (records.length > 0) await commit(records);
      return { accepted: records.length, rejected };
    },
    countsOf: (member) => memberCounts(state.tallies.get(member), pricesOf),
    status: () => ({
      records: journal.records(),
      bytes: journal.bytes(),
      unrecorded,
      failing,
      dropped: state.droppedSoFar,
      pendingRewards: state.names.waiting,
    }),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      closed = true;
      if (trying !== null) clearTimeout(trying);
      if (timer !== null) clearInterval(timer);
      await retaining?.catch(() => {});
      await journal.close();
    },
  };
}
