import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readSettings, startGateway } from '../../src/gateway/index.ts';
import { settingsSchema } from '../../src/gateway/settings/settings-schema.ts';
import { memberSchema } from '../../src/population/index.ts';
import { pages, ROOT } from './pages.ts';

const all = pages();
const page = all.find(({ path }) => path === 'docs/gateway-settings.md')!;
const examples = all
  .flatMap(({ blocks }) => blocks)
  .filter(({ language, text }) => language === 'yaml' && text.includes('collapse-aware/gateway@1'))
  .map((block) => [`${block.page}:${block.line}`, parse(block.text)] as const);
const folder = mkdtempSync(join(tmpdir(), 'collapse-aware-settings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Every variable that an example names has some value. */
const environment = new Proxy({} as Record<string, string>, { get: (_, name) => `value-of-${String(name)}` });

describe('settings files in the pages', () => {
  it('show every kind of member', () => {
    const kinds = examples.flatMap(([, { population }]) =>
      (population?.members ?? []).map(
        ({ recipe }: { recipe?: { kind: string } }) => recipe?.kind ?? 'direct',
      ),
    );
    const known = memberSchema.shape.recipe.unwrap().options.map(({ shape }) => shape.kind.value);
    expect(new Set(kinds)).toEqual(new Set(known));
  });

  const valid = new Ajv2020({ strict: false }).compile(
    JSON.parse(readFileSync(join(ROOT, 'docs/schema/gateway.json'), 'utf8')),
  );

  it.each(examples)('%s is one, by the JSON Schema, too, and a gateway serves it', async (where, value) => {
    expect(valid(value), JSON.stringify(valid.errors)).toBe(true);
    const settings = readSettings(
      { ...value, listen: { port: 0 }, store: join(folder, where.replace(/\W/g, '-')) },
      { environment },
    );
    const gateway = await startGateway(settings, { environment, folder, log: 'silent' });
    const { status } = await fetch(`${gateway.url}/v1/models`, {
      headers: { authorization: 'Bearer value-of-CA_CLIENT_KEY' },
    });
    await gateway.stop('seen');
    expect(status).toBe(200);
  });

  it.each([
    {},
    { schema: 'collapse-aware/gateway@2' },
    { schema: 'collapse-aware/gateway@1', limit: {} },
    { schema: 'collapse-aware/gateway@1', listen: { port: 70_000 } },
    { schema: 'collapse-aware/gateway@1', population: { members: [] } },
  ])('%j is none, by the JSON Schema, too', (value) => {
    expect(valid(value)).toBe(false);
    expect(() => readSettings(value)).toThrow(expect.objectContaining({ code: 'CA_CONFIG_INVALID' }));
  });
});

interface Node {
  readonly type?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Node[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly additionalProperties?: Node | false;
}

/** Every key by its path, as the tables write it, and what it may be. */
function* keysOf(node: Node, path: string): Generator<readonly [string, Node]> {
  for (const [name, inner] of Object.entries(node.properties ?? {})) {
    const own = path === '' ? name : `${path}.${name}`;
    const of = inner.properties !== undefined ? ([inner, own] as const) : listed(inner, own);
    // A mapping inside a section has no row of its own, but for the file's first level.
    if (of === null || path === '') yield [own, inner];
    if (of !== null) yield* keysOf(...of);
  }
}

function listed(node: Node, path: string): readonly [Node, string] | null {
  if (node.items !== undefined && node.items.properties !== undefined) return [node.items, `${path}[]`];
  const { additionalProperties: each } = node;
  return each !== undefined && each !== false && each.properties !== undefined
    ? [each, `${path}.NAME`]
    : null;
}

const bounds = (node: Node): number[] =>
  [node, ...(node.anyOf ?? [])]
    .flatMap(({ minimum, maximum }) => [minimum, maximum])
    .filter((bound): bound is number => bound !== undefined && Math.abs(bound) < 1e15);

describe('docs/gateway-settings.md', () => {
  const keys = new Map(
    keysOf(z.toJSONSchema(settingsSchema, { io: 'input', unrepresentable: 'any' }) as Node, ''),
  );
  const rows = page.text
    .split('\n')
    .filter((line) => /^\| `[a-z]/.test(line))
    .map((line) => line.slice(2, -2).split(/(?<!\\) \| /));

  it('lists every key, once', () => {
    const members = ['population.members'];
    expect(rows.map(([key]) => key!.replaceAll('`', '')).sort()).toEqual([...keys.keys(), ...members].sort());
  });

  it.each(rows.map(([key, allowed, shown]) => [key!.replaceAll('`', ''), allowed!, shown!] as const))(
    'says of %s what is allowed, and the default',
    (key, allowed, shown) => {
      const node = keys.get(key) ?? {};
      const isSection = node.properties !== undefined || !/[.[]/.test(key);
      for (const bound of bounds(node)) if (!isSection) expect(allowed).toContain(String(bound));
      for (const name of node.enum ?? []) expect(allowed).toContain(`\`${name}\``);
      if (isSection && typeof node.default === 'object') return;
      const given = shown.trim().replaceAll('`', '').replaceAll('\\|', '|');
      expect(given === '' ? undefined : JSON.parse(given)).toEqual(node.default);
    },
  );
});
