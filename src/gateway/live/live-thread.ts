import { setTimeout as sleep } from 'node:timers/promises';
import type { MonitorPlan } from '../../audit/index.ts';
import { CollapseAwareError } from '../../errors.ts';
import type { BucketedSession } from './closed-session.ts';
import type { LiveMetrics } from './live.ts';
import type { FromLive, LiveAnswers, LiveInit, LiveRequest } from './live-messages.ts';
import { type LivePort, type OpenPort, openPort } from './live-port.ts';

/** Where closed sessions can be had again, with their present rewards and probes. */
export interface BucketSource {
  session(id: string): Promise<BucketedSession | null>;
  /** Of epochs after this one, or all; in any order. */
  since(epoch: number | null): AsyncIterable<BucketedSession>;
}

export interface LiveThreadOptions {
  /** As of now: asked again when a thread has died. */
  readonly init: () => LiveInit;
  readonly source: BucketSource;
  readonly onPlan: (plan: MonitorPlan) => void;
  readonly log: (event: string, facts: Readonly<Record<string, unknown>>) => void;
  /** Why there are no figures at the moment; null once there are again. */
  readonly onTrouble?: (reason: string | null) => void;
  readonly open?: OpenPort;
  /** Milliseconds before a thread is started again, by how often it has died in a row. */
  readonly pausesMs?: readonly number[];
}

type Kind = Exclude<LiveRequest['kind'], 'open' | 'add'>;
type Asked<K extends Kind> = Extract<LiveRequest, { kind: K }>;

interface Ask {
  readonly kind: 'ask';
  readonly request: LiveRequest;
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}
/** `session` null: it is fetched when its turn comes. */
interface Add {
  readonly kind: 'add';
  readonly id: string;
  readonly session: BucketedSession | null;
}

/** Sessions of one message. */
const BATCH = 64;
/** Whole sessions that wait; of those beyond it the ids alone, up to `MOST_WAITING`. */
const MOST_HELD = 1024;
const MOST_WAITING = 200_000;
/** Times that one piece of work may kill a thread. */
const MOST_TRIES = 2;

/** Deaths in a row from which on questions are refused at once. */
const MANY_DEATHS = 3;

class Died extends Error {}

/**
 * Sessions and requests for the thread that measures, in order and one message at a time. A thread that dies is started
 * again and fed from the recorder; what it was asked is asked again.
 */
export class LiveThread {
  readonly #options: LiveThreadOptions;
  #queue: (Ask | Add)[] = [];
  #held = 0;
  #lost = 0;
  #port: LivePort | null = null;
  #pending: { id: number; resolve: (message: FromLive) => void; reject: (error: Died) => void } | null = null;
  #next = 0;
  #deaths = 0;
  #running: Promise<void> | null = null;
  readonly #stopped = new AbortController();
  #metrics: Promise<LiveMetrics> | null = null;

  private constructor(options: LiveThreadOptions) {
    this.#options = options;
  }

  /** Opened, and fed with what is on record. @throws what settings that cannot be used throw (CollapseAwareError). */
  static async start(options: LiveThreadOptions): Promise<LiveThread> {
    const thread = new LiveThread(options);
    try {
      await thread.#insist(async () => {});
    } catch (error) {
      // A thread that keeps dying costs the figures, not the gateway: it is started again when it is needed.
      if (error instanceof CollapseAwareError && error.cause instanceof Died) return thread;
      await thread.close();
      throw error;
    }
    return thread;
  }

  /** Sessions and requests that wait. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Sessions that could not be measured. */
  get lost(): number {
    return this.#lost;
  }

  add(session: BucketedSession): void {
    if (this.#stopped.signal.aborted) return;
    if (this.#queue.length >= MOST_WAITING) {
      this.#lose(1, 'too many wait');
      return;
    }
    const whole = this.#held < MOST_HELD;
    if (whole) this.#held += 1;
    this.#queue.push({ kind: 'add', id: session.trajectory.id, session: whole ? session : null });
    this.#run();
  }

  ask<K extends Kind>(request: Asked<K>): Promise<LiveAnswers[K]> {
    if (this.#stopped.signal.aborted) return Promise.reject(ENDED());
    // While a thread that keeps dying is started again, nobody should wait for it.
    if (this.#deaths >= MANY_DEATHS && this.#running !== null)
      return Promise.reject(new CollapseAwareError('CA_INTERNAL', 'the live figures keep failing'));
    return new Promise((resolve, reject) => {
      this.#queue.push({ kind: 'ask', request, resolve, reject });
      this.#run();
    });
  }

  /** Who asks while the same question still waits at the end of the line shares its answer. */
  metrics(): Promise<LiveMetrics> {
    const last = this.#queue.at(-1);
    if (this.#metrics === null || last?.kind !== 'ask' || last.request.kind !== 'metrics')
      this.#metrics = this.ask({ kind: 'metrics' });
    return this.#metrics;
  }

  /** Resolves once nothing waits. */
  async settled(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  async close(): Promise<void> {
    this.#stopped.abort();
    const port = this.#port;
    this.#port = null;
    this.#pending?.reject(new Died('closed'));
    await port?.end();
    await this.settled();
    for (const one of this.#queue.splice(0)) if (one.kind === 'ask') one.reject(ENDED());
  }

  #run(): void {
    if (this.#running !== null || this.#stopped.signal.aborted) return;
    this.#running = this.#drain().finally(() => {
      this.#running = null;
    });
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0 && !this.#stopped.signal.aborted) {
      const first = this.#queue[0]!;
      if (first.kind === 'ask') {
        this.#queue.shift();
        await this.#answer(first);
      } else await this.#feed(await this.#batch());
    }
  }

  async #batch(): Promise<BucketedSession[]> {
    const sessions: BucketedSession[] = [];
    while (sessions.length < BATCH && this.#queue[0]?.kind === 'add') {
      const { id, session } = this.#queue.shift() as Add;
      if (session !== null) this.#held -= 1;
      const found = session ?? (await this.#options.source.session(id).catch(() => null));
      if (found === null) this.#lose(1, 'no longer on record');
      else sessions.push(found);
    }
    return sessions;
  }

  async #answer({ request, resolve, reject }: Ask): Promise<void> {
    try {
      resolve((await this.#insist(() => this.#send(request))) as never);
    } catch (error) {
      reject(error as Error);
    }
  }

  async #feed(sessions: readonly BucketedSession[]): Promise<void> {
    try {
      await this.#insist(() => this.#put(sessions));
    } catch (error) {
      if (!this.#stopped.signal.aborted) this.#lose(sessions.length, (error as Error).message);
    }
  }

  /** A session that cannot be placed costs itself alone. @throws Died */
  async #put(sessions: readonly BucketedSession[]): Promise<void> {
    if (sessions.length === 0) return;
    try {
      this.#planned((await this.#send({ kind: 'add', sessions })) as MonitorPlan | null);
    } catch (error) {
      if (error instanceof Died) throw error;
      if (sessions.length === 1) this.#lose(1, (error as Error).message);
      else for (const session of sessions) await this.#put([session]);
    }
  }

  async #insist<Value>(work: () => Promise<Value>): Promise<Value> {
    for (let tries = 1; ; tries++) {
      try {
        if (this.#port === null) await this.#open();
        const value = await work();
        if (this.#deaths > 0) this.#options.onTrouble?.(null);
        this.#deaths = 0;
        return value;
      } catch (error) {
        if (!(error instanceof Died)) throw error;
        if (this.#stopped.signal.aborted) throw ENDED();
        if (tries >= MOST_TRIES)
          throw new CollapseAwareError('CA_INTERNAL', `the live figures failed: ${error.message}`, {
            cause: error,
          });
      }
    }
  }

  async #open(): Promise<void> {
    const { init, source, log, open = openPort, pausesMs = [0, 1000, 5000, 30_000] } = this.#options;
    const { signal } = this.#stopped;
    const pause = this.#deaths === 0 ? 0 : pausesMs[Math.min(this.#deaths, pausesMs.length) - 1]!;
    if (pause > 0) await sleep(pause, undefined, { signal, ref: false }).catch(() => {});
    if (signal.aborted) throw new Died('closed');
    const port = open({
      message: (message) => {
        if (message.id === this.#pending?.id) this.#pending.resolve(message);
      },
      died: (reason) => {
        if (this.#port !== port) return;
        this.#port = null;
        this.#deaths += 1;
        log('the thread of the live figures died', { reason, times: this.#deaths });
        this.#options.onTrouble?.(reason);
        this.#pending?.reject(new Died(reason));
      },
    });
    this.#port = port;
    try {
      const given = init();
      this.#planned((await this.#send({ kind: 'open', init: given })) as MonitorPlan | null);
      let sessions: BucketedSession[] = [];
      for await (const session of source.since(given.ended.at(-1 - given.live.window) ?? null))
        if (sessions.push(session) >= BATCH) {
          await this.#put(sessions);
          sessions = [];
        }
      await this.#put(sessions);
    } catch (error) {
      if (this.#port === port) this.#port = null;
      await port.end();
      throw error;
    }
  }

  /** One at a time. @throws Died, or the fault that came back. */
  async #send(request: LiveRequest): Promise<unknown> {
    if (this.#port === null) throw new Died('the thread is gone');
    const id = this.#next++;
    const answer = new Promise<FromLive>((resolve, reject) => {
      this.#pending = { id, resolve, reject };
    });
    this.#port.post({ id, request });
    try {
      const message = await answer;
      if ('value' in message) return message.value;
      const { code, found, place, todo } = message.fault;
      throw new CollapseAwareError(code, found, todo === null ? { place } : { place, todo });
    } finally {
      this.#pending = null;
    }
  }

  #planned(plan: MonitorPlan | null): void {
    if (plan !== null) this.#options.onPlan(plan);
  }

  #lose(count: number, reason: string): void {
    this.#lost += count;
    this.#options.log('a session was not measured', { reason, sofar: this.#lost });
  }
}

const ENDED = () => new CollapseAwareError('CA_INTERNAL', 'the live figures were closed');
