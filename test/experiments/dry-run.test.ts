import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Figure } from '../../src/metrics/index.ts';
import type { Trajectory } from '../../src/trajectory/trajectory.ts';
import { ARMS, BENCHMARKS, script } from './stage.ts';

interface Row {
  readonly arm: string;
  readonly measured: boolean;
  readonly sessions: number;
  readonly seeds: readonly { readonly seed: string; readonly testReward: Figure }[];
  readonly figures: Readonly<Record<string, Figure>>;
}

interface Table {
  readonly schema: string;
  readonly measured: boolean;
  readonly heading: string;
  readonly rows: readonly Row[];
  readonly comparisons: readonly {
    readonly arm: string;
    readonly against: string;
    readonly measured: boolean;
    readonly difference: Figure;
    readonly pHolm: number | null;
  }[];
}

const runs = mkdtempSync(join(tmpdir(), 'ca-stage-zero-dry-'));
afterAll(() => rmSync(runs, { recursive: true, force: true }));

function node(given: readonly string[], env: NodeJS.ProcessEnv = {}) {
  return new Promise<{ status: number | null; stdout: string; stderr: string }>((done) => {
    const child = spawn(process.execPath, given, { env: { PATH: process.env.PATH, ...env } });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (piece) => {
      stdout += piece;
    });
    child.stderr.on('data', (piece) => {
      stderr += piece;
    });
    child.on('close', (status) => done({ status, stdout, stderr }));
  });
}

const sessionsOf = (id: string, arm: string): Trajectory[] =>
  readFileSync(join(runs, id, arm, '1/sessions.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Trajectory);

const ended = new Map<string, { status: number | null; stdout: string; stderr: string }>();
const tables = new Map<string, Table>();

beforeAll(async () => {
  // Two at a time: each is busy with one core.
  const waiting = [...BENCHMARKS];
  const lane = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift())
      ended.set(id, await node([script('run.mjs'), id, '--dry', '--out', runs]));
  };
  await Promise.all([lane(), lane()]);
  for (const id of BENCHMARKS)
    if (ended.get(id)!.status === 0)
      tables.set(id, JSON.parse(readFileSync(join(runs, id, 'table.json'), 'utf8')) as Table);
}, 600_000);

describe.each(BENCHMARKS)('a dry run of %s', (id) => {
  it('ends with a row for every arm, each of which says that nothing was measured', () => {
    const { status, stdout, stderr } = ended.get(id)!;
    expect(stderr).toContain('written: ');
    expect(status).toBe(0);
    const table = tables.get(id)!;
    expect(table.measured).toBe(false);
    expect(table.heading).toContain('measured: false');
    expect(table.rows.map(({ arm }) => arm)).toEqual([...ARMS]);
    for (const row of [...table.rows, ...table.comparisons]) expect(row.measured).toBe(false);
    expect(stdout).toBe(readFileSync(join(runs, id, 'table.md'), 'utf8'));
    const printed = stdout
      .split('\n')
      .filter((line) => line.startsWith('| ') && !/^\| (---|arm |against )/.test(line));
    expect(printed.length).toBe(ARMS.length + (ARMS.length - 1) + ARMS.length);
    for (const line of printed) expect(line).toContain('measured: false');
  });

  it('gives every figure its number of rows, and a reason where it has no value or no interval', () => {
    for (const { arm, figures } of tables.get(id)!.rows)
      for (const [key, figure] of Object.entries(figures)) {
        expect(figure.n, `${arm} ${key}`).toBeTypeOf('number');
        expect(figure.method, `${arm} ${key}`).toBeTypeOf('string');
        if (figure.value === null || figure.low === null)
          expect(figure.reason, `${arm} ${key}`).toBeTypeOf('string');
        else expect(figure.low, `${arm} ${key}`).toBeLessThanOrEqual(figure.value);
      }
    const { rows } = tables.get(id)!;
    for (const { arm, figures } of rows) {
      expect(figures.testReward!.value, arm).not.toBeNull();
      expect(figures.seenReward!.value, arm).not.toBeNull();
      expect(figures.peopleReward!.reason, arm).toBe('no people took part');
    }
  });

  it('holds this project against every other arm on the same contexts', () => {
    const { comparisons } = tables.get(id)!;
    expect(comparisons.map(({ against }) => against)).toEqual(ARMS.filter((arm) => arm !== 'collapse-aware'));
    for (const { difference } of comparisons) expect(difference.method).toMatch(/^paired-t-context\(G=8/);
  });

  it('plays base and trained checkpoints, every panel, and names what each session was for', () => {
    const base = sessionsOf(id, 'base');
    expect(new Set(base.map(({ run }) => run))).toEqual(new Set(['exam']));
    const trained = sessionsOf(id, 'collapse-aware');
    expect(new Set(trained.map(({ run, split }) => `${run}/${split}`))).toEqual(
      new Set(['exam/seen', 'exam/test', 'training/seen', 'selection/selection']),
    );
    const examined = trained.filter(({ run }) => run === 'exam').map(({ policy }) => policy.checkpoint);
    expect(new Set(examined)).toEqual(new Set(['base', 'step-2']));
    const exam = new Set(trained.filter(({ run }) => run === 'exam').map(({ context }) => context));
    expect(trained.some(({ run, context }) => run !== 'exam' && exam.has(context))).toBe(false);
  });

  it('serves each arm by its own recipe', () => {
    expect(
      sessionsOf(id, 'vs').some(({ turns }) => turns.some((turn) => (turn.candidates?.length ?? 0) === 5)),
    ).toBe(true);
    // A pool's checkpoint stands as the person who was met.
    const pool = sessionsOf(id, 'co-training').filter(({ split }) => split === 'seen');
    expect(new Set(pool.map(({ simulator }) => simulator.person))).toContain('co-step-1');
    const met = (arm: string) =>
      new Set(
        sessionsOf(id, arm)
          .filter(({ split }) => split === 'seen')
          .map(({ simulator }) => simulator.id),
      );
    expect(met('single').size).toBe(1);
    expect(met('ensemble-3').size).toBe(3);
    expect(met('collapse-aware').size).toBeGreaterThan(3);
  });

  it('makes no measured table of its sessions', async () => {
    const { status, stderr } = await node([script('run.mjs'), id, '--measured'], {
      STAGE_ZERO_RUNS: runs,
      P4G_PEOPLE: join(runs, 'scripted-people.jsonl'),
    });
    expect(status).toBe(3);
    expect(stderr).toMatch(
      /^CA_FORMAT_INVALID: .*sessions\.jsonl: its sessions are of a dry run: nothing was measured/,
    );
  });
});

it('a table of real sessions says so, names the arms that were not run, and pools seeds', async () => {
  const { id, folder } = renamed('p4g');
  const { status, stdout, stderr } = await node([script('run.mjs'), id, '--measured'], {
    STAGE_ZERO_RUNS: folder,
    P4G_PEOPLE: join(runs, 'scripted-people.jsonl'),
  });
  expect(stderr).toContain('written: ');
  expect(status).toBe(0);
  const table = JSON.parse(readFileSync(join(folder, id, 'table.json'), 'utf8')) as Table;
  expect(table.measured).toBe(true);
  expect(table.rows.map(({ arm }) => arm)).toEqual(['single', 'collapse-aware']);
  for (const { measured } of table.rows) expect(measured).toBe(true);
  expect(table.rows[0]!.sessions).toBe(160);
  expect(table.rows[0]!.figures.testReward!.n).toBe(16);
  expect(table.rows[0]!.seeds.map(({ seed, testReward }) => [seed, testReward.n])).toEqual([
    ['1', 8],
    ['2', 8],
  ]);
  expect(stdout).toContain('- single: seeds 1, 2');
  expect(stdout).toContain('- base: not run, and in no row');
});

/** Sessions of a dry run under the name of a policy, two seeds of one arm and one of another. */
function renamed(id: string): { readonly id: string; readonly folder: string } {
  const folder = join(runs, 'renamed');
  for (const [arm, seed] of [
    ['single', '1'],
    ['single', '2'],
    ['collapse-aware', '1'],
  ] as const) {
    const place = join(folder, id, arm, seed);
    mkdirSync(place, { recursive: true });
    const rows = sessionsOf(id, arm).map((one) => ({
      ...one,
      id: `${one.id}-${seed}`,
      // Another seed, another choice of the selection panel.
      policy: {
        id: 'policy',
        checkpoint: seed === '2' && one.policy.checkpoint === 'step-2' ? 'step-9' : one.policy.checkpoint,
      },
    }));
    writeFileSync(join(place, 'sessions.jsonl'), rows.map((one) => `${JSON.stringify(one)}\n`).join(''));
  }
  return { id, folder };
}
