import { describe, expect, it } from 'vitest';
import { KeyRing } from '../../../src/gateway/server/keys.ts';

const NONE = { clientEnv: null, adminEnv: null };
const BOTH = { clientEnv: 'CLIENT', adminEnv: 'ADMIN' };
const ENVIRONMENT = { CLIENT: 'client-secret', ADMIN: 'admin-secret' };

describe('keys', () => {
  it('are asked of clients only where one is named', () => {
    const open = new KeyRing(NONE, {});
    expect(open.client(undefined)).toBeNull();
    expect(open.client('Bearer anything')).toBeNull();
    const closed = new KeyRing(BOTH, ENVIRONMENT);
    expect(closed.client('Bearer client-secret')).toBeNull();
    expect(closed.client('bearer  client-secret ')).toBeNull();
    for (const wrong of [
      undefined,
      '',
      'Bearer',
      'Bearer wrong',
      'Basic client-secret',
      'Bearer admin-secret',
    ])
      expect(() => closed.client(wrong)).toThrow(expect.objectContaining({ status: 401 }));
  });

  it('of administration are always asked, and made where none is named', () => {
    const made = new KeyRing(NONE, {});
    expect(made.madeAdminKey).toMatch(/^ca-admin-.{30,}$/);
    expect(() => made.admin(`Bearer ${made.madeAdminKey}`)).not.toThrow();
    expect(() => made.admin(undefined)).toThrow(expect.objectContaining({ status: 401 }));
    const named = new KeyRing(BOTH, ENVIRONMENT);
    expect(named.madeAdminKey).toBeNull();
    expect(() => named.admin('Bearer client-secret')).toThrow(expect.objectContaining({ status: 401 }));
  });

  it('of a session open that session until it is forgotten', () => {
    const ring = new KeyRing(BOTH, ENVIRONMENT);
    const key = ring.issue('s1');
    expect(ring.client(`Bearer ${key}`)).toBe('s1');
    expect(() => ring.admin(`Bearer ${key}`)).toThrow();
    ring.forget('s1');
    expect(() => ring.client(`Bearer ${key}`)).toThrow(expect.objectContaining({ status: 401 }));
  });

  it('are never in an error', () => {
    const ring = new KeyRing(BOTH, ENVIRONMENT);
    try {
      ring.client('Bearer nearly-client-secret');
    } catch (error) {
      expect(JSON.stringify(error) + String(error)).not.toMatch(/secret/);
    }
  });

  it('that are named and not set stop the start', () => {
    expect(() => new KeyRing(BOTH, { CLIENT: 'x' })).toThrow(/ADMIN is not set/);
  });
});
