/** What one step adds to the loss, and its derivative by the step's log probability under the policy. */
export interface SurrogateTerm {
  /** min(ratio A, clip(ratio) A): to be maximised. */
  value: number;
  /** d value / d log pi: ratio A, or 0 where the clip holds. */
  slope: number;
  /** Whether the clip holds the step back. */
  clipped: boolean;
}

/**
 * The clipped surrogate of PPO (Schulman et al. 2017, arXiv 1707.06347, eq. 7) with two clips: the ratio
 * pi / pi_old is held to [1 - low, 1 + high], and a `high` above `low` leaves unlikely acts room to grow
 * ("clip-higher", Yu et al. 2025, DAPO, arXiv 2503.14476, section 3.1). Written into `term`, so that a loop
 * allocates nothing.
 */
export function clippedSurrogate(
  logProb: number,
  oldLogProb: number,
  advantage: number,
  low: number,
  high: number,
  term: SurrogateTerm,
): void {
  const ratio = Math.exp(logProb - oldLogProb);
  if (advantage > 0 && ratio > 1 + high) {
    term.value = (1 + high) * advantage;
    term.slope = 0;
    term.clipped = true;
  } else if (advantage < 0 && ratio < 1 - low) {
    term.value = (1 - low) * advantage;
    term.slope = 0;
    term.clipped = true;
  } else {
    term.value = ratio * advantage;
    term.slope = ratio * advantage;
    term.clipped = false;
  }
}

/**
 * k3 = q/p - 1 - log(q/p) at an act drawn from p: an estimate of KL(p || q) without bias that is never below 0
 * (Schulman 2020, "Approximating KL divergence"; GRPO's penalty, Shao et al. 2024, eq. 4). Its expectation is the
 * KL only while acts come from p; after the first step of an update they come from the policy before.
 */
export function k3(logProb: number, referenceLogProb: number): number {
  const log = referenceLogProb - logProb;
  return Math.expm1(log) - log;
}

/** d k3 / d log p = 1 - q/p. */
export function k3Slope(logProb: number, referenceLogProb: number): number {
  return -Math.expm1(referenceLogProb - logProb);
}
