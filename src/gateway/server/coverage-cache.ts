import type { CoverageCounts } from '../../population/index.ts';
import { countsOf, type LiveCoverage } from '../live/coverage.ts';

/** Milliseconds after which counts are read anew. */
const STALE = 5000;

/**
 * The counts that `least-covered` draws by: those of some seconds ago, so that no client waits for figures. Null until
 * there are any.
 */
export function coverageCache(
  read: () => Promise<LiveCoverage | null>,
  ticks: () => number,
): () => CoverageCounts | null {
  let counts: CoverageCounts | null = null;
  let readAt: number | null = null;
  return () => {
    if (readAt === null || ticks() - readAt > STALE) {
      readAt = ticks();
      read().then(
        (found) => {
          if (found !== null) counts = countsOf(found);
        },
        // Figures that cannot be had now are asked for again later.
        () => {},
      );
    }
    return counts;
  };
}
