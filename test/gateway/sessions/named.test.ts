import { describe, expect, it } from 'vitest';
import { namedBy } from '../../../src/gateway/sessions/named.ts';
import { request } from './dialogue.ts';

const MESSAGES = [{ role: 'user' as const, content: 'Hi' }];
const none = { pathId: null, headers: {}, keyId: null, headerNames: ['X-Session-ID', 'X-SMG-Routing-Key'] };
const asked = (body: Record<string, unknown> = {}) => request(MESSAGES, body);

describe('what names a session', () => {
  it('is the path, then a header, then the key, then the body', () => {
    const body = asked({ metadata: { session_id: 'm' }, user: 'user-12345' });
    const headers = { 'x-session-id': 'h1', 'x-smg-routing-key': 'h2' };
    const all = { ...none, pathId: 'p', headers };
    expect(namedBy(body, all)).toEqual({ id: 'p', by: 'path', weak: false });
    expect(namedBy(body, { ...all, pathId: null })).toEqual({ id: 'h1', by: 'header', weak: false });
    expect(namedBy(body, { ...none, headers: { 'x-smg-routing-key': ' h2 ' } })?.id).toBe('h2');
    expect(namedBy(body, { ...none, keyId: 'k' })).toEqual({ id: 'k', by: 'key', weak: false });
    expect(namedBy(body, none)).toEqual({ id: 'm', by: 'body', weak: false });
    expect(namedBy(asked(), none)).toBeNull();
  });

  it('is no other session than the one that the key was issued for', () => {
    const held = { ...none, keyId: 's1' };
    for (const other of [
      { ...held, pathId: 's2' },
      { ...held, headers: { 'x-session-id': 's2' } },
    ])
      expect(() => namedBy(asked(), other)).toThrow(
        expect.objectContaining({ status: 403, code: 'session_key_mismatch' }),
      );
    expect(namedBy(asked(), { ...held, pathId: 's1' })?.by).toBe('path');
    expect(namedBy(asked(), { ...held, headers: { 'x-session-id': 's1~2' } })?.id).toBe('s1~2');
    expect(namedBy(asked({ metadata: { session_id: 's2' } }), held)?.id).toBe('s1');
  });

  it('is any of the names that frameworks give it in metadata', () => {
    for (const name of ['session_id', 'sessionId', 'conversation_id', 'trace_id', 'rollout_id'])
      expect(namedBy(asked({ metadata: { other: 'x', [name]: 'v' } }), none)?.id).toBe('v');
    expect(namedBy(asked({ metadata: { session_id: 'two words' } }), none)).toBeNull();
  });

  it('is the user only where that looks like an id of its own', () => {
    for (const user of ['rollout-00017', '3f2b8c1e-1d5a-4b52-9e07-0a51c3f0c1aa', 'task3:trial1'])
      expect(namedBy(asked({ user }), none)).toEqual({ id: user, by: 'body', weak: true });
    for (const user of [
      'user',
      'alice',
      'default_user',
      'bob1',
      'emma42@example.com',
      'a user of 2 words',
      '',
    ])
      expect(namedBy(asked({ user }), none)).toBeNull();
  });

  it('is refused where path or header cannot be an id', () => {
    for (const bad of ['two words', 'line\nbreak', 'x'.repeat(201), '']) {
      const error = expect(() => namedBy(asked(), { ...none, pathId: bad }));
      error.toThrow(expect.objectContaining({ status: 400, code: 'invalid_session_id' }));
    }
    expect(() => namedBy(asked(), { ...none, headers: { 'x-session-id': 'a b' } })).toThrow();
    expect(namedBy(asked(), { ...none, headers: { 'x-session-id': ' ' } })).toBeNull();
  });
});
