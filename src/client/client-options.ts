/** How a client reaches a gateway, and what it does where it cannot. */
export interface ClientOptions {
  /** Root of the gateway, e.g. `http://127.0.0.1:8420`; a trailing `/v1` is taken off. */
  readonly baseUrl: string;
  /** Key of the control API; absent = none is sent. */
  readonly adminKey?: string;
  /** Milliseconds of one attempt until its whole answer is there (default 10,000). */
  readonly timeoutMs?: number;
  /** Milliseconds of one call, its attempts and waits together (default 30,000). */
  readonly totalMs?: number;
  /** Attempts after the first, on 408, 429, 502, 503, 504 and broken connections (default 2). */
  readonly retries?: number;
  /**
   * True (the default): `record`, `decide`, `weights`, `select`, `gate`, `epochs`, `rewards` and `metrics` answer without
   * the service when it is down, and count it. False: they throw. What the service refuses (400, 401, 404) throws always.
   */
  readonly failOpen?: boolean;
  /** For tests and proxies. */
  readonly fetch?: typeof fetch;
}

export interface Patience {
  readonly timeoutMs: number;
  readonly totalMs: number;
  readonly retries: number;
}

export function patienceOf({ timeoutMs, totalMs, retries }: ClientOptions): Patience {
  return { timeoutMs: timeoutMs ?? 10_000, totalMs: totalMs ?? 30_000, retries: retries ?? 2 };
}

export function rootOf(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '');
}
