import type { BatchGroups } from './batch-groups.ts';

export interface BalancedDraw {
  /** 1 = the group is drawn. */
  readonly drawn: Uint8Array;
  /** Mode whose stratum a group stands in; -1 = it has no row with a mode. */
  readonly stratum: Int16Array;
  /** Rows that an equal share asks of every mode. */
  readonly wanted: number;
  /** Drawn rows by mode, and those of drawn groups that have no mode. */
  readonly got: Float64Array;
  readonly gotWithout: number;
}

/**
 * Whole groups so that every mode has an equal share, up to what exists. The share is ceil(n / modes with a row), n
 * the rows with a mode: what each mode would hold of as many rows spread evenly. Modes with fewer give all they have.
 *
 * The mode with the fewest rows so far is served next, with its first unused group in hash order. A group counts for
 * every mode it has rows of; one whose rows are mostly of modes that have their share already is left out (needs only
 * shrink, so that it need not be looked at again). Rows without a mode cannot be balanced: groups of nothing else are
 * drawn at the rate at which rows with a mode are.
 */
export function balancedDraw(mode: Int16Array, k: number, groups: BatchGroups): BalancedDraw {
  const { starts, members, order, count } = groups;
  const exists = new Float64Array(k);
  for (const row of members) if (mode[row]! >= 0) exists[mode[row]!]! += 1;
  const total = exists.reduce((sum, n) => sum + n, 0);
  const present = exists.reduce((sum, n) => sum + (n > 0 ? 1 : 0), 0);
  const wanted = present === 0 ? 0 : Math.ceil(total / present);
  const drawn = new Uint8Array(count);
  const stratum = strata(mode, k, groups, exists);
  const got = new Float64Array(k);
  const queues = queuesOf(mode, k, groups);
  const need = (cell: number) => Math.min(wanted, exists[cell]!) - got[cell]!;
  const refused = new Uint8Array(count);

  for (let cell = next(); cell >= 0; cell = next()) {
    const g = queues.items[queues.at[cell]!++]!;
    if (drawn[g] === 1 || refused[g] === 1) continue;
    if (mostlyUseless(g)) {
      refused[g] = 1;
      continue;
    }
    drawn[g] = 1;
    for (let at = starts[g]!; at < starts[g + 1]!; at++)
      if (mode[members[at]!]! >= 0) got[mode[members[at]!]!]! += 1;
  }

  function next(): number {
    let best = -1;
    for (let cell = 0; cell < k; cell++)
      if (queues.at[cell]! < queues.end[cell]! && need(cell) > 0 && (best < 0 || got[cell]! < got[best]!))
        best = cell;
    return best;
  }

  function mostlyUseless(g: number): boolean {
    let [useful, all] = [0, 0];
    const taken = new Map<number, number>();
    for (let at = starts[g]!; at < starts[g + 1]!; at++) {
      const cell = mode[members[at]!]!;
      if (cell < 0) continue;
      all += 1;
      const before = taken.get(cell) ?? 0;
      if (before < need(cell)) useful += 1;
      taken.set(cell, before + 1);
    }
    return 2 * useful < all;
  }

  const rate = total === 0 ? 1 : got.reduce((sum, n) => sum + n, 0) / total;
  let lone = 0;
  for (const g of order) if (stratum[g] === -1) lone += starts[g + 1]! - starts[g]!;
  let gotLone = 0;
  for (const g of order) {
    const rows = starts[g + 1]! - starts[g]!;
    if (stratum[g] !== -1 || gotLone + rows / 2 > rate * lone) continue;
    drawn[g] = 1;
    gotLone += rows;
  }
  let gotWithout = 0;
  for (let g = 0; g < count; g++)
    if (drawn[g] === 1)
      for (let at = starts[g]!; at < starts[g + 1]!; at++) if (mode[members[at]!]! < 0) gotWithout += 1;
  return { drawn, stratum, wanted, got, gotWithout };
}

/** Each group's most frequent mode, the rarer in the data (then the lower) where two are equal. */
function strata(
  mode: Int16Array,
  k: number,
  { starts, members, count }: BatchGroups,
  exists: Float64Array,
): Int16Array {
  const stratum = new Int16Array(count).fill(-1);
  const inGroup = new Int32Array(k);
  for (let g = 0; g < count; g++) {
    let best = -1;
    for (let at = starts[g]!; at < starts[g + 1]!; at++)
      if (mode[members[at]!]! >= 0) inGroup[mode[members[at]!]!]! += 1;
    for (let at = starts[g]!; at < starts[g + 1]!; at++) {
      const cell = mode[members[at]!]!;
      if (cell < 0 || cell === best) continue;
      const more =
        best < 0 ? 1 : inGroup[cell]! - inGroup[best]! || exists[best]! - exists[cell]! || best - cell;
      if (more > 0) best = cell;
    }
    for (let at = starts[g]!; at < starts[g + 1]!; at++)
      if (mode[members[at]!]! >= 0) inGroup[mode[members[at]!]!] = 0;
    stratum[g] = best;
  }
  return stratum;
}

/** Of each mode: its groups in hash order, as one list with bounds. */
function queuesOf(
  mode: Int16Array,
  k: number,
  { starts, members, order }: BatchGroups,
): { items: Int32Array; at: Int32Array; end: Int32Array } {
  const sizes = new Int32Array(k);
  const seenIn = new Int32Array(k).fill(-1);
  const visit = (seen: (cell: number, g: number) => void) => {
    seenIn.fill(-1);
    for (const g of order)
      for (let at = starts[g]!; at < starts[g + 1]!; at++) {
        const cell = mode[members[at]!]!;
        if (cell < 0 || seenIn[cell] === g) continue;
        seenIn[cell] = g;
        seen(cell, g);
      }
  };
  visit((cell) => {
    sizes[cell]! += 1;
  });
  const at = new Int32Array(k);
  for (let cell = 1; cell < k; cell++) at[cell] = at[cell - 1]! + sizes[cell - 1]!;
  const end = at.slice();
  const items = new Int32Array(sizes.reduce((sum, n) => sum + n, 0));
  visit((cell, g) => {
    items[end[cell]!++] = g;
  });
  return { items, at, end };
}
