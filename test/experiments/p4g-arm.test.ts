import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as tcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Trajectory } from '../../src/trajectory/trajectory.ts';
import { hasTrl, PYTHON, pythonEnvironment } from '../python/trl-process.ts';
import { EXPERIMENTS, ROOT } from './stage.ts';

const folder = mkdtempSync(join(tmpdir(), 'ca-p4g-arm-'));
const profiles = join(folder, 'info.csv');
const people = join(folder, 'people.csv');
const log = join(folder, 'policy.log');
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
  writeFileSync(people, ',Unit,Turn,B4,B2\r\n0,Hello.,0,0,d-1\r\n1,Hi.,0,1,d-1\r\n');
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
    FAKE_POLICY_LOG: log,
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

async function arm(name: string, more: NodeJS.ProcessEnv = {}) {
  const [port, policy] = [await freePort(), await freePort()];
  const child = spawn('bash', [join(EXPERIMENTS, 'p4g/run.sh'), name], {
    cwd: folder,
    env: {
      ...pythonEnvironment('unused'),
      ...environment,
      STAGE_ZERO_PORT: String(port),
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

  it.skipIf(!hasTrl)('trains with TRL, keeps what the selection panel chose, and examines that', async () => {
    const model = join(folder, 'model');
    const make = `import sys; sys.path.insert(0, ${JSON.stringify(join(ROOT, 'python/examples'))}); import trl_dialogue as t; tokens = t.tokenizer(); t.policy(tokens).save_pretrained(${JSON.stringify(model)}); tokens.save_pretrained(${JSON.stringify(model)})`;
    execFileSync(PYTHON, ['-c', make], { env: pythonEnvironment('unused'), stdio: 'pipe' });
    const { status, said } = await arm('single', {
      POLICY_MODEL: model,
      TRAIN_OPTIONS:
        '--cpu --steps 3 --prompts 2 --group 2 --per-device 2 --panel 8 --turns 3 --tokens 100 --turn-tokens 2 --exam 20',
    });
    expect(said).toContain('the selection panel chose step-1');
    expect(status).toBe(0);
    expect(kinds(sessionsOf('single'))).toEqual({
      'exam/seen': 8,
      'exam/test': 48,
      'training/seen': 12,
      'training/selection': 8,
    });
    const [before, after] = readFileSync(log, 'utf8').trim().split('\n').slice(-2);
    expect(before).toBe(model);
    expect(after).toMatch(/single\/1\/checkpoints\/checkpoint-1$/);
    const [exam, training] = ['exam', 'training'].map(
      (run) => new Set(sessionsOf('single').flatMap((one) => (one.run === run ? [one.context] : []))),
    );
    expect([...exam!].filter((context) => training!.has(context))).toEqual([]);
  });
});
