import type { Journal, JournalOptions } from './journal.ts';

/**
 * A journal in one SQLite database with a write-ahead log. The database is loaded when it is asked for: most who use this
 * folder want a file that appears whole.
 * Errors: CA_STORE_LOCKED, CA_STORE_FAILED.
 */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const journal = await import('./sqlite-journal.ts');
  return journal.openJournal(options);
}
