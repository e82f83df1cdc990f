/**
 * Jensen-Shannon divergence of simulators' class shares, equal weights, over log N (0 to 1). It is asked for millions
 * of short lists, so what hangs on a simulator's rows and one class's count alone is looked up.
 */
export class Divergence {
  /** Of n rows, c of them of one class: the share c / n at `#from[n] + c`, and share log share. */
  readonly #from: Int32Array;
  readonly #share: Float64Array;
  readonly #term: Float64Array;
  /** One number a class, all 0 between calls. */
  readonly #own: Int32Array;
  readonly #mixture: Float64Array;
  readonly #seen: Int32Array;

  /** `sizes`: the numbers of rows that simulators have. */
  constructor(sizes: Int32Array, k: number) {
    const distinct = new Set(sizes);
    let largest = 0;
    let entries = 0;
    for (const size of distinct) {
      largest = Math.max(largest, size);
      entries += size + 1;
    }
    this.#from = new Int32Array(largest + 1);
    this.#share = new Float64Array(entries);
    this.#term = new Float64Array(entries);
    let from = 0;
    for (const size of distinct) {
      this.#from[size] = from;
      let share = 0;
      for (let count = 1; count <= size; count++) {
        share += 1 / size;
        this.#share[from + count] = share;
        this.#term[from + count] = share * Math.log(share);
      }
      from += size + 1;
    }
    this.#own = new Int32Array(k);
    this.#mixture = new Float64Array(k);
    this.#seen = new Int32Array(k);
  }

  /** Of the classes from `begin` on: `sizes[0]` of the first simulator, then those of the next. */
  of(classes: Int32Array, begin: number, sizes: Int32Array): number {
    const [shares, terms, own, mixture, seen] = [
      this.#share,
      this.#term,
      this.#own,
      this.#mixture,
      this.#seen,
    ];
    const simulators = sizes.length;
    let inner = 0;
    let at = begin;
    let distinct = 0;
    for (let simulator = 0; simulator < simulators; simulator++) {
      const size = sizes[simulator]!;
      const from = this.#from[size]!;
      const end = at + size;
      for (let i = at; i < end; i++) own[classes[i]!]! += 1;
      for (; at < end; at++) {
        const cell = classes[at]!;
        const count = own[cell]!;
        if (count === 0) continue;
        own[cell] = 0;
        inner -= terms[from + count]! / simulators;
        if (mixture[cell] === 0) seen[distinct++] = cell;
        mixture[cell]! += shares[from + count]! / simulators;
      }
    }
    let outer = 0;
    for (let i = 0; i < distinct; i++) {
      const share = mixture[seen[i]!]!;
      outer -= share * Math.log(share);
      mixture[seen[i]!] = 0;
    }
    return (outer - inner) / Math.log(simulators);
  }
}
