import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_KEY, CLIENT_KEY, type Stand, stand, until } from '../gateway/end-to-end/stand.ts';
import { type Forks, openForks } from './forks.ts';
import {
  type Event,
  hasTrl,
  PYTHON,
  pythonEnvironment,
  type TrainerProcess,
  trainerProcess,
} from './trl-process.ts';

const SCRIPT = join(import.meta.dirname, 'trl_run.py');
const GROUPS = 3;
const ROLLOUTS = 4;

let forks: Forks;
const gateways: Stand[] = [];
const running: TrainerProcess[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) one.stop();
  for (const one of gateways.splice(0)) await one.close().catch(() => {});
});

async function gateway(more: Readonly<Record<string, unknown>> = {}): Promise<Stand> {
  const scripted = (family: string) => ({ id: family, family, recipe: { kind: 'scripted' } });
  const made = await stand({
    settings: {
      population: {
        members: ['alder', 'birch', 'cedar', 'elm'].map(scripted),
        seen: ['alder', 'birch', 'cedar'],
        selection: ['elm'],
      },
      live: { epochs: { by: 'trainer' }, warmUp: 8 },
      breaker: { holdSeconds: 0.1 },
      ...more,
    },
  });
  gateways.push(made);
  return made;
}

/** `ranks`: processes that train together. */
function train(kind: string, url: string, more: readonly string[], ranks = 1): TrainerProcess {
  const sizes = [
    '--groups',
    `${GROUPS}`,
    '--rollouts',
    `${ROLLOUTS}`,
    '--prompts',
    '6',
    '--api-key',
    CLIENT_KEY,
  ];
  const one = [SCRIPT, kind, url, ...sizes, ...more];
  const together = ['-m', 'torch.distributed.run', '--standalone', `--nproc-per-node=${ranks}`];
  const given = ranks > 1 ? [...together, ...forks.script(one)] : one;
  const started = trainerProcess(forks.python(given), pythonEnvironment(ADMIN_KEY));
  running.push(started);
  return started;
}

const weighed = (events: readonly Event[]) => events.filter(({ event }) => event === 'weighed');

/**
 * That every advantage that the loss got is the normalised one times what the gateway says of its session; returns how
 * many were changed by it.
 */
function expectWeighed(events: readonly Event[]): number {
  let moved = 0;
  // In the first step the behaviour space, without which all weights are 1, may come between two questions.
  const told = weighed(events).filter(({ step }) => step > 0);
  expect(told.length).toBeGreaterThan(0);
  for (const { rank, step, order, before, weights } of told) {
    const learnt = events.filter((one) => one.event === 'learnt' && one.step === step && one.rank === rank);
    const after: Record<string, number> = Object.assign({}, ...learnt.map(({ advantages }) => advantages));
    const shuffled = learnt.flatMap((one) => one.order as string[]);
    expect(shuffled).not.toEqual(order);
    expect([...shuffled].sort()).toEqual([...order].sort());
    const known = Object.values(weights as Record<string, number>);
    expect(known.reduce((sum, weight) => sum + weight, 0) / known.length).toBeCloseTo(1, 9);
    for (const session of order as string[]) {
      const factor = weights[session] ?? 0;
      expect(after[session]).toBeCloseTo(before[session] * factor, 5);
      if (before[session] !== 0 && factor !== 0 && Math.abs(factor - 1) > 0.01) moved++;
    }
  }
  return moved;
}

describe.skipIf(!hasTrl)('a GRPO trainer behind a gateway', { timeout: 900_000 }, () => {
  beforeAll(async () => {
    forks = await openForks();
  }, 600_000);
  afterAll(() => forks.close());

  it('keeps its gate and its dialogues, without a gateway', () => {
    const tests = join(import.meta.dirname, 'test_trl_adapter.py');
    const environment = pythonEnvironment(ADMIN_KEY);
    const run = spawnSync(PYTHON, forks.python([tests]), { encoding: 'utf8', env: environment });
    expect(run.stderr).toMatch(/^Ran \d+ tests/m);
    expect(run.status, run.stderr).toBe(0);
  });

  it('multiplies each advantage by the weight of its session, through the shuffle', async () => {
    const { url, api, raw, trajectories } = await gateway();
    const run = train('weights', url, ['--steps', '3', '--run', 'run-7']);
    await run.next('space');
    await until(async () => (await raw('GET', '/api/space')).status === 200, 'a behaviour space');
    run.goOn();
    const { numbers, steps } = await run.next('done');
    expect(await run.ended).toBe(0);
    expect(steps).toBe(3);

    expect(weighed(run.events).map(({ step }) => step)).toEqual([0, 1, 2]);
    expect(expectWeighed(run.events)).toBeGreaterThan(0);

    const rows = await trajectories('?of=all');
    expect(rows).toHaveLength(3 * GROUPS * ROLLOUTS);
    const sessions = weighed(run.events).flatMap(({ order }) => order as string[]);
    expect(rows.map(({ id }) => id).sort()).toEqual([...sessions].sort());
    for (const row of rows) {
      expect(row).toMatchObject({
        run: 'run-7',
        policy: { id: 'trl-dialogue', checkpoint: `step-${row.epoch}` },
      });
      expect(row.id.startsWith(`${row.group}.`)).toBe(true);
      expect(row.reward).toBeGreaterThanOrEqual(0);
      expect(row.termination).toMatch(/^(user stop|turn limit)$/);
    }
    const groups = new Set(rows.map(({ group }) => group));
    expect(groups.size).toBe(3 * GROUPS);
    for (const group of groups) {
      const members = rows.filter((row) => row.group === group);
      expect(members).toHaveLength(ROLLOUTS);
      expect(new Set(members.map(({ simulator }) => simulator.id)).size).toBe(1);
    }
    expect(new Set(rows.map(({ epoch }) => epoch))).toEqual(new Set([0, 1, 2]));
    const dumped = (await run.next('dumped')).rows as { session: string; simulator: string }[];
    expect(new Map(dumped.map(({ session, simulator }) => [session, simulator]))).toEqual(
      new Map(rows.map(({ id, simulator }) => [id, simulator.id])),
    );
    expect((await api('GET', '/api/gate')).body.epoch).toBe(3);
    expect(numbers).toMatchObject({
      'collapse_aware/up': 1,
      'collapse_aware/rollouts': rows.length,
      'collapse_aware/rollouts_failed': 0,
      'collapse_aware/rewards_refused': 0,
      'collapse_aware/stood_in': 0,
    });
  });

  it('makes no step while the gate says hold, and goes on when it is over', async () => {
    const { url, api, chat, raw, trajectories } = await gateway();
    const red = () => api('POST', '/api/breaker', { level: 'red', by: 'test', reason: 'to see' });
    const release = () => api('POST', '/api/breaker', { release: true, by: 'test' });
    const moves = () => run.events.filter(({ event }) => event === 'moved').length;
    const run = train('red', url, ['--steps', '4']);

    // Its rollouts are over and its optimizer has not moved: red keeps it from that.
    await run.next('scoring');
    expect(moves()).toBe(1);
    await red();
    run.goOn();
    expect((await run.next('log')).text).toMatch(/waits at the gate/);
    const said = [{ role: 'user', content: 'Would you like to give something?' }];
    const refused = await chat({ model: 'population', messages: said });
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'training_held' } } });
    expect((await chat({ model: 'panel/selection', messages: said })).status).toBe(200);
    const { body: gate } = await raw('GET', '/api/gate');
    await raw('GET', `/api/gate?after=${gate.revision}&wait=1`);
    expect(moves()).toBe(1);
    await release();

    // Between the gate and the first word: its sessions are refused, and begun again when training may go on.
    await run.next('begun');
    expect(moves()).toBe(2);
    await red();
    run.goOn();
    await run.next('held');
    expect(moves()).toBe(2);
    await release();
    const { numbers, steps } = await run.next('done');
    expect(steps).toBe(4);
    expect(moves()).toBe(4);
    expect(numbers).toMatchObject({
      'collapse_aware/holds_timed_out': 0,
      'collapse_aware/rollouts_failed': 0,
    });
    expect(numbers['collapse_aware/holds']).toBeGreaterThanOrEqual(1);
    expect(numbers['collapse_aware/turns_held']).toBeGreaterThanOrEqual(1);
    const rows = await trajectories('?of=closed&purpose=training');
    expect(rows).toHaveLength(4 * GROUPS * ROLLOUTS);
    expect(rows.every(({ reward }) => reward !== null)).toBe(true);
  });

  it('goes on with weight 1 while the gateway is down, a stand-in for its users', async () => {
    const { url, close } = await gateway();
    const run = train('stand-in', url, ['--steps', '3']);
    await run.next('scoring');
    await close();
    run.goOn();
    const { numbers, steps } = await run.next('done');
    expect(steps).toBe(3);
    const down = weighed(run.events).filter(({ step }) => step > 0);
    expect(down).toHaveLength(2);
    for (const { step, before } of down) {
      const after = Object.assign(
        {},
        ...run.events
          .filter((one) => one.event === 'learnt' && one.step === step)
          .map((one) => one.advantages),
      );
      expect(after).toEqual(before);
    }
    expect(numbers).toMatchObject({
      'collapse_aware/up': 0,
      'collapse_aware/rollouts_stood_in': GROUPS * ROLLOUTS,
      'collapse_aware/rollouts_failed': 0,
      // Of the batch that was scored when it went down.
      'collapse_aware/rewards_owed': GROUPS * ROLLOUTS,
    });
    expect(numbers['collapse_aware/stood_in']).toBeGreaterThan(4);
  });

  it('takes rollouts that nobody answered for failed, not for worth nothing, and moves nothing by them', async () => {
    const { url, close } = await gateway();
    const run = train('failed', url, ['--steps', '4']);
    await run.next('scoring');
    await close();
    run.goOn();
    const { numbers, steps } = await run.next('done');
    expect(steps).toBe(4);
    expect(numbers).toMatchObject({
      'collapse_aware/rollouts_failed': 2 * GROUPS * ROLLOUTS,
      'collapse_aware/steps_without_rollouts': 2,
    });
    const [first, second, ...rest] = run.events
      .filter(({ event }) => event === 'moved')
      .map(({ policy }) => policy);
    expect(second).not.toBe(first);
    expect(rest).toEqual([second, second]);
  });

  it('stops without its gateway where that is wanted', async () => {
    const { url, close } = await gateway();
    const run = train('closed', url, ['--steps', '3', '--fail-closed', '--hold-seconds', '0.5']);
    await run.next('scoring');
    await close();
    run.goOn();
    expect(await run.next('stopped')).toMatchObject({ error: 'GatewayError' });
    expect(await run.ended).toBe(3);
    expect(run.events.filter(({ event }) => event === 'moved')).toHaveLength(1);
  });

  it('plays the held-out panel when it is due, and probes that nobody trains on', async () => {
    const { url, trajectories } = await gateway();
    const run = train('panel', url, ['--steps', '2', '--evaluate']);
    const { numbers } = await run.next('done');
    const training = await trajectories('?of=closed&purpose=training');
    const panel = await trajectories('?of=closed&purpose=panel');
    const probes = await trajectories('?of=closed&purpose=probe');
    expect(training).toHaveLength(2 * GROUPS * ROLLOUTS);
    expect(probes).toHaveLength(GROUPS * ROLLOUTS);
    // Due once in these two epochs: a dialogue with each prompt, of the epoch whose step was just made.
    expect(panel).toHaveLength(6);
    for (const row of panel)
      expect(row).toMatchObject({
        split: 'selection',
        epoch: 0,
        simulator: { id: 'elm' },
        policy: { checkpoint: 'step-1' },
      });
    for (const row of [...panel, ...probes]) expect(row.reward).toBeGreaterThan(0);
    for (const row of [...training, ...panel]) expect(row.contextLabel).toMatch(/^task-\d$/);
    expect(weighed(run.events)).toHaveLength(2);
    expect(numbers).toMatchObject({
      'collapse_aware/probes': GROUPS * ROLLOUTS,
      'collapse_aware/rollouts': 24 + 6 + 12,
    });
  });

  it('is set up as the guide says', async () => {
    // Clients need no key, as in the guide.
    const { url, trajectories } = await gateway({ keys: { adminEnv: 'CA_ADMIN' } });
    const guide = join(import.meta.dirname, 'trl_guide.py');
    const run = trainerProcess(forks.python([guide, url]), pythonEnvironment(ADMIN_KEY));
    running.push(run);
    expect(await run.ended, run.errors()).toBe(0);
    expect(await trajectories('?of=closed')).toHaveLength(3 * 8);
  });

  it('does as one where several processes train: one of them asks, all wait', async () => {
    const { url, api, raw, trajectories } = await gateway();
    const run = train('ranks', url, ['--steps', '4'], 2);
    await run.next('space');
    await until(async () => (await raw('GET', '/api/space')).status === 200, 'a behaviour space');
    run.goOn();
    await run.next('scoring');
    await api('POST', '/api/breaker', { level: 'red', by: 'test', reason: 'to see' });
    run.goOn();
    expect((await run.next('log')).text).toMatch(/waits at the gate/);
    await raw('GET', '/api/gate?wait=1');
    const moves = () => run.events.filter(({ event }) => event === 'moved');
    expect(moves()).toHaveLength(2 * 2);
    await api('POST', '/api/breaker', { release: true, by: 'test' });
    expect(await run.ended, run.errors()).toBe(0);

    expect(expectWeighed(run.events)).toBeGreaterThan(0);
    expect(moves()).toHaveLength(4 * 2);
    for (const step of [0, 1, 2, 3])
      expect(new Set(moves().flatMap((one) => (one.step === step ? [one.policy] : []))).size).toBe(1);
    const rows = await trajectories('?of=closed&purpose=training');
    expect(rows).toHaveLength(4 * GROUPS * ROLLOUTS);
    expect(new Set(rows.map((row) => row.run)).size).toBe(1);
    // Half of the rollouts are one rank's: the middle group is of both.
    const firsts = weighed(run.events).filter(({ rank, step }) => rank === 0 && step === 0);
    const own = new Set(firsts.flatMap(({ order }) => order as string[]));
    const shares = [...new Set(rows.map(({ group }) => group))].map((group) => {
      const sessions = rows.filter((row) => row.group === group);
      expect(sessions).toHaveLength(ROLLOUTS);
      return sessions.filter(({ id }) => own.has(id)).length;
    });
    expect(shares.sort()).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 4]);
  });
});
