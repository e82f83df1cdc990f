import { describe, expect, it } from 'vitest';
import { sessionIds } from '../../../src/gateway/sessions/session-id.ts';
import { seeded } from '../../../src/math/random.ts';

describe('ids of sessions', () => {
  it('can be read out, stand in a path, and come again by seed', () => {
    const [a, b] = [sessionIds(seeded(1)), sessionIds(seeded(1))];
    const ids = Array.from({ length: 2000 }, a);
    expect(ids).toEqual(Array.from({ length: 2000 }, b));
    expect(new Set(ids).size).toBe(2000);
    for (const id of ids) expect(id).toMatch(/^[a-z]+-[a-z]+-[2-9a-z]{6}$/);
  });
});
