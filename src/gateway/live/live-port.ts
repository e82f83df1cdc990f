import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { serveLive } from './live-host.ts';
import type { FromLive, ToLive } from './live-messages.ts';

/** The other end of a thread that measures, or of the same thread. */
export interface LivePort {
  post(message: ToLive): void;
  end(): Promise<void>;
}

export interface LiveListener {
  message(message: FromLive): void;
  /** It will answer nothing any more; not called after `end`. */
  died(reason: string): void;
}

export type OpenPort = (listener: LiveListener) => LivePort;

/** The compiled entry lies beside this compiled module; sources run without it, in this thread. */
const ENTRY = new URL('./live-worker.js', import.meta.url);

/** A thread of its own where one can be started, so that figures never slow a client. */
export const openPort: OpenPort = (listener) =>
  existsSync(fileURLToPath(ENTRY)) ? openThread(listener) : openHere(listener);

function openThread(listener: LiveListener): LivePort {
  const worker = new Worker(ENTRY);
  let over = false;
  const die = (reason: string) => {
    if (over) return;
    over = true;
    listener.died(reason);
  };
  worker.on('message', (message: FromLive) => listener.message(message));
  worker.on('error', (error: unknown) => die(error instanceof Error ? error.message : String(error)));
  worker.on('exit', (code) => die(`the thread ended (${code})`));
  return {
    post: (message) => worker.postMessage(message),
    end: async () => {
      over = true;
      await worker.terminate();
    },
  };
}

export const openHere: OpenPort = (listener) => {
  let over = false;
  const receive = serveLive((message) => {
    if (!over) listener.message(message);
  });
  return {
    post: receive,
    end: async () => {
      over = true;
    },
  };
};
