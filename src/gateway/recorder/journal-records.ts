import { soundJson } from '../../formats/json-text.ts';
import type { Journal, JournalEntry, JournalQuery, StoredEntry } from '../../store/index.ts';
import type { JournalRecord } from './records.ts';

/** As it is kept: halves of surrogate pairs, which no file can hold, are replaced here and not only on export. */
export function entryOf(record: JournalRecord): JournalEntry {
  const { session, kind, at } = record;
  return { session, kind, at, body: soundJson(record) };
}

export function recordOf(entry: StoredEntry): JournalRecord {
  return { ...(JSON.parse(entry.body) as JournalRecord), session: entry.session } as JournalRecord;
}

/** Records in the order in which they were written. */
export async function* recordsIn(
  journal: Journal,
  query: JournalQuery,
): AsyncGenerator<{ readonly record: JournalRecord; readonly seq: number }> {
  for await (const entry of journal.read(query)) yield { record: recordOf(entry), seq: entry.seq };
}
