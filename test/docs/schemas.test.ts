import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { mappingSchema } from '../../src/formats/index.ts';
import { demoStudy } from '../../src/lab/index.ts';
import { readLabPanels } from '../../src/lab/simulators/index.ts';
import { memberSchema, readPanels } from '../../src/population/index.ts';
import { trajectorySchema } from '../../src/trajectory/index.ts';
import { pages, ROOT, tableUnder } from './pages.ts';

const schema = (name: string) => JSON.parse(readFileSync(join(ROOT, 'docs/schema', name), 'utf8'));
const check = (name: string) => new Ajv2020({ strict: false }).compile(schema(name));
const MAPS = join(ROOT, 'docs/examples/maps');

describe('docs/schema', () => {
  it('is what the package says', () => {
    execFileSync(process.execPath, [join(ROOT, 'scripts/write-schemas.mjs'), '--check'], { stdio: 'pipe' });
  });

  it('accepts the records that are written, and refuses others', () => {
    const valid = check('trajectory.json');
    for (const row of demoStudy(1).rollouts.slice(0, 50)) expect(valid(row)).toBe(true);
    expect(valid({ schema: 'collapse-aware/trajectory@1', turns: [] })).toBe(false);
    expect(valid({ schema: 'collapse-aware/trajectory@2', simulator: { id: 'a' }, turns: [] })).toBe(false);
  });

  it.each(readdirSync(MAPS))('accepts the mapping %s', (name) => {
    const valid = check('mapping.json');
    expect(valid(parse(readFileSync(join(MAPS, name), 'utf8'))), JSON.stringify(valid.errors)).toBe(true);
    expect(valid({ turns: {}, filds: {} })).toBe(false);
  });
});

describe('the JSON Schema of panels', () => {
  it('accepts what docs/population.md shows, and refuses others', () => {
    const valid = check('panels.json');
    const shown = pages()
      .find(({ path }) => path === 'docs/population.md')!
      .blocks.filter(({ language }) => language === 'yaml')
      .map(({ text }) => parse(text));
    expect(shown.length).toBeGreaterThan(0);
    for (const value of shown) {
      expect(valid(value), JSON.stringify(valid.errors)).toBe(true);
      expect(readPanels(value).notes).toEqual([]);
    }
    expect(valid({ schema: 'collapse-aware/panels@1', seen: [] })).toBe(false);
    expect(valid({ schema: 'collapse-aware/panels@1', seen: [{ id: 'a' }], selection: [], test: [] })).toBe(
      false,
    );
  });

  it('knows every key of a recipe that the page lists', () => {
    const page = pages().find(({ path }) => path === 'docs/population.md')!;
    const listed = tableUnder(page, 'Recipes').map(([kind, keys]) => [
      kind!.replaceAll('`', ''),
      ...[...keys!.matchAll(/`(\w+)`/g)].map(([, key]) => key!),
    ]);
    const kinds = memberSchema.shape.recipe
      .unwrap()
      .options.map(({ shape }) => [
        shape.kind.value as string,
        ...Object.keys(shape).filter((key) => key !== 'kind'),
      ]);
    expect(listed.sort()).toEqual(kinds.sort());
  });
});

describe('the tables of fields', () => {
  const page = (path: string) => pages().find((one) => one.path === path)!;
  const namesUnder = (path: string, heading: string) =>
    tableUnder(page(path), heading).map(([name]) => name!.replaceAll('`', ''));

  it('of docs/trajectory.md name the fields of the record, of a simulator and of a turn', () => {
    const { shape } = trajectorySchema;
    expect(namesUnder('docs/trajectory.md', 'Fields of a record')).toEqual(Object.keys(shape));
    expect(namesUnder('docs/trajectory.md', 'Fields of a simulator')).toEqual(
      Object.keys(shape.simulator.shape),
    );
    expect(namesUnder('docs/trajectory.md', 'Fields of a turn')).toEqual(
      Object.keys(shape.turns.element.shape),
    );
  });

  it('of docs/mapping.md names the keys of a mapping and every field', () => {
    expect(namesUnder('docs/mapping.md', 'Keys')).toEqual(Object.keys(mappingSchema.shape));
    for (const field of Object.keys(mappingSchema.shape.fields.unwrap().shape))
      expect(page('docs/mapping.md').text).toContain(`\`${field}\``);
  });

  it('docs/mapping.md shows the mappings of docs/examples as they are', () => {
    const shown = page('docs/mapping.md').blocks.filter(({ language }) => language === 'yaml');
    const names = ['sims.yaml', 'people.yaml', 'calls.yaml'];
    expect(shown.map(({ text }) => parse(text))).toEqual(
      names.map((name) => parse(readFileSync(join(MAPS, name), 'utf8'))),
    );
  });
});

describe("the JSON Schema of the lab's panels", () => {
  it('accepts what docs/lab-panels.md shows, and refuses others', () => {
    const valid = check('lab-panels.json');
    const [shown] = pages()
      .find(({ path }) => path === 'docs/lab-panels.md')!
      .blocks.filter(({ language }) => language === 'json')
      .map(({ text }) => JSON.parse(text));
    expect(valid(shown), JSON.stringify(valid.errors)).toBe(true);
    expect(readLabPanels(shown).notes.map(({ kind }) => kind)).toEqual(['few-tested']);
    expect(valid({ ...shown, families: [{ ...shown.families[0], kappa: 1 }] })).toBe(false);
    expect(valid({ ...shown, seen: [] })).toBe(false);
  });
});
