/** What the OpenAI clients understand: `{error: {message, type, param, code}}` with an HTTP status. */
export class ApiError extends Error {
  readonly status: number;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
  /** Seconds, for `Retry-After`; null = no such header. */
  readonly retryAfter: number | null;

  constructor(
    status: number,
    message: string,
    options: {
      readonly type?: string;
      readonly param?: string | null;
      readonly code?: string | null;
      readonly retryAfter?: number | null;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ApiError';
    this.status = status;
    this.type = options.type ?? TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
    this.param = options.param ?? null;
    this.code = options.code ?? null;
    this.retryAfter = options.retryAfter ?? null;
  }

  static invalid(message: string, param: string | null, code: string | null = null): ApiError {
    return new ApiError(400, message, { param, code });
  }

  get body(): { error: { message: string; type: string; param: string | null; code: string | null } } {
    const { message, type, param, code } = this;
    return { error: { message, type, param, code } };
  }
}

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  413: 'invalid_request_error',
  429: 'rate_limit_error',
  502: 'upstream_error',
  503: 'service_unavailable_error',
  504: 'timeout_error',
};
