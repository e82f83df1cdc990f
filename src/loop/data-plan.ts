/** How the episodes of a round are turned into training data; every change of it has a rule (data-rules.ts). */
export interface DataPlan {
  /** What members off support played is dropped before anything else: most of it off support, and far more than others'. */
  readonly gate: boolean;
  /** Loss weights: `alpha` is the strength of the density factor, >= 0. */
  readonly weights: { readonly alpha: number } | null;
  /** Strength of V-REx over members, >= 0; null = off. */
  readonly consistency: { readonly lambda: number } | null;
}
