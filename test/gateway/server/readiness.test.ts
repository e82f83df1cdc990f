import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { notReady } from '../../../src/gateway/server/readiness.ts';
import { describeSettings, writtenOrder } from '../../../src/gateway/settings/describe-settings.ts';
import { readSettings } from '../../../src/gateway/settings/read-settings.ts';
import { GATEWAY_SCHEMA } from '../../../src/gateway/settings/settings.ts';
import { StoreLock } from '../../../src/store/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'ca-ready-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const faults = async (more: object, environment = {}) =>
  (await notReady(readSettings({ schema: GATEWAY_SCHEMA, ...more }), { environment, folder })).map(
    ({ code, line }) => ({ code, line }),
  );

describe('before a gateway starts', () => {
  it('nothing stands in the way of one without settings, and looking makes nothing', async () => {
    expect(await faults({ store: 'a/b' })).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('variables that hold nothing, a file for a store, and files that are not there are found together', async () => {
    writeFileSync(join(folder, 'file'), '');
    const found = await faults({
      store: 'file/below',
      keys: { clientEnv: 'CA_CLIENT_KEY', adminEnv: 'CA_ADMIN_KEY' },
      webhooks: [{ url: 'http://hooks', headerEnv: 'HOOK_AUTH' }],
      live: { space: 'none.json', reference: ['nobody.jsonl'] },
    });
    expect(found.map(({ code }) => code)).toContain('CA_STORE_FAILED');
    const told = found.map(({ line }) => line).join('\n');
    for (const name of ['CA_CLIENT_KEY', 'CA_ADMIN_KEY', 'HOOK_AUTH', 'none.json', 'nobody.jsonl'])
      expect(told).toContain(name);
  });

  it('a store that another gateway uses is told, and left alone', async () => {
    const store = join(folder, 'held');
    mkdirSync(store);
    const lock = await StoreLock.take(join(store, 'journal.db.lock'));
    expect(await faults({ store })).toMatchObject([{ code: 'CA_STORE_LOCKED' }]);
    await lock!.release();
    expect(await faults({ store })).toEqual([]);
  });

  it('one key for clients and operator is told', async () => {
    const keys = { clientEnv: 'C', adminEnv: 'A' };
    expect(await faults({ keys }, { C: 'x', A: 'x' })).toMatchObject([{ code: 'CA_USAGE' }]);
    expect(await faults({ keys }, { C: 'x', A: 'y' })).toEqual([]);
  });
});

it('what would be served is told in the order of the file, with aliases and webhooks, without their paths', () => {
  const scripted = (id: string) => ({ id, family: id, recipe: { kind: 'scripted' } });
  const written = {
    schema: GATEWAY_SCHEMA,
    population: {
      members: ['elm', 'cedar', 'alder'].map(scripted),
      seen: ['elm', 'cedar'],
      test: ['alder'],
      aliases: { mine: 'population/elm' },
    },
    webhooks: [{ url: 'https://hooks.example.com/T0/hush', headerEnv: 'HOOK_AUTH' }],
  };
  const lines = describeSettings(readSettings(written), writtenOrder(written));
  expect(lines[0]).toBe('population: elm (scripted), cedar (scripted)');
  expect(lines).toContain('alias mine: population/elm');
  expect(lines).toContain('webhook: https://hooks.example.com, authorization of HOOK_AUTH');
  expect(writtenOrder(null)).toEqual([]);
});
