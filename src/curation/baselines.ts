import type { AdvantageRecipe } from './recipe.ts';

/** What the rewards of one group are measured against. */
export interface GroupBaseline {
  /** By place in the group; NaN where the reward is missing or nothing can be compared. */
  readonly value: Float64Array;
  /** 1 = the row has a reward but nobody to be compared with. */
  readonly lone: Uint8Array;
}

/** Rows of one group, in an order that does not come from names or files: sums are made in it. */
export interface GroupRewards {
  /** NaN = missing. */
  readonly reward: ArrayLike<number>;
  /** Loss weights, above 0. */
  readonly weight: ArrayLike<number>;
  readonly simulator: ArrayLike<number>;
}

/**
 * `weighted`: sum w r / sum w over the group's rows with a reward, so that sum w (r - baseline) = 0.
 * `simulator`: the same over the rows of the row's own simulator, so that no policy is paid for having met an easy
 * user. Fewer than 2 rows to average over: no baseline, the row is lone.
 */
export function groupBaseline(group: GroupRewards, kind: AdvantageRecipe['baseline']): GroupBaseline {
  const n = group.reward.length;
  const value = new Float64Array(n).fill(Number.NaN);
  const lone = new Uint8Array(n);
  const parts = new Map<number, number[]>();
  for (let i = 0; i < n; i++) {
    if (Number.isNaN(group.reward[i]!)) continue;
    const part = kind === 'simulator' ? group.simulator[i]! : 0;
    const places = parts.get(part);
    if (places === undefined) parts.set(part, [i]);
    else places.push(i);
  }
  for (const places of parts.values()) {
    if (places.length < 2) lone[places[0]!] = 1;
    else {
      const centre = weightedMean(places, group);
      for (const i of places) value[i] = centre;
    }
  }
  return { value, lone };
}

function weightedMean(places: readonly number[], { reward, weight }: GroupRewards): number {
  const first = reward[places[0]!]!;
  let [total, weights] = [0, 0];
  // About the first, so that equal rewards have exactly themselves as their mean.
  for (const i of places) {
    total += weight[i]! * (reward[i]! - first);
    weights += weight[i]!;
  }
  return first + total / weights;
}
