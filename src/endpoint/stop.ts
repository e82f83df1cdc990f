import { setMaxListeners } from 'node:events';

/** A signal for many calls at once: follows `outer`, and can be raised by itself. `release` unties it from `outer`. */
export interface Stop {
  readonly signal: AbortSignal;
  raise(reason: unknown): void;
  release(): void;
}

export function stopWith(outer?: AbortSignal): Stop {
  const own = new AbortController();
  // Hundreds of calls listen to one signal: no leak to warn of.
  setMaxListeners(0, own.signal);
  const pass = (): void => own.abort(outer?.reason);
  if (outer?.aborted) pass();
  else outer?.addEventListener('abort', pass, { once: true });
  return {
    signal: own.signal,
    raise: (reason) => own.abort(reason),
    release: () => outer?.removeEventListener('abort', pass),
  };
}
