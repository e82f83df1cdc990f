import { countedEpoch, type EpochRule, type EpochState } from './epoch-clock.ts';

/** Sessions that are remembered: no window holds more. */
const MOST = 50_000;

/**
 * Which epoch a session counts for, where its own record says another or none: decided when it closes, and kept, so that
 * a reward that comes later, or a restart, does not move it.
 */
export class EpochBuckets {
  readonly #rule: EpochRule;
  readonly #known = new Map<string, number>();

  constructor(rule: EpochRule) {
    this.#rule = rule;
  }

  /** Of a session that has just closed. */
  decide(id: string, label: number | null, state: EpochState): number {
    const epoch = countedEpoch(this.#rule, state, label);
    if (epoch === label) return epoch;
    this.#known.set(id, epoch);
    if (this.#known.size > MOST) this.#known.delete(this.#known.keys().next().value!);
    return epoch;
  }

  /** Of one that closed before; null where nothing is known any more. */
  of(id: string, label: number | null): number | null {
    return this.#known.get(id) ?? label;
  }
}
