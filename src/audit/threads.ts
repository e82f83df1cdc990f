import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { CollapseAwareError } from '../errors.ts';
import type { AuditOptions } from './options.ts';

/** Each thread holds a heap of its own. */
const MOST_THREADS = 4;

/** Compiled entries lie beside this compiled module; sources run without them, in one thread. */
const entry = (name: string): URL => new URL(`./${name}.js`, import.meta.url);

/** Threads that a piece of work may be shared between, this one counted; 1 = no other can be started. */
export function threadsFor(name: string, options: AuditOptions): number {
  const wanted = options.workers ?? Math.min(MOST_THREADS, availableParallelism());
  return wanted < 2 || !existsSync(fileURLToPath(entry(name))) ? 1 : wanted;
}

export function newThread(name: string, options: ConstructorParameters<typeof Worker>[1] = {}): Worker {
  return new Worker(entry(name), options);
}

export interface Thread<Answer> {
  /** One question at a time. Rejects where the thread fails or the work is stopped. */
  ask(question: unknown): Promise<Answer>;
  end(): Promise<unknown>;
}

export function startThread<Answer>(name: string, { signal }: AuditOptions): Thread<Answer> {
  signal?.throwIfAborted();
  const worker = newThread(name);
  return {
    ask: (question) => {
      let stop = () => {};
      const answer = new Promise<Answer>((resolve, reject) => {
        stop = () => reject(signal!.reason);
        signal?.addEventListener('abort', stop, { once: true });
        worker.once('message', resolve);
        worker.once('error', (error) => reject(faultOf(error)));
        worker.postMessage(question);
      });
      const settled = answer.finally(() => signal?.removeEventListener('abort', stop));
      // Awaited later, when the asker's own share is done.
      settled.catch(() => {});
      return settled;
    },
    end: () => worker.terminate(),
  };
}

/** An error loses its class on the way between threads. */
export function faultOf(error: unknown): unknown {
  if (error instanceof CollapseAwareError) return error;
  return new CollapseAwareError('CA_INTERNAL', error instanceof Error ? error.message : String(error), {
    cause: error,
  });
}
