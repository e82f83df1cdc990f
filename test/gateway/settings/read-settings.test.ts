import { describe, expect, it } from 'vitest';
import { CollapseAwareError } from '../../../src/errors.ts';
import { checkSecrets } from '../../../src/gateway/settings/environment.ts';
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

describe('faults', () => {
  const PLAIN = { id: 'plain', family: 'qwen', model: 'qwen', upstream: 'local' };
  const linesOf = (written: unknown, environment: Record<string, string> = {}) =>
    refusal(written, { LOCAL_KEY: 'x', ...environment })
      .message.split('\n')
      .map((line) => line.trim());

  it.each<[string, unknown, RegExp]>([
    ['upstreams.local', { baseUrl: 'http://h/v1', concurency: 3 }, /'concurency'.*'concurrency', or.*queue/],
    ['population.members.0', { ...PLAIN, famly: 'x' }, /'famly'.*'family', or another of id, .*upstream/],
    ['population', { ...WRITTEN.population, selction: [] }, /'selction'.*'selection', or another of members/],
    [
      'live',
      { epochs: { evry: 3 } },
      /live\.epochs: found the key 'evry', expected 'every', or another of by/,
    ],
    ['webhooks', [{ url: 'http://h', header: 'X' }], /webhooks\[0\]: found the key 'header'.*headerEnv/],
    ['population.members.1.recipe', { kind: 'verbalized', tial: 0.1 }, /'tial'.*'tail', or another of kind/],
  ])('of an unknown key in %s name the nearest and all that are known', (path, value, words) => {
    expect(linesOf(changed(path, value)).join('\n')).toMatch(words);
  });

  it('of every kind are told at once, each at its place in the file and once', () => {
    const lines = linesOf({
      ...WRITTEN,
      sesions: {},
      sessions: { scenario: '(' },
      upstreams: { vllm: { baseUrl: 'http://$'.concat('{VLLM_HOST}:8000/v1') } },
      keys: { clientEnv: 'CLIENT', adminEnv: 'ADMIN' },
      webhooks: [{ url: 'http://hooks', headerEnv: 'HOOK' }],
      population: {
        members: [
          { ...PLAIN, upstream: 'vlm', famly: 'x' },
          { ...PLAIN, id: 'vs', upstream: 'vllm', recipe: { kind: 'persona', text: 'a', bank: ['b'] } },
          { id: 'alone', family: 'qwen', model: 'qwen', weight: -1 },
          { id: 'mix', family: 'qwen', recipe: { kind: 'ensemble', members: ['plain', 'vs'] } },
        ],
        seen: ['plain', 'vs', 'mix', 'alon'],
        selection: ['alone'],
        aliases: { mine: 'population/nobody' },
      },
    });
    const places = lines.slice(1).map((line) => line.split(': found ')[0]!);
    expect(places.sort()).toEqual([
      'keys.adminEnv',
      'keys.clientEnv',
      'population.aliases.mine',
      'population.members[0]',
      'population.members[0].upstream',
      'population.members[1].recipe',
      'population.members[2].upstream',
      'population.members[2].weight',
      'population.seen[3]',
      'sessions.scenario',
      'the settings',
      'upstreams.vllm.baseUrl',
      'webhooks[0].headerEnv',
    ]);
  });

  it('point at the page of the settings', () => {
    expect(refusal(changed('population.seen', ['nobody'])).line).toContain('docs/gateway-settings.md');
    expect(linesOf(changed('population.seen', ['vss'])).join()).toMatch(/population\.seen\[0\].*'vs'/);
  });

  it('of one kind do not hide behind those of others in one member', () => {
    const lines = linesOf(changed('population.members.0', { id: 'plain', family: 3, upstream: 'loca' }));
    expect(lines.join('\n')).toMatch(/members\[0\]\.family: found 3/);
    expect(lines.join('\n')).toMatch(/members\[0\]\.upstream: found 'loca', expected 'local'/);
    expect(lines.join('\n')).toMatch(/members\[0\]\.model: found nothing/);
  });

  it('never come of the stand-ins for values that are wrong', () => {
    const members = WRITTEN.population.members.map((member) =>
      member.id === 'plain' ? { ...member, recipe: { kind: 'telepathy' } } : member,
    );
    expect(linesOf(changed('population.members', members))).toEqual([
      expect.stringContaining('population.members[0].recipe.kind'),
    ]);
  });
});

describe('secrets that are not in the environment', () => {
  it('are all named before a start, with the key that names each', () => {
    const settings = readSettings({
      ...WRITTEN,
      keys: { clientEnv: 'CLIENT', adminEnv: 'ADMIN' },
      webhooks: [{ url: 'http://hooks', headerEnv: 'HOOK' }],
    });
    const unset = () => checkSecrets(settings, { ADMIN: ' ' });
    expect(unset).toThrow(
      'CLIENT (keys.clientEnv), ADMIN (keys.adminEnv), LOCAL_KEY (upstreams.local.apiKeyEnv), HOOK (webhooks[0].headerEnv)',
    );
    const all = { CLIENT: 'a', ADMIN: 'b', LOCAL_KEY: 'c', HOOK: 'd' };
    expect(() => checkSecrets(settings, all)).not.toThrow();
  });
});
