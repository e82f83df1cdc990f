import { contentsOf } from '../curation/contents.ts';
import {
  type AllocationAccount,
  type BatchesAccount,
  type ConsistencyAccount,
  CURATION_SCHEMA,
  type CurationManifest,
  type FunnelStage,
  type GatedAccount,
  type OutputFile,
} from '../curation/manifest.ts';
import type { Recipe } from '../curation/recipe.ts';
import { VERSION } from '../version.ts';
import type { Curated } from './curate.ts';
import type { WriteCurationOptions } from './write-curation.ts';

/** Everything a curation did, in numbers. */
export function manifestOf(
  curated: Curated,
  { inputs, reference, judge }: WriteCurationOptions,
  outputs: readonly OutputFile[],
): CurationManifest {
  const { plan, recipe, space, view, sifted } = curated;
  const { weights, selection } = plan;
  return {
    schema: CURATION_SCHEMA,
    version: VERSION,
    headline: curated.headline,
    inputs,
    reference,
    sharedWithReference: curated.sharedWithReference,
    recipe,
    space: {
      id: space.id,
      k: view.k,
      embedder: space.embedder.id,
      fittedOn: space.fittedOn,
      control: view.control,
      controlReason: view.reason,
      unit: view.unit,
      stability: view.classes === null ? space[view.codebook as 'episode'].stability : null,
    },
    funnel: funnelOf(curated, inputs),
    gated: gatedOf(curated),
    gate: recipe.gate === null ? null : sifted.checks,
    judge,
    concentration: concentrationOf(recipe),
    weights:
      weights === null
        ? null
        : {
            n: plan.rows.size,
            concentration: concentrationOf(recipe),
            kappa: weights.kappa,
            scale: weights.scale,
            ess: weights.ess,
            essRaw: weights.essRaw,
            atLow: weights.atLow,
            atHigh: weights.atHigh,
            unknownDensity: weights.unknownDensity,
            unknownConcentration: weights.unknownConcentration,
            histogram: weights.histogram,
          },
    batches: batchesOf(curated),
    simulators: curated.simulators,
    modes: curated.modes,
    selection: selection?.account ?? null,
    advantage: plan.advantages?.account ?? null,
    consistency: consistencyOf(curated),
    allocation: allocationOf(curated),
    beforeAfter: curated.beforeAfter,
    outputs,
  };
}

export function concentrationOf({ weights, batches, gradient }: Recipe) {
  if (weights?.concentration === true || weights?.coverage === true) return 'weights' as const;
  if (batches?.balance === 'mode') return 'batches' as const;
  return gradient === null ? ('none' as const) : ('gradient' as const);
}

function batchesOf({ plan, recipe }: Curated): BatchesAccount | null {
  const { batches } = plan;
  if (batches === null || recipe.batches === null) return null;
  return {
    size: recipe.batches.size,
    count: batches.count,
    balance: recipe.batches.balance,
    rows: batches.rows.length,
    groups: batches.groups,
    leftOut: batches.leftOut,
    withoutMode: batches.withoutMode,
    modes: batches.modes,
  };
}

function gatedOf({ plan: { rows } }: Curated): GatedAccount {
  const sizes = new Uint32Array(rows.groups.length);
  for (const group of rows.group) if (group >= 0) sizes[group]! += 1;
  const of = (holds: (size: number) => boolean) =>
    sizes.reduce((count, size) => count + Number(holds(size)), 0);
  return {
    rows: rows.size,
    contents: contentsOf(rows.hashes).count,
    groups: of((size) => size > 0),
    lone: of((size) => size === 1),
    ungrouped: rows.size - sizes.reduce((sum, size) => sum + size, 0),
  };
}

/** By name: simulators are numbered as their rows come. */
function consistencyOf({ plan, recipe }: Curated): ConsistencyAccount | null {
  const { consistency, rows } = plan;
  const written = recipe.advantage?.consistency;
  if (consistency === null || written == null) return null;
  const gains = rows.simulators.map((simulator, at) => ({ simulator, gain: consistency.gains[at]! }));
  gains.sort((a, b) => (a.simulator < b.simulator ? -1 : 1));
  return { rule: written.rule, base: consistency.base, gains, reason: consistency.reason };
}

function allocationOf({ allocation }: Curated): AllocationAccount | null {
  if (allocation === null) return null;
  const { budget, left, cells, parts, unreached } = allocation;
  const fresh = cells.filter(({ isNew }) => isNew).length;
  return { budget, left, cells: cells.length, fresh, parts, unreached };
}

function funnelOf({ plan, recipe, sifted }: Curated, inputs: CurationManifest['inputs']): FunnelStage[] {
  const rows = inputs.reduce((sum, file) => sum + file.rows, 0);
  const read = inputs.reduce((sum, file) => sum + file.kept, 0);
  const people = read - sifted.rows;
  const stages: FunnelStage[] = [
    {
      stage: 'read',
      entered: rows,
      left: sifted.rows,
      reasons: [
        { reason: 'no reader could use the row', blame: 'data' as const, count: rows - read },
        { reason: 'people, taken as the reference', blame: 'none' as const, count: people },
      ].filter(({ count }) => count > 0),
    },
  ];
  if (recipe.gate !== null)
    stages.push({ stage: 'gate', entered: sifted.rows, left: sifted.kept, reasons: sifted.reasons });
  let left = plan.rows.size;
  if (plan.selection !== null) {
    const kept = plan.selection.kept.reduce((sum, is) => sum + is, 0);
    stages.push(dropping('selection', left, kept, 'not drawn of its group'));
    left = kept;
  }
  if (recipe.batches?.balance === 'mode') {
    const kept = plan.trained.reduce((sum, is) => sum + is, 0);
    stages.push(dropping('batches', left, kept, 'its mode has more rows than an equal share'));
  }
  return stages;
}

function dropping(
  stage: 'selection' | 'batches',
  entered: number,
  left: number,
  reason: string,
): FunnelStage {
  const count = entered - left;
  return { stage, entered, left, reasons: count === 0 ? [] : [{ reason, blame: 'none', count }] };
}
