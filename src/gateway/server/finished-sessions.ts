import type { ClosedSession } from '../live/closed-session.ts';
import type { ComposedSession } from '../recorder/compose-session.ts';
import { purposeOf, purposeOfEpisode } from '../recorder/purpose.ts';
import type { Recorder } from '../recorder/recorder.ts';
import type { Log } from './log.ts';

/** Where sessions that are over go: the live figures. */
export interface Figures {
  closed(session: ClosedSession): void;
  amended(session: ClosedSession): void;
}

/** A session on record as the figures take it; null where it is not over, or nothing of it arrived. */
export function closedSession(composed: ComposedSession | null): ClosedSession | null {
  if (composed === null || !composed.closed) return null;
  const { facts, trajectory, at } = composed;
  return {
    trajectory,
    purpose: facts === null ? purposeOfEpisode(trajectory) : purposeOf(facts),
    epoch: trajectory.epoch,
    nested: facts?.nested ?? null,
    at,
  };
}

/** Hands sessions on once they are over, and again when a reward or a probe comes later. */
export class FinishedSessions {
  readonly #recorder: Recorder;
  readonly #figures: Figures;
  readonly #log: Log;
  readonly #told = new Set<string>();
  /** Waiting to be read, each once however often something came. */
  readonly #due = new Set<string>();
  #running: Promise<void> = Promise.resolve();
  #busy = false;

  constructor(recorder: Recorder, figures: Figures, log: Log) {
    this.#recorder = recorder;
    this.#figures = figures;
    this.#log = log;
  }

  /** Known from an earlier life: what comes now amends it. */
  remember(id: string): void {
    this.#told.add(id);
  }

  /** Something of this session is on record that the figures should know. */
  changed(id: string): void {
    this.#due.add(id);
    if (this.#busy) return;
    this.#busy = true;
    this.#running = this.#drain();
  }

  /** Resolves once nothing waits. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #drain(): Promise<void> {
    // Everything of one moment is on record by then, so that a session is read once.
    await new Promise((done) => setImmediate(done));
    for (let next = this.#due.values().next(); !next.done; next = this.#due.values().next()) {
      this.#due.delete(next.value);
      try {
        const session = closedSession(await this.#recorder.composed(next.value));
        if (session === null) continue;
        if (this.#told.has(next.value)) this.#figures.amended(session);
        else {
          this.#told.add(next.value);
          this.#figures.closed(session);
        }
      } catch (error) {
        this.#log.error({ session: next.value, why: (error as Error).message }, 'session not measured');
      }
    }
    this.#busy = false;
  }
}

/** Where the figures can have sessions again. */
export function sessionSource(recorder: Recorder) {
  return {
    session: async (id: string) => closedSession(await recorder.composed(id)),
    async *since(epoch: number | null) {
      for await (const one of recorder.exportSessions({ closedOnly: true })) {
        const session = closedSession(one);
        if (session !== null && (epoch === null || session.epoch === null || session.epoch > epoch))
          yield session;
      }
    },
  };
}
