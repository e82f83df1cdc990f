import type { Figure } from '../metrics/index.ts';
import { type Advantages, groupAdvantages } from './advantages.ts';
import { basePolicy } from './base-policy.ts';
import { type BatchPlan, planBatches } from './batches.ts';
import { type Consistency, consistencyMultipliers } from './consistency.ts';
import { gradientScale } from './gradient-scale.ts';
import { drawByWeight } from './order-sampling.ts';
import type { Recipe } from './recipe.ts';
import type { CurationRows } from './rows.ts';
import { subsetRows } from './rows-builder.ts';
import { selectedAdvantages } from './selected-advantages.ts';
import { type Selection, selectRollouts } from './selection.ts';
import { type TrainingWeights, trainingWeights } from './weights.ts';

/** What is known of the gated rows beside their columns. */
export interface CurationFacts {
  /** By simulator number. */
  readonly mci: readonly Figure[];
  /** p_ref by mode, of people inside their support; null = no people. */
  readonly reference: Float64Array | null;
}

/** A curation decided: what happens to every gated row, as plain data. Row numbers are those of `rows`. */
export interface CurationPlan {
  readonly rows: CurationRows;
  readonly weights: TrainingWeights | null;
  /** All 1 where nothing is weighted. */
  readonly weight: Float64Array;
  readonly selection: Selection | null;
  readonly batches: BatchPlan | null;
  /** Batch of each row; -1 = in none. */
  readonly batchOf: Int32Array;
  /** By simulator number. */
  readonly scale: Float64Array;
  readonly consistency: Consistency | null;
  readonly advantages: Advantages | null;
  /** 1 = the row is part of what is trained on: selected, and in a batch where batches are balanced. */
  readonly trained: Uint8Array;
  /** 1 = the row stands for the curated data in before / after figures. */
  readonly after: Uint8Array;
  readonly afterWords: string;
}

/**
 * Runs the stages after the gate, each that the recipe has: weights, selection, batches, gradient scale, advantages.
 * Pure: the same rows in any order, under any names, give the same plan by content.
 * Throws RangeError where a group is too large to select from exactly (conditional Poisson, 64 rows), CA_CONFIG_INVALID
 * for a base policy that no row has.
 */
export function planCuration(rows: CurationRows, facts: CurationFacts, recipe: Recipe): CurationPlan {
  const { seed } = recipe;
  const mci = facts.mci.map(({ value }) => value);
  const weights =
    recipe.weights === null
      ? null
      : trainingWeights(rows, { recipe: recipe.weights, mci, reference: facts.reference });
  const weight = weights?.weight ?? new Float64Array(rows.size).fill(1);
  const selection = recipe.selection === null ? null : selectRollouts(rows, weight, recipe.selection, seed);
  const trained = Uint8Array.from(selection?.kept ?? new Uint8Array(rows.size).fill(1));
  const batchOf = new Int32Array(rows.size).fill(-1);
  const batches = recipe.batches === null ? null : batched(rows, weight, trained, batchOf, recipe);
  if (recipe.batches?.balance === 'mode')
    trained.forEach((is, row) => {
      if (is === 1 && batchOf[row]! < 0) trained[row] = 0;
    });
  const scale =
    recipe.gradient === null
      ? new Float64Array(rows.simulators.length).fill(1)
      : gradientScale(mci, recipe.gradient.beta, rows.k);
  const { consistency, advantages } = compared(rows, weight, selection, recipe);
  return {
    rows,
    weights,
    weight,
    selection,
    batches,
    batchOf,
    scale,
    consistency,
    advantages,
    trained,
    ...curatedRows(rows, weights, trained, seed),
  };
}

/** Batches of the selected rows, numbered in `rows`; writes each row's batch into `batchOf`. */
function batched(
  rows: CurationRows,
  weight: Float64Array,
  trained: Uint8Array,
  batchOf: Int32Array,
  recipe: Recipe,
): BatchPlan {
  const keep = Uint32Array.from(trained.keys()).filter((row) => trained[row] === 1);
  const own = keep.length === rows.size ? rows : subsetRows(rows, keep);
  const plan = planBatches(
    own,
    Float64Array.from(keep, (row) => weight[row]!),
    recipe.batches!,
    recipe.seed,
  );
  plan.batchOf.forEach((batch, at) => {
    batchOf[keep[at]!] = batch;
  });
  return { ...plan, batchOf, rows: plan.rows.map((at) => keep[at]!) };
}

function compared(
  rows: CurationRows,
  weight: Float64Array,
  selection: Selection | null,
  { advantage }: Recipe,
): { consistency: Consistency | null; advantages: Advantages | null } {
  if (advantage === null) return { consistency: null, advantages: null };
  const consistency =
    advantage.consistency === null
      ? null
      : consistencyMultipliers(rows, advantage.consistency, basePolicy(rows, advantage.consistency.base));
  const multipliers = consistency?.multipliers ?? null;
  return {
    consistency,
    advantages:
      selection === null
        ? groupAdvantages(rows, weight, advantage, multipliers)
        : selectedAdvantages(rows, weight, selection, advantage.baseline, multipliers),
  };
}

/** `1 episode`, `1,040 episodes`. */
function episodes(count: number): string {
  return `${count.toLocaleString('en')} episode${count === 1 ? '' : 's'}`;
}

/**
 * Figures count rows, not weights: weighted data are shown by as many rows as they are worth (ESS), drawn by weight;
 * others as they are.
 */
function curatedRows(
  rows: CurationRows,
  weights: TrainingWeights | null,
  trained: Uint8Array,
  seed: number,
): { readonly after: Uint8Array; readonly afterWords: string } {
  const count = trained.reduce((sum, is) => sum + is, 0);
  const all = episodes(count);
  if (weights === null || weights.ess >= rows.size * (1 - 1e-9))
    return { after: trained, afterWords: `the ${all} to train on` };
  const size = Math.max(1, Math.floor((weights.ess / rows.size) * count));
  const own = weights.weight.map((value, row) => (trained[row] === 1 ? value : 0));
  return {
    after: drawByWeight(rows, own, size, seed),
    afterWords: `${size.toLocaleString('en')} of the ${all} to train on, drawn in proportion to their weight, without replacement (as many as they are worth: the effective sample size)`,
  };
}
