import { execFileSync, spawn } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { demoStudy } from '../../src/lab/index.ts';
import { command, ended, folder, start } from './command.ts';

const MAIN = resolve(import.meta.dirname, '../../dist/cli/main.js');
const rows = demoStudy(4).rollouts.slice(0, 60);
const lines = (all: readonly unknown[]) => all.map((row) => `${JSON.stringify(row)}\n`).join('');
// Sets a title, clears the screen, turns the text round; in C0, C1 and Unicode.
const STEERING = '\u001b]0;x\u0007\u001b[2J\u009b31m\u202e';
const steers = (text: string) => /[^\P{Cc}\n]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(text);
const isPosix = process.platform !== 'win32';
const isLinux = process.platform === 'linux';

describe('a hostile command line', () => {
  let cwd: string;
  const run = (...args: string[]) => command(args, { cwd });
  beforeAll(() => {
    cwd = folder();
    writeFileSync(join(cwd, 'a.jsonl'), lines(rows));
    writeFileSync(
      join(cwd, 'steering.jsonl'),
      `${STEERING}\n${lines(rows.map((row) => ({ ...row, simulator: { ...row.simulator, id: `${row.simulator.id}${STEERING}` } })))}`,
    );
  });

  it.each([
    ['--sample', '0'],
    ['--sample', '-3'],
    ['--sample', '99999999999999999999'],
    ['--seed', '9007199254740993'],
    ['--by', '99999999999999999999'],
    ['--reward-range', ',1'],
    ['--reward-range', '0x1,5'],
    ['--reward-range', '2,1'],
    ['--simulator', ''],
    ['--policy', ' '],
    ['--simulator-role', ''],
    ['--html', ''],
    ['--reward-range', '5,6'],
  ])('refuses %s %s with CA_USAGE', async (...args) => {
    const done = await run('audit', 'a.jsonl', '-q', '--no-html', ...args);
    expect(done.stderr).toMatch(/^CA_USAGE: /);
    expect(done.status).toBe(2);
  });

  it('lets no text of a file steer the terminal', async () => {
    const seen = [
      await run('audit', 'steering.jsonl', '-q', '--html', 'page.html', '--card', 'card'),
      await run('audit', 'steering.jsonl', '-q', '--dry-run'),
      await run('convert', 'steering.jsonl', '-q', '-o', `x${STEERING}.jsonl`),
      await run('audit', `nothing${STEERING}`, '-q'),
      await run('audit', 'steering.jsonl', '-q', `--${STEERING}`),
    ];
    for (const { stdout, stderr } of seen) expect(steers(stdout + stderr)).toBe(false);
    expect(seen[1]!.stdout).toContain('?]0;x?');
    expect(steers(readFileSync(join(cwd, 'card/card.md'), 'utf8'))).toBe(false);
  });

  it('replaces no file that it read, by whatever name', async () => {
    writeFileSync(join(cwd, 'mine.jsonl'), `${lines(rows)}a line to lose\n`);
    linkSync(join(cwd, 'mine.jsonl'), join(cwd, 'alias.jsonl'));
    const before = readFileSync(join(cwd, 'mine.jsonl'));
    for (const args of [
      ['convert', 'mine.jsonl', '-o', 'mine.jsonl'],
      ['convert', 'mine.jsonl', '-o', 'alias.jsonl'],
      ['convert', '.', '-o', 'mine.jsonl'],
      ['audit', 'mine.jsonl', '--json', './mine.jsonl'],
      ['audit', 'a.jsonl', '--reference', 'mine.jsonl', '--html', 'mine.jsonl'],
      ['space', 'fit', 'mine.jsonl', '-o', 'mine.jsonl'],
    ]) {
      const done = await run(...args, '-q');
      expect(done.stderr).toMatch(/CA_USAGE: .*would replace an input file/);
      expect(done.status).toBe(2);
      expect(readFileSync(join(cwd, 'mine.jsonl')).equals(before)).toBe(true);
    }
    expect(readdirSync(cwd).filter((name) => name.includes('partial'))).toEqual([]);
  });

  it('refuses two outputs of one name before it reads anything', async () => {
    const done = await run('audit', 'no such file', '--json', 'same', '--html', './same');
    expect(done).toMatchObject({ status: 2 });
    expect(done.stderr).toContain('name one file');
  });

  it('refuses options that saved rows, spaces and reports leave without effect', async () => {
    const made = await run(
      'audit',
      'a.jsonl',
      '-q',
      '--no-html',
      '--save-space',
      's',
      '--save-profile',
      'p',
      '--json',
      'r',
    );
    expect(made.status).toBe(0);
    for (const args of [
      ['audit', 'p', '--space', 's', '--sample', '3'],
      ['audit', 'p', '--space', 's', '--reference', 'a.jsonl'],
      ['audit', 'p', '--space', 's', '--k', '3'],
      ['audit', 'a.jsonl', '--space', 's', '--k', '3'],
      ['compare', 'a.jsonl', 'a.jsonl', '--space', 's', '--k', '3'],
      ['compare', 'p', 'p', '--space', 's', '--simulator', 'x'],
      ['compare', 'r', 'r', '--reward-range', '0,1'],
    ]) {
      const done = await run(...args, '-q', '--no-html');
      expect(done.stderr).toMatch(
        /^CA_USAGE: .*(?:has no meaning here|bring their people|are placed|modes of a saved space)/,
      );
      expect(done.status).toBe(2);
    }
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

  it('says that a file changed between two readings', async () => {
    const watched = join(cwd, 'growing.jsonl');
    writeFileSync(watched, lines(demoStudy(4).rollouts));
    const child = start(['audit', 'growing.jsonl', '--no-html'], cwd);
    const end = ended(child);
    // The first reading is over when the space is fitted.
    await new Promise<void>((done) => {
      child.stderr!.on('data', (chunk: Buffer) => {
        if (chunk.toString().includes('Read episodes: ')) done();
      });
    });
    writeFileSync(watched, lines(rows), { flag: 'a' });
    const done = await end;
    expect(done.stderr).toContain('CA_FILE_UNREADABLE: growing.jsonl: the file changed while it was read');
    expect(done.status).toBe(3);
  });
});
