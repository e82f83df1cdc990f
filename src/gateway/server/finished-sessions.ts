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
  readonly #recorder: Pick<Recorder, 'composed' | 'session'>;
  readonly #figures: Figures;
  readonly #log: Log;
  /** Given to the figures, of those on record. */
  readonly #told = new Set<string>();
  /** Waiting to be read, each once however often something came. */
  readonly #due = new Set<string>();
  #running: Promise<void> = Promise.resolve();
  #busy = false;

  constructor(recorder: Pick<Recorder, 'composed' | 'session'>, figures: Figures, log: Log) {
    this.#recorder = recorder;
    this.#figures = figures;
    this.#log = log;
  }

  /** Known from an earlier life: what comes now amends it. */
  remember(id: string): void {
    this.#told.add(id);
  }

  /** On record no more: nothing can amend them, and whoever begins by their ids is another session. */
  forget(ids: Iterable<string>): void {
    for (const id of ids) this.#told.delete(id);
  }

  /** Sessions whose next record amends them. */
  get told(): number {
    return this.#told.size;
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
      const id = next.value;
      this.#due.delete(id);
      const told = this.#told.has(id);
      try {
        const session = closedSession(await this.#recorder.composed(id));
        if (session === null) continue;
        // It may have been dropped while it was read.
        if (this.#recorder.session(id) !== undefined) this.#told.add(id);
        if (told) this.#figures.amended(session);
        else this.#figures.closed(session);
      } catch (error) {
        this.#log.error({ session: id, why: (error as Error).message }, 'session not measured');
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
