import type { CurationRows } from './rows.ts';

/** Where a row lies in one codebook. */
export interface Position {
  /** Null where the row has no cell in it. */
  readonly mode: number | null;
  readonly outside: boolean;
  /** To its nearest neighbours; NaN = unknown. */
  readonly distance: number;
}

/** One gated episode, placed. */
export interface RowFacts {
  readonly id: string;
  /** Content hash, 32 hex digits. */
  readonly hash: string;
  readonly simulator: string;
  readonly policy: string;
  readonly context: string;
  readonly group: string | null;
  readonly reward: number | null;
  readonly full: Position;
  readonly interaction: Position;
}

/** A list of names, each once, in the order in which they came. */
class Names {
  readonly list: string[] = [];
  readonly #at = new Map<string, number>();

  index(name: string): number {
    let at = this.#at.get(name);
    if (at === undefined) {
      at = this.list.push(name) - 1;
      this.#at.set(name, at);
    }
    return at;
  }
}

/** Collects gated rows in any order; `build` puts them in content order, in the codebook they are compared in. */
export class RowsBuilder {
  readonly #ids: string[] = [];
  readonly #simulators = new Names();
  readonly #policies = new Names();
  readonly #contexts = new Names();
  readonly #groups = new Names();
  readonly #words = new Grown(Uint32Array, 4);
  /** simulator, policy, context, group; -1 = none. */
  readonly #index = new Grown(Int32Array, 4);
  /** mode in the full and in the interaction codebook; -1 = none. */
  readonly #mode = new Grown(Int16Array, 2);
  readonly #outside = new Grown(Uint8Array, 2);
  readonly #distance = new Grown(Float32Array, 2);
  readonly #reward = new Grown(Float64Array, 1);

  get size(): number {
    return this.#ids.length;
  }

  add(row: RowFacts): void {
    this.#ids.push(row.id);
    const { hash } = row;
    this.#words.push(
      Number.parseInt(hash.slice(0, 8), 16),
      Number.parseInt(hash.slice(8, 16), 16),
      Number.parseInt(hash.slice(16, 24), 16),
      Number.parseInt(hash.slice(24, 32), 16),
    );
    this.#index.push(
      this.#simulators.index(row.simulator),
      this.#policies.index(row.policy),
      this.#contexts.index(row.context),
      row.group === null ? -1 : this.#groups.index(row.group),
    );
    const { full, interaction } = row;
    this.#mode.push(full.mode ?? -1, interaction.mode ?? -1);
    this.#outside.push(full.outside ? 1 : 0, interaction.outside ? 1 : 0);
    this.#distance.push(full.distance, interaction.distance);
    this.#reward.push(row.reward ?? Number.NaN);
  }

  build(codebook: 'full' | 'interaction', k: number): CurationRows {
    const words = this.#words.data;
    const index = this.#index.data;
    const which = codebook === 'full' ? 0 : 1;
    const names = [this.#simulators, this.#policies, this.#contexts, this.#groups];
    const byName = (a: number, b: number): number => {
      for (let column = 0; column < 4; column++) {
        const [x, y] = [index[4 * a + column]!, index[4 * b + column]!];
        if (x === y) continue;
        if (x < 0 || y < 0) return x - y;
        return names[column]!.list[x]! < names[column]!.list[y]! ? -1 : 1;
      }
      const [x, y] = [this.#reward.data[a]!, this.#reward.data[b]!];
      if (x !== y && !(Number.isNaN(x) && Number.isNaN(y))) return (Number.isNaN(x) ? -1 : x - y) || 0;
      return this.#ids[a]! < this.#ids[b]! ? -1 : this.#ids[a]! > this.#ids[b]! ? 1 : 0;
    };
    const order = Uint32Array.from({ length: this.size }, (_, row) => row).sort((a, b) => {
      for (let word = 0; word < 4; word++) {
        const gap = words[4 * a + word]! - words[4 * b + word]!;
        if (gap !== 0) return gap;
      }
      return byName(a, b);
    });
    const hashes = new Uint32Array(4 * this.size);
    order.forEach((from, to) => {
      for (let word = 0; word < 4; word++) hashes[4 * to + word] = words[4 * from + word]!;
    });
    const column = (at: number) => Int32Array.from(order, (row) => index[4 * row + at]!);
    return {
      size: this.size,
      ids: Array.from(order, (row) => this.#ids[row]!),
      hashes,
      simulators: this.#simulators.list,
      simulator: column(0),
      policies: this.#policies.list,
      policy: column(1),
      contexts: this.#contexts.list,
      context: column(2),
      groups: this.#groups.list,
      group: column(3),
      k,
      mode: Int16Array.from(order, (row) => this.#mode.data[2 * row + which]!),
      outside: Uint8Array.from(order, (row) => this.#outside.data[2 * row + which]!),
      distance: Float32Array.from(order, (row) => this.#distance.data[2 * row + which]!),
      reward: Float64Array.from(order, (row) => this.#reward.data[row]!),
    };
  }
}

type Numbers = Uint32Array | Int32Array | Int16Array | Uint8Array | Float32Array | Float64Array;

/** A typed array that grows by doubling. */
class Grown<T extends Numbers> {
  data: T;
  #length = 0;
  readonly #make: new (
    length: number,
  ) => T;

  constructor(make: new (length: number) => T, width: number) {
    this.#make = make;
    this.data = new make(256 * width);
  }

  push(...values: number[]): void {
    if (this.#length + values.length > this.data.length) {
      const wider = new this.#make(2 * this.data.length);
      wider.set(this.data);
      this.data = wider;
    }
    for (const value of values) this.data[this.#length++] = value;
  }
}

/** The named rows alone, in content order; lists of names stay whole, so that numbers mean the same. */
export function subsetRows(rows: CurationRows, keep: Uint32Array): CurationRows {
  const take = <T extends Numbers>(column: T, make: new (length: number) => T): T => {
    const taken = new make(keep.length);
    keep.forEach((row, at) => {
      taken[at] = column[row]!;
    });
    return taken;
  };
  const hashes = new Uint32Array(4 * keep.length);
  keep.forEach((row, at) => {
    hashes.set(rows.hashes.subarray(4 * row, 4 * row + 4), 4 * at);
  });
  return {
    ...rows,
    size: keep.length,
    ids: Array.from(keep, (row) => rows.ids[row]!),
    hashes,
    simulator: take(rows.simulator, Int32Array),
    policy: take(rows.policy, Int32Array),
    context: take(rows.context, Int32Array),
    group: take(rows.group, Int32Array),
    mode: take(rows.mode, Int16Array),
    outside: take(rows.outside, Uint8Array),
    distance: take(rows.distance, Float32Array),
    reward: take(rows.reward, Float64Array),
  };
}
