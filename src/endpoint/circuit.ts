/**
 * Whether somebody who keeps failing is asked at all: after `tripAfter` failures in a row they rest for `restMs`; then
 * one trial is made, and its end decides. Plain data; the clock (ms, monotonic) is the caller's.
 */
export interface Circuit {
  /** In a row. */
  readonly failures: number;
  /** When the rest is over; null = not resting. */
  readonly restsUntil: number | null;
  /** When the trial began that is under way; null = none is. */
  readonly trialSince: number | null;
}

export interface CircuitRule {
  /** From 1. */
  readonly tripAfter: number;
  readonly restMs: number;
}

export type CircuitState = 'up' | 'resting' | 'probing';

/** `left`: the request ended without telling anything of them (the client went away, the queue was full). */
export type CircuitEvent = 'asked' | 'answered' | 'failed' | 'left';

export const CLOSED: Circuit = { failures: 0, restsUntil: null, trialSince: null };

export function circuitState(circuit: Circuit, now: number): CircuitState {
  if (circuit.restsUntil === null) return 'up';
  return now < circuit.restsUntil ? 'resting' : 'probing';
}

/** Whether they may be asked now: one at a time while they are tried. A trial that nobody ended lapses after a rest. */
export function circuitAdmits(circuit: Circuit, rule: CircuitRule, now: number): boolean {
  const state = circuitState(circuit, now);
  if (state !== 'probing') return state === 'up';
  return circuit.trialSince === null || now - circuit.trialSince >= rule.restMs;
}

export function circuitAfter(circuit: Circuit, event: CircuitEvent, rule: CircuitRule, now: number): Circuit {
  const state = circuitState(circuit, now);
  switch (event) {
    case 'asked':
      return state === 'probing' ? { ...circuit, trialSince: now } : circuit;
    case 'answered':
      // A late answer to a request from before the rest: they are there again.
      return CLOSED;
    case 'left':
      return circuit.trialSince === null ? circuit : { ...circuit, trialSince: null };
    case 'failed': {
      const failures = circuit.failures + 1;
      // Requests from before the rest that fail during it make it no longer.
      if (state === 'resting') return { ...circuit, failures };
      if (state === 'up' && failures < rule.tripAfter) return { ...circuit, failures };
      return { failures, restsUntil: now + rule.restMs, trialSince: null };
    }
  }
}
