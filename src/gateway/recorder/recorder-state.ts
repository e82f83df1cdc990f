import { addTallies, countRecord, plainTallies, type Tallies } from './member-tally.ts';
import type { Dropped, JournalRecord } from './records.ts';
import { RewardNames } from './reward-names.ts';
import { type IndexedSession, SessionIndex } from './session-index.ts';

type Kind<K extends JournalRecord['kind']> = Extract<JournalRecord, { readonly kind: K }>;

/** Names of dropped sessions that are remembered; the oldest go. */
const FORMER_NAMES = 100_000;

/** What is in memory of a journal: what its records, applied in the order of `seq`, add up to. */
export class RecorderState {
  readonly index = new SessionIndex();
  readonly names = new RewardNames();
  /** Of everything there ever was. */
  readonly tallies: Tallies = new Map();
  /** Ids and names of sessions that were dropped lately, in this life of the gateway. */
  readonly #formerNames = new Set<string>();
  droppedSoFar: Dropped = { sessions: 0, records: 0, lastAt: null };
  /** Where the tally of what was dropped stands in the journal. */
  tallySeqs: number[] = [];
  #gone: Tallies = new Map();
  readonly #latest = new Map<string, JournalRecord>();

  /** False: it says nothing new. */
  apply(record: JournalRecord, seq: number): boolean {
    const { session, kind } = record;
    const known = session === null ? undefined : this.index.get(session);
    // Written again beside the session's next record when its first writing was in doubt.
    const again = kind === 'open' && known?.served === true;
    if (again) return false;
    this.index.apply(record, seq);
    countRecord(this.tallies, record, this.#memberOf(session));
    if (session === null) this.#latest.set(kind, record);
    else if (kind === 'reward' && known === undefined) this.names.wait(session, record);
    if (kind === 'tally') {
      this.droppedSoFar = record.dropped;
      this.tallySeqs = [seq];
      addTallies(this.#gone, record.members);
    } else if ((kind === 'open' || kind === 'episode') && session !== null) {
      if (kind === 'open') this.names.add(session, record.facts.names);
      // It came before its session and stands before it in the journal.
      const early = this.names.claim([session, ...(kind === 'open' ? (record.facts.names ?? []) : [])]);
      if (early !== null) this.index.apply({ kind: 'reward', at: record.at, session, ...plain(early) }, seq);
    }
    return true;
  }

  /** A session's first records: a reward that came before it by another name is now written under its own id. */
  begun(open: JournalRecord): readonly JournalRecord[] {
    if (open.kind !== 'open' || open.session === null) return [open];
    const early = this.names.waitingFor(open.facts.names ?? []);
    if (early === null) return [open];
    return [open, { kind: 'reward', at: open.at, session: open.session, ...plain(early) }];
  }

  sessionOf(record: JournalRecord): IndexedSession | undefined {
    return record.session === null ? undefined : this.index.get(record.session);
  }

  /** Sessions of this id, else of this name. */
  find(idOrName: string): readonly string[] {
    return this.index.get(idOrName) === undefined ? this.names.find(idOrName) : [idOrName];
  }

  /** Whether a session of this id or name was on record and has been dropped, as far as that is still known. */
  wasDropped(idOrName: string): boolean {
    return this.#formerNames.has(idOrName);
  }

  latest<K extends JournalRecord['kind']>(kind: K): Kind<K> | null {
    return (this.#latest.get(kind) as Kind<K> | undefined) ?? null;
  }

  /** The tally that is to stand for these sessions too, once they are dropped. */
  tallyOfDropped(ids: readonly string[], records: readonly JournalRecord[], at: number): Kind<'tally'> {
    const gone: Tallies = new Map();
    addTallies(gone, plainTallies(this.#gone));
    const counted = new Set<string>();
    for (const record of records) {
      if (record.kind === 'open' && counted.has(record.session!)) continue;
      if (record.kind === 'open') counted.add(record.session!);
      countRecord(gone, record, this.#memberOf(record.session));
    }
    const { sessions, records: before } = this.droppedSoFar;
    const dropped = { sessions: sessions + ids.length, records: before + records.length, lastAt: at };
    return { kind: 'tally', at, session: null, members: plainTallies(gone), dropped };
  }

  dropped(ids: readonly string[], tally: Kind<'tally'>, seq: number): void {
    for (const id of ids) {
      const names = this.index.get(id)?.names ?? [];
      this.names.drop(id, names);
      for (const name of [id, ...names]) this.#formerNames.add(name);
    }
    for (const name of this.#formerNames) {
      if (this.#formerNames.size <= FORMER_NAMES) break;
      this.#formerNames.delete(name);
    }
    this.index.drop(ids);
    this.droppedSoFar = tally.dropped;
    this.tallySeqs = [seq];
    this.#gone = new Map();
    addTallies(this.#gone, tally.members);
  }

  #memberOf(session: string | null): string | null {
    const known = session === null ? undefined : this.index.get(session);
    return known?.served ? known.member : null;
  }
}

const plain = ({ reward, outcome }: { readonly reward: number | null; readonly outcome: string | null }) => ({
  reward,
  outcome,
});
