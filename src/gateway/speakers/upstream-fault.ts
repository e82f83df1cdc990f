import { UpstreamError } from '../../endpoint/index.ts';
import { ApiError } from '../wire/api-error.ts';

/** Statuses of an upstream that speak of what the client sent. */
const CLIENTS_OWN = new Set([400, 404, 413, 422]);

/**
 * What a client is told of an upstream's failure. What is the gateway's own business (its key, the model's name) is no
 * fault of the client's: 502. Anything but an UpstreamError (an abort) is given back as it is.
 */
export function apiErrorOf(cause: unknown): unknown {
  if (!(cause instanceof UpstreamError)) return cause;
  const { kind, status, said } = cause;
  const retryAfter = cause.retryAfter === null ? null : Math.max(1, Math.ceil(cause.retryAfter));
  switch (kind) {
    case 'queue':
      return new ApiError(429, cause.message, { code: 'queue_full', retryAfter: retryAfter ?? 1, cause });
    case 'unreached':
      return new ApiError(503, cause.message, { code: 'upstream_unreached', retryAfter, cause });
    case 'timeout':
      return new ApiError(504, cause.message, { code: 'upstream_timeout', cause });
    case 'reply':
      return new ApiError(502, cause.message, { code: 'upstream_reply', cause });
  }
  if (status === 429)
    return new ApiError(429, cause.message, { code: said?.code ?? null, retryAfter: retryAfter ?? 1, cause });
  if (status === 408) return new ApiError(504, cause.message, { code: 'upstream_timeout', cause });
  if (status === 401 || status === 402 || status === 403)
    return new ApiError(502, "the upstream refuses the gateway's own access to it", {
      code: 'upstream_access',
      cause,
    });
  // A client chooses no model of an upstream's: that one is unknown there is our fault.
  const unknownModel = status === 404 && (said === null || /model/i.test(`${said.code} ${said.message}`));
  if (said !== null && status !== null && CLIENTS_OWN.has(status) && !unknownModel)
    return new ApiError(status, said.message, { param: said.param, code: said.code, cause });
  return new ApiError(502, cause.message, { code: 'upstream_failed', retryAfter, cause });
}
