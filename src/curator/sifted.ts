import type { Blame } from '../curation/gate/check.ts';
import type { CheckCount } from '../curation/manifest.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';

/** What the first pass over the files found. */
export interface Sifted {
  /** Episodes of simulators, in reading order: kept or not. */
  readonly verdicts: Verdicts;
  /** Gated episodes to fit the space on, a bottom-k of each simulator. */
  readonly sample: readonly Trajectory[];
  /** Gated episodes whose neighbourhoods stand for the data's density: a bottom-k of all. */
  readonly neighbourhood: readonly Trajectory[];
  /** People found among the rows, where no reference was given. */
  readonly people: readonly Trajectory[];
  readonly rows: number;
  readonly kept: number;
  readonly checks: readonly CheckCount[];
  readonly reasons: readonly { readonly reason: string; readonly blame: Blame; readonly count: number }[];
  /** Rows read and kept, a simulator. */
  readonly simulators: ReadonlyMap<string, { rows: number; kept: number }>;
}

/**
 * Kept or dropped, one bit a row as it was read, with 32 bits of its hash: a later reading that meets another row in
 * its place has met a changed file.
 */
export class Verdicts {
  #words = new Uint32Array(1024);
  #kept = new Uint8Array(1024);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(hash: string, kept: boolean): void {
    if (this.#size === this.#words.length) {
      const [words, bits] = [new Uint32Array(2 * this.#size), new Uint8Array(2 * this.#size)];
      words.set(this.#words);
      bits.set(this.#kept);
      this.#words = words;
      this.#kept = bits;
    }
    this.#words[this.#size] = Number.parseInt(hash.slice(0, 8), 16);
    this.#kept[this.#size++] = kept ? 1 : 0;
  }

  /** Null where the row read at `at` is not the one that was judged. */
  of(at: number, hash: string): boolean | null {
    if (at >= this.#size || this.#words[at] !== Number.parseInt(hash.slice(0, 8), 16)) return null;
    return this.#kept[at] === 1;
  }

  drop(at: number): void {
    this.#kept[at] = 0;
  }
}
