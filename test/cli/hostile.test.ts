import { execFileSync, spawn } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { demoStudy } from '../../src/lab/index.ts';
import { command, ended, folder, start } from './command.ts';

const MAIN = resolve(import.meta.dirname, '../../dist/cli/main.js');
const rows = demoStudy(4).rollouts.slice(0, 60);
const lines = (all: readonly unknown[]) => all.map((row) => `${JSON.stringify(row)}\n`).join('');
const isPosix = process.platform !== 'win32';
const isLinux = process.platform === 'linux';

describe('a hostile command line', () => {
  let cwd: string;
  const run = (...args: string[]) => command(args, { cwd });
  beforeAll(() => {
    cwd = folder();
    writeFileSync(join(cwd, 'a.jsonl'), lines(rows));
  });

  it('replaces no file that it read, by whatever name', async () => {
    writeFileSync(join(cwd, 'mine.jsonl'), `${lines(rows)}a line to lose\n`);
    linkSync(join(cwd, 'mine.jsonl'), join(cwd, 'alias.jsonl'));
    const before = readFileSync(join(cwd, 'mine.jsonl'));
    for (const args of [
      ['convert', 'mine.jsonl', '-o', 'mine.jsonl'],
      ['convert', 'mine.jsonl', '-o', 'alias.jsonl'],
      ['convert', '.', '-o', 'mine.jsonl'],
    ]) {
      const done = await run(...args, '-q');
      expect(done.stderr).toMatch(/CA_USAGE: .*would replace an input file/);
      expect(done.status).toBe(2);
      expect(readFileSync(join(cwd, 'mine.jsonl')).equals(before)).toBe(true);
    }
    expect(readdirSync(cwd).filter((name) => name.includes('partial'))).toEqual([]);
  });

  it.skipIf(!isPosix)('reads a pipe that is given by its path, more than once', async () => {
    const out = execFileSync(
      'bash',
      ['-c', `"$0" "$1" audit <(cat a.jsonl) -q --json`, process.execPath, MAIN],
      {
        cwd,
      },
    );
    expect(JSON.parse(out.toString()).input).toMatchObject({ rows: 60, kept: 60 });
  });

  it.skipIf(!isPosix)('passes over pipes in a folder, and says what a device is', async () => {
    mkdirSync(join(cwd, 'runs'));
    writeFileSync(join(cwd, 'runs/a.jsonl'), lines(rows));
    execFileSync('mkfifo', [join(cwd, 'runs/b.jsonl')]);
    const done = await run('convert', 'runs', '-q', '-o', 'c.jsonl');
    expect(done).toMatchObject({ status: 0, stderr: '60 episodes in c.jsonl\n' });
    const device = await run('convert', '/dev/zero', '-q', '-o', 'd.jsonl');
    expect(device.stderr).toMatch(/^CA_FILE_UNREADABLE: \/dev\/zero: this is a device/);
    expect(device.status).toBe(3);
  });

  it.skipIf(!isPosix)(
    'ends on one SIGTERM, even while a pipe has no writer',
    async () => {
      execFileSync('mkfifo', [join(cwd, 'waiting')]);
      const child = start(['convert', 'waiting', '-o', 'e.jsonl'], cwd);
      const end = ended(child);
      await new Promise((done) => child.stderr!.once('data', done));
      child.kill('SIGTERM');
      const done = await end;
      // By the signal, as a shell expects.
      expect(child.signalCode).toBe('SIGTERM');
      expect(done.stderr).toContain('no partial file was left');
      expect(readdirSync(cwd).filter((name) => name.includes('partial'))).toEqual([]);
    },
    20_000,
  );

  it.skipIf(!isLinux)(
    'says with a code that standard output is full, and minds no full standard error',
    async () => {
      const full = openSync('/dev/full', 'w');
      const stdout = spawn(process.execPath, [MAIN, 'audit', 'a.jsonl', '-q', '--json'], {
        cwd,
        stdio: ['ignore', full, 'pipe'],
      });
      let text = '';
      stdout.stderr!.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      expect(await new Promise((done) => stdout.on('close', done))).toBe(3);
      expect(text).toMatch(/^CA_FILE_UNWRITABLE: .*\n$/);
      const stderr = spawn(process.execPath, [MAIN, 'audit', 'a.jsonl', '--html', 'f.html'], {
        cwd,
        stdio: ['ignore', 'ignore', full],
      });
      expect(await new Promise((done) => stderr.on('close', done))).toBe(0);
      expect(existsSync(join(cwd, 'f.html'))).toBe(true);
    },
  );

  it('names the lack of room for a temporary copy', async () => {
    writeFileSync(join(cwd, 'no folder'), '');
    const done = await command(['convert', '-', '-q', '-o', 'g.jsonl'], {
      cwd,
      stdin: lines(rows),
      env: { TMPDIR: join(cwd, 'no folder') },
    });
    expect(done.stderr).toMatch(/^CA_FILE_UNWRITABLE: .*temporary copy/);
    expect(done.status).toBe(3);
  });
});
