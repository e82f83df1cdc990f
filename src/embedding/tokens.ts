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
      at++;
      while (at < to) {
        const inner = lower.charCodeAt(at);
        const innerKind = CLASS[inner]!;
        if (innerKind === LETTER) at++;
        else if (innerKind === DIGIT) {
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
      else {
        const word = lower.substring(start, at);
        out.push(curly ? word.replaceAll('\u2019', "'") : word);
      }
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
