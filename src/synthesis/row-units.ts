import type { PlacedRow } from './placed-row.ts';

/** What one observation is, over all rows that are compared. */
export interface RowUnits {
  /** Along the rows: indexes into one list, whose order contents decide. */
  readonly of: Int32Array;
  readonly noun: 'context' | 'episode';
  /** Why the unit is not the context; null where it is. */
  readonly reason: string | null;
}

/** A context that holds more of the rows than this cannot be the unit. */
const LARGEST_SHARE = 0.2;

/** The context where contexts repeat and none holds over 20 % of the rows, else the episode. `rows` are distinct. */
export function unitsOf(rows: readonly PlacedRow[]): RowUnits {
  const sizes = new Map<string, number>();
  for (const { context } of rows) sizes.set(context, (sizes.get(context) ?? 0) + 1);
  let alone = 0;
  let largest = 0;
  for (const size of sizes.values()) {
    if (size === 1) alone += 1;
    largest = Math.max(largest, size);
  }
  const reason =
    2 * alone > rows.length
      ? 'contexts do not repeat'
      : largest > LARGEST_SHARE * rows.length
        ? `one context holds ${Math.round((100 * largest) / rows.length)} % of the rows`
        : null;
  if (reason !== null) return { of: Int32Array.from(rows, (_, at) => at), noun: 'episode', reason };
  // Rows come in the order of their hashes, so that a context first seen is the one with the smallest.
  const places = new Map<string, number>();
  return {
    of: Int32Array.from(rows, ({ context }) => {
      const place = places.get(context) ?? places.size;
      places.set(context, place);
      return place;
    }),
    noun: 'context',
    reason: null,
  };
}
