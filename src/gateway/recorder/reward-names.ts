import type { SessionFacts } from './records.ts';

export interface PendingReward {
  readonly reward: number | null;
  readonly outcome: string | null;
}

/** Rewards that wait for their session are kept up to this number; the oldest go. */
const PENDING = 10_000;

/** By which ids rewards may come, and those that came before their session did. */
export class RewardNames {
  /** The sessions that go by a name. Two of one name share no reward. */
  readonly #sessions = new Map<string, Set<string>>();
  readonly #pending = new Map<string, PendingReward>();

  /** The names that now belong to the session. */
  add(id: string, names: SessionFacts['names'] = []): void {
    for (const name of names) {
      const known = this.#sessions.get(name);
      if (known === undefined) this.#sessions.set(name, new Set([id]));
      else known.add(id);
    }
  }

  drop(id: string, names: readonly string[]): void {
    for (const name of names) {
      const known = this.#sessions.get(name);
      known?.delete(id);
      if (known?.size === 0) this.#sessions.delete(name);
    }
  }

  /** The sessions that go by this name. */
  find(name: string): readonly string[] {
    return [...(this.#sessions.get(name) ?? [])];
  }

  /** The reward that waits for one of these names; it goes on waiting. */
  waitingFor(names: readonly string[]): PendingReward | null {
    for (const name of names) {
      const found = this.#pending.get(name);
      if (found !== undefined) return found;
    }
    return null;
  }

  wait(name: string, reward: PendingReward): void {
    this.#pending.delete(name);
    this.#pending.set(name, reward);
    if (this.#pending.size > PENDING) this.#pending.delete(this.#pending.keys().next().value!);
  }

  /** The same, and it no longer waits. */
  claim(names: readonly string[]): PendingReward | null {
    const found = this.waitingFor(names);
    for (const name of names) this.#pending.delete(name);
    return found;
  }

  get waiting(): number {
    return this.#pending.size;
  }
}
