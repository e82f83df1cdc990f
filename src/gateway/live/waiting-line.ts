import type { StopSignal } from '../../endpoint/index.ts';
/** Requests that wait for something: all are let go at once, each leaves by itself when its time is up or its client gone. */
export class WaitingLine {
  readonly #leave = new Set<(called: boolean) => void>();

  get size(): number {
    return this.#leave.size;
  }

  /** `ms`: not negative. True where the line was called; false where it waited in vain. */
  wait(ms: number, signal?: StopSignal): Promise<boolean> {
    if (signal?.aborted === true || ms <= 0) return Promise.resolve(false);
    return new Promise((resolve) => {
      const leave = (called: boolean) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', gone);
        this.#leave.delete(leave);
        resolve(called);
      };
      const gone = () => leave(false);
      const timer = setTimeout(gone, Math.min(ms, LONGEST));
      signal?.addEventListener('abort', gone, { once: true });
      this.#leave.add(leave);
    });
  }

  /** Everybody goes: `called` says with which answer. */
  call(called = true): void {
    for (const leave of [...this.#leave]) leave(called);
  }
}

/** Timers overflow beyond it. */
const LONGEST = 2 ** 31 - 1;
