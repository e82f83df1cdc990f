/** What an epoch showed, as the plan of the next rollouts reads it. */
export interface EpochCells {
  /** Lowest and highest reward that there can be: variances are compared on this scale. */
  readonly rewardRange: readonly [number, number];
  /** Cells that were rolled out; pairs of a context and a simulator that are not among them count as not yet crossed. */
  readonly cells: readonly EpochCell[];
  /** Modes of people that the data show less often than people do. */
  readonly uncovered: readonly UncoveredMode[];
  /** Width of the interval of each simulator's figure (its MCI, say); null = it has none yet. */
  readonly widths: readonly { readonly simulator: string; readonly width: number | null }[];
}

/** One context with one simulator. */
export interface EpochCell {
  readonly context: string;
  readonly simulator: string;
  readonly rollouts: number;
  /** Null where no rollout has a reward. */
  readonly reward: CellReward | PassCount | null;
}

export interface CellReward {
  readonly mean: number;
  /** Unbiased, inside GRPO groups where there are such. */
  readonly variance: number;
  /** Degrees of freedom of the variance; 0 = one rollout, whose variance is not known. */
  readonly freedom: number;
  readonly groups: number;
  /** Groups of >= 2 rollouts without any variance: no gradient came from these. */
  readonly zeroVariance: number;
}

/** Rollouts that pass or fail, where nothing more is known. */
export interface PassCount {
  readonly passes: number;
  readonly n: number;
}

export interface UncoveredMode {
  readonly mode: number;
  /** People's share of it minus the data's, in (0, 1]. */
  readonly mass: number;
  /** How often each simulator (each context) came to it or near it, at least 0; without `contexts` all are alike. */
  readonly simulators: readonly { readonly simulator: string; readonly rate: number }[];
  readonly contexts?: readonly { readonly context: string; readonly rate: number }[];
}

/** Where to spend the next rollouts: plain data. */
export interface AllocationPlan {
  /** Cells that get any, by context and simulator. */
  readonly cells: readonly AllocatedCell[];
  readonly budget: number;
  /** Rollouts that make no whole group. */
  readonly left: number;
  /** What each part of the budget went to; a part with nothing to go by is spent by variance. */
  readonly parts: AllocationParts;
  /** Uncovered modes that no simulator came near: rollouts cannot reach them, new simulators may. */
  readonly unreached: readonly number[];
}

export interface AllocatedCell {
  readonly context: string;
  readonly simulator: string;
  readonly rollouts: number;
  /** Sums to `rollouts`. */
  readonly because: AllocationParts;
  /** Never rolled out so far. */
  readonly isNew: boolean;
}

export interface AllocationParts {
  readonly floor: number;
  readonly variance: number;
  readonly coverage: number;
  readonly uncertainty: number;
}
