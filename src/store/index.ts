export { AtomicFile, type AtomicFileOptions, writeFileAtomic } from './atomic-file.ts';
export { cacheHome, type DiskCache, openDiskCache } from './disk-cache.ts';
export type { Journal, JournalEntry, JournalOptions, JournalQuery, StoredEntry } from './journal.ts';
export { openJournal } from './open-journal.ts';
export { forgetPartial, partialPath, strayPartials, sweepPartials, watchPartial } from './partial.ts';
export { holderOf, type LockHolder, lockState, StoreLock } from './store-lock.ts';
