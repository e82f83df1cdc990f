/** How members of a population come to the rollouts of one GRPO group. */
export type MemberDraw = 'per-rollout' | 'per-group';

/**
 * Chance that a group of `size` rollouts shows a behaviour at least once, 0 to 1. `chances[i]` = chance that a rollout
 * with member i shows it, `weights` sum to 1. Members drawn per rollout: 1 - (1 - q)^G with q = sum w_i q_i; one member
 * for the whole group: sum w_i (1 - (1 - q_i)^G), never more (Jensen).
 */
export function groupExposure(
  weights: readonly number[],
  chances: readonly number[],
  size: number,
  draw: MemberDraw,
): number {
  if (draw === 'per-group')
    return weights.reduce((sum, weight, i) => sum + weight * (1 - (1 - chances[i]!) ** size), 0);
  const chance = weights.reduce((sum, weight, i) => sum + weight * chances[i]!, 0);
  return 1 - (1 - chance) ** size;
}
