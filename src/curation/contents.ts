import type { CurationRows } from './rows.ts';

/** Rows by what they say: rows of one content hash are one content. */
export interface Contents {
  /** Row numbers in the order of their hashes; rows of one content stand side by side. */
  readonly order: Int32Array;
  /** Content of each row, numbered from 0 in the order of the hashes. */
  readonly of: Int32Array;
  readonly count: number;
}

/** Linear where rows stand in content order already, as `CurationRows` do; sorted otherwise. */
export function contentsOf(hashes: Uint32Array): Contents {
  const size = hashes.length / 4;
  const order = new Int32Array(size);
  let ascending = true;
  for (let row = 0; row < size; row++) {
    order[row] = row;
    if (row > 0 && compareHashes(hashes, row - 1, row) > 0) ascending = false;
  }
  if (!ascending) order.sort((a, b) => compareHashes(hashes, a, b) || a - b);
  const of = new Int32Array(size);
  let content = -1;
  for (let at = 0; at < size; at++) {
    const row = order[at]!;
    if (at === 0 || compareHashes(hashes, order[at - 1]!, row) !== 0) content += 1;
    of[row] = content;
  }
  return { order, of, count: content + 1 };
}

/** Negative, 0 or positive as the hash of row `a` comes before, is, or comes after that of row `b`. */
export function compareHashes(hashes: CurationRows['hashes'], a: number, b: number): number {
  for (let word = 0; word < 4; word++) {
    const difference = hashes[4 * a + word]! - hashes[4 * b + word]!;
    if (difference !== 0) return difference;
  }
  return 0;
}
