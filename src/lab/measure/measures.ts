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
  /** In which block rows are compared, and why (audit's `space.control`). */
  readonly control: string;
  readonly scdPooled: Measure;
  readonly scdPooled2: Measure;
  /** The same over annotated acts, an episode's most frequent one: known where the space is left too (`off support`). */
  readonly scdActs: Measure;
  readonly scdActs2: Measure;
  /** By the population's law at the first user turn: of turn cells, which see wording too, and of annotated acts. */
  readonly scdConditional: Measure;
  readonly scdConditionalActs: Measure;
  /** mass(g0) of the whole population over that of people who met the same policy, whose mass p_ref is. */
  readonly bdi: Measure;
  readonly bdiMass: Measure;
  /** The same over people as they were recorded with the world's demonstrator. */
  readonly bdiRecorded: Measure;
  readonly realism: Measure;
  /** Largest concentration of a member; null where a member has none. */
  readonly mci: Measure;
  /** Per-turn collapse error at visited histories, over annotated acts, from replies drawn again. */
  readonly epsilonMember: Measure;
  /** The member drawn for each reply; at the first user turn. */
  readonly epsilonPopulation: Measure;
  /** The same from the laws themselves, over all visited turns; null where a law has no closed form. */
  readonly epsilonMemberExact: Measure;
  /** G2 of the same. */
  readonly disagreementExact: Measure;
  /** Of the policy's turns over members (audit's `health.consistency`). */
  readonly consistency: Measure;
  /** People who met the same policy, measured as a simulator: what the figures above are to be held against. */
  readonly people: {
    readonly n: number;
    readonly scdPooled: Measure;
    readonly scdPooled2: Measure;
    readonly scdActs2: Measure;
    readonly realism: Measure;
    /** Of half of them, at the size of `bdiMass`, with the other half's mass. */
    readonly bdiMass: Measure;
    readonly bdiRecorded: Measure;
    readonly epsilonExact: Measure;
  };
}
