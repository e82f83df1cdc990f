import type { GateRecipe } from './gate/gate-recipe.ts';

export const RECIPE_SCHEMA = 'collapse-aware/recipe@1';

/** Where concentration is corrected: in one of these, once. */
export type CorrectionPlace = 'weights' | 'batches' | 'gradient';

/** A curation as plain data, every default filled in. A stage that is `null` is switched off. */
export interface Recipe {
  readonly schema: typeof RECIPE_SCHEMA;
  /** Seed of every draw. */
  readonly seed: number;
  readonly gate: GateRecipe | null;
  readonly weights: WeightsRecipe | null;
  readonly batches: BatchesRecipe | null;
  readonly gradient: GradientRecipe | null;
  readonly advantage: AdvantageRecipe | null;
  readonly selection: SelectionRecipe | null;
  readonly allocation: AllocationRecipe | null;
  /** Data sets written beside the native rows. */
  readonly export: readonly ExportName[];
}

export type ExportName = 'native' | 'parquet' | 'trl' | 'verl' | 'verifiers';

export interface WeightsRecipe {
  /** w falls by exp(-alpha * rho); rho = rank of the local density, 0 .. 1. At least 0. */
  readonly alpha: number;
  /** Neighbours of the density (default 5). */
  readonly neighbours: number;
  /** Multiply by p_ref(mode) / p_data(mode), where people are the reference: modes are corrected here. */
  readonly coverage: boolean;
  /** Multiply by 1 / max(MCI of the simulator, 1/K): concentration is corrected here. */
  readonly concentration: boolean;
  /** Lowest and highest weight once the mean is 1: 0 < low < 1 < high. */
  readonly bounds: readonly [number, number];
  /** Least effective sample size as a share of the rows, in (0, 1]. */
  readonly ess: number;
}

export interface BatchesRecipe {
  /** Rows a batch, about: groups stay whole. */
  readonly size: number;
  /** `mode`: equal share a mode (concentration is corrected here, the default); `none`: by hash alone. */
  readonly balance: 'mode' | 'none';
}

export interface GradientRecipe {
  /** scale_i = min(1, (median MCI / MCI_i)^beta), beta > 0: concentration is corrected here. */
  readonly beta: number;
}

export interface AdvantageRecipe {
  /** Of a group: weighted mean of its rewards, or each simulator's own mean inside the group. */
  readonly baseline: 'weighted' | 'simulator';
  /** Divide by the group's standard deviation, as GRPO does; never with selection. */
  readonly normalise: boolean;
  readonly consistency: ConsistencyRecipe | null;
}

export interface ConsistencyRecipe {
  readonly rule: 'v-rex' | 'group-dro';
  /** Strength: of V-REx's penalty, or the step of group DRO's exponentiated weights. At least 0. */
  readonly lambda: number;
  /** Policy or checkpoint that gains are measured from; null = the first checkpoint of the data. */
  readonly base: string | null;
}

export interface SelectionRecipe {
  /** Rollouts kept of every group that has more. */
  readonly keep: number;
  readonly design: 'conditional-poisson' | 'poisson';
}

export interface AllocationRecipe {
  /** Rollouts that the next epoch may spend. */
  readonly budget: number;
  /** Rollouts of one GRPO group: every cell (context x simulator) gets a multiple of it, or none. */
  readonly group: number;
  /** Share of the budget, in [0, 1], spread over all cells alike: nothing is starved for good. */
  readonly floor: number;
}
