import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BACKOFF, backoffWait, Gate, pause, retryAfter } from '../../src/endpoint/index.ts';

describe('retry', () => {
  it('waits within an exponentially growing, capped range', () => {
    fc.assert(
      fc.property(fc.nat(40), fc.double({ min: 0, max: 0.999, noNaN: true }), (attempt, u) => {
        const wait = backoffWait(attempt, BACKOFF, () => u);
        expect(wait).toBeGreaterThanOrEqual(0);
        expect(wait).toBeLessThanOrEqual(Math.min(BACKOFF.most, BACKOFF.first * 2 ** attempt));
      }),
    );
  });

  it('reads Retry-After as seconds, as a date and in milliseconds', () => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    expect(retryAfter({ 'retry-after': '2' }, now)).toBe(2000);
    expect(retryAfter({ 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT' }, now)).toBe(5000);
    expect(retryAfter({ 'retry-after': 'Wed, 31 Dec 2025 23:00:00 GMT' }, now)).toBe(0);
    expect(retryAfter({ 'retry-after-ms': '30', 'retry-after': '9' }, now)).toBe(30);
    for (const odd of [undefined, '', 'soon', '-1'])
      expect(retryAfter({ 'retry-after': odd }, now) ?? 0).toBe(0);
  });

  it('ends a pause when told to', async () => {
    const stop = new AbortController();
    const waiting = pause(60_000, stop.signal);
    stop.abort('now');
    await expect(waiting).rejects.toBe('now');
    await expect(pause(1, stop.signal)).rejects.toBe('now');
  });
});

describe('gate', () => {
  it('runs first come first served and frees the place of work that fails', async () => {
    const gate = new Gate(1);
    const order: number[] = [];
    const results = await Promise.allSettled(
      [0, 1, 2, 3].map((at) =>
        gate.run(async () => {
          order.push(at);
          await pause(1);
          if (at === 1) throw new Error('no');
        }),
      ),
    );
    expect(order).toEqual([0, 1, 2, 3]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  });
});
