import { existsSync } from 'node:fs';
import { setImmediate as breath } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { CollapseAwareError } from '../errors.ts';
import {
  type CellEvent,
  type CellJob,
  type CellPlace,
  type SpaceText,
  workCell,
  worldName,
} from '../lab/stage-zero/index.ts';
import type { LabMaker } from './lab-maker.ts';

export type ToLabWorker =
  | { readonly kind: 'space'; readonly place: Pick<CellPlace, 'world' | 'horizon'> }
  /** `space` is null where the thread has had it. */
  | { readonly kind: 'cell'; readonly job: CellJob; readonly space: SpaceText | null };

export type FromLabWorker = CellEvent | { readonly kind: 'space'; readonly space: SpaceText };

/** One that makes spaces and cells, one thing at a time. */
export interface LabThread {
  space(place: Pick<CellPlace, 'world' | 'horizon'>): Promise<SpaceText>;
  /** Tells the events of a job in their order; the last one has the cell. */
  cell(job: CellJob, space: SpaceText, tell: (event: CellEvent) => void): Promise<void>;
  end(): Promise<unknown>;
}

/** Compiled, the entry lies beside this module; sources run without it. */
const ENTRY = new URL('./lab-worker.js', import.meta.url);

export const canThread = (): boolean => existsSync(fileURLToPath(ENTRY));

/** The calling thread itself, which may hear of `signal` after every step. */
export function thisThread(maker: LabMaker, signal?: AbortSignal): LabThread {
  return {
    space: (place) => maker.space(place),
    cell: async (job, space, tell) => {
      for await (const event of workCell(job, (run) => maker.cell(run, job.study, job.place, space))) {
        tell(event);
        await breath();
        signal?.throwIfAborted();
      }
    },
    end: async () => {},
  };
}

export function newLabThread(signal?: AbortSignal): LabThread {
  const worker = new Worker(ENTRY);
  const known = new Set<string>();
  /** `hear` says whether a message was the last one. */
  const ask = (question: ToLabWorker, hear: (message: FromLabWorker) => boolean) =>
    new Promise<void>((resolve, reject) => {
      const finish = (end: () => void) => {
        signal?.removeEventListener('abort', stop);
        worker.off('error', failed).off('exit', left).off('message', heard);
        end();
      };
      const stop = () => finish(() => reject(signal!.reason));
      const failed = (error: unknown) => finish(() => reject(faultOf(error)));
      const left = () => failed(new Error('a thread of the lab ended early'));
      const heard = (message: FromLabWorker) => {
        if (hear(message)) finish(resolve);
      };
      if (signal?.aborted === true) return reject(signal.reason);
      signal?.addEventListener('abort', stop, { once: true });
      worker.on('error', failed).on('exit', left).on('message', heard);
      worker.postMessage(question);
    });
  return {
    space: async (place) => {
      let made: SpaceText | null = null;
      await ask({ kind: 'space', place }, (message) => {
        if (message.kind === 'space') made = message.space;
        return message.kind === 'space';
      });
      return made!;
    },
    cell: async (job, space, tell) => {
      const name = worldName(job.place);
      const sent = known.has(name) ? null : space;
      known.add(name);
      await ask({ kind: 'cell', job, space: sent }, (message) => {
        if (message.kind !== 'space') tell(message);
        return message.kind === 'cell';
      });
    },
    end: () => worker.terminate(),
  };
}

/** An error loses its class on the way between threads. */
function faultOf(error: unknown): CollapseAwareError {
  if (error instanceof CollapseAwareError) return error;
  return new CollapseAwareError('CA_INTERNAL', error instanceof Error ? error.message : String(error), {
    cause: error,
  });
}
