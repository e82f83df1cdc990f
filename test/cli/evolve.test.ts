import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RunStatus } from '../../src/cli/evolve-status.ts';
import type { RunSummary } from '../../src/loop/index.ts';
import { seeded } from '../../src/math/random.ts';
import { command, ended, folder, start } from './command.ts';

const SMALL = ['--rounds', '3', '--steps', '2', '-q'];
let cwd: string;
let whole = '';
let first: Awaited<ReturnType<typeof command>>;
const evolve = (...args: string[]) => command(['evolve', ...args], { cwd });
const text = (name: string) => readFileSync(join(cwd, name), 'utf8');
const statusOf = async (run: string) =>
  JSON.parse((await evolve('status', run, '--json')).stdout) as RunStatus;

beforeAll(async () => {
  cwd = folder();
  first = await evolve(...SMALL, '-o', 'run');
  whole = text('run/summary.json');
}, 600_000);

describe('collapse-aware evolve', { timeout: 900_000 }, () => {
  it('has help with examples, and says how it ends', async () => {
    const all = [[], ['status'], ['pause'], ['resume'], ['fork'], ['page']];
    for (const done of await Promise.all(all.map((args) => evolve(...args, '--help')))) {
      expect(done.status, done.stderr).toBe(0);
      expect(done.stdout).toContain('$ collapse-aware evolve');
      expect(done.stdout).toContain('Exit status: 0');
    }
  });

  it('leads a run to its end, keeps it, and says what came of it', () => {
    expect(first.status, first.stderr).toBe(0);
    expect(first.stdout).toContain('of 3 was selected');
    expect(readdirSync(join(cwd, 'run')).sort()).toEqual([
      'checkpoints',
      'journal.jsonl',
      'rounds.jsonl',
      'run.json',
      'summary.json',
    ]);
    const summary = JSON.parse(whole) as RunSummary;
    expect(summary.rounds).toHaveLength(3);
    expect(summary.settings).toMatchObject({ seed: 1, rounds: 3, steps: 2 });
    expect(
      text('run/rounds.jsonl')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(summary.rounds);
  });

  it('says before the first proposal what the rule can tell, by the probe set and bars that were asked for', async () => {
    const { power } = (JSON.parse(whole) as RunSummary).rounds[0]!;
    expect(power).toMatchObject({ contexts: 128, rollouts: 3, equal: { shared: { bounds: { n: 40 } } } });
    const done = await evolve(
      '--rounds',
      '1',
      '--steps',
      '1',
      '--rollouts',
      '1',
      '--bars',
      'people',
      '-o',
      'small',
    );
    expect(done.status, done.stderr).toBe(0);
    expect(done.stderr).toContain('can tell with 128 contexts and 1 rollouts of each');
    const [round] = (JSON.parse(text('small/summary.json')) as RunSummary).rounds;
    expect(round!.breaker.bars.scd.yellow).not.toBe(0.7);
    expect(round!.look.epsilon.n).toBe(128 * 8);
  });

  it('gives the summary again where the run is over, as JSON and by --fail-on', async () => {
    const again = await evolve(...SMALL, '-o', 'run', '--json');
    expect(again.status, again.stderr).toBe(0);
    expect(again.stdout).toBe(whole);
    const met = await evolve('resume', 'run', '-q', '--json', '--fail-on', 'final.test.n>0');
    expect(met.status).toBe(1);
    expect(met.stderr).toContain('failed: final.test.n>0');
  });

  it('does not hang on how many threads perform', async () => {
    await evolve(...SMALL, '-o', 'threads', '--workers', '3');
    expect(text('threads/summary.json')).toBe(whole);
  });

  it('ends in the same bytes after 20 kills at random moments', async () => {
    const random = seeded('kills of evolve');
    let kills = 0;
    for (let at = 0; at < 20; at++) {
      // Of every ten some while it starts; the others within the next answers.
      const child = start(['evolve', ...SMALL, '-o', 'killed'], cwd);
      const end = once(child, 'close');
      const before = existsSync(join(cwd, 'killed/journal.jsonl')) ? text('killed/journal.jsonl').length : 0;
      if (random.integer(4) > 0)
        for (let wait = 0; wait < 500 && child.exitCode === null; wait++) {
          const now = existsSync(join(cwd, 'killed/journal.jsonl')) ? text('killed/journal.jsonl').length : 0;
          if (now > before) break;
          await pass(10);
        }
      await pass(random.integer(60));
      if (child.exitCode === null) kills += 1;
      child.kill('SIGKILL');
      await end;
    }
    expect(kills).toBeGreaterThan(15);
    const last = await evolve(...SMALL, '-o', 'killed');
    expect(last.status, last.stderr).toBe(0);
    expect(text('killed/summary.json')).toBe(whole);
  });

  it('stops at Ctrl-C with status 130 and goes on', async () => {
    const child = start(['evolve', ...SMALL, '-o', 'stopped'], cwd);
    const done = ended(child);
    while (!existsSync(join(cwd, 'stopped/journal.jsonl'))) await pass(10);
    await pass(300);
    child.kill('SIGINT');
    expect((await done).status).toBe(130);
    expect(existsSync(join(cwd, 'stopped/run.lock'))).toBe(false);
    await evolve('resume', 'stopped', '-q');
    expect(text('stopped/summary.json')).toBe(whole);
  });

  it('pauses from another process, says so, stays paused, and is resumed', async () => {
    const child = start(['evolve', ...SMALL, '-o', 'paused'], cwd);
    const done = ended(child);
    while (!existsSync(join(cwd, 'paused/journal.jsonl'))) await pass(10);
    const second = evolve(...SMALL, '-o', 'paused');
    const asked = await evolve('pause', 'paused');
    expect(asked.status, asked.stderr).toBe(0);
    expect(asked.stderr).toMatch(
      /asked; process \d+ on .* stops before its next question|nobody drives it now/,
    );
    expect(await second).toMatchObject({ status: 3, stderr: expect.stringContaining('CA_STORE_LOCKED') });
    expect(await done).toMatchObject({ status: 0, stderr: expect.stringContaining('evolve resume paused') });
    expect(await statusOf('paused')).toMatchObject({ state: 'paused', holder: null });
    expect((await evolve(...SMALL, '-o', 'paused')).stderr).toContain('paused (asked by process');
    expect((await evolve('resume', 'paused', '-q')).status).toBe(0);
    expect(text('paused/summary.json')).toBe(whole);
    expect((await evolve('pause', 'paused')).stderr).toContain('the run is over');
  });

  it('says how far a run is, in words and as JSON', async () => {
    expect(await statusOf('run')).toMatchObject({
      state: 'done',
      rounds: { over: 3, of: 3 },
      pause: null,
      forkedFrom: null,
    });
    const words = await evolve('status', 'run');
    expect(words.stdout).toContain('run: round 3 of 3 is over');
    expect(words.stdout).toContain('green');
  });

  it('shares rounds with a fork, which goes on by other settings', async () => {
    const forked = await evolve('fork', 'run', '--at', '1', '-o', 'fork', '--steps', '3', '--no-gaps');
    expect(forked.status, forked.stderr).toBe(0);
    expect((await evolve('resume', 'fork', '-q')).status).toBe(0);
    const [one, two] = [whole, text('fork/summary.json')].map((one) => JSON.parse(one) as RunSummary);
    expect(two!.rounds[0]).toEqual(one!.rounds[0]);
    expect(two!.rounds.map(({ training }) => training?.steps)).toEqual([2, 3, 3]);
    expect(two!.settings.parts.gaps).toBe(false);
    expect((await statusOf('fork')).forkedFrom).toMatchObject({ place: 'run', round: 1 });
    for (const [args, found] of [
      [['--at', '4', '-o', 'x'], 'round 4 of the run is not over'],
      [['--at', '1', '-o', 'run'], 'another run is kept there'],
      [['--at', '0', '-o', 'x'], 'give 1 or more'],
    ] as const)
      expect(await evolve('fork', 'run', ...args)).toMatchObject({
        status: 2,
        stderr: expect.stringContaining(found),
      });
  });

  it('writes the page of a run, over or under way', async () => {
    const page = await evolve('page', 'run', '--title', 'A <title>');
    expect(page.status, page.stderr).toBe(0);
    expect(text('run/run.html')).toContain('A &lt;title&gt;');
    cpSync(join(cwd, 'run'), join(cwd, 'half'), { recursive: true });
    rmSync(join(cwd, 'half/summary.json'));
    await evolve('page', 'half', '-o', 'half.html');
    expect(text('half.html')).toContain('Under way');
  });

  it('says what is wrong, and where', async () => {
    const journal = text('run/journal.jsonl');
    cpSync(join(cwd, 'run'), join(cwd, 'damaged'), { recursive: true });
    writeFileSync(join(cwd, 'damaged/journal.jsonl'), journal.replace('"seq":3,', '"seq":4,'));
    for (const [args, status, found] of [
      [[...SMALL], 2, 'nothing says where the run is kept'],
      [[...SMALL, '-o', 'run', '--seed', '2'], 2, 'settings.seed is 1 there, 2 here'],
      [[...SMALL, '-o', 'x', '--world', 'persuation'], 2, 'Did you mean "persuasion"?'],
      [[...SMALL, '-o', 'x', '--inject', 'flood@3'], 2, 'give collapse@ROUND'],
      [[...SMALL, '-o', 'x', '--database', 'mysql://x/y'], 2, 'give postgresql://'],
      [['status', 'nowhere'], 3, 'no run.json there'],
      [['pause', 'nowhere'], 3, 'no run.json there'],
      [['resume', 'nowhere'], 3, 'no run.json there'],
      [['page', 'nowhere'], 3, 'no run.json there'],
      [['resume', 'damaged', '-q'], 3, 'damaged/journal.jsonl:4: the journal was changed here'],
      [['status', 'damaged'], 3, 'damaged/journal.jsonl:4: '],
    ] as const) {
      const done = await evolve(...args);
      expect(done.stderr, args.join(' ')).toContain(found);
      expect(done.status, done.stderr).toBe(status);
      expect(done.stdout).toBe('');
    }
    expect(existsSync(join(cwd, 'x'))).toBe(false);
  });

  it('stops where the disk is full, and goes on from its last answer', async () => {
    const main = join(import.meta.dirname, '../../dist/cli/main.js');
    const args = [process.execPath, main, 'evolve', ...SMALL, '-o', 'full'];
    const child = spawn('sh', ['-c', 'ulimit -f 600; exec "$@"', 'sh', ...args], { cwd });
    const full = await ended(child);
    expect(full.status, full.stderr).toBe(3);
    expect(full.stderr).toContain('CA_FILE_UNWRITABLE: full/');
    expect((await evolve('resume', 'full', '-q')).status).toBe(0);
    expect(text('full/summary.json')).toBe(whole);
  });
});

describe('a population that is made to collapse', { timeout: 900_000 }, () => {
  it('turns the breaker red in that round, pauses training, and goes on by way of half-open to green', async () => {
    await evolve('--rounds', '5', '--steps', '2', '--inject', 'collapse@3', '-o', 'collapsed', '-q');
    const { rounds } = JSON.parse(text('collapsed/summary.json')) as RunSummary;
    const [, before, hit, behind] = rounds;
    expect(before!.breaker.after).toBe('green');
    expect(hit!.look.scd2.value).toBeGreaterThan(0.9);
    const notes = hit!.breaker.notes.join('\n');
    expect(notes).toContain('green -> red');
    expect(hit!.synthesisShare).toBeGreaterThan(before!.synthesisShare);
    for (const { breaker, training } of rounds) expect(training === null).toBe(breaker.training === 'paused');
    // Members that were made since are sound: with them the loop recovers.
    expect(rounds.map(({ breaker }) => breaker.after)).toEqual([
      'green',
      'green',
      'red',
      'half-open',
      'green',
    ]);
    expect(rounds.map(({ training }) => training !== null)).toEqual([true, true, false, false, true]);
    expect(behind!.look.scd2.value).toBeLessThan(hit!.look.scd2.value!);
  });
});
