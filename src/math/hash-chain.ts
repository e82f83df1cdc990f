// Of 0 an empty text would leave 0: any other four will do (digits of pi).
const START: readonly [number, number, number, number] = [0x243f6a88, 0x85a308d3 | 0, 0x13198a2e, 0x03707344];

/**
 * A running hash of 128 bits over texts: MurmurHash3 (Appleby, public domain; the variant of four 32-bit lanes) over
 * UTF-16 code units, two to a block, each text beginning where the one before left the lanes. Where two sequences of
 * texts differ, their keys do, as surely as 128 random bits would. Not cryptographic: whoever looks for two texts of one
 * key finds them. `key` is all of the state: `start(key)` goes on from there. Same values on every platform.
 */
export class HashChain {
  #a = START[0];
  #b = START[1];
  #c = START[2];
  #d = START[3];

  /** Begins anew, or where a chain had this key. */
  start(key: string | null = null): this {
    let [a, b, c, d] = START;
    if (key !== null) {
      a = 0;
      b = 0;
      c = 0;
      d = 0;
      for (let i = 0; i < 6; i++) {
        a |= VALUES[key.charCodeAt(i)]! << (6 * i);
        b |= VALUES[key.charCodeAt(i + 6)]! << (6 * i);
        c |= VALUES[key.charCodeAt(i + 12)]! << (6 * i);
        d |= VALUES[key.charCodeAt(i + 18)]! << (6 * i);
      }
    }
    this.#a = a;
    this.#b = b;
    this.#c = c;
    this.#d = d;
    return this;
  }

  /** `mark`: an integer of 32 bits that goes with the text. */
  take(text: string, mark = 0): this {
    let a = this.#a ^ mark;
    let b = this.#b;
    let c = this.#c;
    let d = this.#d;
    const { length } = text;
    const whole = length & ~7;
    let i = 0;
    for (; i < whole; i += 8) {
      a ^= first(text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16));
      a = (Math.imul((((a << 19) | (a >>> 13)) + b) | 0, 5) + 0x561ccd1b) | 0;
      b ^= second(text.charCodeAt(i + 2) | (text.charCodeAt(i + 3) << 16));
      b = (Math.imul((((b << 17) | (b >>> 15)) + c) | 0, 5) + 0x0bcaa747) | 0;
      c ^= third(text.charCodeAt(i + 4) | (text.charCodeAt(i + 5) << 16));
      c = (Math.imul((((c << 15) | (c >>> 17)) + d) | 0, 5) + 0x96cd1c35) | 0;
      d ^= fourth(text.charCodeAt(i + 6) | (text.charCodeAt(i + 7) << 16));
      d = (Math.imul((((d << 13) | (d >>> 19)) + a) | 0, 5) + 0x32ac3b17) | 0;
    }
    // Beyond the end charCodeAt is NaN, and 0 as bits: the length tells such texts apart.
    if (i < length) a ^= first(text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16));
    if (i + 2 < length) b ^= second(text.charCodeAt(i + 2) | (text.charCodeAt(i + 3) << 16));
    if (i + 4 < length) c ^= third(text.charCodeAt(i + 4) | (text.charCodeAt(i + 5) << 16));
    if (i + 6 < length) d ^= fourth(text.charCodeAt(i + 6));
    a ^= length;
    b ^= length;
    c ^= length;
    d ^= length;
    a = (a + b + c + d) | 0;
    a = finish(a);
    b = finish((b + a) | 0);
    c = finish((c + a) | 0);
    d = finish((d + a) | 0);
    a = (a + b + c + d) | 0;
    this.#a = a;
    this.#b = (b + a) | 0;
    this.#c = (c + a) | 0;
    this.#d = (d + a) | 0;
    return this;
  }

  /** 24 letters, digits, `-` and `_`. */
  get key(): string {
    const [a, b, c, d] = [this.#a, this.#b, this.#c, this.#d];
    return String.fromCharCode(
      CODES[a & 63]!,
      CODES[(a >>> 6) & 63]!,
      CODES[(a >>> 12) & 63]!,
      CODES[(a >>> 18) & 63]!,
      CODES[(a >>> 24) & 63]!,
      CODES[a >>> 30]!,
      CODES[b & 63]!,
      CODES[(b >>> 6) & 63]!,
      CODES[(b >>> 12) & 63]!,
      CODES[(b >>> 18) & 63]!,
      CODES[(b >>> 24) & 63]!,
      CODES[b >>> 30]!,
      CODES[c & 63]!,
      CODES[(c >>> 6) & 63]!,
      CODES[(c >>> 12) & 63]!,
      CODES[(c >>> 18) & 63]!,
      CODES[(c >>> 24) & 63]!,
      CODES[c >>> 30]!,
      CODES[d & 63]!,
      CODES[(d >>> 6) & 63]!,
      CODES[(d >>> 12) & 63]!,
      CODES[(d >>> 18) & 63]!,
      CODES[(d >>> 24) & 63]!,
      CODES[d >>> 30]!,
    );
  }
}

const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const CODES = Uint8Array.from(SIGNS, (sign) => sign.charCodeAt(0));
const VALUES = new Uint8Array(128);
for (let value = 0; value < CODES.length; value++) VALUES[CODES[value]!] = value;

const first = (block: number): number => {
  const k = Math.imul(block, 0x239b961b);
  return Math.imul((k << 15) | (k >>> 17), 0xab0e9789);
};
const second = (block: number): number => {
  const k = Math.imul(block, 0xab0e9789);
  return Math.imul((k << 16) | (k >>> 16), 0x38b34ae5);
};
const third = (block: number): number => {
  const k = Math.imul(block, 0x38b34ae5);
  return Math.imul((k << 17) | (k >>> 15), 0xa1e38b93);
};
const fourth = (block: number): number => {
  const k = Math.imul(block, 0xa1e38b93);
  return Math.imul((k << 18) | (k >>> 14), 0x239b961b);
};

function finish(state: number): number {
  let h = state;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
