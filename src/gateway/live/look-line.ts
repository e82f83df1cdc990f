import type { GateKeeper } from './gate-keeper.ts';
import type { Looked, MonitorLight } from './live-core.ts';
import type { LiveThread } from './live-thread.ts';

type Due =
  | { readonly kind: 'look'; readonly epoch: number }
  | {
      readonly kind: 'probe';
      readonly epoch: number;
      readonly ids: readonly string[];
      /** Called in the end: whether the round was enough for a look. */
      readonly done: (used: boolean) => void;
    };

export interface LookLineOptions {
  readonly keeper: GateKeeper;
  readonly clock: () => number;
  readonly log: (event: string, facts: Readonly<Record<string, unknown>>) => void;
  readonly thread: () => LiveThread;
}

/** Looks that are due, one after the other; they wait until there is a space. */
export class LookLine {
  readonly #options: LookLineOptions;
  readonly #due: Due[] = [];
  #ready = false;
  #running: Promise<void> | null = null;

  constructor(options: LookLineOptions) {
    this.#options = options;
  }

  epoch(epoch: number): void {
    this.#due.push({ kind: 'look', epoch });
    this.#run();
  }

  probe(epoch: number, ids: readonly string[], done: (used: boolean) => void): void {
    this.#due.push({ kind: 'probe', epoch, ids, done });
    this.#run();
  }

  ready(): void {
    this.#ready = true;
    this.#run();
  }

  /** Resolves once all that can be made were made. */
  async settled(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  #run(): void {
    if (!this.#ready || this.#running !== null || this.#due.length === 0) return;
    // Begun later: who says that a look is due may not be done with its own state.
    this.#running = Promise.resolve()
      .then(() => this.#drain())
      .finally(() => {
        this.#running = null;
      });
  }

  async #drain(): Promise<void> {
    const { keeper, clock, log } = this.#options;
    while (this.#ready && this.#due.length > 0) {
      const due = this.#due[0]!;
      let used = false;
      try {
        const before = keeper.beginLook(clock());
        const looked = await this.#ask(due, before, clock());
        if (looked === null) {
          // A thread that began anew has no space yet.
          keeper.dropLook();
          this.#ready = false;
          return;
        }
        if (looked === 'empty') {
          keeper.dropLook();
          log('an epoch without a training session is not looked at', { epoch: due.epoch });
        } else {
          keeper.endLook(looked, clock());
          keeper.setNote(null);
          used = looked.monitor.breaker.looks.scd > before.breaker.looks.scd;
        }
      } catch (error) {
        keeper.dropLook();
        keeper.setNote(`the look at epoch ${due.epoch} could not be made: ${(error as Error).message}`);
        log('a look could not be made', { epoch: due.epoch, reason: (error as Error).message });
      }
      this.#due.shift();
      if (due.kind === 'probe') due.done(used);
    }
  }

  #ask(due: Due, monitor: MonitorLight, at: number): Promise<Looked | 'empty' | null> {
    const thread = this.#options.thread();
    if (due.kind === 'look') return thread.ask({ kind: 'look', epoch: due.epoch, at, monitor });
    return thread.ask({ kind: 'probe', epoch: due.epoch, ids: due.ids, at, monitor });
  }
}
