import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { demoStudy } from '../../src/lab/index.ts';
import { command, folder } from './command.ts';

const study = demoStudy(4);
const contexts = new Set([...new Set(study.rollouts.map(({ context }) => context))].slice(0, 16));
const lines = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const inEpoch = (epoch: number) =>
  lines(study.rollouts.filter((row) => row.epoch === epoch && contexts.has(row.context)));

describe('collapse-aware compare', () => {
  let cwd: string;
  const run = (...args: string[]) => command(['compare', ...args], { cwd });
  beforeAll(async () => {
    cwd = folder();
    writeFileSync(join(cwd, 'before.jsonl'), inEpoch(0));
    writeFileSync(join(cwd, 'after.jsonl'), inEpoch(2));
    writeFileSync(join(cwd, 'people.jsonl'), lines(study.people.slice(0, 120)));
    const made = await run('before.jsonl', 'after.jsonl', '--save-space', 'space.json', '--no-html', '-q');
    expect(made).toMatchObject({ status: 0, stderr: '' });
    for (const name of ['before', 'after']) {
      const space = ['--space', 'space.json'];
      await command(['profile', `${name}.jsonl`, ...space, '-o', `${name}.profile`, '-q'], { cwd });
      await command(['audit', `${name}.jsonl`, ...space, '--json', `${name}.json`, '--no-html', '-q'], {
        cwd,
      });
    }
  });

  it('writes a page and prints a summary with both labels; progress goes to standard error', async () => {
    const done = await run(
      'before.jsonl',
      'after.jsonl',
      '--reference',
      'people.jsonl',
      '--label-b',
      'epoch 2',
    );
    expect(done.status).toBe(0);
    expect(done.stderr).toContain('Place episodes');
    expect(done.stdout).toContain('before');
    expect(done.stdout).toContain('epoch 2');
    expect(done.stdout).toContain('BDI');
    for (const line of done.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
    const page = readFileSync(join(cwd, 'collapse-comparison.html'), 'utf8');
    expect(page).toContain('"kind":"comparison"');
    expect(readdirSync(cwd).filter((name) => name.includes('.tmp') || name.startsWith('.'))).toEqual([]);
  });

  it('takes a folder or a quoted pattern as a side', async () => {
    mkdirSync(join(cwd, 'second'));
    writeFileSync(join(cwd, 'second/part.jsonl'), inEpoch(2));
    const done = await run('./bef*.jsonl', 'second', '--json', '-q');
    expect(done.status).toBe(0);
    const comparison = JSON.parse(done.stdout);
    expect(comparison.schema).toBe('collapse-aware/comparison@1');
    expect(comparison.a.label).toContain('bef');
    expect(comparison.b).toMatchObject({ label: 'second', kept: comparison.a.kept });
  });

  it('prints the same from rollouts and from saved profiles in one space', async () => {
    const space = ['--space', 'space.json', '--json', '-q'];
    const rollouts = JSON.parse((await run('before.jsonl', 'after.jsonl', ...space)).stdout);
    const profiles = JSON.parse((await run('before.profile', 'after.profile', ...space)).stdout);
    for (const part of ['scd', 'bdi', 'simulators', 'units']) expect(profiles[part]).toEqual(rollouts[part]);
  });

  it('compares two reports of one space by adding variances, and says so', async () => {
    const done = await run('before.json', 'after.json', '--json', '-q');
    expect(done.stderr).toBe('');
    const comparison = JSON.parse(done.stdout);
    expect(comparison.basis).toBe('reports');
    expect(comparison.scd.pooled2.difference.method).toBe('difference, variances add');
    expect(comparison.bdi.covered.difference.reason).toContain('needs the rows');
    expect((await run('before.json', 'after.json', '--no-html', '-q')).stdout).toContain('From two reports');
  });

  it('refuses reports and profiles of another space, saying what to do', async () => {
    await command(['audit', 'after.jsonl', '--json', 'own.json', '--save-space', 'own-space.json', '-q'], {
      cwd,
    });
    const reports = await run('before.json', 'own.json', '-q');
    expect(reports.status).toBe(3);
    expect(reports.stderr).toMatch(/^CA_SPACE_MISMATCH: .*--space/);
    const profiles = await run('before.profile', 'after.profile', '--space', 'own-space.json', '-q');
    expect(profiles.status).toBe(3);
    expect(profiles.stderr).toMatch(/^CA_SPACE_MISMATCH/);
  });

  it('refuses sides of two kinds, profiles without their space, and a broken report', async () => {
    expect(await run('before.profile', 'after.jsonl', '-q')).toMatchObject({ status: 2 });
    expect((await run('before.profile', 'after.profile', '-q')).stderr).toContain('--space FILE');
    writeFileSync(join(cwd, 'cut.json'), readFileSync(join(cwd, 'after.json'), 'utf8').slice(0, 500));
    const cut = await run('before.json', 'cut.json', '-q');
    expect(cut.status).toBe(3);
    expect(cut.stderr).toMatch(/^CA_JSON_INVALID: cut.json/);
    expect((await run('before.jsonl', 'none.jsonl', '-q')).stderr).toMatch(/^CA_FILE_NOT_FOUND/);
    expect(await run('before.jsonl', '-q')).toMatchObject({ status: 2 });
  });

  it('ends with status 1 where --fail-on is met by a difference', async () => {
    const space = ['--space', 'space.json', '--no-html', '-q'];
    const met = await run(
      'before.profile',
      'after.profile',
      ...space,
      '--fail-on',
      'scd.pooled2.difference.high>-9',
    );
    expect(met.status).toBe(1);
    expect(met.stderr).toContain('failed: scd.pooled2.difference.high>-9');
    const kept = await run(
      'before.profile',
      'before.profile',
      ...space,
      '--fail-on',
      'scd.pooled2.difference>0',
    );
    expect(kept.status).toBe(0);
    const unknown = await run('before.profile', 'after.profile', ...space, '--fail-on', 'scd.nothing>0');
    expect(unknown.status).toBe(2);
  });

  it('shows examples with --help', async () => {
    const help = await run('--help');
    expect(help.status).toBe(0);
    expect(help.stdout).toContain('$ collapse-aware compare before.jsonl after.jsonl');
    expect(help.stdout).toContain('--label-a');
  });
});
