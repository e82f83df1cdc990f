/** The one token that stands for every number, price, date, order id: anything written with a digit. */
export const NUMBER = '#';

const LETTER = 1;
const DIGIT = 2;
/** Scripts written without spaces: each character is a token. */
const ALONE = 3;
const MARK = 4;

/** Class of each UTF-16 unit, filled once: the hot loop reads a table, never a regular expression. */
const CLASS = classes();

function classes(): Uint8Array {
  const table = new Uint8Array(65_536);
  for (let code = 0; code < 65_536; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const char = String.fromCharCode(code);
    if (/\p{Nd}/u.test(char)) table[code] = DIGIT;
    else if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(char))
      table[code] = ALONE;
    else if (/[\p{L}\p{M}]/u.test(char)) table[code] = LETTER;
  }
  table[0x3f] = MARK; // ?
  table[0x21] = MARK; // !
  return table;
}

/**
 * Words seen before, so that a word is one string however often it is said: no copy is made of it, and maps and
 * sets find it by its address. Forgets all when full.
 */
class Words {
  static readonly #SLOTS = 1 << 16;
  static readonly #LONGEST = 24;
  /** Number of the word + 1 at its hash, or behind it; 0 = free. */
  readonly #slots = new Int32Array(Words.#SLOTS);
  readonly #units = new Uint16Array(Words.#SLOTS * 4);
  /** Where each word's units begin; one more than there are words. */
  readonly #starts = new Int32Array(Words.#SLOTS / 2 + 1);
  #words: string[] = [];

  /** text[from..to); `hash` is any function of its units. */
  word(text: string, from: number, to: number, hash: number): string {
    const length = to - from;
    if (length > Words.#LONGEST) return text.substring(from, to);
    let slot = (hash ^ (hash >>> 15)) & (Words.#SLOTS - 1);
    for (;;) {
      const number = this.#slots[slot]! - 1;
      if (number < 0) return this.#add(text, from, to, slot);
      const start = this.#starts[number]!;
      if (this.#starts[number + 1]! - start === length) {
        let at = 0;
        while (at < length && this.#units[start + at] === text.charCodeAt(from + at)) at++;
        if (at === length) return this.#words[number]!;
      }
      slot = (slot + 1) & (Words.#SLOTS - 1);
    }
  }

  #add(text: string, from: number, to: number, slot: number): string {
    const word = text.substring(from, to);
    const number = this.#words.length;
    const start = this.#starts[number]!;
    if (2 * (number + 1) >= Words.#SLOTS || start + word.length > this.#units.length) {
      this.#slots.fill(0);
      this.#words = [];
      return word;
    }
    for (let at = 0; at < word.length; at++) this.#units[start + at] = word.charCodeAt(at);
    this.#starts[number + 1] = start + word.length;
    this.#words.push(word);
    this.#slots[slot] = number + 1;
    return word;
  }
}

const WORDS = new Words();

const APOSTROPHE = 0x27;
const CURLY = 0x2019;
const UNDERSCORE = 0x5f;
/** Inside a number: 1,234.50  10:30  555-0199  5/12 */
const joins = (code: number): boolean =>
  code === 0x2c || code === 0x2e || code === 0x3a || code === 0x2d || code === 0x2f;

/**
 * Lowercase words in order. Apostrophes inside words are kept (`don't`, the curly one made straight), anything
 * with a digit becomes `#`, ideographs, kana and emoji stand alone. With `marks`, runs of `?` and `!` become the
 * tokens `?` and `!`.
 */
export function tokens(text: string, marks = false): string[] {
  const out: string[] = [];
  const lower = text.toLowerCase();
  scanTokens(lower, 0, lower.length, marks, out);
  return out;
}

/** Tokens of `lower[from..to)`, text that is lower case already, put behind `out`. */
export function scanTokens(lower: string, from: number, to: number, marks: boolean, out: string[]): void {
  let at = from;
  while (at < to) {
    const code = lower.charCodeAt(at);
    const kind = CLASS[code]!;
    if (kind === LETTER || kind === DIGIT) {
      const start = at;
      let digits = kind === DIGIT;
      let curly = false;
      let hash = code;
      at++;
      while (at < to) {
        const inner = lower.charCodeAt(at);
        const innerKind = CLASS[inner]!;
        if (innerKind === LETTER) {
          hash = Math.imul(hash, 31) + inner;
          at++;
        } else if (innerKind === DIGIT) {
          digits = true;
          at++;
        } else {
          const next = at + 1 < to ? CLASS[lower.charCodeAt(at + 1)]! : 0;
          if (next === LETTER && (inner === APOSTROPHE || inner === CURLY)) {
            if (inner === CURLY) curly = true;
            at += 2;
          } else if (next === DIGIT && (inner === UNDERSCORE || (digits && joins(inner)))) {
            digits = true;
            at += 2;
          } else break;
        }
      }
      if (digits) out.push(NUMBER);
      else if (curly) out.push(lower.substring(start, at).replaceAll('\u2019', "'"));
      else out.push(WORDS.word(lower, start, at, hash));
    } else if (kind === ALONE) {
      out.push(lower[at]!);
      at++;
    } else if (kind === MARK) {
      if (marks) out.push(lower[at]!);
      at++;
      while (at < to && lower.charCodeAt(at) === code) at++;
    } else if (code >= 0xd800 && code <= 0xdbff && at + 1 < to) {
      const low = lower.charCodeAt(at + 1);
      if (low >= 0xdc00 && low <= 0xdfff) {
        out.push(lower.substring(at, at + 2));
        at += 2;
      } else at++;
    } else at++;
  }
}
