import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunStatus } from '../../src/cli/evolve-status.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../loop/postgres-server.ts';
import { command, ended, folder, start } from './command.ts';

const SMALL = ['--rounds', '2', '--steps', '1', '-q'];

describe.skipIf(!hasPostgres)('collapse-aware evolve --database', { timeout: 900_000 }, () => {
  let server: PostgresServer;
  let cwd: string;
  let env: NodeJS.ProcessEnv;
  let whole = '';
  const evolve = (...args: string[]) => command(['evolve', ...args], { cwd, env });
  const statusOf = async (run: string) =>
    JSON.parse((await evolve('status', run, '--json')).stdout) as RunStatus;

  beforeAll(async () => {
    cwd = folder();
    server = await startPostgres();
    env = { COLLAPSE_AWARE_DATABASE: server.url };
    const done = await command(['evolve', ...SMALL, '-o', 'run'], { cwd });
    expect(done.status, done.stderr).toBe(0);
    whole = readFileSync(join(cwd, 'run/summary.json'), 'utf8');
  }, 600_000);
  afterAll(() => server?.stop());

  it('comes to the bytes that a folder has, with processes of its own, and leaves none behind', async () => {
    const done = await evolve(...SMALL, '-o', 'first', '--workers', '2', '--json');
    expect(done.status, done.stderr).toBe(0);
    expect(done.stdout).toBe(whole);
    expect(done.stderr).not.toContain('Warning');
    expect(await statusOf('first')).toMatchObject({
      state: 'done',
      holder: null,
      rounds: { over: 2, of: 2 },
    });
    expect((await evolve('page', 'first')).stderr).toContain('add -o FILE');
    expect((await evolve('page', 'first', '-o', 'first.html')).status).toBe(0);
    expect((await evolve('fork', 'first', '--at', '1', '-o', 'fork', '--steps', '2')).status).toBe(0);
    expect(await statusOf('fork')).toMatchObject({ state: 'stopped', rounds: { over: 0, of: 2 } });
  });

  it('is performed by workers alone, one of which is killed, and led on by one when its process is', async () => {
    const workers = [0, 1].map(() => start(['worker'], cwd, env));
    const said = workers.map((worker) => {
      const lines = { text: '' };
      worker.stderr!.on('data', (chunk: Buffer) => {
        lines.text += chunk.toString();
      });
      return lines;
    });
    const lead = start(['evolve', ...SMALL, '-o', 'second', '--workers', '0'], cwd, env);
    const led = ended(lead);
    while (!said.some(({ text }) => text.includes('second: '))) await pass(50);
    const at = said.findIndex(({ text }) => text.includes('second: '));
    workers[at]!.kill('SIGKILL');
    lead.kill('SIGKILL');
    await led;
    for (let state = ''; state !== 'done'; await pass(500)) ({ state } = await statusOf('second'));
    const again = await evolve('resume', 'second', '-q', '--json', '--workers', '0');
    expect(again.stdout).toBe(whole);
    const other = workers[1 - at]!;
    const left = new Promise((done) => other.once('exit', done));
    other.kill('SIGTERM');
    expect(await left).toBe(0);
  });

  it('says what is wrong: no database, none that answers, no run of that name', async () => {
    expect(await command(['worker'], { cwd })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('add --database URL'),
    });
    const far = await command(
      ['evolve', 'status', 'x', '--database', 'postgresql://a:secret@127.0.0.1:1/x'],
      {
        cwd,
      },
    );
    expect(far).toMatchObject({ status: 3, stderr: expect.stringContaining('CA_STORE_FAILED') });
    expect(far.stderr).not.toContain('secret');
    expect(await evolve('resume', 'nobody')).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('no run of that name'),
    });
  });
});
