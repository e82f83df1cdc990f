import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { demoStudy } from '../../src/lab/index.ts';
import { command, ended, folder, start } from './command.ts';

const study = demoStudy(2);
const lines = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const rollouts = lines(study.rollouts.filter((_, at) => at % 4 === 0));
const people = lines(study.people.slice(0, 160));

describe('collapse-aware audit', () => {
  let cwd: string;
  beforeAll(() => {
    cwd = folder();
    writeFileSync(join(cwd, 'rollouts.jsonl'), rollouts);
    writeFileSync(join(cwd, 'people.jsonl'), people);
  });

  it('writes page and card and prints a summary; progress goes to standard error', async () => {
    const run = await command(['audit', 'rollouts.jsonl', '--reference', 'people.jsonl', '--card', 'card'], {
      cwd,
    });
    expect(run.stderr).toContain('Read episodes');
    expect(run.status).toBe(0);
    expect(run.stdout).toContain('SCD2');
    expect(run.stdout).not.toContain('Read episodes');
    expect(readFileSync(join(cwd, 'collapse-audit.html'), 'utf8')).toContain('<!doctype html>');
    expect(JSON.parse(readFileSync(join(cwd, 'card/card.json'), 'utf8'))).toHaveProperty('schema');
    expect(readFileSync(join(cwd, 'card/card.md'), 'utf8')).toContain('SCD');
  });

  it('prints one JSON object on standard output, from standard input', async () => {
    const run = await command(['audit', '-', '--json', '-q'], { cwd, stdin: rollouts });
    expect(run.stderr).toBe('');
    expect(run.status).toBe(0);
    const report = JSON.parse(run.stdout);
    expect(report.schema).toBe('collapse-aware/audit@1');
    expect(report.input.rows).toBe(report.input.kept);
    expect(report.bdi.headline).toMatchObject({
      value: null,
      reason: expect.stringContaining('human reference'),
    });
  });

  it('gives the same bytes for the same input and seed', async () => {
    const one = await command(['audit', 'rollouts.jsonl', '--json', '-q', '--seed', '7'], { cwd });
    const two = await command(['audit', 'rollouts.jsonl', '--json', '-q', '--seed', '7'], { cwd });
    expect(two.stdout).toBe(one.stdout);
  });

  it('ends with 1 where --fail-on is met, with 0 where not, and says which', async () => {
    const met = await command(['audit', 'rollouts.jsonl', '-q', '--no-html', '--fail-on', 'scd.pooled2<2'], {
      cwd,
    });
    expect(met.status).toBe(1);
    expect(met.stderr).toContain('failed: scd.pooled2<2');
    const not = await command(['audit', 'rollouts.jsonl', '-q', '--no-html', '--fail-on', 'scd.pooled2>2'], {
      cwd,
    });
    expect(not.status).toBe(0);
    const open = ['audit', 'rollouts.jsonl', '-q', '--no-html', '--fail-on', 'bdi.headline<0.8'];
    expect((await command(open, { cwd })).status).toBe(0);
    expect((await command([...open, '--fail-on-null'], { cwd })).status).toBe(1);
  });

  it('ends with 2 on wrong usage', async () => {
    for (const args of [
      ['audit'],
      ['audit', 'rollouts.jsonl', '--k', 'many'],
      ['audit', 'rollouts.jsonl', '--fail-on', 'scd.pooled2'],
      ['audit', 'rollouts.jsonl', '--held-out', 'nobody', '-q'],
      ['audit', 'rollouts.jsonl', '--format', 'nothing', '-q'],
      ['audit', 'rollouts.jsonl', '--embedder', 'openai:x', '-q'],
      ['nonsense'],
    ]) {
      const run = await command(args, { cwd });
      expect(run.status, args.join(' ')).toBe(2);
      expect(run.stderr, args.join(' ')).toContain('CA_USAGE');
      expect(run.stderr).not.toContain('    at ');
    }
  });

  it('ends with 3 on input that cannot be used, in one coded line', async () => {
    writeFileSync(join(cwd, 'empty.jsonl'), '');
    writeFileSync(join(cwd, 'other.jsonl'), '{"a": 1}\n{"a": 2}\n');
    writeFileSync(join(cwd, 'broken.jsonl'), 'not json at all\n');
    for (const [file, code] of [
      ['nowhere.jsonl', 'CA_FILE_NOT_FOUND'],
      ['empty.jsonl', 'CA_FILE_EMPTY'],
      ['other.jsonl', 'CA_FORMAT_UNKNOWN'],
      ['broken.jsonl', 'CA_'],
    ]) {
      const run = await command(['audit', file!, '-q'], { cwd });
      expect(run.status, file).toBe(3);
      expect(run.stderr, file).toContain(code);
      expect(run.stderr).not.toContain('    at ');
    }
  });

  it('uses the good rows of a file with bad ones, names the bad ones, and refuses them under --strict', async () => {
    const all = rollouts.trim().split('\n');
    writeFileSync(join(cwd, 'mixed.jsonl'), [all[0], 'oops', ...all.slice(1), '{"schema": '].join('\n'));
    const run = await command(['audit', 'mixed.jsonl', '--json', '-q'], { cwd });
    expect(run.status).toBe(0);
    const { input } = JSON.parse(run.stdout);
    expect(input.kept).toBe(all.length);
    expect(input.rows).toBe(input.kept + 2);
    expect(run.stderr).toContain('mixed.jsonl:2');
    const strict = await command(['audit', 'mixed.jsonl', '--json', '-q', '--strict'], { cwd });
    expect(strict.status).toBe(3);
    expect(strict.stderr).toContain('CA_STRICT');
    expect(strict.stdout).toBe('');
  });

  it('refuses options that have no meaning for saved profiles, rather than pass them over', async () => {
    const saved = ['--save-space', 'space.json', '--save-profile', 'all.profile', '--no-html', '-q'];
    expect((await command(['audit', 'rollouts.jsonl', ...saved], { cwd })).status).toBe(0);
    const again = ['audit', 'all.profile', '--space', 'space.json', '--no-html', '-q'];
    expect((await command(again, { cwd })).status).toBe(0);
    for (const extra of [
      ['--reference', 'people.jsonl'],
      ['--sample', '5'],
    ]) {
      const run = await command([...again, ...extra], { cwd });
      expect(run.status, extra.join(' ')).toBe(2);
      expect(run.stderr).toContain('CA_USAGE');
    }
  });

  it('says what it would send before anything costs money', async () => {
    const run = await command(
      [
        'audit',
        'rollouts.jsonl',
        '--dry-run',
        '--embedder',
        'openai:m',
        '--base-url',
        'http://127.0.0.1:9/v1',
      ],
      { cwd },
    );
    expect(run.status).toBe(0);
    expect(run.stdout).toMatch(/tokens to send/);
  });

  it('audits a sample of each simulator', async () => {
    const run = await command(['audit', 'rollouts.jsonl', '--json', '-q', '--sample', '40'], { cwd });
    for (const { n } of JSON.parse(run.stdout).simulators) expect(n).toBe(40);
  });

  it('leaves no partial file and says so when it is interrupted', async () => {
    const own = folder();
    writeFileSync(join(own, 'rollouts.jsonl'), rollouts.repeat(4));
    const child = start(['audit', 'rollouts.jsonl', '--html', 'page.html', '--json', 'report.json'], own);
    const end = ended(child);
    await new Promise((resolve) => child.stderr!.once('data', resolve));
    child.kill('SIGINT');
    const run = await end;
    expect(run.status).toBe(130);
    expect(run.stderr).toContain('no partial file');
    expect(readdirSync(own)).toEqual(['rollouts.jsonl']);
  });

  it('measures a saved profile like the files it came from', async () => {
    const fitted = await command(
      [
        'audit',
        'rollouts.jsonl',
        '--reference',
        'people.jsonl',
        '--json',
        '-q',
        '--save-space',
        's.json',
        '--save-profile',
        'p.jsonl',
      ],
      { cwd },
    );
    const saved = await command(['audit', 'p.jsonl', '--space', 's.json', '--json', '-q'], { cwd });
    expect(saved.stderr).toBe('');
    const [a, b] = [JSON.parse(fitted.stdout), JSON.parse(saved.stdout)];
    expect(b.simulators).toEqual(a.simulators);
    expect(b.scd).toEqual(a.scd);
    expect(b.bdi).toEqual(a.bdi);
  });
});
