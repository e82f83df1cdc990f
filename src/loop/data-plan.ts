/** How the episodes of a round are turned into training data; every change of it has a rule (data-rules.ts). */
export interface DataPlan {
  /** Episodes off people's support are dropped before anything else. */
  readonly gate: boolean;
  /** Loss weights: `alpha` is the strength of the density factor, >= 0; `coverage`: modes by people's share over the data's. */
  readonly weights: { readonly alpha: number; readonly coverage: boolean } | null;
  /** Strength of V-REx over members, >= 0; null = off. */
  readonly consistency: { readonly lambda: number } | null;
}
