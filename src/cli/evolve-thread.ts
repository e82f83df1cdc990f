import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import {
  errorOf,
  type Fault,
  faultOf,
  type LoopAnswer,
  type LoopRequest,
  type PerformContext,
  type Performer,
  pooledPerformer,
  type Stage,
} from '../loop/index.ts';
import { makePerformer } from './evolve-stage.ts';

/** What a thread is told; `text` answers a `read` or `keep` of its own. */
export type ToEvolveThread =
  | { readonly kind: 'stage'; readonly stage: Stage }
  | { readonly kind: 'perform'; readonly request: LoopRequest; readonly round: number }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'fault'; readonly fault: Fault };

export type FromEvolveThread =
  | { readonly kind: 'read'; readonly checkpoint: string }
  | { readonly kind: 'keep'; readonly text: string }
  | { readonly kind: 'answer'; readonly answer: LoopAnswer }
  | { readonly kind: 'fault'; readonly fault: Fault };

/** Compiled, the entry lies beside this module; sources run without it. */
const ENTRY = new URL('./evolve-worker.js', import.meta.url);

/** Performs in threads of their own, so that the calling one stays free. */
export function openPerformer(stage: Stage, threads: number): Performer {
  if (!existsSync(fileURLToPath(ENTRY))) return pooledPerformer([makePerformer(stage)]);
  // One hand changes the population of a gateway; what it asks for there it asks many at a time.
  const hands = stage.kind === 'gateway' ? 1 : threads;
  return pooledPerformer(Array.from({ length: hands }, () => threadPerformer(stage)));
}

/** One thread, one request at a time. Checkpoints are read and kept by the calling thread. */
function threadPerformer(stage: Stage): Performer {
  let worker: Worker | null = null;
  const open = (): Worker => {
    worker = new Worker(ENTRY);
    send(worker, { kind: 'stage', stage });
    return worker;
  };
  return {
    perform: (request, context) =>
      performIn(worker ?? open(), request, context, () => {
        // A thread that was stopped or fell is not asked again.
        void worker?.terminate();
        worker = null;
      }),
    close: async () => {
      await worker?.terminate();
      worker = null;
    },
  };
}

const send = (worker: Worker, message: ToEvolveThread) => worker.postMessage(message);

function performIn(
  worker: Worker,
  request: LoopRequest,
  { signal, round, read, keep }: PerformContext,
  drop: () => void,
): Promise<LoopAnswer> {
  return new Promise((resolve, reject) => {
    const finish = (end: () => void) => {
      signal.removeEventListener('abort', stop);
      worker.off('error', failed).off('exit', left).off('message', heard);
      end();
    };
    const fall = (reason: unknown) => {
      drop();
      finish(() => reject(reason));
    };
    const stop = () => fall(signal.reason);
    const failed = (error: unknown) => fall(errorOf(faultOf(error)));
    const left = () => failed(new Error('a thread of the run ended early'));
    const give = (text: Promise<string>) =>
      text.then(
        (found) => send(worker, { kind: 'text', text: found }),
        (error: unknown) => send(worker, { kind: 'fault', fault: faultOf(error) }),
      );
    const heard = (message: FromEvolveThread) => {
      if (message.kind === 'read') void give(read(message.checkpoint));
      else if (message.kind === 'keep') void give(keep(message.text));
      else if (message.kind === 'answer') finish(() => resolve(message.answer));
      else finish(() => reject(errorOf(message.fault)));
    };
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    worker.on('error', failed).on('exit', left).on('message', heard);
    send(worker, { kind: 'perform', request, round });
  });
}
