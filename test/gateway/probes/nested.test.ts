import { describe, expect, it } from 'vitest';
import { planNested } from '../../../src/gateway/probes/index.ts';
import { seeded } from '../../../src/math/random.ts';
import { varianceSplit } from '../../../src/metrics/index.ts';

const PLAN = { contexts: ['refund', 'exchange', 'cancel'], agentSeeds: 3, userSeeds: 4, seed: 's' };

describe('a nested re-simulation', () => {
  it('meets every context under every agent seed with users of its own', () => {
    const sessions = planNested(PLAN);
    expect(sessions).toHaveLength(36);
    expect(new Set(sessions.map(({ id }) => id)).size).toBe(36);
    expect(new Set(sessions.map(({ nested }) => nested.agentSeed)).size).toBe(9);
    expect(new Set(sessions.map(({ nested }) => nested.userSeed)).size).toBe(36);
  });

  it('is the same plan in any order of the contexts, and a part of a longer one', () => {
    const plan = planNested(PLAN);
    expect(planNested({ ...PLAN, contexts: [...PLAN.contexts].reverse() })).toEqual(plan);
    expect(planNested({ ...PLAN, userSeeds: 6 })).toEqual(expect.arrayContaining(plan));
    expect(planNested({ ...PLAN, seed: 't' })[0]!.nested).not.toEqual(plan[0]!.nested);
  });

  it('refuses what gives no variance', () => {
    expect(() => planNested({ ...PLAN, agentSeeds: 1 })).toThrow('needs at least 2');
    expect(() => planNested({ ...PLAN, userSeeds: 1.5 })).toThrow('needs at least 2');
    expect(() => planNested({ ...PLAN, contexts: [] })).toThrow('no context');
    expect(() => planNested({ ...PLAN, contexts: ['a', 'a'] })).toThrow('twice');
  });

  // Reward = agent's part + user's part + noise, variances 1, 4 and 1: the simulator's side is 4 + 1.
  it('gives an unbiased split, which users shared between agent seeds would not', () => {
    const contexts = Array.from({ length: 3000 }, (_, at) => `context ${at}`);
    const sessions = planNested({ contexts, agentSeeds: 3, userSeeds: 2, seed: 's' });
    const split = (userOf: (session: (typeof sessions)[number], u: number) => string) => {
      const unit = new Map(contexts.map((context, at) => [context, at]));
      const rewards = new Map<string, number[]>();
      for (const session of sessions) {
        const key = JSON.stringify([unit.get(session.contextLabel), session.nested.agentSeed]);
        const own = rewards.get(key) ?? [];
        rewards.set(key, own);
        const user = userOf(session, own.length);
        own.push(
          seeded(`agent ${session.nested.agentSeed}`).normal() +
            2 * seeded(`user ${user}`).normal() +
            seeded(`noise ${session.id}`).normal(),
        );
      }
      const byContext = new Map<number, number[][]>();
      for (const [key, list] of rewards) {
        const [at] = JSON.parse(key) as [number];
        byContext.set(at, [...(byContext.get(at) ?? []), list]);
      }
      return varianceSplit([...byContext].map(([at, lists]) => ({ unit: at, rewards: lists })));
    };
    const nested = split(({ nested: { userSeed } }) => userSeed);
    const shared = split(({ contextLabel }, u) => `${contextLabel} ${u}`);
    expect(nested.simulator.low!).toBeLessThan(5);
    expect(nested.simulator.high!).toBeGreaterThan(5);
    expect(nested.agent.low!).toBeLessThan(1);
    expect(nested.agent.high!).toBeGreaterThan(1);
    // Too low by Var_U / userSeeds = 2.
    expect(shared.agent.high!).toBeLessThan(0);
  });
});
