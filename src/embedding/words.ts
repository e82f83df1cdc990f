/** Words kept before all are forgotten: beyond it files hold ids, not words. */
const LIMIT = 1 << 17;

/**
 * Numbers for words, so that reading a text builds no string and compares none. A number holds until `settle` finds
 * too many words: what is kept by number must be asked for again when `generation` has changed.
 */
export class Words {
  generation = 0;
  size = 0;
  /** Number of the word + 1 at its hash, or behind it; 0 = free. */
  #slots = new Int32Array(1 << 12);
  #hashes = new Int32Array(1 << 11);
  /** Where each word's units begin; one more than there are words. */
  #starts = new Int32Array((1 << 11) + 1);
  #units = new Uint16Array(1 << 14);
  #texts: (string | undefined)[] = [];

  /** Number of units[from..to). */
  number(units: Uint16Array, from: number, to: number): number {
    let hash = 0;
    for (let at = from; at < to; at++) hash = (Math.imul(hash, 31) + units[at]!) | 0;
    return this.hashed(units, from, to, hash);
  }

  /** The same where the caller has the hash already: h(0) = 0, h = 31 h + unit. */
  hashed(units: Uint16Array, from: number, to: number, hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = Math.imul(hash, 0x9e3779b1) >>> 7;
    for (slot &= mask; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const number = this.#slots[slot]! - 1;
      if (this.#hashes[number] !== hash) continue;
      const start = this.#starts[number]!;
      if (this.#starts[number + 1]! - start !== to - from) continue;
      let at = from;
      while (at < to && this.#units[start + at - from] === units[at]) at++;
      if (at === to) return number;
    }
    return this.#add(units, from, to, hash, slot);
  }

  numberOf(text: string): number {
    const units = Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
    return this.number(units, 0, units.length);
  }

  text(number: number): string {
    let text = this.#texts[number];
    if (text === undefined) {
      const units = this.#units.subarray(this.#starts[number], this.#starts[number + 1]);
      text = units.reduce((before, unit) => before + String.fromCharCode(unit), '');
      this.#texts[number] = text;
    }
    return text;
  }

  /** Between texts that have nothing to do with one another: forgets the words where they are too many. */
  settle(): void {
    if (this.size < LIMIT) return;
    this.#slots.fill(0);
    this.#texts = [];
    this.size = 0;
    this.generation++;
  }

  #add(units: Uint16Array, from: number, to: number, hash: number, slot: number): number {
    const number = this.size++;
    const start = this.#starts[number]!;
    const end = start + to - from;
    if (end > this.#units.length) this.#units = longer(this.#units, new Uint16Array(2 * end));
    this.#units.set(units.subarray(from, to), start);
    this.#hashes[number] = hash;
    this.#starts[number + 1] = end;
    this.#slots[slot] = number + 1;
    if (2 * this.size >= this.#slots.length) this.#grow();
    return number;
  }

  #grow(): void {
    this.#slots = new Int32Array(2 * this.#slots.length);
    const mask = this.#slots.length - 1;
    this.#hashes = longer(this.#hashes, new Int32Array(mask + 1));
    this.#starts = longer(this.#starts, new Int32Array(mask + 2));
    for (let number = 0; number < this.size; number++) {
      let slot = (Math.imul(this.#hashes[number]!, 0x9e3779b1) >>> 7) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = number + 1;
    }
  }
}

function longer<T extends { set(from: T): void }>(old: T, wider: T): T {
  wider.set(old);
  return wider;
}

/** One table for all readers of text: they meet the same words. */
export const WORDS = new Words();

/** A set of numbers of words that is emptied in no time. */
export class WordSet {
  #stamps = new Int32Array(1 << 12);
  #stamp = 0;

  clear(): void {
    this.#stamp++;
  }

  has(word: number): boolean {
    return this.#stamps[word] === this.#stamp;
  }

  /** Whether it was not in yet. */
  add(word: number): boolean {
    if (word >= this.#stamps.length)
      this.#stamps = longer(this.#stamps, new Int32Array(2 * Math.max(word, WORDS.size)));
    if (this.#stamps[word] === this.#stamp) return false;
    this.#stamps[word] = this.#stamp;
    return true;
  }
}
