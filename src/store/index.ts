export { AtomicFile, type AtomicFileOptions, writeFileAtomic } from './atomic-file.ts';
export { cacheHome, type DiskCache, openDiskCache } from './disk-cache.ts';
export { forgetPartial, partialPath, strayPartials, sweepPartials, watchPartial } from './partial.ts';
