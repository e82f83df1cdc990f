import { describe, expect, it } from 'vitest';
import { KeyRing } from '../../../src/gateway/server/keys.ts';

const NONE = { clientEnv: null, adminEnv: null };
const BOTH = { clientEnv: 'CLIENT', adminEnv: 'ADMIN' };
const SESSIONS = { secret: Buffer.alloc(32, 7), isOver: () => false };
const ENVIRONMENT = { CLIENT: 'client-secret', ADMIN: 'admin-secret' };

describe('keys', () => {
  it('are asked of clients only where one is named', () => {
    const open = new KeyRing(NONE, {}, SESSIONS);
    expect(open.client(undefined)).toBeNull();
    expect(open.client('Bearer anything')).toBeNull();
    const closed = new KeyRing(BOTH, ENVIRONMENT, SESSIONS);
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
    const made = new KeyRing(NONE, {}, SESSIONS);
    expect(made.madeAdminKey).toMatch(/^ca-admin-.{30,}$/);
    expect(() => made.admin(`Bearer ${made.madeAdminKey}`)).not.toThrow();
    expect(() => made.admin(undefined)).toThrow(expect.objectContaining({ status: 401 }));
    const named = new KeyRing(BOTH, ENVIRONMENT, SESSIONS);
    expect(named.madeAdminKey).toBeNull();
    expect(() => named.admin('Bearer client-secret')).toThrow(expect.objectContaining({ status: 401 }));
  });

  it('of a session open that session until it is over, across restarts', () => {
    const over = new Set<string>();
    const sessions = { ...SESSIONS, isOver: (id: string) => over.has(id) };
    const key = new KeyRing(BOTH, ENVIRONMENT, sessions).issue('s1 – é');
    const later = new KeyRing(BOTH, ENVIRONMENT, sessions);
    expect(later.client(`Bearer ${key}`)).toBe('s1 – é');
    expect(() => later.admin(`Bearer ${key}`)).toThrow();
    over.add('s1 – é');
    expect(() => later.client(`Bearer ${key}`)).toThrow(expect.objectContaining({ status: 401 }));
  });

  it('of a session that was not issued here open nothing', () => {
    const ring = new KeyRing(BOTH, ENVIRONMENT, SESSIONS);
    const other = new KeyRing(BOTH, ENVIRONMENT, { ...SESSIONS, secret: Buffer.alloc(32, 8) });
    const [id, signature] = ring.issue('s1').split('.') as [string, string];
    const forged = [
      other.issue('s1'),
      `${id}.${other.issue('s1').split('.')[1]}`,
      `${ring.issue('s2').split('.')[0]}.${signature}`,
      `${id}.`,
      `${id}`,
      'ca-session-',
      'ca-session-.',
    ];
    for (const key of forged)
      expect(() => ring.client(`Bearer ${key}`)).toThrow(expect.objectContaining({ status: 401 }));
  });

  it('are never in an error', () => {
    const ring = new KeyRing(BOTH, ENVIRONMENT, SESSIONS);
    try {
      ring.client('Bearer nearly-client-secret');
    } catch (error) {
      expect(JSON.stringify(error) + String(error)).not.toMatch(/secret/);
    }
  });

  it('that are named and not set stop the start', () => {
    expect(() => new KeyRing(BOTH, { CLIENT: 'x' }, SESSIONS)).toThrow(/ADMIN is not set/);
  });
});
