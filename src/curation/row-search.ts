import type { CurationRows } from './rows.ts';

/** First row whose content hash is not below `hash`: rows of one content stand from there on. */
export function firstOfHash(rows: Pick<CurationRows, 'hashes' | 'size'>, hash: string): number {
  const words = [0, 8, 16, 24].map((at) => Number.parseInt(hash.slice(at, at + 8), 16));
  let low = 0;
  let high = rows.size;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareHash(rows, middle, words) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Rows of one content, in their order. */
export function rowsOfHash(rows: Pick<CurationRows, 'hashes' | 'size'>, hash: string): number[] {
  const words = [0, 8, 16, 24].map((at) => Number.parseInt(hash.slice(at, at + 8), 16));
  const found: number[] = [];
  for (let row = firstOfHash(rows, hash); row < rows.size && compareHash(rows, row, words) === 0; row++)
    found.push(row);
  return found;
}

function compareHash(rows: Pick<CurationRows, 'hashes'>, row: number, words: readonly number[]): number {
  for (let word = 0; word < 4; word++) {
    const gap = rows.hashes[4 * row + word]! - words[word]!;
    if (gap !== 0) return gap;
  }
  return 0;
}
