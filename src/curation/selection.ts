import { seeded } from '../math/random.ts';
import { conditionalPoisson } from './conditional-poisson.ts';
import { groupMembers } from './group-members.ts';
import type { InclusionDesign } from './inclusion.ts';
import type { SelectionAccount } from './manifest.ts';
import { poissonDesign } from './poisson-design.ts';
import type { SelectionRecipe } from './recipe.ts';
import type { CurationRows } from './rows.ts';

/** Which rollouts of every group stay, and how likely that was. */
export interface Selection {
  /** 1 = kept. */
  readonly kept: Uint8Array;
  /** Chance with which each row was kept, kept or not; 1 where its group has no more than are kept, or it has none. */
  readonly inclusion: Float64Array;
  readonly pairs: KeptPairs;
  readonly account: SelectionAccount;
}

/** Joint probabilities of rows that were both kept. */
export interface KeptPairs {
  /** pi_ij, exact; null where `i` is `j`, either was not kept, or they are of different groups (or of none). */
  joint(i: number, j: number): number | null;
  /** Rows kept with `row` out of its group, itself left out, in order of content. */
  partners(row: number): readonly number[];
}

/**
 * Keeps `recipe.keep` rollouts of every group that has more, by working weights `weight` (> 0): the chance grows with
 * the weight. Each group draws from a stream of its own, seeded by `seed` and the content hashes of its rows, and
 * stands in order of content: neither names nor the order of rows move anything.
 *
 * Rows without a group are kept, with chance 1. Throws a RangeError for a weight that is not above 0, `keep` below 1,
 * and, under conditional Poisson, a group of more than 64 rows that is to be cut.
 */
export function selectRollouts(
  rows: CurationRows,
  weight: ArrayLike<number>,
  recipe: SelectionRecipe,
  seed: number,
): Selection {
  const kept = new Uint8Array(rows.size).fill(1);
  const inclusion = new Float64Array(rows.size).fill(1);
  const { start, members } = groupMembers(rows, weight);
  const store = new PairStore(rows, start, members, kept, inclusion, recipe.design);
  let [groups, short] = [0, 0];
  for (let group = 0; group < rows.groups.length; group++) {
    const own = members.subarray(start[group]!, start[group + 1]!);
    if (own.length > 0) groups += 1;
    if (own.length <= recipe.keep) continue;
    const weights = Float64Array.from(own, (row) => weight[row]!);
    const design = designOf(recipe, weights, rows.groups[group]!);
    const drawn = design.draw(seeded(`${seed}/selection/${contentOf(rows, own)}`));
    let count = 0;
    own.forEach((row, at) => {
      kept[row] = drawn[at]!;
      inclusion[row] = design.pi[at]!;
      count += drawn[at]!;
    });
    if (count < 2 && recipe.design === 'poisson') short += 1;
    store.keep(group, design, drawn);
  }
  return {
    kept,
    inclusion,
    pairs: store,
    account: {
      design: recipe.design,
      keep: recipe.keep,
      groups,
      kept: kept.reduce((total, one) => total + one, 0),
      short,
    },
  };
}

function designOf({ design, keep }: SelectionRecipe, weights: Float64Array, group: string): InclusionDesign {
  try {
    return design === 'poisson' ? poissonDesign(weights, keep) : conditionalPoisson(weights, keep);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new RangeError(`group ${JSON.stringify(group)}: ${cause.message}`, { cause });
  }
}

/** Content hashes of rows, packed two bytes a character: only to be hashed again. */
function contentOf({ hashes }: CurationRows, members: Uint32Array): string {
  let text = '';
  for (const row of members)
    for (let word = 4 * row; word < 4 * row + 4; word++)
      text += String.fromCharCode(hashes[word]! >>> 16, hashes[word]! & 0xffff);
  return text;
}

/** Joint probabilities of kept rows alone, a triangle a group: m (m - 1) / 2 numbers of conditional Poisson. */
class PairStore implements KeptPairs {
  readonly #rows: CurationRows;
  readonly #start: Uint32Array;
  readonly #members: Uint32Array;
  readonly #kept: Uint8Array;
  readonly #inclusion: Float64Array;
  readonly #product: boolean;
  /** Where each group's triangle begins; -1 = nothing was drawn, all pairs have chance 1. */
  readonly #offset: Float64Array;
  /** Place of a row among those its group kept; -1 = not of a drawn group. */
  readonly #place: Int32Array;
  #joints = new Float64Array(1024);
  #used = 0;

  constructor(
    rows: CurationRows,
    start: Uint32Array,
    members: Uint32Array,
    kept: Uint8Array,
    inclusion: Float64Array,
    design: SelectionRecipe['design'],
  ) {
    this.#rows = rows;
    this.#start = start;
    this.#members = members;
    this.#kept = kept;
    this.#inclusion = inclusion;
    this.#product = design === 'poisson';
    this.#offset = new Float64Array(rows.groups.length).fill(-1);
    this.#place = new Int32Array(this.#product ? 0 : rows.size).fill(-1);
  }

  keep(group: number, design: InclusionDesign, drawn: Uint8Array): void {
    if (this.#product) return;
    this.#offset[group] = this.#used;
    const places: number[] = [];
    drawn.forEach((one, at) => {
      if (one === 1) this.#place[this.#members[this.#start[group]! + at]!] = places.push(at) - 1;
    });
    this.#reserve((places.length * (places.length - 1)) / 2);
    // Row b of the triangle holds its pairs with a < b.
    for (let b = 1; b < places.length; b++) {
      const joint = design.joint(places[b]!);
      for (let a = 0; a < b; a++) this.#joints[this.#used++] = joint[places[a]!]!;
    }
  }

  joint(i: number, j: number): number | null {
    const group = this.#rows.group[i] ?? -1;
    if (group < 0 || i === j || group !== this.#rows.group[j]) return null;
    if (this.#kept[i] !== 1 || this.#kept[j] !== 1) return null;
    if (this.#product) return this.#inclusion[i]! * this.#inclusion[j]!;
    if (this.#offset[group]! < 0) return 1;
    const [a, b] = [this.#place[i]!, this.#place[j]!].sort((x, y) => x - y) as [number, number];
    return this.#joints[this.#offset[group]! + (b * (b - 1)) / 2 + a]!;
  }

  partners(row: number): readonly number[] {
    const group = this.#rows.group[row] ?? -1;
    if (group < 0 || this.#kept[row] !== 1) return [];
    const own = this.#members.subarray(this.#start[group]!, this.#start[group + 1]!);
    return Array.from(own).filter((other) => other !== row && this.#kept[other] === 1);
  }

  #reserve(more: number): void {
    if (this.#used + more <= this.#joints.length) return;
    const larger = new Float64Array(Math.max(2 * this.#joints.length, this.#used + more));
    larger.set(this.#joints.subarray(0, this.#used));
    this.#joints = larger;
  }
}
