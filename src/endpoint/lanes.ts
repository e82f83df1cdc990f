import type { StopSignal } from './halt.ts';

export type Lane = 'client' | 'probe';
type Release = () => void;

interface Waiting {
  enter(): void;
  turnAway(): void;
}

/**
 * At most `limit` at once and `queue` waiting, first come first served inside a lane; probes wait behind clients, and
 * leave the queue for one where it is full.
 */
export class Lanes {
  readonly limit: number;
  readonly queue: number;
  readonly #clients = new Set<Waiting>();
  readonly #probes = new Set<Waiting>();
  #running = 0;

  constructor(limit: number, queue: number) {
    this.limit = Math.max(1, Math.floor(limit));
    this.queue = Math.max(0, Math.floor(queue));
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#clients.size + this.#probes.size;
  }

  /** What gives the place back, called once; null where the queue is full. Rejects with the signal's reason. */
  enter(lane: Lane, signal: StopSignal): Release | Promise<Release | null> | null {
    signal.throwIfAborted();
    if (this.#running < this.limit) {
      this.#running++;
      return this.#release();
    }
    if (this.waiting >= this.queue) {
      const last = lane === 'client' ? [...this.#probes].at(-1) : undefined;
      if (last === undefined) return null;
      last.turnAway();
    }
    const line = lane === 'client' ? this.#clients : this.#probes;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        line.delete(one);
        signal.removeEventListener('abort', stop);
      };
      const stop = (): void => {
        leave();
        reject(signal.reason);
      };
      const one: Waiting = {
        enter: () => {
          leave();
          resolve(this.#release());
        },
        turnAway: () => {
          leave();
          resolve(null);
        },
      };
      line.add(one);
      signal.addEventListener('abort', stop, { once: true });
    });
  }

  #release(): Release {
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      // A place is handed on, not given back, so that nobody can slip in between.
      const [next] = this.#clients.size > 0 ? this.#clients : this.#probes;
      if (next === undefined) this.#running--;
      else next.enter();
    };
  }
}
