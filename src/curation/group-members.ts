import type { CurationRows } from './rows.ts';

/** Rows of each group, by group number: those of group g are members[start[g]] .. members[start[g + 1] - 1]. */
export interface GroupMembers {
  readonly start: Uint32Array;
  /** In order of content: hash, then weight, then reward, so that neither names nor the order of rows decide. */
  readonly members: Uint32Array;
}

type Columns = Pick<CurationRows, 'size' | 'hashes' | 'group' | 'groups' | 'reward'>;

/** Rows without a group are in none. O(rows), beside the sort inside groups. */
export function groupMembers(rows: Columns, weight: ArrayLike<number>): GroupMembers {
  const start = new Uint32Array(rows.groups.length + 1);
  for (let row = 0; row < rows.size; row++) if (rows.group[row]! >= 0) start[rows.group[row]! + 1]!++;
  for (let group = 0; group < rows.groups.length; group++) start[group + 1]! += start[group]!;
  const next = start.slice();
  const members = new Uint32Array(start[rows.groups.length]!);
  for (let row = 0; row < rows.size; row++) {
    const group = rows.group[row]!;
    if (group >= 0) members[next[group]!++] = row;
  }
  const byContent = contentOrder(rows, weight);
  for (let group = 0; group < rows.groups.length; group++)
    members.subarray(start[group]!, start[group + 1]!).sort(byContent);
  return { start, members };
}

function contentOrder(rows: Columns, weight: ArrayLike<number>): (a: number, b: number) => number {
  // NaN (missing) stands first.
  const differ = (a: number, b: number) =>
    Number.isNaN(a) || Number.isNaN(b) ? Number(Number.isNaN(b)) - Number(Number.isNaN(a)) : a - b;
  return (a, b) => {
    for (let word = 0; word < 4; word++) {
      const order = rows.hashes[4 * a + word]! - rows.hashes[4 * b + word]!;
      if (order !== 0) return order;
    }
    return differ(weight[a]!, weight[b]!) || differ(rows.reward[a]!, rows.reward[b]!) || a - b;
  };
}
