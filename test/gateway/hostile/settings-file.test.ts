import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { readYaml } from '../../../src/cli/recipe-file.ts';
import { CollapseAwareError } from '../../../src/errors.ts';
import { startGateway } from '../../../src/gateway/server/gateway.ts';
import { readSettings } from '../../../src/gateway/settings/read-settings.ts';
import { GATEWAY_SCHEMA } from '../../../src/gateway/settings/settings.ts';
import { settingsSchema } from '../../../src/gateway/settings/settings-schema.ts';

const folder = mkdtempSync(join(tmpdir(), 'ca-hostile-settings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const codeOf = (cause: unknown) => (cause instanceof CollapseAwareError ? cause.code : String(cause));
const ALLOWED = ['CA_CONFIG_INVALID', 'CA_PANEL_OVERLAP', 'CA_USAGE'];

describe('a settings file', () => {
  it.each([
    ['population: &p { members: [*p], seen: [a] }'],
    ['upstreams: &u { x: *u }'],
    ['sessions: { headers: &h [[*h]] }'],
  ])('is refused where it holds itself: %s', async (text) => {
    const path = join(folder, 'cycle.yaml');
    writeFileSync(path, `schema: ${GATEWAY_SCHEMA}\n${text}\n`);
    await expect(readYaml(path)).rejects.toMatchObject({
      code: 'CA_CONFIG_INVALID',
      message: expect.stringContaining('an alias stands inside of what it names'),
    });
  });

  it('may say the same thing twice by an alias', async () => {
    const path = join(folder, 'alias.yaml');
    writeFileSync(path, 'a: &a [1, { b: 2 }]\nc: [*a, *a]\n');
    expect(await readYaml(path)).toEqual({
      a: [1, { b: 2 }],
      c: [
        [1, { b: 2 }],
        [1, { b: 2 }],
      ],
    });
  });

  it('says what is allowed in words of its own, whatever number stands there', () => {
    const faultsOf = (more: object): string => {
      try {
        readSettings({ schema: GATEWAY_SCHEMA, ...more });
        return '';
      } catch (cause) {
        return (cause as Error).message;
      }
    };
    for (const more of [
      { live: { rewardRange: [Number.NEGATIVE_INFINITY, Number.NaN] } },
      { breaker: { bars: { yellow: Number.NaN, red: 1 } } },
      { breaker: { bars: { yellow: 0.5, red: 0.2 } } },
      { seed: 1e23 },
      { store: 'a\0b' },
      { live: { reference: ['\0'] } },
    ])
      expect(faultsOf(more), JSON.stringify(more)).toMatch(/expected (?!Invalid|Too)/);
  });

  it('with anything in place of anything is read, or refused with faults that are typed', () => {
    const odd = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom<unknown>(
        Number.NaN,
        Number.POSITIVE_INFINITY,
        1e308,
        '',
        '\0',
        '\ud800',
        '__proto__',
        [],
        {},
        null,
        undefined,
      ),
      fc.date(),
    );
    const sections = Object.keys(settingsSchema.shape).filter((key) => key !== 'schema');
    const keysOf = (section: string): string[] => {
      try {
        return Object.keys(readSettings({ schema: GATEWAY_SCHEMA })[section as 'live']);
      } catch {
        return [];
      }
    };
    const written = fc.record(
      Object.fromEntries(
        sections.map((section) => [
          section,
          fc.oneof(odd, fc.dictionary(fc.constantFrom('x', ...keysOf(section)), odd, { maxKeys: 3 })),
        ]),
      ),
      { requiredKeys: [] },
    );
    const member = fc.record(
      { id: odd, family: odd, model: odd, recipe: odd, upstream: odd, weight: odd, sampling: odd },
      { requiredKeys: [] },
    );
    const population = fc.record(
      { members: fc.array(member, { maxLength: 3 }), seen: fc.array(odd, { maxLength: 2 }), aliases: odd },
      { requiredKeys: ['members', 'seen'] },
    );
    fc.assert(
      fc.property(written, fc.option(population), (settings, people) => {
        try {
          readSettings({
            schema: GATEWAY_SCHEMA,
            ...settings,
            ...(people === null ? {} : { population: people }),
          });
        } catch (cause) {
          expect(ALLOWED).toContain(codeOf(cause));
        }
      }),
      { numRuns: 400 },
    );
  });
});

describe('a store', () => {
  it('that is a file is refused as a store, with its path', async () => {
    const store = join(folder, 'file');
    writeFileSync(store, 'mine');
    const settings = readSettings({ schema: GATEWAY_SCHEMA, listen: { port: 0 }, store });
    await expect(startGateway(settings, { environment: {}, folder })).rejects.toMatchObject({
      code: 'CA_STORE_FAILED',
      message: expect.stringContaining(store),
    });
  });
});
