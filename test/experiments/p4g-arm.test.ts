import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as tcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { RunSummary } from '../../src/loop/index.ts';
import type { Trajectory } from '../../src/trajectory/trajectory.ts';
import { hasTrl, PYTHON, pythonEnvironment } from '../python/trl-process.ts';
import { EXPERIMENTS, ROOT } from './stage.ts';

const folder = mkdtempSync(join(tmpdir(), 'ca-p4g-arm-'));
const profiles = join(folder, 'info.csv');
const people = join(folder, 'people.csv');
const policies = join(folder, 'policies.log');
let users: Server;
const environment: NodeJS.ProcessEnv = {};

/** A port that nobody has now. */
const freePort = () =>
  new Promise<number>((done) => {
    const server = tcpServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });

/** A user that ends its third turn with a decision. */
function persuadee(): Server {
  return createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    const { model, messages } = JSON.parse(text) as { model: string; messages: { role: string }[] };
    const said = messages.filter(({ role }) => role === 'assistant').length;
    const gives =
      [...JSON.stringify(messages)].reduce((sum, one) => (sum * 31 + one.charCodeAt(0)) % 9973, 7) % 2;
    const content =
      said < 2
        ? ['Hi.', 'Who are you?'][said]
        : `${gives ? 'Take some. DONATION=0.50' : 'No. DONATION=0'} ###STOP###`;
    const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }];
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: 'x', object: 'chat.completion', created: 0, model, choices }));
  });
}

beforeAll(async () => {
  users = persuadee();
  await new Promise<void>((done) => users.listen(0, '127.0.0.1', done));
  const rows = Array.from(
    { length: 40 },
    (_, at) => `d-${at},user_${at},1,0.0,10,${1 + (at % 5)},${20 + at},Female`,
  );
  writeFileSync(profiles, ['B2,B3,B4,B6,B7,extrovert.x,age.x,sex.x', ...rows].join('\n'));
  const sums = ['nothing', 'ten cents', 'a dollar', 'half of it', 'all of it'];
  const talks = Array.from({ length: 60 }, (_, at) =>
    [
      'Hello, how are you?',
      `Fine, ${at % 2 ? 'thanks' : 'and in a hurry'}. I am number ${at}.`,
      'Will you give some of your payment?',
      `${'Let me think. '.repeat(at % 4)}I give ${sums[at % 5]}${at % 3 ? '.' : '. Who gets it?'}`,
    ].map((text, turn) => `${4 * at + turn},"${text}",${turn >> 1},${turn % 2},d-${at}`),
  );
  writeFileSync(people, [',Unit,Turn,B4,B2', ...talks.flat()].join('\r\n'));
  const plan = parse(readFileSync(join(EXPERIMENTS, 'p4g/benchmark.yaml'), 'utf8')) as {
    environment: Record<string, string>;
  };
  for (const name of Object.keys(plan.environment))
    environment[name] = name.endsWith('_URL')
      ? `http://127.0.0.1:${(users.address() as AddressInfo).port}/v1`
      : `some-text-${name}`;
  Object.assign(environment, {
    STAGE_ZERO_SEED: '1',
    STAGE_ZERO_RUNS: join(folder, 'runs'),
    STAGE_ZERO_PATIENCE: '120',
    STAGE_ZERO_SERVE: `${process.execPath} ${join(import.meta.dirname, 'fake-policy.mjs')}`,
    STAGE_ZERO_LAUNCH: PYTHON,
    FAKE_POLICY_LOG: policies,
    P4G_PROFILES: profiles,
    P4G_PEOPLE: people,
    PYTHON,
    EXAM_OPTIONS: '--contexts 4',
  });
});

afterAll(async () => {
  await new Promise((done) => users.close(done));
  rmSync(folder, { recursive: true, force: true });
});

async function arm(name: string, more: NodeJS.ProcessEnv = {}, experiments = EXPERIMENTS) {
  const [port, policy] = [await freePort(), await freePort()];
  const [desk, scorer] = [await freePort(), await freePort()];
  const child = spawn('bash', [join(experiments, 'p4g/run.sh'), name], {
    cwd: folder,
    env: {
      ...pythonEnvironment('unused'),
      ...environment,
      STAGE_ZERO_PORT: String(port),
      STAGE_ZERO_DESK_PORT: String(desk),
      STAGE_ZERO_SCORER_PORT: String(scorer),
      POLICY_URL: `http://127.0.0.1:${policy}/v1`,
      ...more,
    },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece: string) => {
      said += piece;
    });
  const status = await new Promise<number | null>((done) => child.on('close', done));
  return { status, said };
}

const sessionsOf = (name: string): Trajectory[] =>
  readFileSync(join(folder, 'runs/p4g', name, '1/sessions.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Trajectory);

const kinds = (rows: readonly Trajectory[]) =>
  Object.fromEntries(
    [...new Set(rows.map(({ run, split }) => `${run}/${split}`))]
      .sort()
      .map((kind) => [kind, rows.filter(({ run, split }) => `${run}/${split}` === kind).length]),
  );

describe('run.sh of p4g', { timeout: 900_000 }, () => {
  it('examines the untrained policy with every member of the test panel, and leaves nothing running', async () => {
    const { status, said } = await arm('base');
    expect(said).toContain('exam of base: 28 dialogues, 0 of them without a reward');
    expect(status).toBe(0);
    const rows = sessionsOf('base');
    expect(kinds(rows)).toEqual({ 'exam/seen': 4, 'exam/test': 24 });
    expect(new Set(rows.map(({ reward }) => reward))).toEqual(new Set([0, 0.25]));
    expect(new Set(rows.map(({ policy }) => policy.checkpoint))).toEqual(new Set(['base']));
    expect(new Set(rows.map(({ context }) => context)).size).toBe(4);
    expect(existsSync(join(folder, 'runs/p4g/base/1/gateway/journal.db'))).toBe(true);
  });

  it('says which arms there are, and which variables are missing, before anything starts', async () => {
    expect(await arm('doubel')).toMatchObject({
      status: 2,
      said: expect.stringContaining('"doubel" is no arm of p4g'),
    });
    const { status, said } = await arm('base', { USERS_GLM_URL: '' });
    expect(status).toBe(2);
    expect(said).toContain('USERS_GLM_URL: base URL');
  });

  it.skipIf(!hasTrl)(
    'trains with the loop beside it, keeps what the selection panel chose, and examines that',
    async () => {
      const model = join(folder, 'model');
      const make = `import sys; sys.path.insert(0, ${JSON.stringify(join(ROOT, 'python/examples'))}); import trl_dialogue as t; tokens = t.tokenizer(); t.policy(tokens).save_pretrained(${JSON.stringify(model)}); tokens.save_pretrained(${JSON.stringify(model)})`;
      execFileSync(PYTHON, ['-c', make], { env: pythonEnvironment('unused'), stdio: 'pipe' });
      const name = 'collapse-aware';
      const { status, said } = await arm(
        name,
        {
          POLICY_MODEL: model,
          CONTEXT_OPTIONS: '--probes 4 --exams 2 --exam 20',
          EVOLVE_OPTIONS: '--rounds 1 --steps 1 --rollouts 1 --no-adversary --no-paths',
          TRAIN_OPTIONS:
            '--cpu --steps 16 --prompts 4 --group 2 --per-device 4 --panel 8 --turns 3 --tokens 100 --turn-tokens 2 --exam 20',
        },
        smallSpace(),
      );
      const run = join(folder, 'runs/p4g', name, '1');
      const log = (file: string) => readFileSync(join(run, file), 'utf8');
      expect(said, log('evolve.log')).toMatch(/the selection panel chose step-\d+/);
      expect(status).toBe(0);

      // The loop led its round to the end, with dialogues of the policy as it was served meanwhile.
      expect(log('evolve.log')).toContain('the trainer goes on, with the population of the last round');
      const summary = JSON.parse(log('evolve/summary.json')) as RunSummary;
      expect(summary.rounds).toHaveLength(1);
      expect(summary.rounds[0]!.training!.steps).toBeGreaterThanOrEqual(1);
      expect(summary.rounds[0]!.cost.probeEpisodes).toBeGreaterThan(0);
      // The gateway's own people, who are described to members too.
      expect(summary.space!.people).toBe(true);
      expect(summary.settings).toMatchObject({
        bars: 'people',
        rounds: 1,
        probe: { contexts: 4, rollouts: 1 },
      });
      const served = log('policy.log').match(/^serving .*$/gm)!;
      expect(served.length).toBeGreaterThan(0);
      expect(served.at(-1)).toMatch(/checkpoints\/checkpoint-\d+$|model$/);

      const rows = sessionsOf(name);
      expect(kinds(rows)).toMatchObject({ 'exam/seen': 8, 'exam/test': 48, 'training/selection': 8 });
      expect(kinds(rows)['training/seen']).toBeGreaterThanOrEqual(128);
      const after = readFileSync(policies, 'utf8').trim().split('\n').at(-1)!;
      expect(after).toMatch(/collapse-aware\/1\/checkpoints\/checkpoint-\d+$/);
      const [exam, training] = ['exam', 'training'].map(
        (one) => new Set(rows.flatMap(({ run: of, context }) => (of === one ? [context] : []))),
      );
      expect([...exam!].filter((context) => training!.has(context))).toEqual([]);
    },
  );
});

/** The experiments with a behaviour space after a handful of sessions; all else is linked. */
function smallSpace(): string {
  const tree = join(folder, 'tree');
  cpSync(EXPERIMENTS, join(tree, 'experiments'), { recursive: true });
  for (const one of ['dist', 'python', 'node_modules', 'package.json'])
    symlinkSync(join(ROOT, one), join(tree, one));
  const file = join(tree, 'experiments/p4g/gateway/collapse-aware.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('warmUp: 200', 'warmUp: 24'));
  return join(tree, 'experiments');
}
