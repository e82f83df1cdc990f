import { tell } from './terminal.ts';

/** How long aborted work may take to leave, in ms: an open of a pipe that nobody writes to cannot be called off. */
const GRACE = 5000;

/** Ctrl-C and SIGTERM abort the work once; a second one, or work that does not leave, ends the process. */
export function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = (signal: NodeJS.Signals) => {
    if (controller.signal.aborted) end(signal);
    controller.abort();
    setTimeout(end, GRACE, signal).unref();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return controller.signal;
}

/** By the signal itself: `exit` would wait for the thread that is stuck. Unfinished files are removed first. */
function end(signal: NodeJS.Signals): void {
  tell('stopped; no partial file was left');
  process.emit('exit', 130);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
