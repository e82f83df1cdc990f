import type { Check } from '../check.ts';
import { finding } from '../evidence.ts';

const NAME = 'invalid-reward';

/** `range`: lowest and highest reward that can be true; null = any finite number. A missing reward is not invalid. */
export function invalidReward(range: readonly [number, number] | null): Check {
  return {
    name: NAME,
    blame: 'data',
    title: 'the reward is no finite number, or lies outside `rewardRange`',
    inspect({ reward }) {
      if (reward === null || reward === undefined) return null;
      if (!Number.isFinite(reward))
        return finding(NAME, 'data', 'the reward is not a finite number', `${reward}`, null);
      if (range !== null && (reward < range[0] || reward > range[1]))
        return finding(NAME, 'data', `the reward is outside ${range[0]} .. ${range[1]}`, `${reward}`, null);
      return null;
    },
  };
}
