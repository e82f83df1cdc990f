import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import { CollapseAwareClient } from '../../../src/client/index.ts';
import type { Trajectory } from '../../../src/trajectory/trajectory.ts';
import { requirement } from '../../require.ts';
import { ADMIN_KEY, CLIENT_KEY, type Served, serveGateway } from './serve-gateway.ts';

const open: Served[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** Two sessions of one group, of two turns each, not yet over. */
async function played() {
  const gateway = await serveGateway((_, number) => ({ text: `Something that is said, number ${number}.` }));
  open.push(gateway);
  for (const id of ['s-0', 's-1']) {
    const user = new OpenAI({
      baseURL: `${gateway.url}/sessions/${id}/v1`,
      apiKey: CLIENT_KEY,
      defaultHeaders: { 'X-CA-Group': 'g' },
    });
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'system', content: '<scenario>You ordered a lamp.</scenario>' },
      { role: 'user', content: 'Hi! How can I help you today?' },
    ];
    for (let turn = 0; turn < 2; turn += 1) {
      const reply = await user.chat.completions.create({ model: 'population', messages });
      messages.push(
        { role: 'assistant', content: reply.choices[0]!.message.content },
        { role: 'user', content: 'Go on, please.' },
      );
    }
  }
  return gateway;
}

const hasPython = requirement(
  'python3',
  spawnSync('python3', ['--version']).status === 0,
  'apt-get install python3',
);

describe('a trainer', () => {
  it('in TypeScript asks a gateway for everything it needs', async () => {
    const { url } = await played();
    const client = new CollapseAwareClient({ baseUrl: url, adminKey: ADMIN_KEY, failOpen: false });
    const opened = await client.openSession({ id: 'made', group: 'g', epoch: 0 });
    expect(opened).toMatchObject({ id: 'made', member: 'plain' });
    const user = new OpenAI({ baseURL: opened.baseUrl, apiKey: opened.key });
    const said = await user.chat.completions
      .create({ model: 'population', messages: [{ role: 'user', content: 'Hello?' }] })
      .withResponse();
    expect(said.response.headers.get('x-session-id')).toBe('made');

    const receipt = await client.rewards([
      { session: 's-1', reward: 1 },
      { session: 's-0', reward: 0 },
      { session: 'nobody', reward: 1 },
    ]);
    expect(receipt.accepted).toBe(2);
    expect(receipt.rejected.map(({ id }) => id)).toEqual(['nobody']);
    const rows = new Map<string, Trajectory>();
    for await (const row of client.trajectories({ of: 'closed' })) rows.set(row.id, row);
    expect([...rows.keys()].sort()).toEqual(['s-0', 's-1']);
    expect(rows.get('s-1')).toMatchObject({ reward: 1, group: 'g', simulator: { id: 'plain' } });
    expect((await client.session('s-0')).trajectory.turns.length).toBe(rows.get('s-0')!.turns.length);

    const [decision] = await client.decide([{ id: 'g', sessions: ['s-1', 's-0'] }]);
    expect(decision).toMatchObject({ group: 'g' });
    expect(['accept', 'reject', 'defer']).toContain(decision!.decision);
    const { weights, unknown } = await client.weights(['s-1', 'nobody', 's-0']);
    // Whoever is unknown is named, and counts as if it were not weighed.
    expect(weights.nobody).toBe(1);
    expect((weights['s-0']! + weights['s-1']!) / 2).toBeCloseTo(1, 12);
    expect(unknown.map(({ id }) => id)).toEqual(['nobody']);
    const chosen = await client.select(['s-1', { id: 's-0', group: 'g' }], 2);
    expect([...chosen.kept].sort()).toEqual(['s-0', 's-1']);

    expect(await client.waitForGreen({ maxSeconds: 1 })).toMatchObject({ training: 'go', timedOut: false });
    expect((await client.epochs({ epoch: 3 })).view).toMatchObject({ epoch: 3 });
    expect(await client.override({ level: 'red', by: 'test', reason: 'to see' })).toMatchObject({
      level: 'red',
    });
    expect(await client.metrics()).toMatchObject({
      'collapse_aware/up': 1,
      'collapse_aware/level': 2,
      'collapse_aware/hold': 1,
      'collapse_aware/scd2_missing': 1,
    });
    expect(await client.release('test')).toMatchObject({ training: 'go' });
    expect((await client.sessions({ state: 'open' })).sessions.map(({ id }) => id)).toEqual(['made']);
    await client.endSession('made', 'truncated');
    expect(await client.session('made')).toMatchObject({ state: 'closed', termination: 'truncated' });
    expect((await client.population()).members.map(({ id }) => id)).toContain('held-out');
    expect((await client.status()).version).toBeTruthy();
    expect((await client.record([{ ...rows.get('s-0')!, id: 'from-elsewhere' }])).accepted).toBe(1);
  });

  it('waits at red and goes on when it is over', async () => {
    const { url } = await played();
    const client = new CollapseAwareClient({ baseUrl: url, adminKey: ADMIN_KEY, failOpen: false });
    await client.override({ level: 'red', by: 'test', reason: 'to see' });
    const waiting = client.waitForGreen({ maxSeconds: 30 });
    await new Promise((done) => setTimeout(done, 50));
    await client.release('test');
    expect(await waiting).toMatchObject({ training: 'go', timedOut: false });
  });

  it.skipIf(!hasPython)('in Python does the same', { timeout: 60_000 }, async () => {
    const { url } = await played();
    const script = join(import.meta.dirname, 'control_calls.py');
    const { stdout } = await promisify(execFile)('python3', ['-B', script, url, ADMIN_KEY, 's-0', 's-1']);
    const out = JSON.parse(stdout);
    expect(out).toMatchObject({
      opened: { id: 'from-python', member: 'plain' },
      rewards: { accepted: 2, rejected: [] },
      trajectories: { 's-0': 0, 's-1': 1 },
      decide: [{ group: 'g' }],
      weights: { unknown: [{ id: 'nobody' }] },
      gate: 'go',
      epoch: 3,
      sessions: 3,
      override: 'red',
      held: true,
      wrong: [401, 'invalid_api_key'],
      population: expect.arrayContaining(['plain']),
    });
    expect(Object.keys(out.weights.weights).sort()).toEqual(['nobody', 's-0', 's-1']);
    expect(out.select.kept).toHaveLength(2);
    expect(out.metrics).toMatchObject({ 'collapse_aware/up': 1, 'collapse_aware/level': 2 });
    expect(out.released).not.toBe('red');
  });
});
