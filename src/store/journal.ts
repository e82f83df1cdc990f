export interface JournalEntry {
  /** Null = of no session. */
  readonly session: string | null;
  readonly kind: string;
  /** Milliseconds since 1970. Nothing is ordered by it. */
  readonly at: number;
  /** Without NUL characters; JSON has none. */
  readonly body: string;
}

export interface StoredEntry extends JournalEntry {
  /** Grows with every entry and is never given twice; there may be gaps. */
  readonly seq: number;
}

export interface JournalQuery {
  /** Null = the entries of no session. */
  readonly session?: string | null;
  readonly kinds?: readonly string[];
  /** Entries behind this one only. */
  readonly after?: number;
  /** Up to this one. Absent = up to the last one at the call. */
  readonly upTo?: number;
  readonly limit?: number;
}

/** An append-only list of entries; a whole session can be dropped. */
export interface Journal {
  /**
   * Resolves once the entries are committed, all or none, with the `seq` of the last one. Entries of one call, and
   * calls in their order, have growing `seq`.
   * Rejects with CA_STORE_LOCKED where another program holds the database for more than `waitMs`, with CA_STORE_FAILED
   * where it cannot be written (no space left, `maxBytes` reached, closed). What was committed stays; later calls
   * succeed once the cause is gone.
   */
  append(entries: readonly JournalEntry[]): Promise<number>;
  /**
   * In the order of `seq`. What is appended later does not appear, what is dropped meanwhile is left out. A page at a
   * time is in memory, and between pages others have their turn.
   */
  read(query?: JournalQuery): AsyncIterable<StoredEntry>;
  /** Deletes all entries of `sessions` and those of `seqs`, and appends `entries`, in one transaction. `seq` is that of the last entry appended; 0 = none was. */
  drop(
    what: { readonly sessions?: readonly string[]; readonly seqs?: readonly number[] },
    entries?: readonly JournalEntry[],
  ): Promise<{ readonly deleted: number; readonly seq: number }>;
  /** Resolves if an entry could be appended now; rejects as `append` would. */
  check(): Promise<void>;
  /** Of the last entry; 0 = none yet. */
  readonly lastSeq: number;
  records(): number;
  /** Sessions with at least one entry. */
  sessions(): number;
  /** In use, the write-ahead log's file included; space that dropped entries have left is not counted. */
  bytes(): number;
  /** Of the log's file alone. */
  logBytes(): number;
  /**
   * Moves what is in the write-ahead log into the database and empties its file, in the background. Whether it could; it
   * also happens by itself.
   */
  checkpoint(): Promise<boolean>;
  /** Waits for what was asked for, then lets go of the lock. */
  close(): Promise<void>;
}

export interface JournalOptions {
  readonly path: string;
  /**
   * What an acknowledged entry survives. `process`: the death of this process, however it dies; a power cut or a crash of
   * the system may take the last ones, never an earlier one without the later. `power`: these too, as far as the disk
   * keeps what it acknowledged; every entry waits for it, a moment's entries together. Where the
   * disk fails at just that, a refused entry may be there after all.
   */
  readonly durability: 'process' | 'power';
  /** Bytes of the database and its log beyond which appends are refused; null = none. An eighth, at most 8 MiB, is the log's. */
  readonly maxBytes: number | null;
  /** Milliseconds without an entry after which the log is emptied. */
  readonly idleMs?: number;
  /** How long appends wait for another program's lock, in ms. */
  readonly waitMs?: number;
}
