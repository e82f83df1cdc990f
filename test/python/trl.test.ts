import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ADMIN_KEY, CLIENT_KEY, type Stand, stand, until } from '../gateway/end-to-end/stand.ts';
import { hasTrl, pythonEnvironment, type TrainerProcess, trainerProcess } from './trl-process.ts';

const SCRIPT = join(import.meta.dirname, 'trl_run.py');
const GROUPS = 3;
const ROLLOUTS = 4;

const gateways: Stand[] = [];
const running: TrainerProcess[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) one.stop();
  for (const one of gateways.splice(0)) await one.close();
});

async function gateway(): Promise<Stand> {
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
    },
  });
  gateways.push(made);
  return made;
}

function train(kind: string, url: string, ...more: string[]): TrainerProcess {
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
  const started = trainerProcess(['-B', SCRIPT, kind, url, ...sizes, ...more], pythonEnvironment(ADMIN_KEY));
  running.push(started);
  return started;
}

describe.skipIf(!hasTrl)('a GRPO trainer behind a gateway', { timeout: 300_000 }, () => {
  it('multiplies each advantage by the weight of its session, through the shuffle', async () => {
    const { url, api, raw, trajectories } = await gateway();
    const run = train('weights', url, '--steps', '3');
    await run.next('space');
    await until(async () => (await raw('GET', '/api/space')).status === 200, 'a behaviour space');
    run.goOn();
    const { numbers, steps } = await run.next('done');
    expect(await run.ended).toBe(0);
    expect(steps).toBe(3);

    const weighed = run.events.filter(({ event }) => event === 'weighed');
    const learnt = run.events.filter(({ event }) => event === 'learnt');
    expect(weighed.map(({ step }) => step)).toEqual([0, 1, 2]);
    let moved = 0;
    for (const { step, order, before, weights } of weighed) {
      const after: Record<string, number> = {};
      const seen = learnt.filter((one) => one.step === step);
      for (const { advantages } of seen) Object.assign(after, advantages);
      const shuffled = seen.flatMap((one) => one.order as string[]);
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
    expect(moved).toBeGreaterThan(0);

    const rows = await trajectories('?of=all');
    expect(rows).toHaveLength(3 * GROUPS * ROLLOUTS);
    const sessions = weighed.flatMap(({ order }) => order as string[]);
    expect(rows.map(({ id }) => id).sort()).toEqual([...sessions].sort());
    for (const row of rows) {
      expect(row).toMatchObject({
        run: 'weights',
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
    expect((await api('GET', '/api/gate')).body.epoch).toBe(3);
    expect(numbers).toMatchObject({
      'collapse_aware/up': 1,
      'collapse_aware/rollouts': rows.length,
      'collapse_aware/rollouts_failed': 0,
      'collapse_aware/rewards_refused': 0,
      'collapse_aware/stood_in': 0,
    });
  });
});
