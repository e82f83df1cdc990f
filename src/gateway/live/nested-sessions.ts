import { type NestedRewards, type VarianceSplit, varianceSplit } from '../../metrics/index.ts';
import type { BucketedSession } from './closed-session.ts';

/**
 * Reward's variance by side, from sessions that were simulated again: by context, agent seed, user seed. A user seed
 * that was played twice is one; sessions without a reward are left out.
 */
export function splitOf(sessions: Iterable<BucketedSession>): VarianceSplit {
  const contexts = new Map<string, Map<string, Map<string, { id: string; reward: number }>>>();
  for (const { nested, trajectory } of sessions) {
    const { id, context, reward } = trajectory;
    if (nested === null || reward === null) continue;
    const agents = within(contexts, context);
    const users = within(agents, nested.agentSeed);
    const known = users.get(nested.userSeed);
    if (known === undefined || id < known.id) users.set(nested.userSeed, { id, reward });
  }
  const rewards = sorted(contexts).map(
    ([, agents], unit): NestedRewards => ({
      unit,
      rewards: sorted(agents).map(([, users]) => sorted(users).map(([, { reward }]) => reward)),
    }),
  );
  return varianceSplit(rewards, { unitNoun: 'context' });
}

function within<Value>(map: Map<string, Map<string, Value>>, key: string): Map<string, Value> {
  let found = map.get(key);
  if (found === undefined) {
    found = new Map();
    map.set(key, found);
  }
  return found;
}

/** Sums do not depend on who came first. */
function sorted<Value>(map: ReadonlyMap<string, Value>): [string, Value][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}
