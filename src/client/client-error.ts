import { CollapseAwareError } from '../errors.ts';

/** The service refused, or could not be reached. */
export class ClientError extends CollapseAwareError {
  /** HTTP status; null = no answer came. */
  readonly status: number | null;
  /** The service's own code, e.g. `model_not_found`. */
  readonly reason: string | null;
  /** Milliseconds after which the service wants to be asked again. */
  readonly retryAfterMs: number | null;

  constructor(
    message: string,
    facts: {
      readonly status: number | null;
      readonly reason?: string | null;
      readonly retryAfterMs?: number | null;
      readonly cause?: unknown;
    },
  ) {
    super(facts.status === null ? 'CA_ENDPOINT_FAILED' : 'CA_ENDPOINT_REPLY', message, {
      todo: 'see that the gateway runs, and that the address and the admin key are its own',
      ...(facts.cause === undefined ? {} : { cause: facts.cause }),
    });
    this.name = 'ClientError';
    this.status = facts.status;
    this.reason = facts.reason ?? null;
    this.retryAfterMs = facts.retryAfterMs ?? null;
  }

  /** It may answer later; everything else is a mistake of the caller that asking again does not mend. */
  get passing(): boolean {
    return this.status === null || PASSING.has(this.status);
  }
}

const PASSING = new Set([408, 429, 500, 502, 503, 504, 507]);
const AGAIN = new Set([408, 429, 502, 503, 504]);

/**
 * Milliseconds until the next attempt; null = none. Full jitter (0.25 s, 0.5 s, ... up to 5 s), or what the service
 * asks for, which is never cut short: where it does not fit into `left`, there is no next attempt.
 * @param random in [0, 1)
 */
export function nextAttempt(
  error: ClientError,
  attempt: number,
  retries: number,
  left: number,
  random: number,
): number | null {
  if (attempt >= retries || !(error.status === null || AGAIN.has(error.status))) return null;
  const wait = error.retryAfterMs ?? random * Math.min(5000, 250 * 2 ** attempt);
  return wait < left ? wait : null;
}

/** `Retry-After` in ms: seconds, or a date. */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null || header.trim() === '') return null;
  if (/^\d+(\.\d+)?$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
