import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Cell, Table } from '../../src/lab/stage-zero/index.ts';
import { command, ended, folder, start } from './command.ts';

const SMALL = ['--steps', '6', '-q'];
const CELL = 'runs/cells/persuasion-10/single/seed-1.json';
let cwd: string;
let first: Awaited<ReturnType<typeof command>>;
const lab = (...args: string[]) => command(['lab', ...args], { cwd });
/** The space of a world is the same in every study, and takes longest. */
const withSpace = (name: string) =>
  cpSync(join(cwd, 'runs/spaces'), join(cwd, name, 'spaces'), { recursive: true });

beforeAll(async () => {
  cwd = folder();
  first = await lab('run', ...SMALL, '-o', 'runs');
});

describe('collapse-aware lab', () => {
  it('has help with examples', async () => {
    const all = [[], ['run'], ['table'], ['export'], ['check']];
    for (const done of await Promise.all(all.map((args) => lab(...args, '--help')))) {
      expect(done.status, done.stderr).toBe(0);
      expect(done.stdout).toContain('$ collapse-aware lab');
    }
  });

  it('refuses what is not there, and says what is near', async () => {
    const wrong: [string[], string][] = [
      [['run', '--world', 'persuation'], 'unknown world "persuation" - Did you mean "persuasion"?'],
      [['table', '--methods', 'singel,base'], 'unknown method "singel" - Did you mean "single"?'],
      [['table', '--shard', '5/4'], 'give i/n with i in 1 .. n'],
      [['run', '--horizon', '99999'], 'Give at most 1000.'],
      [['run', '--horizon', '2'], 'needs a whole number of 3 or more'],
      [['run', '--world', 'persuasion-2'], 'needs a whole number of 3 or more'],
      [['export', 'cell.json', '-o', 'out'], 'not the path of a cell'],
      [
        ['run', ...SMALL, '--steps', '7', '-o', 'runs'],
        'another study: settings.steps is 6 there and 7 here',
      ],
    ];
    const all = await Promise.all(wrong.map(([args]) => lab(...args)));
    all.forEach((done, i) => {
      expect(done.stderr).toContain(wrong[i]![1]);
      expect(done.status).toBe(2);
      expect(done.stdout).toBe('');
    });
  });

  it('trains one policy, keeps its cell, and tells what came of it', async () => {
    expect(first.status, first.stderr).toBe(0);
    expect(first.stdout).toContain('One frozen simulator in persuasion-10, seed 1');
    const { content } = JSON.parse(readFileSync(join(cwd, CELL), 'utf8')) as { content: Cell };
    expect(content).toMatchObject({ method: 'single', seed: 1, status: 'done' });
    expect(content.history).toHaveLength(6);
    expect(content.measures).not.toBeNull();
    const again = await lab('run', ...SMALL, '-o', 'runs', '--json');
    expect(JSON.parse(again.stdout)).toEqual(content);
  });

  it('stopped by Ctrl-C goes on to the bytes of a run that was not', async () => {
    withSpace('stopped');
    withSpace('whole');
    const args = ['run', '--steps', '60', '--seed', '2'];
    const child = start(['lab', ...args, '-o', 'stopped'], cwd);
    const kept = join(cwd, 'stopped/progress/persuasion-10/single');
    const stop = setInterval(() => {
      // A state is there, the cell is not yet.
      if (!existsSync(kept) || !readdirSync(kept).includes('seed-2.json')) return;
      clearInterval(stop);
      child.kill('SIGINT');
    }, 5);
    const broken = await ended(child);
    clearInterval(stop);
    expect(broken.status, broken.stderr).toBe(130);
    const cell = 'cells/persuasion-10/single/seed-2.json';
    expect(existsSync(join(cwd, 'stopped', cell))).toBe(false);
    const [again, whole] = await Promise.all([
      lab(...args, '-q', '-o', 'stopped'),
      lab(...args, '-q', '-o', 'whole'),
    ]);
    expect([again!.status, whole!.status], again!.stderr).toEqual([0, 0]);
    expect(readFileSync(join(cwd, 'stopped', cell))).toEqual(readFileSync(join(cwd, 'whole', cell)));
  });

  it('writes the episodes of a cell, with the commands that take them', async () => {
    const done = await lab('export', CELL, '-o', 'export', '-q');
    expect(done.status, done.stderr).toBe(0);
    for (const name of ['people.jsonl', 'rollouts.jsonl', 'space.json'])
      expect(existsSync(join(cwd, 'export', name)), name).toBe(true);
    expect(done.stdout).toMatch(/collapse-aware audit export\/rollouts\.jsonl .*--space export\/space\.json/);
    expect(done.stdout).toContain('collapse-aware curate export/rollouts.jsonl');
  });

  it('makes the same table at once and in shards, with threads or without', async () => {
    withSpace('once');
    withSpace('parts');
    const args = [
      'table',
      '--worlds',
      'persuasion',
      '--methods',
      'single',
      '--seeds',
      '2',
      ...SMALL,
      '--json',
    ];
    const [once, half] = await Promise.all([
      lab(...args, '-o', 'once', '--markdown', 'once.md', '--workers', '2'),
      lab(...args, '-o', 'parts', '--shard', '2/2', '--workers', '1'),
    ]);
    expect(once!.status, once!.stderr).toBe(0);
    expect((JSON.parse(once!.stdout) as Table).worlds[0]!.methods[0]!.seeds.done).toEqual([1, 2]);
    expect(readFileSync(join(cwd, 'once.md'), 'utf8')).toContain('## persuasion-10');
    expect((JSON.parse(half!.stdout) as Table).worlds[0]!.methods[0]!.seeds.missing).toEqual([1]);
    expect((await lab(...args, '-o', 'parts')).stdout).toBe(once!.stdout);
  });

  it('takes panels of a file, and refuses a family that stands in two', async () => {
    const family = (id: string) => ({ id, kappa: 0.4, gamma: 3, lean: 0.5 });
    const panels = {
      schema: 'collapse-aware/lab-panels@1',
      families: ['one', 'two', 'three'].map(family),
      seen: ['one'],
      selection: ['two'],
      test: ['three'],
    };
    writeFileSync(join(cwd, 'panels.json'), JSON.stringify(panels));
    writeFileSync(join(cwd, 'overlap.json'), JSON.stringify({ ...panels, test: ['three', 'one'] }));
    withSpace('own');
    const [done, refused] = await Promise.all([
      lab('run', ...SMALL, '--panel', 'panels.json', '-o', 'own', '--json'),
      lab('run', ...SMALL, '--panel', 'overlap.json'),
    ]);
    expect(done!.status, done!.stderr).toBe(0);
    expect((JSON.parse(done!.stdout) as Cell).selected.test.map(({ simulator }) => simulator)).toEqual([
      'three',
    ]);
    expect(refused!.status).toBe(3);
    expect(refused!.stderr).toContain('CA_PANEL_OVERLAP');
  });
});
