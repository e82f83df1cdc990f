import { WORDS } from './words.ts';

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

const APOSTROPHE = 0x27;
const CURLY = 0x2019;
const UNDERSCORE = 0x5f;
/** Inside a number: 1,234.50  10:30  555-0199  5/12 */
const joins = (code: number): boolean =>
  code === 0x2c || code === 0x2e || code === 0x3a || code === 0x2d || code === 0x2f;

/** Which sentence mark a sentence ends with; END: a line end or the end of the text. */
export const END = 0;
export const STOP = 1;
export const ASKED = 2;
export const EXCLAIMED = 3;

const units = (text: string): Uint16Array => Uint16Array.from(text, (char) => char.charCodeAt(0));
const NUMBER_UNITS = units(NUMBER);

/**
 * Reads texts as numbers of words (WORDS). Apostrophes inside words are kept (`don't`, the curly one made straight),
 * anything with a digit becomes `#`, ideographs, kana and emoji stand alone. What it holds is of the last text read.
 */
export class WordScan {
  words = new Int32Array(1 << 10);
  length = 0;
  /** The same with runs of `?` and `!` as words of their own. */
  tokens = new Int32Array(1 << 10);
  tokenCount = 0;
  /** Per sentence: where its words end in `words`, and its mark. Sentences have words. */
  readonly ends: number[] = [];
  readonly marks: number[] = [];
  #bytes = Buffer.alloc(0);
  #units = new Uint16Array(0);

  /** A full stop ends a sentence only before white space or the end, so that 3.50 and e-mail addresses stay whole. */
  read(text: string): void {
    const size = this.#load(text.toLowerCase());
    this.length = 0;
    this.tokenCount = 0;
    this.ends.length = 0;
    this.marks.length = 0;
    const held = this.#units;
    if (this.words.length < size) {
      this.words = new Int32Array(2 * size);
      this.tokens = new Int32Array(2 * size);
    }
    let at = 0;
    while (at < size) {
      const code = held[at]!;
      const kind = CLASS[code]!;
      if (kind === LETTER || kind === DIGIT) at = this.#word(at, size, kind === DIGIT, code);
      else if (kind === 0) {
        if (code === 0x20) at++;
        else if (code >= 0xd800 && code <= 0xdbff && at + 1 < size && isLow(held[at + 1]!)) {
          this.#push(WORDS.number(held, at, at + 2));
          at += 2;
        } else {
          this.#stop(code, at + 1 < size ? held[at + 1]! : 0x20);
          at++;
        }
      } else if (kind === ALONE) {
        this.#push(WORDS.number(held, at, at + 1));
        at++;
      } else {
        this.tokens[this.tokenCount++] = WORDS.number(held, at, at + 1);
        this.#cut(code === 0x3f ? ASKED : EXCLAIMED);
        at++;
        while (at < size && held[at] === code) at++;
      }
    }
    this.#cut(END);
  }

  /** Reads the word that begins at `start`; where it ends. */
  #word(start: number, size: number, isNumber: boolean, first: number): number {
    const held = this.#units;
    let digits = isNumber;
    let hash = first;
    let at = start + 1;
    while (at < size) {
      const inner = held[at]!;
      const kind = CLASS[inner]!;
      if (kind === LETTER) {
        hash = (Math.imul(hash, 31) + inner) | 0;
        at++;
      } else if (kind === DIGIT) {
        digits = true;
        at++;
      } else {
        const next = at + 1 < size ? CLASS[held[at + 1]!]! : 0;
        if (next === LETTER && (inner === APOSTROPHE || inner === CURLY)) {
          held[at] = APOSTROPHE;
          hash = (Math.imul(hash, 31) + APOSTROPHE) | 0;
          hash = (Math.imul(hash, 31) + held[at + 1]!) | 0;
          at += 2;
        } else if (next === DIGIT && (inner === UNDERSCORE || (digits && joins(inner)))) {
          digits = true;
          at += 2;
        } else break;
      }
    }
    this.#push(digits ? WORDS.number(NUMBER_UNITS, 0, 1) : WORDS.hashed(held, start, at, hash));
    return at;
  }

  #push(word: number): void {
    this.words[this.length++] = word;
    this.tokens[this.tokenCount++] = word;
  }

  /** Ends a sentence where a character does that is no letter and no mark. */
  #stop(code: number, next: number): void {
    if (code === 0x2e) {
      if (next <= 0x20 || next === 0x2e || next === 0x22 || next === 0x29 || next === 0x3f) this.#cut(STOP);
    } else if (code === 0x0a) this.#cut(END);
    else if (code === 0x3002 || code === 0x2026) this.#cut(STOP);
    else if (code === 0xff1f) this.#cut(ASKED);
    else if (code === 0xff01) this.#cut(EXCLAIMED);
  }

  #cut(mark: number): void {
    const count = this.ends.length;
    if (this.length > (count === 0 ? 0 : this.ends[count - 1]!)) {
      this.ends.push(this.length);
      this.marks.push(mark);
    } else if (mark === ASKED && count > 0) {
      // "Really...?" and "what ?!" ask all the same.
      this.marks[count - 1] = ASKED;
    }
  }

  /** The text's units into #units: an array is read several times faster than a string. */
  #load(lower: string): number {
    const size = lower.length;
    if (this.#units.length < size) {
      this.#bytes = Buffer.alloc(4 * size + 1024);
      this.#units = new Uint16Array(this.#bytes.buffer, this.#bytes.byteOffset, 2 * size + 512);
    }
    if (LITTLE_ENDIAN) this.#bytes.write(lower, 0, 'utf16le');
    else for (let at = 0; at < size; at++) this.#units[at] = lower.charCodeAt(at);
    return size;
  }
}

const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;
