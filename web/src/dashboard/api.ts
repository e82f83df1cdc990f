/** What went wrong with a request: `signed-out` the key is refused, `refused` the gateway says no, `lost` no answer. */
export class RequestFault extends Error {
  readonly kind: 'signed-out' | 'refused' | 'lost';
  readonly status: number | null;

  constructor(kind: RequestFault['kind'], message: string, status: number | null = null) {
    super(message);
    this.name = 'RequestFault';
    this.kind = kind;
    this.status = status;
  }
}

export interface Api {
  /** Body as text: equal texts need no new drawing. Rejects with RequestFault, or AbortError where `signal` fired. */
  text(path: string, options?: { signal?: AbortSignal; seconds?: number }): Promise<string>;
  post(path: string, body: unknown): Promise<void>;
}

/** Seconds until an unanswered request counts as lost. */
const PATIENCE = 15;

/** Requests to the gateway that served the page, under its admin key. */
export function adminApi(key: string): Api {
  const send = async (
    path: string,
    init: RequestInit,
    signal: AbortSignal | undefined,
    seconds: number,
  ): Promise<string> => {
    const limit = AbortSignal.timeout(seconds * 1000);
    try {
      const response = await fetch(path, {
        ...init,
        headers: { ...init.headers, authorization: `Bearer ${key}` },
        cache: 'no-store',
        credentials: 'same-origin',
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      });
      const body = await response.text();
      if (response.status === 401 || response.status === 403)
        throw new RequestFault('signed-out', messageOf(body) ?? 'the key is refused', response.status);
      if (!response.ok)
        throw new RequestFault(
          'refused',
          messageOf(body) ?? `the gateway answers ${response.status}`,
          response.status,
        );
      return body;
    } catch (error) {
      if (error instanceof RequestFault || signal?.aborted === true) throw error;
      throw new RequestFault(
        'lost',
        limit.aborted ? `no answer within ${seconds} s` : 'the gateway cannot be reached',
      );
    }
  };
  return {
    text: (path, { signal, seconds = PATIENCE } = {}) => send(path, {}, signal, seconds),
    post: async (path, body) => {
      await send(
        path,
        { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
        undefined,
        PATIENCE,
      );
    },
  };
}

/** The sentence inside `{error: {message}}`; null where there is none. */
function messageOf(body: string): string | null {
  try {
    const message = (JSON.parse(body) as { error?: { message?: unknown } })?.error?.message;
    return typeof message === 'string' && message !== '' ? message : null;
  } catch {
    return null;
  }
}

export function faultText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
