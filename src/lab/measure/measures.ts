/** One figure of one cell; null with a reason where it does not exist. Intervals are over seeds, in the table. */
export interface Measure {
  readonly value: number | null;
  readonly reason?: string;
}

/** What `audit` says of a population's episodes with one policy, in the world's space (metrics docs). */
export interface Measures {
  /** Episodes. */
  readonly n: number;
  readonly members: number;
  readonly scdPooled: Measure;
  readonly scdPooled2: Measure;
  readonly scdConditional: Measure;
  /** mass(g0) over that of people who met the same policy. */
  readonly bdi: Measure;
  readonly bdiMass: Measure;
  readonly realism: Measure;
  /** Largest and smallest concentration of a member. */
  readonly mci: Measure;
  /** Per-turn collapse error at visited histories, from replies drawn again. */
  readonly epsilonMember: Measure;
  readonly epsilonPopulation: Measure;
  /** The same from the laws themselves; null where a law has no closed form. */
  readonly epsilonMemberExact: Measure;
  readonly consistency: Measure;
  /** People who met the same policy, measured as a simulator: what the figures above are to be held against. */
  readonly people: { readonly scdPooled2: Measure; readonly realism: Measure; readonly bdiMass: Measure };
}
