import { DEVIATION_FLOOR } from '../../curation/advantages.ts';

export interface RolloutAdvantages {
  /** By episode; NaN where the episode has no reward. */
  readonly advantage: Float64Array;
  /** Groups with at least one reward. */
  readonly groups: number;
  /** Of these, groups whose rewards are all equal (a lone one too): they teach nothing. */
  readonly zeroVariance: number;
  /** Episodes without a reward. */
  readonly missing: number;
}

/**
 * Advantages of GRPO (Shao et al. 2024, arXiv 2402.03300, section 4.1.2): (r - mean) / (sd + 1e-6) within the
 * group, sd with divisor n. A group of equal rewards has advantages of exactly 0. A reward of NaN is a failed
 * rollout: it has no part in its group's mean and an advantage of NaN; the caller leaves such episodes out of the
 * update. Sums run over sorted rewards, so that the order of episodes changes no bit.
 *
 * @param reward by episode
 * @param group number of each episode's group, >= 0; groups need not be contiguous nor of one size
 */
export function rolloutAdvantages(reward: Float64Array, group: Int32Array): RolloutAdvantages {
  const advantage = new Float64Array(reward.length).fill(Number.NaN);
  const members = new Map<number, number[]>();
  let missing = 0;
  reward.forEach((value, episode) => {
    if (Number.isNaN(value)) {
      missing += 1;
      return;
    }
    const own = members.get(group[episode]!);
    if (own === undefined) members.set(group[episode]!, [episode]);
    else own.push(episode);
  });
  let zeroVariance = 0;
  for (const own of members.values()) {
    const sorted = Float64Array.from(own, (episode) => reward[episode]!).sort();
    const size = sorted.length;
    if (sorted[0] === sorted[size - 1]) {
      zeroVariance += 1;
      for (const episode of own) advantage[episode] = 0;
      continue;
    }
    let sum = 0;
    for (const value of sorted) sum += value;
    const mean = sum / size;
    let squares = 0;
    for (const value of sorted) squares += (value - mean) * (value - mean);
    const divisor = Math.sqrt(squares / size) + DEVIATION_FLOOR;
    for (const episode of own) advantage[episode] = (reward[episode]! - mean) / divisor;
  }
  return { advantage, groups: members.size, zeroVariance, missing };
}
