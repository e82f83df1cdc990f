import type { StopSignal } from './halt.ts';

export interface Backoff {
  /** Attempts after the first (default 5). */
  readonly retries: number;
  /** Of these, at most so many while the server could never be reached at all (default 2): a wrong address does not mend. */
  readonly unreached: number;
  /** Upper end of the first wait, in ms (default 500); it doubles each time. */
  readonly first: number;
  /** Longest wait, in ms (default 30,000). */
  readonly most: number;
  /** Longest wait a server may ask for, in ms (default 120,000). */
  readonly patience: number;
}

export const BACKOFF: Backoff = { retries: 5, unreached: 2, first: 500, most: 30_000, patience: 120_000 };

/** Exponential backoff with full jitter, in ms (Brooker 2015): clients that failed together do not return together. */
export function backoffWait(attempt: number, backoff: Backoff, random: () => number): number {
  return random() * Math.min(backoff.most, backoff.first * 2 ** attempt);
}

/** What the server asks for, in ms, or null: `retry-after-ms`, or `Retry-After` in seconds or as a date (RFC 9110, 10.2.3). */
export function retryAfter(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  now: number,
): number | null {
  const one = (name: string): string | undefined => {
    const value = headers[name];
    return Array.isArray(value) ? value[0] : value;
  };
  const milliseconds = Number.parseFloat(one('retry-after-ms') ?? '');
  if (milliseconds >= 0) return milliseconds;
  const text = one('retry-after')?.trim();
  if (text === undefined || text === '') return null;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** Waits, or rejects with the signal's reason. */
export function pause(milliseconds: number, signal?: StopSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
