/** Words a row: key (64 bits), order (62 bits) with two marks in its lowest bits. */
const STRIDE = 4;
const COPIED = 1;
const PASSED = 2;
const MARKS = COPIED | PASSED;

/** A key or an order of 64 bits, as two words. */
export type Pair = readonly [number, number];

/**
 * For every key the row with the lowest order, in 16 bytes a key (23 to 41 with the room that a table filled to 0.7 and
 * grown by 1.8 has). Two keys that differ are taken for one with a chance of n^2 / 2^65, 3e-8 for a million.
 */
export class RowKeys {
  #table = new Uint32Array(STRIDE * 1024);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Notes a row. Of equal keys the lowest order is held; an equal order too is a copy. */
  note(key: Pair, order: Pair): void {
    const at = this.#slot(key);
    if (this.#isFree(at)) {
      this.#put(at, key, order, 0);
      return;
    }
    const high = order[0] >>> 0;
    const low = (order[1] & ~MARKS) >>> 0;
    const held = this.#table[at + 2]!;
    const heldLow = (this.#table[at + 3]! & ~MARKS) >>> 0;
    if (high === held && low === heldLow) this.#table[at + 3]! |= COPIED;
    else if (high < held || (high === held && low < heldLow)) {
      this.#table[at + 2] = high;
      this.#table[at + 3] = low;
    }
  }

  /**
   * Whether the row is the one of its key that stays: `first`, also on a second look; `other` where another stays;
   * `copy` where nothing tells it from the row that passed. A key never noted is held from now on.
   */
  look(key: Pair, order: Pair): 'first' | 'other' | 'copy' | 'passes' {
    const at = this.#slot(key);
    if (this.#isFree(at)) {
      this.#put(at, key, order, COPIED | PASSED);
      return 'passes';
    }
    const marks = this.#table[at + 3]! & MARKS;
    if (this.#table[at + 2] !== order[0] >>> 0 || ((this.#table[at + 3]! ^ order[1]) & ~MARKS) !== 0)
      return 'other';
    if ((marks & COPIED) === 0) return 'first';
    if ((marks & PASSED) !== 0) return 'copy';
    this.#table[at + 3]! |= PASSED;
    return 'passes';
  }

  #put(at: number, key: Pair, order: Pair, marks: number): void {
    this.#table[at] = key[0];
    // The pair (0, 0) marks a free place.
    this.#table[at + 1] = key[1] | 1;
    this.#table[at + 2] = order[0];
    this.#table[at + 3] = (order[1] & ~MARKS) | marks;
    this.#size++;
    if (this.#size * STRIDE > 0.7 * this.#table.length) this.#grow();
  }

  #isFree(at: number): boolean {
    return this.#table[at] === 0 && this.#table[at + 1] === 0;
  }

  #slot(key: Pair, table = this.#table): number {
    const high = key[0] >>> 0;
    const low = (key[1] | 1) >>> 0;
    const places = table.length / STRIDE;
    let place = high % places;
    for (;;) {
      const at = place * STRIDE;
      if ((table[at] === high && table[at + 1] === low) || (table[at] === 0 && table[at + 1] === 0))
        return at;
      place = place + 1 === places ? 0 : place + 1;
    }
  }

  #grow(): void {
    const old = this.#table;
    // Odd sizes spread keys whose low bits agree.
    const table = new Uint32Array(STRIDE * (Math.floor((old.length / STRIDE) * 1.8) | 1));
    for (let at = 0; at < old.length; at += STRIDE)
      if (old[at] !== 0 || old[at + 1] !== 0)
        table.set(old.subarray(at, at + STRIDE), this.#slot([old[at]!, old[at + 1]!], table));
    this.#table = table;
  }
}
