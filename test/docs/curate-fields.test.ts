import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { BeforeAfter } from '../../src/curation/manifest.ts';
import { scriptedEpisodes } from '../../src/lab/index.ts';
import { pages, tableUnder } from './pages.ts';
import { runCommands } from './shell.ts';
import { copyWorkspace, makeWorkspace } from './workspace.ts';

const page = pages().find(({ path }) => path === 'docs/curate.md')!;
const namesIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
const fieldsUnder = (heading: string) =>
  tableUnder(page, heading)
    .flatMap(([names]) => namesIn(names!))
    .sort();
const proseUnder = (heading: string) => {
  const from = page.text.indexOf(`\n### ${heading}\n`);
  expect(from, heading).toBeGreaterThan(0);
  return page.text.slice(from, page.text.indexOf('\n#', from + 5));
};

const FIGURES = ['scd2', 'bdi', 'mass', 'realism'];
/** The type checker holds this list whole. */
const VERDICTS: Readonly<Record<BeforeAfter['verdict'], true>> = {
  improved: true,
  unchanged: true,
  'limited-by-data': true,
  'not-judged': true,
};

/** Everything that a recipe can ask for without a model. */
const RECIPE = `
advantage: { baseline: simulator, consistency: true }
selection: { keep: 2 }
batches: { balance: mode }
allocation: { budget: 64, group: 4 }
export: [native, parquet, trl, verl, verifiers]
`;

describe('docs/curate.md', { timeout: 300_000 }, () => {
  let folder = '';
  const text = (name: string) => readFileSync(join(folder, name), 'utf8');
  const rows = (name: string): Record<string, unknown>[] =>
    text(name)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  /** Keys of all rows together: some stand in some rows only. */
  const keysOf = (all: readonly object[]) => [...new Set(all.flatMap((row) => Object.keys(row)))].sort();

  beforeAll(async () => {
    const cwd = copyWorkspace(await makeWorkspace());
    const episodes = [...scriptedEpisodes({ seed: 5, contexts: 16, epochs: 2, group: 4 })];
    writeFileSync(
      join(cwd, 'groups.jsonl'),
      `${episodes.map((row) => JSON.stringify(row)).join('\n')}\n{"broken\n`,
    );
    writeFileSync(join(cwd, 'all.yaml'), RECIPE);
    await runCommands(
      'collapse-aware curate groups.jsonl --reference people.jsonl --recipe all.yaml -o all -q',
      cwd,
      'the fields of docs/curate.md',
    );
    folder = join(cwd, 'all');
  });

  it('has a heading for every file that is written', () => {
    const exports = namesIn(proseUnder('Other exports'));
    const headings = [...page.text.matchAll(/^### (.+)$/gm)].map(([, name]) => name!);
    for (const name of readdirSync(folder)) expect([...headings, ...exports]).toContain(name);
  });

  it.each(['weights.jsonl', 'dropped.jsonl'])('lists every field of %s', (name) => {
    expect(fieldsUnder(name)).toEqual(keysOf(rows(name)));
  });

  it('lists every field of what stands beside a row', () => {
    const training = rows('rows.jsonl').map((row) => row.training as object);
    expect(fieldsUnder('rows.jsonl')).toEqual(keysOf(training));
  });

  it('names every field of a batch, of a pair and of an allocation', () => {
    const named = (heading: string) => namesIn(proseUnder(heading));
    for (const key of keysOf(rows('batches.jsonl'))) expect(named('batches.jsonl')).toContain(key);
    const pairs = rows('weights.jsonl').flatMap((row) => (row.pairs as object[] | undefined) ?? []);
    expect(pairs.length).toBeGreaterThan(0);
    for (const key of keysOf(pairs)) expect(named('weights.jsonl')).toContain(key);
    const allocation = JSON.parse(text('allocation.json'));
    for (const key of [...Object.keys(allocation), ...keysOf(allocation.cells)])
      expect(named('allocation.json')).toContain(key);
  });

  it('lists every top-level field of the manifest, and names those below', () => {
    const manifest = JSON.parse(text('manifest.json'));
    expect(fieldsUnder('manifest.json')).toEqual(Object.keys(manifest).sort());
    const named = namesIn(proseUnder('manifest.json'));
    const below = Object.entries(manifest).filter(([key]) => key !== 'recipe' && key !== 'headline');
    for (const [key, value] of below) {
      const first = Array.isArray(value) ? value[0] : value;
      if (first === null || typeof first !== 'object') continue;
      for (const name of Object.keys(first).filter((name) => !FIGURES.includes(name)))
        expect(named, key).toContain(name);
    }
  });

  it('says which stages drop rows, and every verdict', () => {
    const stages = new Set(rows('dropped.jsonl').map(({ stage }) => stage));
    expect([...stages].sort()).toEqual(['batches', 'read', 'selection']);
    for (const verdict of Object.keys(VERDICTS)) expect(page.text).toContain(`| \`${verdict}\` |`);
  });
});
