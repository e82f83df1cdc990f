import { rolloutAdvantages } from '../learning/index.ts';
import type { Rollouts } from '../training/rollout.ts';

export type SimulatorGoal = 'curriculum' | 'adversarial' | 'cooperative';

const TARGET_VARIANCE = 0.25;
const WIDTH = 0.02;

/**
 * The reward of a co-trained simulator, an episode each (Yu et al. 2026, arXiv 2608.12253). Curriculum:
 * exp(-(s2 - 0.25)^2 / 0.02) with s2 the population variance of the agent's rewards in the group, the same for a whole
 * group; published for binary rewards, here for any in 0..1, whose variance is at most 0.25 too. Adversarial: minus the
 * agent's reward. Cooperative: the agent's reward.
 */
export function simulatorRewards({ reward, group }: Rollouts, goal: SimulatorGoal): Float64Array {
  if (goal !== 'curriculum') return reward.map((r) => (goal === 'cooperative' ? r : -r));
  const sums = new Map<number, { n: number; sum: number; squares: number }>();
  reward.forEach((r, e) => {
    if (Number.isNaN(r)) return;
    const own = sums.get(group[e]!) ?? { n: 0, sum: 0, squares: 0 };
    own.n += 1;
    own.sum += r;
    own.squares += r * r;
    sums.set(group[e]!, own);
  });
  return reward.map((r, e) => {
    const own = sums.get(group[e]!);
    if (own === undefined || Number.isNaN(r)) return Number.NaN;
    const variance = Math.max(0, own.squares / own.n - (own.sum / own.n) ** 2);
    return Math.exp(-((variance - TARGET_VARIANCE) ** 2) / WIDTH);
  });
}

/**
 * Advantages of a simulator. A curriculum reward is one number a group, so groups are compared with one another
 * (normalised over the batch); the others are compared within their groups, as the policy's are.
 */
export function simulatorAdvantages(
  rollouts: Rollouts,
  goal: SimulatorGoal,
): {
  advantage: Float64Array;
  meanReward: number;
} {
  const reward = simulatorRewards(rollouts, goal);
  const groups = goal === 'curriculum' ? new Int32Array(reward.length) : rollouts.group;
  let sum = 0;
  let n = 0;
  for (const r of reward)
    if (!Number.isNaN(r)) {
      sum += r;
      n += 1;
    }
  return {
    advantage: rolloutAdvantages(reward, groups).advantage,
    meanReward: n === 0 ? Number.NaN : sum / n,
  };
}
