import { WordScan } from './word-scan.ts';
import { WORDS } from './words.ts';

/** Joins the two words of a bigram; no token contains it. */
export const SEAM = '\u0020';

/** Places of (a, b) pairs of small numbers: open addressing, for nothing else is looked up as often. */
class PairIndex {
  readonly size: number;
  readonly #mask: number;
  readonly #first: Int32Array;
  readonly #second: Int32Array;
  readonly #place: Int32Array;

  constructor(pairs: readonly { readonly first: number; readonly second: number; readonly place: number }[]) {
    this.size = pairs.length;
    let slots = 16;
    while (slots < 3 * pairs.length) slots *= 2;
    this.#mask = slots - 1;
    this.#first = new Int32Array(slots).fill(-1);
    this.#second = new Int32Array(slots);
    this.#place = new Int32Array(slots);
    for (const { first, second, place } of pairs) {
      let slot = this.#slot(first, second);
      while (this.#first[slot] !== -1) slot = (slot + 1) & this.#mask;
      this.#first[slot] = first;
      this.#second[slot] = second;
      this.#place[slot] = place;
    }
  }

  /** -1 where the pair is not known. */
  place(first: number, second: number): number {
    for (let slot = this.#slot(first, second); ; slot = (slot + 1) & this.#mask) {
      const held = this.#first[slot]!;
      if (held === -1) return -1;
      if (held === first && this.#second[slot] === second) return this.#place[slot]!;
    }
  }

  #slot(first: number, second: number): number {
    const mixed = Math.imul(Math.imul(first, 0x9e3779b1) ^ second, 0x85ebca6b);
    return (mixed ^ (mixed >>> 15)) & this.#mask;
  }
}

/**
 * Terms by word and by pair of words: no string is built to look a bigram up. Words that stand only in bigrams have
 * a number too, and no term.
 */
export class TermIndex {
  readonly #word = new Map<string, number>();
  readonly #term: number[] = [];
  readonly #pairs: PairIndex;
  readonly #scan = new WordScan();
  /** Numbers here by the word's number in WORDS; -1, and words past its end, are not known here. */
  #known = new Int32Array(0);
  #generation = -1;

  constructor(terms: readonly string[]) {
    const number = (word: string): number => {
      let known = this.#word.get(word);
      if (known === undefined) {
        known = this.#word.size;
        this.#word.set(word, known);
        this.#term.push(-1);
      }
      return known;
    };
    const pairs: { first: number; second: number; place: number }[] = [];
    terms.forEach((term, at) => {
      const seam = term.indexOf(SEAM);
      if (seam === -1) this.#term[number(term)] = at;
      else
        pairs.push({ first: number(term.slice(0, seam)), second: number(term.slice(seam + 1)), place: at });
    });
    this.#pairs = new PairIndex(pairs);
  }

  /** Counts the known terms of one text into `count`; `seen` becomes the distinct ones, in order of appearance. */
  count(text: string, count: Uint8Array, seen: number[]): void {
    WORDS.settle();
    this.#scan.read(text);
    this.countTokens(this.#scan.tokens, 0, this.#scan.tokenCount, count, seen);
  }

  /** The same of a text that was scanned: tokens[from..to), by number. */
  countTokens(tokens: Int32Array, from: number, to: number, count: Uint8Array, seen: number[]): void {
    if (this.#generation !== WORDS.generation) this.#learn();
    const known = this.#known;
    seen.length = 0;
    const pairs = this.#pairs.size > 0;
    let previous = -1;
    for (let at = from; at < to; at++) {
      const number = tokens[at]!;
      const word = number < known.length ? known[number]! : -1;
      if (word !== -1) {
        const term = this.#term[word]!;
        if (term !== -1) counted(count, seen, term);
        if (pairs && previous !== -1) {
          const pair = this.#pairs.place(previous, word);
          if (pair !== -1) counted(count, seen, pair);
        }
      }
      previous = word;
    }
  }

  #learn(): void {
    const numbers = [...this.#word].map(([word, own]) => ({ number: WORDS.numberOf(word), own }));
    const last = numbers.reduce((most, { number }) => Math.max(most, number), -1);
    this.#known = new Int32Array(last + 1).fill(-1);
    for (const { number, own } of numbers) this.#known[number] = own;
    this.#generation = WORDS.generation;
  }
}

function counted(count: Uint8Array, seen: number[], term: number): void {
  if (count[term] === 0) seen.push(term);
  if (count[term]! < 255) count[term]!++;
}
