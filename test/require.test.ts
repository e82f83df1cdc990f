import { afterEach, describe, expect, test, vi } from 'vitest';
import { requirement } from './require.ts';

describe('a requirement of a test', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  test('that is here lets the test run', () => {
    vi.stubEnv('CA_REQUIRE', 'all');
    expect(requirement('a thing', true, 'get it')).toBe(true);
  });

  test('that is missing skips the test and says what to install', () => {
    vi.stubEnv('CA_REQUIRE', '');
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    expect(requirement('a thing', false, 'get it')).toBe(false);
    expect(warn).toHaveBeenCalledWith('skipped: a thing is missing: get it');
  });

  test('that is missing where all are required fails', () => {
    vi.stubEnv('CA_REQUIRE', 'all');
    expect(() => requirement('a thing', false, 'get it')).toThrow('a thing is missing: get it');
  });
});
