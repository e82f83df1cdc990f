/** What those who wait need of an AbortSignal. */
export interface StopSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void, options: { readonly once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * Ends work early: with the signal of whoever asked for it, or by itself. A controller of the platform's does as much
 * for several times the cost, and every request needs one.
 */
export class Halt implements StopSignal {
  aborted = false;
  reason: unknown = undefined;
  readonly #outer: StopSignal | null;
  #listeners: (() => void)[] = [];

  constructor(outer: StopSignal | null = null) {
    this.#outer = outer;
    if (outer?.aborted) this.#pass();
    else outer?.addEventListener('abort', this.#pass, ONCE);
  }

  /** The first reason stays. */
  raise(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    for (const listener of this.#listeners.splice(0)) listener();
  }

  /** Unties it from the signal. */
  release(): void {
    this.#outer?.removeEventListener('abort', this.#pass);
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  addEventListener(_: 'abort', listener: () => void): void {
    this.#listeners.push(listener);
  }

  removeEventListener(_: 'abort', listener: () => void): void {
    const at = this.#listeners.indexOf(listener);
    if (at >= 0) this.#listeners.splice(at, 1);
  }

  readonly #pass = (): void => this.raise(this.#outer?.reason);
}

const ONCE = { once: true } as const;
