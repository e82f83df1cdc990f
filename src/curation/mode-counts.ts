import { contentsOf } from './contents.ts';
import type { CurationRows } from './rows.ts';

/**
 * Contents of each mode, and in all: rows inside people's support that have a mode, each content once in each of its
 * modes. Their shares are what a coverage boost compares with people's.
 */
export function modeCounts(rows: Pick<CurationRows, 'size' | 'hashes' | 'mode' | 'outside' | 'k'>): {
  readonly counts: Float64Array;
  readonly total: number;
} {
  const { order, of } = contentsOf(rows.hashes);
  const counts = new Float64Array(rows.k);
  const seenIn = new Int32Array(rows.k).fill(-1);
  let total = 0;
  for (let at = 0; at < rows.size; at++) {
    const row = order[at]!;
    const mode = rows.mode[row]!;
    if (mode < 0 || rows.outside[row] === 1 || seenIn[mode] === of[row]) continue;
    seenIn[mode] = of[row]!;
    counts[mode]! += 1;
    total += 1;
  }
  return { counts, total };
}
