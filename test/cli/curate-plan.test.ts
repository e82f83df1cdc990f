import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readRecipe } from '../../src/curation/index.ts';
import { scriptedEpisodes } from '../../src/lab/index.ts';
import { readCuration } from '../curator/written-curation.ts';
import { json, type Served, said, serve } from '../endpoint/server.ts';
import { command, folder } from './command.ts';

const ROWS = [...scriptedEpisodes({ seed: 9, contexts: 2, epochs: 1, group: 8 })];
let cwd: string;
let server: Served;
let reply: unknown = {};
const plan = (intent: string, ...args: string[]) =>
  command(['curate', 'plan', '--intent', intent, ...args], { cwd });
const recipeOf = (name: string) => readRecipe(parse(readFileSync(join(cwd, name), 'utf8')));

beforeAll(async () => {
  cwd = folder();
  writeFileSync(join(cwd, 'rows.jsonl'), ROWS.map((row) => `${JSON.stringify(row)}\n`).join(''));
  server = await serve((_, __, response) => json(response, 200, said(JSON.stringify(reply))));
});
afterAll(() => server.close());

describe('collapse-aware curate plan', () => {
  it('shows what would change, writes a recipe, and curate takes it', async () => {
    const done = await plan(
      'keep quality strict; keep 4 of every group; batches of 16',
      '-o',
      'planned.yaml',
    );
    expect(done.status, done.stderr).toBe(0);
    expect(done.stdout).toMatch(/^- gate\.profile: standard$/m);
    expect(done.stdout).toMatch(/^\+ gate\.profile: strict$/m);
    expect(done.stdout).toMatch(/^\+ selection\.keep: 4$/m);
    expect(done.stdout).toMatch(/^\+ batches\.size: 16$/m);
    const recipe = recipeOf('planned.yaml');
    expect(recipe).toMatchObject({
      gate: { profile: 'strict' },
      selection: { keep: 4 },
      batches: { size: 16 },
    });

    const curated = await command(['curate', 'rows.jsonl', '--recipe', 'planned.yaml', '-o', 'out', '-q'], {
      cwd,
    });
    expect(curated.status, curated.stderr).toBe(0);
    expect(readCuration(join(cwd, 'out')).manifest.recipe).toEqual(recipe);
  });

  it('without -o only shows, and says where there is nothing to change', async () => {
    const done = await plan('lorem ipsum');
    expect(done.status, done.stderr).toBe(0);
    expect(done.stdout).toContain('nothing to change');
    expect(done.stdout).toContain('not understood: lorem ipsum');
  });

  it.each(['turn the gate off', 'no quality gate please', 'disable the gate and export parquet'])(
    'refuses to switch the gate off: %s',
    async (intent) => {
      const name = `gated-${intent.length}.yaml`;
      const done = await plan(intent, '-o', name);
      expect(done.status, done.stderr).toBe(0);
      expect(done.stdout).toMatch(/^refused: gate/m);
      expect(recipeOf(name).gate).toEqual(readRecipe(null).gate);
    },
  );

  it('holds a model to the schema and to the gate', async () => {
    reply = { recipe: { gate: false, selection: { keep: 4 } }, reasons: [] };
    const done = await plan('anything goes', '--model', 'tiny', '--base-url', server.url, '-o', 'model.yaml');
    expect(done.status, done.stderr).toBe(0);
    expect(done.stdout).toMatch(/^refused: gate/m);
    const recipe = recipeOf('model.yaml');
    expect(recipe.gate).toEqual(readRecipe(null).gate);
    expect(recipe.selection?.keep).toBe(4);

    reply = { recipe: { weights: { alpha: -1 } } };
    const bad = await plan('x', '--model', 'tiny', '--base-url', server.url, '-o', 'bad.yaml');
    expect(bad.stderr).toContain('weights.alpha');
    expect(bad.stderr).not.toContain('    at ');
    expect([2, 3]).toContain(bad.status);
    expect(existsSync(join(cwd, 'bad.yaml'))).toBe(false);
  });

  it('prints one JSON object on standard output under --json', async () => {
    const done = await plan('batches of 64', '--json');
    expect(done.stderr).toBe('');
    expect(JSON.parse(done.stdout)).toMatchObject({ by: 'rules', proposed: { batches: { size: 64 } } });
  });

  it.each([
    [['curate', 'plan']],
    [['curate', 'plan', '--intent', ' ']],
    [['curate', 'plan', '--intent', 'x', '--model', 'm']],
    [['curate', 'plan', '--intent', 'x', '--base-url', 'http://127.0.0.1:9']],
  ])('ends with 2 on wrong usage: %j', async (args) => {
    const done = await command(args, { cwd });
    expect(done.stderr).toMatch(/^CA_USAGE: /);
    expect(done).toMatchObject({ status: 2, stdout: '' });
  });
});
