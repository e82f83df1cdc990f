import { densityRanks } from './density-ranks.ts';
import { effectiveSize, temperingExponent } from './effective-size.ts';
import { modeCounts } from './mode-counts.ts';
import type { WeightsRecipe } from './recipe.ts';
import type { CurationRows } from './rows.ts';
import { boundedScale } from './weight-bounds.ts';

export interface TrainingWeights {
  /** Of each row: mean 1, within the recipe's bounds. */
  readonly weight: Float64Array;
  /** Exponent of the raw weights, 0 .. 1: 1 where the effective sample size was large enough. */
  readonly kappa: number;
  /** weight = clip(scale * raw^kappa, low, high) */
  readonly scale: number;
  /** Effective sample size of `weight`, and of the raw weights. */
  readonly ess: number;
  readonly essRaw: number;
  /** Rows held at a bound. */
  readonly atLow: number;
  readonly atHigh: number;
  /** Twenty bins from bound to bound, equal in log weight; the last holds its upper end. */
  readonly histogram: readonly { readonly low: number; readonly high: number; readonly count: number }[];
  /** Rows of unknown density (rho 1/2) and rows of simulators of unknown MCI (factor 1). */
  readonly unknownDensity: number;
  readonly unknownConcentration: number;
}

export type WeightedColumns = Pick<
  CurationRows,
  'size' | 'hashes' | 'simulator' | 'mode' | 'outside' | 'distance' | 'k'
>;

const BINS = 20;
/** exp of it is still far from 0: a row this far below the heaviest is as good as one further down. */
const DEEPEST = -600;

/**
 * Loss weights (metrics.md, Curation 2): w = 1 / max(MCI, 1/k) * exp(-alpha rho) * p_ref(mode) / p_data(mode), each
 * factor as the recipe asks; log w times the largest kappa that keeps ESS >= ess n; scaled and clipped to mean 1.
 * Clipping only raises the effective sample size (weight-bounds.ts), so that its floor holds for the final weights.
 *
 * `mci`: by simulator, null = unknown. `reference`: p_ref by mode, null = no people, no boost. A boost is at least
 * the lower bound: a mode that people were not seen in is a small sample's 0, and a factor 0 would be beyond kappa.
 * Rows without a mode have none. Outside the support rho is 1 and a boost never above 1: rare there is noise, and what
 * lifted it would pay for diversity with realism. All sums run over sorted values: row order is nothing.
 */
export function trainingWeights(
  rows: WeightedColumns,
  settings: {
    readonly recipe: WeightsRecipe;
    readonly mci: readonly (number | null)[];
    readonly reference: Float64Array | null;
    readonly k?: number;
  },
): TrainingWeights {
  const { recipe } = settings;
  const n = rows.size;
  const raw = logWeights(rows, settings);
  const { logs } = raw;
  const sorted = logs.slice().sort();
  const top = n === 0 ? 0 : sorted[n - 1]!;
  for (let at = 0; at < n; at++) sorted[at]! -= top;
  const kappa = temperingExponent(sorted, recipe.ess);
  const essRaw = effectiveSize(sorted.map(Math.exp));
  for (let at = 0; at < n; at++) sorted[at] = Math.exp(Math.max(DEEPEST, kappa * sorted[at]!));
  const scale = boundedScale(sorted, recipe.bounds);
  const [low, high] = recipe.bounds;
  const clip = (value: number) => Math.min(high, Math.max(low, scale * value));
  const weight = new Float64Array(n);
  for (let row = 0; row < n; row++)
    weight[row] = clip(Math.exp(Math.max(DEEPEST, kappa * (logs[row]! - top))));
  for (let at = 0; at < n; at++) sorted[at] = clip(sorted[at]!);
  let [atLow, atHigh] = [0, 0];
  while (atLow < n && sorted[atLow] === low) atLow += 1;
  while (atHigh < n && sorted[n - 1 - atHigh] === high) atHigh += 1;
  return {
    weight,
    kappa,
    scale: scale * Math.exp(-kappa * top),
    ess: effectiveSize(sorted),
    essRaw,
    atLow,
    atHigh,
    histogram: histogramOf(sorted, low, high),
    unknownDensity: raw.unknownDensity,
    unknownConcentration: raw.unknownConcentration,
  };
}

function logWeights(
  rows: WeightedColumns,
  { recipe, mci, reference, k = rows.k }: Parameters<typeof trainingWeights>[1],
): { logs: Float64Array; unknownDensity: number; unknownConcentration: number } {
  const logs = new Float64Array(rows.size);
  let unknownDensity = 0;
  let unknownConcentration = 0;
  if (recipe.alpha > 0) {
    const { rho, unknown } = densityRanks(rows.distance, rows.hashes);
    unknownDensity = unknown;
    // Rare outside people's support is no merit: such rows stand with the most crowded.
    for (let row = 0; row < rows.size; row++)
      logs[row] = -recipe.alpha * (rows.outside[row] === 1 ? 1 : rho[row]!);
  }
  if (recipe.concentration) {
    const known = Uint8Array.from(mci, (value) => (value !== null && Number.isFinite(value) ? 1 : 0));
    const factor = Float64Array.from(known, (is, i) => (is === 1 ? -Math.log(Math.max(mci[i]!, 1 / k)) : 0));
    for (let row = 0; row < rows.size; row++)
      if (known[rows.simulator[row]!] === 1) logs[row]! += factor[rows.simulator[row]!]!;
      else unknownConcentration += 1;
  }
  if (recipe.coverage && reference !== null) {
    const boost = logBoosts(rows, reference, recipe.bounds[0]);
    for (let row = 0; row < rows.size; row++)
      if (rows.mode[row]! >= 0) {
        const own = boost[rows.mode[row]!]!;
        logs[row]! += rows.outside[row] === 1 ? Math.min(0, own) : own;
      }
  }
  return { logs, unknownDensity, unknownConcentration };
}

/** log max(least, p_ref / p_data) by mode; 0 for modes without a row. */
function logBoosts(rows: WeightedColumns, reference: Float64Array, least: number): Float64Array {
  const { counts, total } = modeCounts(rows);
  return counts.map((count, mode) =>
    count === 0 ? 0 : Math.log(Math.max(least, (reference[mode] ?? 0) / (count / total))),
  );
}

/** `sorted` ascends. */
function histogramOf(sorted: Float64Array, low: number, high: number): TrainingWeights['histogram'] {
  const edges = Float64Array.from({ length: BINS + 1 }, (_, bin) => low * (high / low) ** (bin / BINS));
  edges[BINS] = high;
  let at = 0;
  return Array.from({ length: BINS }, (_, bin) => {
    const from = at;
    const last = bin === BINS - 1;
    while (at < sorted.length && (last || sorted[at]! < edges[bin + 1]!)) at += 1;
    return { low: edges[bin]!, high: edges[bin + 1]!, count: at - from };
  });
}
