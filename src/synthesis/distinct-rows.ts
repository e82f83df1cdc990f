import type { PlacedRow } from './placed-row.ts';

/**
 * Each row once, in the order of their contents: neither the order of the rows nor their ids say anything. `played`: rows of
 * equal content that have ids of their own are dialogues of their own.
 */
export function distinctRows(rows: readonly PlacedRow[], of: 'content' | 'played' = 'content'): PlacedRow[] {
  const byContent = new Map<string, PlacedRow>();
  for (const row of rows) {
    const key = of === 'content' ? contentKey(row) : `${contentKey(row)}${JSON.stringify(row.id)}`;
    const held = byContent.get(key);
    // Which of two equal rows is kept must not hang on which came first.
    if (held === undefined || row.id < held.id) byContent.set(key, row);
  }
  return [...byContent].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

const contentKey = ({ hash, simulator, context, reward }: PlacedRow): string =>
  JSON.stringify([hash, simulator, context, reward]);
