import { describe, expect, it } from 'vitest';
import { CollapseAwareError } from '../../../src/errors.ts';
import { readPopulation, writtenPopulation } from '../../../src/gateway/settings/read-population.ts';
import { checkExposure, readSettings } from '../../../src/gateway/settings/read-settings.ts';
import { GATEWAY_SCHEMA } from '../../../src/gateway/settings/settings.ts';

const WRITTEN = {
  schema: GATEWAY_SCHEMA,
  upstreams: { local: { baseUrl: 'http://127.0.0.1:8000/v1', apiKeyEnv: 'LOCAL_KEY' } },
  population: {
    members: [
      { id: 'plain', family: 'qwen', model: 'qwen', upstream: 'local' },
      {
        id: 'vs',
        family: 'qwen',
        model: 'qwen',
        upstream: 'local',
        recipe: { kind: 'verbalized' },
        weight: 2,
      },
      {
        id: 'mix',
        family: 'qwen',
        recipe: { kind: 'interpolate', a: 'plain', b: 'vs', lambda: 0.5, how: 'mixture' },
      },
      { id: 'judge', family: 'llama', model: 'llama', upstream: 'local' },
    ],
    seen: ['plain', 'vs', 'mix'],
    selection: ['judge'],
  },
};

function refusal(written: unknown, environment: Record<string, string> = {}): CollapseAwareError {
  try {
    readSettings(written, { environment, file: 'gateway.yaml' });
  } catch (error) {
    if (error instanceof CollapseAwareError) return error;
    throw error;
  }
  throw new Error('was taken');
}
/** The settings with one place of them changed; `undefined` takes it out. */
function changed(path: string, value: unknown): unknown {
  const copy: unknown = structuredClone(WRITTEN);
  const keys = path.split('.');
  const last = keys.pop()!;
  let at = copy as Record<string, unknown>;
  for (const key of keys) at = at[key] as Record<string, unknown>;
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}

describe('settings of a gateway', () => {
  it('without a file serve scripted users on loopback', () => {
    const settings = readSettings(null);
    expect(settings.listen.host).toBe('127.0.0.1');
    expect(settings.upstreams).toEqual([]);
    expect(settings.population.panels.seen.every(({ recipe }) => recipe.kind === 'scripted')).toBe(true);
    expect(settings.population.panels.test.length).toBeGreaterThanOrEqual(6);
    expect(() => checkExposure(settings)).not.toThrow();
  });

  it('fill in defaults, keep weights and find anti-collapse members by their recipe', () => {
    const { population, upstreams, sessions } = readSettings(WRITTEN);
    expect(upstreams).toMatchObject([{ name: 'local', concurrency: 64, firstByteMs: 60_000, prices: null }]);
    expect(population.weights).toEqual({ plain: 1, vs: 2, mix: 1 });
    expect([...population.antiCollapse].sort()).toEqual(['mix', 'vs']);
    expect(sessions.stopTokens).toContain('###STOP###');
  });

  it('take values of the environment where they are named', () => {
    const written = changed('upstreams.local.baseUrl', ['http://$', '{WHERE}/v1'].join(''));
    expect(readSettings(written, { environment: { WHERE: 'models:9000' } }).upstreams[0]!.baseUrl).toBe(
      'http://models:9000/v1',
    );
    expect(refusal(written)).toMatchObject({ code: 'CA_CONFIG_INVALID' });
    expect(refusal(written).message).toContain('WHERE');
  });

  it.each<[string, string, unknown, RegExp]>([
    ['an unknown key', 'sesions', {}, /sessions/],
    ['a key in place of its name', 'upstreams.local.apiKeyEnv', 'sk-hush.hush', /environment variable/],
    ['a URL with a password', 'upstreams.local.baseUrl', 'http://me:hush@host/v1', /baseUrl/],
    ['an upstream that is not there', 'population.members.0.upstream', 'locall', /'local'/],
    ['a model without an upstream', 'population.members.0.upstream', undefined, /upstream/],
    ['a member without a model', 'population.members.0.model', undefined, /model/],
    ['an alias for nobody', 'population.aliases', { x: 'population/y' }, /aliases/],
    ['an alias that hides a panel', 'population.aliases', { 'panel/test': 'population' }, /another kind/],
    ['a share above 1', 'probes', { share: 2 }, /probes\.share/],
    ['a pattern that is none', 'sessions', { scenario: '(' }, /scenario/],
    ['a webhook that is no URL', 'webhooks', [{ url: 'file:///etc/passwd' }], /webhooks/],
  ])('refuse %s, and say what is allowed', (_, path, value, words) => {
    const error = refusal(changed(path, value));
    expect(error.code).toBe('CA_CONFIG_INVALID');
    expect(error.line).toMatch(words);
    expect(error.line).not.toContain('hush');
  });

  it('refuse weights that are all 0', () => {
    const members = WRITTEN.population.members.map((member) => ({ ...member, weight: 0 }));
    expect(refusal(changed('population.members', members)).line).toMatch(/weights that are all 0/);
  });

  it('refuse one member in two panels', () => {
    expect(refusal(changed('population.selection', ['plain']))).toMatchObject({
      code: 'CA_PANEL_OVERLAP',
    });
  });

  it('refuse an address that others reach, without keys', () => {
    const open = readSettings(changed('listen', { host: '0.0.0.0' }));
    expect(() => checkExposure(open)).toThrow(/clientEnv and keys\.adminEnv/);
    const closed = { ...open, keys: { clientEnv: 'CLIENT', adminEnv: 'ADMIN' } };
    expect(() => checkExposure(closed)).not.toThrow();
  });
});

describe('a population', () => {
  it('is read back from what it is written as', () => {
    const { population } = readSettings(WRITTEN);
    expect(readPopulation(writtenPopulation(population), { upstreams: ['local'] })).toEqual(population);
    const scripted = readSettings(null).population;
    expect(readPopulation(writtenPopulation(scripted), { upstreams: [] })).toEqual(scripted);
  });
});
