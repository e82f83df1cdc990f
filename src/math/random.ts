import { hash32 } from './hash.ts';

/** A stream of seeded random numbers. Nothing in the pure folders draws from anywhere else. */
export interface Random {
  /** Uniform in [0, 1), 53 bits. */
  next(): number;
  /** Uniform in 0 .. n-1. */
  integer(n: number): number;
  /** Standard normal. */
  normal(): number;
  /** Shuffles in place (Fisher-Yates) and returns the same array. */
  shuffle<T>(items: T[]): T[];
  /** Shuffles `items[from]` .. `items[to - 1]` in place, by the draws that `shuffle` makes for as many items. */
  shufflePart(items: Int32Array, from?: number, to?: number): void;
  /**
   * A stream of its own, named. It depends on this stream's seed and the label only, not on how much was
   * drawn so far, so that adding a draw in one place moves no number in another.
   */
  fork(label: string): Random;
}

/** xoshiro128** 1.1 (Blackman & Vigna 2018), its state hashed from the seed. `seeded(1)` equals `seeded('1')`. */
export function seeded(seed: number | string): Random {
  return new Xoshiro(String(seed));
}

class Xoshiro implements Random {
  readonly #key: string;
  #a: number;
  #b: number;
  #c: number;
  #d: number;
  /** The polar method makes normals in pairs. */
  #spare: number | null = null;

  constructor(key: string) {
    this.#key = key;
    // Signed 32 bits throughout, as the operators below leave them: the engine then keeps small integers.
    this.#a = hash32(key, 1) | 0;
    this.#b = hash32(key, 2) | 0;
    this.#c = hash32(key, 3) | 0;
    // The all-zero state is the one fixed point.
    this.#d = hash32(key, 4) | 1;
  }

  #bits(): number {
    const scaled = Math.imul(this.#b, 5);
    const result = Math.imul((scaled << 7) | (scaled >>> 25), 9) >>> 0;
    const t = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= t;
    this.#d = (this.#d << 11) | (this.#d >>> 21);
    return result;
  }

  next(): number {
    const high = this.#bits() >>> 5;
    return (high * 0x4000000 + (this.#bits() >>> 6)) / 0x20000000000000;
  }

  integer(n: number): number {
    return Math.floor(this.next() * n);
  }

  normal(): number {
    if (this.#spare !== null) {
      const value = this.#spare;
      this.#spare = null;
      return value;
    }
    for (;;) {
      const u = 2 * this.next() - 1;
      const v = 2 * this.next() - 1;
      const s = u * u + v * v;
      if (s >= 1 || s === 0) continue;
      const scale = Math.sqrt((-2 * Math.log(s)) / s);
      this.#spare = v * scale;
      return u * scale;
    }
  }

  shuffle<T>(items: T[]): T[] {
    for (let i = items.length - 1; i > 0; i--) {
      const j = this.integer(i + 1);
      const held = items[i] as T;
      items[i] = items[j] as T;
      items[j] = held;
    }
    return items;
  }

  shufflePart(items: Int32Array, from = 0, to = items.length): void {
    for (let i = to - 1; i > from; i--) {
      const j = from + Math.floor(this.next() * (i - from + 1));
      const held = items[i]!;
      items[i] = items[j]!;
      items[j] = held;
    }
  }

  fork(label: string): Random {
    return new Xoshiro(`${this.#key}/${label}`);
  }
}
