import type { PlacedRow } from '../synthesis/index.ts';

/** Prior rows of a member's law, spread over modes as everybody's rows are: few rows rule nothing out. */
const PRIOR = 4;

/** How often a member's episodes fall in each mode, and off support: k + 1 shares that sum to 1. */
export type ModeLaw = Float64Array;

export interface MemberLaws {
  readonly k: number;
  /** By member id. */
  readonly laws: ReadonlyMap<string, ModeLaw>;
  /** Rows behind each. */
  readonly rows: ReadonlyMap<string, number>;
}

/**
 * Laws over modes by member, from counts with a prior of 4 rows that are spread as all rows together. Sums are of
 * counts: neither the order of rows nor names matter.
 */
export function memberLaws(rows: readonly PlacedRow[], k: number): MemberLaws {
  const all = new Float64Array(k + 1);
  const counts = new Map<string, Float64Array>();
  for (const { simulator, cell, outside } of rows) {
    const place = outside ? k : cell;
    const own = counts.get(simulator) ?? new Float64Array(k + 1);
    own[place]! += 1;
    counts.set(simulator, own);
    all[place]! += 1;
  }
  const total = all.reduce((sum, n) => sum + n, 0);
  const laws = new Map<string, ModeLaw>();
  const sizes = new Map<string, number>();
  for (const [id, own] of counts) {
    const n = own.reduce((sum, count) => sum + count, 0);
    sizes.set(id, n);
    laws.set(
      id,
      own.map((count, place) => (count + (PRIOR * all[place]!) / total) / (n + PRIOR)),
    );
  }
  return { k, laws, rows: sizes };
}

/** The law that a policy meets: a mixture by shares, of members whose law is known. */
export function mixtureLaw(
  { k, laws }: MemberLaws,
  shares: readonly { readonly id: string; readonly share: number }[],
): ModeLaw {
  const mixture = new Float64Array(k + 1);
  let known = 0;
  for (const { id, share } of [...shares].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const law = laws.get(id);
    if (law === undefined) continue;
    known += share;
    for (let place = 0; place <= k; place++) mixture[place]! += share * law[place]!;
  }
  return known > 0 ? mixture.map((x) => x / known) : mixture;
}

/** Shares of modes in rows, off-support rows in the last place. */
export function lawOf(rows: readonly PlacedRow[], k: number): ModeLaw {
  const law = new Float64Array(k + 1);
  for (const { cell, outside } of rows) law[outside ? k : cell]! += 1;
  return rows.length === 0 ? law : law.map((count) => count / rows.length);
}
