/**
 * Weight of a pair of kept rollouts in a sum over pairs: 1 / pi_ij (Horvitz & Thompson 1952), never clipped and never
 * renormalised, since either would bring the bias back. null where the two are never kept together (pi_ij = 0, as
 * always when 1 row is kept of a group): then no weight can make up for them.
 *
 * `drawn` is the chance with which the simulator of the two was itself drawn, where a simulator was drawn before its
 * rollouts: all pairs inside it share it.
 */
export function pairWeight(joint: number | null, drawn = 1): number | null {
  if (joint === null || !(joint > 0)) return null;
  return 1 / (joint * drawn);
}

/** Kept rows of one group, as the pair form reads them. */
export interface KeptRows {
  /** Rows of the full group that are compared (kept or not): n of the denominator n (n - 1). */
  readonly size: number;
  /** Rewards and loss weights of the kept rows. */
  readonly reward: ArrayLike<number>;
  readonly weight: ArrayLike<number>;
  /** pi_ij of kept rows i and j (places in `reward`); null or 0 = never together. */
  joint(i: number, j: number): number | null;
}

/**
 * Advantages over pairs, A_i = w_i sum_j w_j (r_i - r_j) / pi_ij / (n (n - 1)) over kept j: the SUM over kept rows of
 * A_i grad log p(row i) has, over the draws, exactly the full group's sum of w_i w_j (r_i - r_j) grad log p(row i)
 * over its n (n - 1) pairs as its mean. With equal weights that is the leave-one-out group gradient.
 *
 * The weights are inside: they must not be applied again, nor may a trainer clip or normalise the result. The A_i of a
 * group sum to 0. 0 for a row kept alone and in a full group of fewer than 2; NaN where a pair of kept rows has no
 * pi_ij.
 */
export function pairAdvantages(kept: KeptRows): Float64Array {
  const { size, reward, weight } = kept;
  const result = new Float64Array(reward.length);
  if (size < 2) return result;
  for (let i = 0; i < reward.length; i++)
    for (let j = i + 1; j < reward.length; j++) {
      const pair = pairWeight(kept.joint(i, j)) ?? Number.NaN;
      const part = (weight[i]! * weight[j]! * (reward[i]! - reward[j]!) * pair) / (size * (size - 1));
      result[i]! += part;
      result[j]! -= part;
    }
  return result;
}
