import { hashOrder } from '../math/index.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';

/** Contents whose neighbourhoods stand for the density of all: up to here it is exact. */
export const NEIGHBOURHOOD = 4096;

interface Kept {
  readonly order: number;
  readonly hash: string;
  readonly episode: Trajectory;
}

/** A bottom-k of all gated episodes by hash of their content and the seed, each content once (in the first of its contexts by name). */
export class Neighbourhood {
  readonly #seed: number;
  readonly #size: number;
  #kept: Kept[] = [];
  #worst = Number.POSITIVE_INFINITY;

  constructor(seed: number, size: number = NEIGHBOURHOOD) {
    this.#seed = seed;
    this.#size = size;
  }

  add(hash: string, episode: Trajectory): void {
    const order = hashOrder(hash, this.#seed);
    if (order > this.#worst) return;
    this.#kept.push({ order, hash, episode });
    if (this.#kept.length >= 2 * this.#size) this.#trim();
  }

  /** In hash order. */
  episodes(): Trajectory[] {
    this.#trim();
    return [...this.#kept].sort((a, b) => (a.hash < b.hash ? -1 : 1)).map(({ episode }) => episode);
  }

  #trim(): void {
    this.#kept.sort(
      (a, b) => a.order - b.order || compare(a.hash, b.hash) || compare(a.episode.context, b.episode.context),
    );
    this.#kept = this.#kept
      .filter((row, at) => at === 0 || row.hash !== this.#kept[at - 1]!.hash)
      .slice(0, this.#size);
    if (this.#kept.length === this.#size) this.#worst = this.#kept[this.#size - 1]!.order;
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
