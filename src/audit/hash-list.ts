/** Content hashes of the episodes of a range, in order, four words each; four zeros stand for one not known. */
export class HashList {
  #words: Uint32Array;
  #at = 0;

  /** Of hashes that were made before, or for new ones. */
  constructor(made: Uint32Array = new Uint32Array(4096)) {
    this.#words = made;
  }

  /** The next one; undefined where it is not known. */
  next(): string | undefined {
    const from = this.#at;
    this.#at += 4;
    if (from + 4 > this.#words.length) return undefined;
    let hash = '';
    for (let word = from; word < from + 4; word++) hash += this.#words[word]!.toString(16).padStart(8, '0');
    return hash === NONE ? undefined : hash;
  }

  push(hash: string | undefined): void {
    if (this.#at === this.#words.length) {
      const longer = new Uint32Array(2 * this.#words.length);
      longer.set(this.#words);
      this.#words = longer;
    }
    for (let word = 0; word < 4; word++)
      this.#words[this.#at++] =
        hash === undefined ? 0 : Number.parseInt(hash.slice(8 * word, 8 * word + 8), 16);
  }

  /** All up to here. */
  words(): Uint32Array {
    return this.#words.slice(0, this.#at);
  }
}

const NONE = '0'.repeat(32);
