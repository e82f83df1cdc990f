import { timingSafeEqual } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { KeyRing } from '../../../src/gateway/server/keys.ts';

vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>();
  return { ...crypto, timingSafeEqual: vi.fn((a: Buffer, b: Buffer) => crypto.timingSafeEqual(a, b)) };
});

const compared = vi.mocked(timingSafeEqual);
const SESSIONS = { secret: Buffer.alloc(32, 7), isOver: () => false };
const NAMES = { clientEnv: 'C', adminEnv: 'A' };
const ring = new KeyRing(NAMES, { C: 'client-key', A: 'admin-key' }, SESSIONS);
beforeEach(() => {
  compared.mockClear();
});

/** Whether a key opens a door, and the lengths of what was compared on the way. */
function tried(door: 'client' | 'admin' | 'either', key: string): { open: boolean; lengths: number[] } {
  let open = true;
  try {
    ring[door](`Bearer ${key}`);
  } catch {
    open = false;
  }
  return {
    open,
    lengths: compared.mock.calls.splice(0).flatMap(([a, b]) => [a.byteLength, b.byteLength]),
  };
}

describe('a key', () => {
  it('is compared as a digest and in constant time, however long it is and wherever it differs', () => {
    for (const key of ['x', 'client-kez', 'Client-key', 'admin-kex', 'y'.repeat(8000), 'ключ'])
      for (const [door, comparisons] of [
        ['client', 1],
        ['admin', 1],
        ['either', 2],
      ] as const)
        expect(tried(door, key)).toEqual({ open: false, lengths: Array(2 * comparisons).fill(32) });
    expect(tried('client', 'client-key')).toEqual({ open: true, lengths: [32, 32] });
    expect(tried('admin', 'admin-key')).toEqual({ open: true, lengths: [32, 32] });
    const issued = ring.issue('s1');
    expect(tried('client', issued)).toEqual({ open: true, lengths: [32, 32] });
    const forged = `${issued.slice(0, -4)}AAAA`;
    expect(tried('client', forged)).toEqual({ open: false, lengths: [32, 32] });
    // The signature of one session signs no other.
    const other = ring.issue('s2').split('.')[0];
    expect(tried('client', `${other}.${issued.split('.')[1]}`).open).toBe(false);
    expect(tried('client', 'ca-session-').open).toBe(false);
    expect(tried('either', 'client-key').open).toBe(true);
    expect(tried('either', 'admin-key').open).toBe(true);
  });

  it('of clients may not be the key of the admin', () => {
    expect(() => new KeyRing(NAMES, { C: 'same', A: 'same' }, SESSIONS)).toThrow(
      expect.objectContaining({ code: 'CA_USAGE', message: expect.not.stringContaining("'same'") }),
    );
  });
});
