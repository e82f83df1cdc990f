import { CollapseAwareError } from '../errors.ts';

/**
 * `refused`: answered with an error status; `unreached`: no connection, or cut before a reply; `timeout`; `reply`: what
 * came cannot be used; `queue`: our own queue to it is full.
 */
export type UpstreamFaultKind = 'refused' | 'unreached' | 'timeout' | 'reply' | 'queue';

export interface UpstreamFault {
  readonly kind: UpstreamFaultKind;
  /** What was found, without keys. */
  readonly found: string;
  readonly status?: number | null;
  /** Seconds. */
  readonly retryAfter?: number | null;
  /** The upstream's own words about it. */
  readonly said?: UpstreamSaid | null;
  readonly attempts?: number;
  readonly upstreamMs?: number;
}

/** The error object of an OpenAI-compatible server. */
export interface UpstreamSaid {
  readonly message: string;
  readonly param: string | null;
  readonly code: string | null;
}

/** A request that an upstream did not answer usably, after the attempts that were made. Holds no key. */
export class UpstreamError extends CollapseAwareError {
  readonly kind: UpstreamFaultKind;
  readonly status: number | null;
  readonly retryAfter: number | null;
  readonly said: UpstreamSaid | null;
  readonly attempts: number;
  /** Milliseconds that attempts took. */
  readonly upstreamMs: number;

  constructor(fault: UpstreamFault) {
    super(fault.kind === 'reply' ? 'CA_ENDPOINT_REPLY' : 'CA_ENDPOINT_FAILED', fault.found);
    this.name = 'UpstreamError';
    this.kind = fault.kind;
    this.status = fault.status ?? null;
    this.retryAfter = fault.retryAfter ?? null;
    this.said = fault.said ?? null;
    this.attempts = fault.attempts ?? 1;
    this.upstreamMs = fault.upstreamMs ?? 0;
  }
}

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : null;

/** The error inside a body: `{error: {message}}`, `{error: text}`, `{message}`, `{detail}`; null where there is none. */
export function errorIn(body: unknown): UpstreamSaid | null {
  if (!isObject(body)) return null;
  const error = body.error ?? (body.choices === undefined ? (body.detail ?? body.message) : null);
  if (error == null || error === false) return null;
  if (isObject(error))
    return {
      message: textOrNull(error.message) ?? JSON.stringify(error),
      param: textOrNull(error.param),
      code: textOrNull(error.code),
    };
  return { message: typeof error === 'string' ? error : JSON.stringify(error), param: null, code: null };
}
