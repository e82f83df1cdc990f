import { CollapseAwareError } from '../../errors.ts';
import { soundJson } from '../../formats/json-text.ts';
import type { Journal, JournalEntry, JournalQuery, StoredEntry } from '../../store/index.ts';
import type { JournalRecord } from './records.ts';

/** As it is kept: halves of surrogate pairs, which no file can hold, are replaced here and not only on export. */
export function entryOf(record: JournalRecord): JournalEntry {
  const { session, kind, at } = record;
  return { session, kind, at, body: soundJson(record) };
}

/** Errors: CA_STORE_FAILED where the entry is damaged. */
export function recordOf({ seq, session, kind, body }: StoredEntry): JournalRecord {
  let record: JournalRecord | null = null;
  try {
    record = JSON.parse(body) as JournalRecord;
  } catch {
    // Told below.
  }
  if (record?.kind !== kind)
    throw new CollapseAwareError('CA_STORE_FAILED', `entry ${seq} of the journal is damaged`, {
      todo: 'restore the journal from a backup, or name another store',
    });
  return { ...record, session };
}

/** Records in the order in which they were written. */
export async function* recordsIn(
  journal: Journal,
  query: JournalQuery,
): AsyncGenerator<{ readonly record: JournalRecord; readonly seq: number }> {
  for await (const entry of journal.read(query)) yield { record: recordOf(entry), seq: entry.seq };
}
