import { hashOrder } from '../math/index.ts';
import { compareHashes, contentsOf } from './contents.ts';
import { type CurationRows, hashOf } from './rows.ts';

/** What is never split: GRPO groups, and each row without a group as one of its own. */
export interface BatchGroups {
  readonly count: number;
  /** Rows of group g: members[starts[g]] .. members[starts[g + 1] - 1], in content order. */
  readonly starts: Int32Array;
  readonly members: Int32Array;
  /** Groups by hashOrder of their key, the smallest content hash of their rows: the seeded order of all draws. */
  readonly order: Int32Array;
  /** That number, in [0, 1), by group. */
  readonly key: Float64Array;
}

/** Neither names nor the order of rows matter: groups with equal contents and modes can change places unseen. */
export function batchGroups(
  rows: Pick<CurationRows, 'size' | 'hashes' | 'group' | 'mode'>,
  seed: number,
): BatchGroups {
  const { size, hashes, group, mode } = rows;
  const inOrder = contentsOf(hashes).order;
  // Numbered as they come in content order, so that the first row met of a group carries its smallest hash.
  const numbers = new Int32Array(group.reduce((most, name) => Math.max(most, name), -1) + 1).fill(-1);
  const of = new Int32Array(size);
  let count = 0;
  for (const row of inOrder) {
    const name = group[row]!;
    if (name < 0) of[row] = count++;
    else {
      if (numbers[name] === -1) numbers[name] = count++;
      of[row] = numbers[name]!;
    }
  }
  const starts = new Int32Array(count + 1);
  for (let row = 0; row < size; row++) starts[of[row]! + 1]! += 1;
  for (let g = 0; g < count; g++) starts[g + 1]! += starts[g]!;
  const next = starts.slice();
  const members = new Int32Array(size);
  for (const row of inOrder) members[next[of[row]!]!++] = row;
  for (let g = 0; g < count; g++) settleTies(rows, members.subarray(starts[g], starts[g + 1]));

  const key = new Float64Array(count);
  for (let g = 0; g < count; g++) key[g] = hashOrder(hashOf(rows, members[starts[g]!]!), seed);
  const order = Int32Array.from({ length: count }, (_, g) => g);
  const compare = (a: number, b: number): number => {
    const sizes = starts[a + 1]! - starts[a]! - (starts[b + 1]! - starts[b]!);
    if (sizes !== 0) return sizes;
    for (let at = 0; at < starts[a + 1]! - starts[a]!; at++) {
      const [x, y] = [members[starts[a]! + at]!, members[starts[b]! + at]!];
      const difference = compareHashes(hashes, x, y) || mode[x]! - mode[y]!;
      if (difference !== 0) return difference;
    }
    return a - b;
  };
  order.sort((a, b) => key[a]! - key[b]! || compare(a, b));
  return { count, starts, members, order, key };
}

/** Rows of one content inside a group: by mode. */
function settleTies({ hashes, mode }: Pick<CurationRows, 'hashes' | 'mode'>, members: Int32Array): void {
  for (let at = 1; at < members.length; at++)
    if (compareHashes(hashes, members[at - 1]!, members[at]!) === 0) {
      members.sort((a, b) => compareHashes(hashes, a, b) || mode[a]! - mode[b]! || a - b);
      return;
    }
}
