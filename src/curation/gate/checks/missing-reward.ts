import type { Check } from '../check.ts';
import { finding } from '../evidence.ts';

const NAME = 'missing-reward';

/**
 * Whether a reward is missing is a question about the whole data: it is where other rows of the same benchmark carry
 * one. Where none does, there is nothing to miss. Needs every row observed first; rows without a reward are
 * `unchecked` where none was.
 */
export function missingReward(): Check {
  const rewarded = new Set<string | null>();
  let observed = false;
  return {
    name: NAME,
    blame: 'data',
    title: 'the row has no reward, while others of its benchmark have one',
    observe({ reward, benchmark }) {
      observed = true;
      if (reward !== null && reward !== undefined) rewarded.add(benchmark);
    },
    inspect({ reward, benchmark }) {
      if (reward !== null && reward !== undefined) return null;
      if (!observed) return 'unchecked';
      if (!rewarded.has(benchmark)) return null;
      return finding(NAME, 'data', 'the reward is missing', '', null);
    },
  };
}
