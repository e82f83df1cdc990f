import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { scriptedEpisodes, scriptedPeople } from '../../src/lab/index.ts';
import { contentHash, type Trajectory } from '../../src/trajectory/index.ts';
import { shuffled } from '../curator/curated-columns.ts';
import { type Line, readCuration, type Written } from '../curator/written-curation.ts';
import { command, folder } from './command.ts';

const ROWS = [...scriptedEpisodes({ seed: 5, contexts: 3, epochs: 1, group: 8 })];
const PEOPLE = [...scriptedPeople({ seed: 5, contexts: 3, persons: 30, episodes: 60 })];
const lines = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const FULL = `
weights: {alpha: 1, concentration: false, coverage: false}
batches: {size: 24, balance: mode}
selection: {keep: 4}
advantage: {baseline: weighted, normalise: false}
allocation: {budget: 64, group: 8}
export: [native, parquet, trl, verl, verifiers]
`;
let cwd: string;
const run = (...args: string[]) => command(['curate', ...args, '-q'], { cwd });
/** Curates, expects it to end well, reads the folder. */
async function curate(out: string, ...args: string[]): Promise<Written> {
  const done = await run(...args, '-o', out);
  expect(done.status, done.stderr).toBe(0);
  return readCuration(join(cwd, out));
}

beforeAll(() => {
  cwd = folder();
  writeFileSync(join(cwd, 'rows.jsonl'), lines(ROWS));
  writeFileSync(join(cwd, 'people.jsonl'), lines(PEOPLE));
  writeFileSync(join(cwd, 'full.yaml'), FULL);
});

describe('equal input, recipe and seed', () => {
  const hashes = (out: string) =>
    Object.fromEntries(
      readdirSync(join(cwd, out))
        .sort()
        .map((name) => [
          name,
          createHash('sha256')
            .update(readFileSync(join(cwd, out, name)))
            .digest('hex'),
        ]),
    );
  const args = ['rows.jsonl', '--reference', 'people.jsonl', '--recipe', 'full.yaml'];

  it('give equal bytes in every file, also from the recipe that was written; another seed gives other batches', async () => {
    const first = await curate('one', ...args);
    await curate('two', ...args);
    expect(Object.keys(hashes('one'))).toEqual([
      'allocation.json',
      'batches.jsonl',
      'curation.html',
      'dropped.jsonl',
      'manifest.json',
      'recipe.yaml',
      'rows.jsonl',
      'rows.parquet',
      'trl.parquet',
      'verifiers.jsonl',
      'verl.parquet',
      'weights.jsonl',
    ]);
    expect(hashes('two')).toEqual(hashes('one'));
    for (const { path, sha256, bytes } of first.manifest.outputs) {
      expect(sha256).toBe(hashes('one')[path]);
      expect(bytes).toBe(readFileSync(join(cwd, 'one', path)).length);
    }
    expect(first.manifest.inputs[0]!.sha256).toBe(
      createHash('sha256')
        .update(readFileSync(join(cwd, 'rows.jsonl')))
        .digest('hex'),
    );

    await curate('again', 'rows.jsonl', '--reference', 'people.jsonl', '--recipe', 'one/recipe.yaml');
    expect(hashes('again')).toEqual(hashes('one'));

    const other = await curate('seven', ...args, '--seed', '7');
    expect(other.manifest.recipe.seed).toBe(7);
    expect(hashes('seven')['batches.jsonl']).not.toBe(hashes('one')['batches.jsonl']);
  });
});

describe('rows split over files, in another order', () => {
  it('have the same weights, batches, selection and advantages by content', async () => {
    const mixed = shuffled([...ROWS, ...ROWS.slice(0, 5)], 'files');
    writeFileSync(join(cwd, 'part-1.jsonl'), lines(mixed.slice(0, 41)));
    writeFileSync(join(cwd, 'part-2.jsonl'), lines(mixed.slice(41, 42)));
    writeFileSync(join(cwd, 'part-3.jsonl'), lines(mixed.slice(42)));
    const whole = await curate('whole', 'rows.jsonl', '--recipe', 'full.yaml');
    const parts = await curate(
      'parts',
      'part-3.jsonl',
      'part-1.jsonl',
      'part-2.jsonl',
      '--recipe',
      'full.yaml',
    );
    expect(parts.lines('weights.jsonl')).toEqual(whole.lines('weights.jsonl'));
    expect(parts.lines('batches.jsonl')).toEqual(whole.lines('batches.jsonl'));
    expect(parts.manifest.funnel[1]!.reasons).toContainEqual({
      reason: 'duplicate',
      blame: 'data',
      count: 5,
    });
    const ids = (written: Written) =>
      written
        .lines('rows.jsonl')
        .map(({ id }) => `${id}`)
        .sort();
    expect(ids(parts)).toEqual(ids(whole));
  });
});

describe('the account of rows', () => {
  const GARBLED: Trajectory = {
    ...ROWS[17]!,
    id: 'half \ud83d',
    turns: ROWS[17]!.turns.map((turn) => ({ ...turn, text: `${turn.text} \udc00` })),
  };

  it('adds up: every line read is written once, or dropped with stage, reason and place', async () => {
    const [a, b] = [ROWS.slice(0, 70), ROWS.slice(70)];
    writeFileSync(
      join(cwd, 'a.jsonl'),
      [
        lines(a.slice(0, 30)),
        'this is no JSON\n',
        '{"schema": "collapse-aware/trajectory@1", "id": "cut", "turns": [\n',
        lines(a.slice(30)),
        // The same line twice in one file.
        lines([a[3]!]),
        // No reward among rows that have one.
        lines(a.slice(0, 3).map((row) => ({ ...row, id: `${row.id}/unpaid`, reward: null }))),
        '{"schema": "collapse-aware/trajectory@1", "id": "empty", "simulator": {"id": "s", "kind": "llm"}, "turns": []}\n',
      ].join(''),
    );
    writeFileSync(
      join(cwd, 'b.jsonl'),
      // Ids of the other file with other content; a line of the other file; halves of characters; people.
      lines([...b.map((row, at) => (at < 10 ? { ...row, id: a[at]!.id } : row)), a[5]!, GARBLED, ...PEOPLE]),
    );
    const done = await curate('account', 'a.jsonl', 'b.jsonl', '--recipe', 'full.yaml', '--no-page');
    const { manifest } = done;
    const [written, dropped, weighed] = ['rows.jsonl', 'dropped.jsonl', 'weights.jsonl'].map(done.lines) as [
      Line[],
      Line[],
      Line[],
    ];
    const [read, gate, selection, batches] = manifest.funnel;
    expect(read!.entered).toBe(a.length + b.length + 2 + 1 + 3 + 1 + 2 + PEOPLE.length);
    expect(manifest.inputs.reduce((sum, file) => sum + file.rows, 0)).toBe(read!.entered);
    expect(read!.reasons).toEqual([
      expect.objectContaining({ reason: expect.stringContaining('no reader'), count: 3 }),
      expect.objectContaining({ reason: expect.stringContaining('people'), count: PEOPLE.length }),
    ]);
    for (const { entered, left, reasons } of manifest.funnel)
      expect(entered - left).toBe(reasons.reduce((sum, { count }) => sum + count, 0));
    expect([gate!.entered, selection!.entered, batches!.entered]).toEqual([
      read!.left,
      gate!.left,
      selection!.left,
    ]);
    expect(weighed).toHaveLength(gate!.left);
    expect(written).toHaveLength(batches!.left);

    // Rows by place: several findings of one row are several lines.
    const place = ({ source }: Line) => {
      const { file, line } = source as { file: string; line: number };
      return `${file}:${line}`;
    };
    const lost = new Set(dropped.map(place));
    expect(lost.size).toBe(read!.entered - PEOPLE.length - written.length);
    for (const line of dropped) {
      expect(['read', 'gate', 'selection', 'batches']).toContain(line.stage);
      expect(line.reason).toEqual(expect.stringMatching(/./));
      expect(line.check).toEqual(expect.stringMatching(/./));
      expect(place(line)).toMatch(/^[ab]\.jsonl:\d+$/);
    }
    const tally = (rows: readonly Line[]) => rows.map((row) => `${row.id} ${row.hash ?? hashOf(row)}`).sort();
    expect(tally(written)).toEqual(tally(weighed.filter(({ trained }) => trained === true)));
    expect(new Set(tally(written)).size).toBe(written.length);
    // Each line of both files, by what stands in it: written or dropped, never both, never neither.
    const kept = new Set(tally(written));
    for (const file of ['a.jsonl', 'b.jsonl']) {
      const texts = readFileSync(join(cwd, file), 'utf8').trimEnd().split('\n');
      for (const [at, text] of texts.entries()) {
        const here = `${file}:${at + 1}`;
        const row = parsed(text);
        if (row?.simulator === undefined || (row.simulator as { kind: string }).kind === 'human')
          expect(lost.has(here), here).toBe(row === null);
        else if (!lost.has(here)) expect(kept, here).toContain(`${row.id} ${hashOf(row)}`);
      }
    }
    const stages = (name: string) => new Set(dropped.filter(({ stage }) => stage === name).map(place)).size;
    expect(stages('read')).toBe(3);
    expect(stages('gate')).toBe(gate!.entered - gate!.left);
    expect(stages('selection')).toBe(selection!.entered - selection!.left);
    expect(stages('batches')).toBe(batches!.entered - batches!.left);
    const checks = gate!.reasons.map(({ reason }) => reason);
    expect(checks).toContain('duplicate');
    expect(checks).toContain('missing-reward');
  });

  it('of halves of characters stays JSON that reads back the same', async () => {
    const rows = [...ROWS.slice(0, 40), GARBLED];
    writeFileSync(join(cwd, 'halves.jsonl'), lines(rows));
    const args = ['--recipe', 'off.yaml', '--no-page'];
    writeFileSync(join(cwd, 'off.yaml'), 'gate: false\nbatches: false\nweights: false\n');
    const one = await curate('halves', 'halves.jsonl', ...args);
    expect(one.lines('rows.jsonl')).toHaveLength(rows.length);
    const two = await curate('halves-again', 'halves/rows.jsonl', ...args);
    const numbers = (written: Written) =>
      written.lines('weights.jsonl').map(({ hash, weight }) => [hash, weight]);
    expect(numbers(two).length).toBe(numbers(one).length);
    expect(two.lines('rows.jsonl')).toEqual(
      one.lines('rows.jsonl').map((row, at) => ({ ...row, source: two.lines('rows.jsonl')[at]!.source })),
    );
  });
});

describe('standard input', () => {
  it('is curated as a file is', async () => {
    const piped = await command(['curate', '-', '-o', 'piped', '-q', '--recipe', 'full.yaml'], {
      cwd,
      stdin: lines(ROWS),
    });
    expect(piped.status, piped.stderr).toBe(0);
    const [one, two] = [
      readCuration(join(cwd, 'piped')),
      await curate('filed', 'rows.jsonl', '--recipe', 'full.yaml'),
    ];
    expect(one.lines('weights.jsonl')).toEqual(two.lines('weights.jsonl'));
    expect(one.manifest.inputs).toEqual([
      {
        path: '-',
        format: 'native',
        bytes: null,
        sha256: null,
        rows: ROWS.length,
        kept: ROWS.length,
        error: null,
      },
    ]);
  });
});

function parsed(text: string): Line | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function hashOf(row: Line): string {
  const { turns, scenario } = row as unknown as Trajectory;
  return contentHash(turns, scenario);
}
