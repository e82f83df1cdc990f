import { describe, expect, test } from 'vitest';
import { ago, bytes, duration, moment } from '../../../web/src/dashboard/time.ts';

describe('times on the dashboard', () => {
  test.each([
    [0, '0 s'],
    [-400, '0 s'],
    [12_400, '12 s'],
    [89_000, '89 s'],
    [91_000, '2 min'],
    [89 * 60_000, '89 min'],
    [3 * 3_600_000, '3 h'],
    [50 * 3_600_000, '2 days'],
  ])('%i ms are %s', (ms, text) => {
    expect(duration(ms)).toBe(text);
  });

  test('a moment is told to the minute, an impossible one in words', () => {
    expect(moment(Date.UTC(2026, 0, 15, 10, 30, 59))).toBe('2026-01-15 10:30 UTC');
    expect(moment(Number.NaN)).toBe('at an unknown time');
    expect(ago(1000, 13_000)).toBe('12 s ago');
  });

  test('bytes have the unit that keeps a digit before the point', () => {
    expect([0, 999, 1000, 21_400, 214_000_000, 3e15].map(bytes)).toEqual([
      '0 B',
      '999 B',
      '1.0 kB',
      '21 kB',
      '214 MB',
      '3000 TB',
    ]);
  });
});
