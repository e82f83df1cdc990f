import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Trajectory } from '../../src/trajectory/trajectory.ts';
import { peopleOfRun, stepOfRun, type TrainingRun } from '../audit/training-run.ts';
import { requirement } from '../require.ts';
import { command, ended, folder, start } from './command.ts';

const RUN: TrainingRun = {
  seed: 3,
  steps: 14,
  prompts: 14,
  group: 4,
  collapsed: (step) => Math.min(1, Math.max(0, (step - 3) / 7)),
};
const STEPS = Array.from({ length: RUN.steps }, (_, i) => stepOfRun(RUN, i + 1));
const PEOPLE = lines(peopleOfRun(RUN.seed, 400));
const REFERENCE = ['--reference', '../people.jsonl', '--planned-steps', '50'];
/** A space fitted once: most tests are about files, not about fits. */
const SPACE = ['--space', '../space.json', '--planned-steps', '50', '--thresholds', '0.33,0.48'];
let space = '';
beforeAll(async () => {
  const cwd = folder();
  writeFileSync(join(cwd, 'people.jsonl'), PEOPLE);
  writeFileSync(join(cwd, 'first.jsonl'), lines(STEPS[0]!));
  const fit = ['space', 'fit', 'first.jsonl', '--reference', 'people.jsonl', '-o', 'space.json', '-q'];
  const done = await command(fit, { cwd });
  expect(done.status, done.stderr).toBe(0);
  space = readFileSync(join(cwd, 'space.json'), 'utf8');
});

function lines(rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

const ROLES = { user: 'user', agent: 'assistant', tool: 'tool', system: 'system' } as const;

/** What each trainer would have written of a step, and the name of its file. */
const DUMPS = {
  native: (step: number, rows: readonly Trajectory[]) => ({
    name: `${step}.jsonl`,
    text: lines(rows.map((row) => ({ ...row, epoch: null }))),
  }),
  SCOPE: (step: number, rows: readonly Trajectory[]) => ({
    name: `rollout_${String(step).padStart(6, '0')}.jsonl`,
    text: lines(
      rows.map((row, at) => ({
        messages: row.turns.map(({ role, text }) => ({ role: ROLES[role], content: text })),
        reward: row.reward,
        status: 'completed',
        turn_count: row.turns.length,
        metadata: { task_id: row.contextLabel, user_model: row.simulator.id, group: row.group },
        rollout_id: at,
        timestamp: 1_700_000_000 + step,
      })),
    ),
  }),
  verl: (step: number, rows: readonly Trajectory[]) => ({
    name: `${step}.jsonl`,
    text: lines(
      rows.map((row) => ({
        input: `system\nTask: ${row.contextLabel}\nassistant\n`,
        output: row.turns
          .map(({ role, text }, at) => (at === 0 ? text : `${ROLES[role]}\n${text}`))
          .join('\n'),
        gts: '',
        score: row.reward,
        step,
        uid: row.group,
      })),
    ),
  }),
} as const;

/** A folder with people beside it; `dump` writes steps into `run/`. */
function workplace(): {
  cwd: string;
  run: string;
  dump: (from: number, to: number, kind?: keyof typeof DUMPS) => void;
} {
  const cwd = join(folder(), 'work');
  const run = join(cwd, 'run');
  mkdirSync(run, { recursive: true });
  writeFileSync(join(cwd, '../people.jsonl'), PEOPLE);
  writeFileSync(join(cwd, '../space.json'), space);
  return {
    cwd,
    run,
    dump: (from, to, kind = 'native') => {
      for (let step = from; step <= to; step++) {
        const { name, text } = DUMPS[kind](step, STEPS[step - 1]!);
        writeFileSync(join(run, name), text);
      }
    },
  };
}

const watch = (cwd: string, args: readonly string[] = []) =>
  command(['watch', 'run', ...SPACE, ...args], { cwd });
const rowsOf = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const gateAt = (cwd: string) => JSON.parse(readFileSync(join(cwd, 'gate.json'), 'utf8'));

async function until(holds: () => boolean, child?: { exitCode: number | null }): Promise<void> {
  while (!holds()) {
    if (child !== undefined && child.exitCode !== null) throw new Error(`ended with ${child.exitCode}`);
    await pause(25);
  }
}

describe('collapse-aware watch --once', () => {
  it.each(Object.keys(DUMPS) as (keyof typeof DUMPS)[])(
    'goes to red as the users of a run dumped as %s collapse',
    async (kind) => {
      const { cwd, dump } = workplace();
      dump(1, RUN.steps, kind);
      const run = await command(
        ['watch', 'run', ...REFERENCE, '--once', '--gate-file', 'gate.json', '--simulator', 'users'],
        { cwd },
      );
      expect(run.status, run.stderr).toBe(0);
      const printed = run.stdout.trim().split('\n');
      expect(printed).toHaveLength(RUN.steps);
      expect(printed[0]).toMatch(
        /^step 1 {2}n 56 {2}SCD2 -?0\.\d\d \[-?\d\.\d\d, \d\.\d\d\] {2}SCD -?\d\.\d\d {2}MCI \d\.\d\d users {2}zero-variance \d+ % {2}PSOD - {2}green$/,
      );
      const levels = printed.map((line) => line.split('  ').at(-1));
      expect(levels.at(-1)).toBe('red');
      expect(levels.slice(0, 3)).toEqual(['green', 'green', 'green']);
      expect(levels.indexOf('red')).toBe(levels.lastIndexOf('yellow') + 1);
      expect(gateAt(cwd)).toMatchObject({ training: 'hold', level: 'red', step: RUN.steps });
      expect(run.stderr).toContain('change rule: CUSUM');
    },
  );

  it('is red at step 1 where users were collapsed from the start', async () => {
    const { cwd, run } = workplace();
    writeFileSync(join(run, 'step_1.jsonl'), lines(stepOfRun({ ...RUN, collapsed: () => 1 }, 1)));
    const done = await command(['watch', 'run', ...REFERENCE, '--once', '--json', '-q'], { cwd });
    expect(done.stderr).toBe('');
    expect(rowsOf(done.stdout)).toMatchObject([
      { schema: 'collapse-aware/watch@1', step: 1, level: 'red', training: 'hold' },
    ]);
  });

  it('counts dropped rows on the line, says an unreadable file once and goes on', async () => {
    const { cwd, run, dump } = workplace();
    dump(1, 3);
    appendFileSync(join(run, '2.jsonl'), '{"schema": "collapse-aware/traj\nnothing\n');
    writeFileSync(join(run, '4.jsonl.gz'), 'not compressed at all');
    writeFileSync(join(run, 'notes.txt'), 'hello');
    dump(5, 5);
    const args = ['--once', '--gate-file', 'run/gate.json'];
    const first = await watch(cwd, args);
    expect(first.status, first.stderr).toBe(0);
    expect(first.stdout.match(/step \d+/g)).toEqual(['step 1', 'step 2', 'step 3', 'step 5']);
    expect(first.stdout.split('\n')[1]).toMatch(/ {2}dropped 2$/);
    expect(first.stderr.match(/^not read: .*4\.jsonl\.gz/gm)).toHaveLength(1);
    const second = await watch(cwd, args);
    expect(second).toMatchObject({ status: 0, stdout: '' });
    expect(second.stderr).not.toContain('4.jsonl.gz');
  });

  it('leaves files alone that come late or change later, and says so', async () => {
    const { cwd, run, dump } = workplace();
    dump(2, 3);
    await watch(cwd, ['--once']);
    dump(1, 1);
    appendFileSync(join(run, '3.jsonl'), lines(STEPS[3]!));
    writeFileSync(join(run, '2.jsonl'), readFileSync(join(run, '2.jsonl')));
    dump(4, 4);
    const done = await watch(cwd, ['--once']);
    expect(done.stdout.match(/step \d+/g)).toEqual(['step 4']);
    expect(done.stderr).toContain('1.jsonl came after step 3 was measured');
    expect(done.stderr).toContain('3.jsonl changed after step 3 was measured');
    expect(done.stderr).not.toContain('2.jsonl changed');
  });

  it('takes files apart by the steps of their rows where names have none, and shards together', async () => {
    const one = workplace();
    writeFileSync(join(one.run, 'traces.jsonl'), lines(STEPS.slice(0, 3).flat()));
    const byRows = await watch(one.cwd, ['--once', '--json', '-q']);
    const two = workplace();
    STEPS.slice(0, 3).forEach((rows, i) => {
      mkdirSync(join(two.run, `step_${i + 1}`));
      writeFileSync(join(two.run, `step_${i + 1}/rank_0.jsonl`), lines(rows.slice(0, 20)));
      writeFileSync(join(two.run, `step_${i + 1}/rank_1.jsonl`), lines(rows.slice(20)));
    });
    const sharded = await watch(two.cwd, ['--once', '--json', '-q']);
    expect(rowsOf(byRows.stdout)).toHaveLength(3);
    expect(sharded.stdout).toBe(byRows.stdout);
  });

  it('fits on more steps than asked for where these are too few, and says what it waits for', async () => {
    const { cwd, run } = workplace();
    for (let step = 1; step <= 9; step++)
      writeFileSync(join(run, `${step}.jsonl`), lines(STEPS[step - 1]!.slice(0, 2)));
    const done = await command(['watch', 'run', '--once', '--warm-up', '1'], { cwd });
    expect(done.status, done.stderr).toBe(0);
    expect(done.stderr).toContain('too few rows yet');
    expect(done.stdout.trim().split('\n')).toHaveLength(9);
  });

  it.each([
    ['an empty folder', [], 3, 'CA_INPUT_EMPTY'],
    ['bars above one another', ['--thresholds', '0.8,0.7'], 2, 'CA_USAGE'],
    ['a short baseline', ['--baseline', '5'], 2, 'CA_USAGE'],
    ['--until without --override', ['--until', '2h'], 2, 'CA_USAGE'],
  ])('ends with a coded line at %s', async (_, args, status, code) => {
    const { cwd } = workplace();
    const done = await watch(cwd, ['--once', ...args]);
    expect(done.status).toBe(status);
    expect(done.stderr).toContain(code);
    expect(done.stderr).not.toContain('    at ');
  });

  it('refuses to go on with options that would change what the numbers mean', async () => {
    const { cwd, dump } = workplace();
    dump(1, 2);
    await watch(cwd, ['--once']);
    dump(3, 3);
    const other = await watch(cwd, ['--once', '--window', '2']);
    expect(other.status).toBe(2);
    expect(other.stderr).toContain('--window was 1');
    const anew = await watch(cwd, ['--once', '--window', '2', '--store', 'other']);
    expect(anew.stdout.match(/step \d+/g)).toEqual(['step 1', 'step 2', 'step 3']);
  });
});

describe('collapse-aware watch, following', () => {
  const follow = (cwd: string, args: readonly string[] = []) =>
    start(['watch', 'run', ...SPACE, '--gate-file', 'gate.json', '--interval', '100ms', ...args], cwd);

  it('takes steps as they come, refuses a second watch, and ends with 0 at SIGINT', async () => {
    const { cwd, run, dump } = workplace();
    const child = follow(cwd);
    const end = ended(child);
    await until(() => existsSync(join(cwd, 'gate.json')), child);
    expect(gateAt(cwd)).toMatchObject({ training: 'go', level: 'green', step: null });
    dump(1, 1);
    await until(() => gateAt(cwd).step === 1, child);
    dump(2, 3);
    await until(() => gateAt(cwd).step === 3, child);
    const second = await watch(cwd);
    expect(second).toMatchObject({ status: 2, stdout: '' });
    expect(second.stderr).toContain('another watch follows');
    child.kill('SIGINT');
    const { status, stdout, stderr } = await end;
    expect(status, stderr).toBe(0);
    expect(stdout.match(/step \d+/g)).toEqual(['step 1', 'step 2', 'step 3']);
    expect(stderr).toContain('stopped after step 3');
    expect(readdirSync(run).filter((name) => name.startsWith('.'))).toEqual([]);
    expect(readdirSync(join(cwd, '.collapse-aware/watch'))).toHaveLength(1);
    expect((await watch(cwd, ['--once'])).status).toBe(0);
  });

  it('does not read the latest file before it has settled, and earlier ones at once', async () => {
    const { cwd, run, dump } = workplace();
    dump(1, 2);
    const whole = readFileSync(join(run, '2.jsonl'), 'utf8');
    writeFileSync(join(run, '2.jsonl'), whole.slice(0, whole.length / 2));
    const waiting = start(['watch', 'run', ...SPACE, '--gate-file', 'gate.json', '--interval', '1h'], cwd);
    const end = ended(waiting);
    await until(() => existsSync(join(cwd, 'gate.json')) && gateAt(cwd).step === 1, waiting);
    await pause(300);
    waiting.kill('SIGINT');
    expect((await end).stdout.match(/step \d+/g)).toEqual(['step 1']);
    writeFileSync(join(run, '2.jsonl'), whole);
    const child = follow(cwd);
    const rest = ended(child);
    await until(() => gateAt(cwd).step === 2, child);
    child.kill('SIGINT');
    expect((await rest).stdout).toMatch(/^step 2 {2}n 56 .*green\n$/);
  });

  it('follows one file that grows; its last step waits for the next', async () => {
    const { cwd, run } = workplace();
    writeFileSync(join(run, 'traces.jsonl'), lines(STEPS.slice(0, 2).flat()));
    const child = follow(cwd);
    const end = ended(child);
    await until(() => existsSync(join(cwd, 'gate.json')) && gateAt(cwd).step === 1, child);
    appendFileSync(join(run, 'traces.jsonl'), lines(STEPS[2]!));
    await until(() => gateAt(cwd).step === 2, child);
    child.kill('SIGINT');
    expect((await end).stdout.match(/step \d+ {2}n \d+/g)).toEqual(['step 1  n 56', 'step 2  n 56']);
    expect((await watch(cwd, ['--once'])).stdout.match(/step \d+ {2}n \d+/g)).toEqual(['step 3  n 56']);
  });

  it('comes to the same lines when it is killed again and again', async () => {
    const { cwd, dump } = workplace();
    dump(1, 8);
    const whole = await watch(cwd, ['--once', '--json', '-q', '--window', '2', '--store', 'whole']);
    const resumed: string[] = [];
    for (let kill = 0; ; kill++) {
      const child = start(
        ['watch', 'run', ...SPACE, '--once', '--json', '-q', '--window', '2', '--gate-file', 'gate.json'],
        cwd,
      );
      // Killed at the start, while the space is fitted, and after one line or two, or three.
      let seen = 0;
      child.stdout!.on('data', (chunk: Buffer) => {
        seen += chunk.toString().split('\n').length - 1;
        if (kill > 1 && seen >= kill - 1) child.kill('SIGKILL');
      });
      if (kill < 2) setTimeout(() => child.kill('SIGKILL'), 400 + 700 * kill);
      const end = await ended(child);
      resumed.push(...end.stdout.split('\n').filter((line) => line.endsWith('}')));
      if (end.status === 0) break;
      expect(kill).toBeLessThan(20);
    }
    const wanted = whole.stdout.trim().split('\n');
    expect(wanted).toHaveLength(8);
    // A line may come twice, never otherwise than before.
    expect([...new Set(resumed)]).toEqual(wanted);
    const home = readdirSync(join(cwd, '.collapse-aware/watch'))[0]!;
    expect(readFileSync(join(cwd, '.collapse-aware/watch', home, 'steps.jsonl'), 'utf8')).toBe(whole.stdout);
  });

  it('never shows half a gate to a reader', async () => {
    const { cwd, dump } = workplace();
    dump(1, RUN.steps);
    const child = start(['watch', 'run', ...SPACE, '--once', '--gate-file', 'gate.json'], cwd);
    const end = ended(child);
    const steps = new Set<number | null>();
    let reads = 0;
    while (child.exitCode === null && child.signalCode === null) {
      if (existsSync(join(cwd, 'gate.json'))) {
        steps.add(gateAt(cwd).step);
        reads++;
      }
      await new Promise((done) => setImmediate(done));
    }
    expect((await end).status).toBe(0);
    expect(reads).toBeGreaterThan(20);
    expect(steps.size).toBeGreaterThan(1);
  });
});

describe('an override', () => {
  let cwd: string;
  let dump: ReturnType<typeof workplace>['dump'];
  beforeAll(() => {
    const place = workplace();
    cwd = place.cwd;
    dump = place.dump;
    dump(1, 12);
  });

  it('is taken by a running watch, by one that starts later, and ends on release', async () => {
    const child = start(['watch', 'run', ...SPACE, '--gate-file', 'gate.json', '--interval', '100ms'], cwd);
    const end = ended(child);
    await until(() => existsSync(join(cwd, 'gate.json')) && gateAt(cwd).step === 12, child);
    expect(gateAt(cwd)).toMatchObject({ training: 'hold', level: 'red' });
    const set = await command(
      ['watch', 'run', '--override', 'green', '--until', '2h', '--by', 'anna', '--reason', 'new personas'],
      { cwd },
    );
    expect(set.status, set.stderr).toBe(0);
    expect(set.stderr).toContain('left for the running watch');
    await until(() => gateAt(cwd).override !== null, child);
    expect(gateAt(cwd)).toMatchObject({
      training: 'go',
      level: 'green',
      rules: 'red',
      override: { by: 'anna', reason: 'new personas' },
    });
    dump(13, 14);
    await until(() => gateAt(cwd).step === 14, child);
    child.kill('SIGINT');
    expect((await end).stdout).toMatch(/step 14 .*green \(set by hand; rules: red\)\n$/);
    const release = await command(['watch', 'run', '--release', '--by', 'ben'], { cwd });
    expect(release.stderr).toContain('ben released the override');
    expect(gateAt(cwd)).toMatchObject({ training: 'hold', level: 'red', override: null });
  });
});

it('has a gate that the lines of Python in its page can read', async () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../docs/watch.md'), 'utf8');
  const code = /```python\n([\s\S]*?)```/.exec(page)![1]!;
  const cwd = folder();
  const gate = (training: string, seconds: number) =>
    writeFileSync(
      join(cwd, `${training}-${seconds}.json`),
      JSON.stringify({ training, updated: new Date(Date.now() - 1000 * seconds).toISOString() }),
    );
  gate('go', 0);
  gate('hold', 0);
  gate('hold', 400);
  writeFileSync(join(cwd, 'broken.json'), '{"training": "ho');
  const files = ['go-0', 'hold-0', 'hold-400', 'broken', 'missing'];
  const calls = files.map((name) => `print(may_train("${name}.json", wait=0.1, poll=0.05))`);
  const said = spawnSync('python3', ['-c', `${code}\n${calls.join('\n')}`], { cwd, encoding: 'utf8' });
  if (!requirement('python3', said.error === undefined, 'install Python 3.8 or later')) return;
  expect(said.stdout.trim().split('\n'), said.stderr).toEqual(['True', 'False', 'True', 'True', 'True']);
});

it('explains itself', async () => {
  const help = await command(['watch', '--help'], { cwd: folder() });
  expect(help.status).toBe(0);
  for (const word of ['--gate-file', '--planned-steps', '--override', 'Examples:', '--once'])
    expect(help.stdout).toContain(word);
});
