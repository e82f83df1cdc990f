import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoStudy } from '../../src/lab/index.ts';
import { command, folder } from './command.ts';

const study = demoStudy(4);
const contexts = new Set([...new Set(study.rollouts.map(({ context }) => context))].slice(0, 10));
const rollouts = study.rollouts.filter(({ epoch, context }) => epoch === 0 && contexts.has(context));
const people = study.people.slice(0, 40);
const simulators = [...new Set(rollouts.map(({ simulator }) => simulator.id))];
const lines = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
/** The first line: episodes read, and those to use. */
const counts = (stdout: string) =>
  /^([\d,]+) episodes of .*, ([\d,]+) to use$/m
    .exec(stdout)
    ?.slice(1)
    .map((n) => Number(n.replace(',', '')));

describe('--dry-run', () => {
  let cwd: string;
  let asked = 0;
  let server: Server;
  let paid: string[];
  const run = (...args: string[]) => command(args, { cwd });

  beforeAll(async () => {
    cwd = folder();
    writeFileSync(join(cwd, 'rollouts.jsonl'), lines(rollouts));
    writeFileSync(join(cwd, 'people.jsonl'), lines(people));
    server = createServer((_, reply) => {
      asked += 1;
      reply.writeHead(500).end();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    paid = [
      '--embedder',
      'openai:m',
      '--base-url',
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    ];
    const fitted = await run('space', 'fit', 'rollouts.jsonl', '-o', 'space.json', '-q');
    expect(fitted).toMatchObject({ status: 0, stderr: '' });
    const space = ['--space', 'space.json'];
    for (const done of [
      await run('profile', 'rollouts.jsonl', ...space, '-o', 'all.profile', '-q'),
      await run('audit', 'rollouts.jsonl', ...space, '--json', 'report.json', '--no-html', '-q'),
    ])
      expect(done.status).toBe(0);
  });
  afterAll(() => new Promise((done) => server.close(done)));

  it.each([
    ['space fit', ['space', 'fit', 'rollouts.jsonl', '-o', 'new']],
    ['profile', ['profile', 'rollouts.jsonl', '--space', 'space.json', '-o', 'new']],
    ['audit', ['audit', 'rollouts.jsonl']],
    ['compare', ['compare', 'rollouts.jsonl', 'rollouts.jsonl']],
  ])('of %s says what it would send, asks no endpoint and writes nothing', async (_, args) => {
    const before = readdirSync(cwd);
    const done = await run(...args, ...paid, '--dry-run');
    expect(done).toMatchObject({ status: 0, stderr: '' });
    expect(done.stdout).toMatch(/about [\d,]+ tokens to send/);
    expect(asked).toBe(0);
    expect(readdirSync(cwd)).toEqual(before);
  });

  it('counts the people too: they are embedded with the rest', async () => {
    const done = await run(
      'space',
      'fit',
      'rollouts.jsonl',
      '--reference',
      'people.jsonl',
      '-o',
      'new',
      '--dry-run',
    );
    expect(counts(done.stdout)?.[0]).toBe(rollouts.length + people.length);
  });

  it('counts the sample of each simulator only', async () => {
    const done = await run('space', 'fit', 'rollouts.jsonl', '-o', 'new', '--sample', '7', '--dry-run');
    expect(counts(done.stdout)).toEqual([rollouts.length, 7 * simulators.length]);
  });

  it.each([
    ['compare', ['compare', 'all.profile', 'all.profile', '--space', 'space.json'], 'saved profiles'],
    ['compare', ['compare', 'report.json', 'report.json'], 'reports'],
    ['audit', ['audit', 'all.profile', '--space', 'space.json'], 'saved profiles'],
  ])('of %s with what was placed or measured before says that nothing is sent', async (_, args, what) => {
    const before = readdirSync(cwd);
    const done = await run(...args, ...paid, '--dry-run');
    expect(done).toMatchObject({ status: 0, stderr: '' });
    expect(done.stdout).toBe(`${what}: no text to embed, nothing is sent anywhere\n`);
    expect(asked).toBe(0);
    expect(readdirSync(cwd)).toEqual(before);
  });

  it('is not needed for a smaller fit: --sample takes as many episodes of each simulator, the same every time', async () => {
    const fitted = (to: string) => run('space', 'fit', 'rollouts.jsonl', '-o', to, '--sample', '9', '-q');
    const [first, second] = [await fitted('1.json'), await fitted('2.json')];
    expect(first.status).toBe(0);
    const all = (9 * simulators.length * 2) / 3;
    expect(first.stdout).toMatch(new RegExp(`${Math.round(all)} episodes, at most 9 a simulator`));
    expect(second.stdout).toBe(first.stdout);
    expect(readFileSync(join(cwd, '1.json'))).toEqual(readFileSync(join(cwd, '2.json')));
    expect((await run('space', 'fit', 'rollouts.jsonl', '-o', 'new', '--sample', '0')).status).toBe(2);
    expect(existsSync(join(cwd, 'new'))).toBe(false);
  });

  it.each([
    ['audit', ['audit', 'rollouts.jsonl']],
    ['audit', ['audit', 'all.profile']],
    ['compare', ['compare', 'rollouts.jsonl', 'rollouts.jsonl']],
  ])('or not: %s refuses --k beside a saved space', async (_, args) => {
    for (const extra of [[], ['--dry-run']]) {
      const done = await run(...args, '--space', 'space.json', '--k', '5', '--no-html', ...extra);
      expect(done.status).toBe(2);
      expect(done.stderr).toContain('CA_USAGE');
      expect(done.stderr).toContain('leave out --k or --space');
    }
  });
});
