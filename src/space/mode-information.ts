import type { Behaviour } from '../embedding/behaviour.ts';
import { whitenedBlocks } from './blocks.ts';
import { place } from './codebook.ts';
import { crossFitted } from './context-effects.ts';
import type { Control } from './control.ts';
import { inHashOrder } from './sample.ts';
import type { BehaviourSpace } from './space.ts';

/** Cells of rows before and after context control, and what each row came from; numbers stand for names. */
export interface ModeInformationRows {
  readonly size: number;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  readonly context: Int32Array;
  readonly simulator: Int32Array;
  readonly policy: Int32Array;
}

/**
 * Evidence that the control works, on rows left out of what was fitted: each row's cell with its context's effect
 * left in and as it is compared.
 * `context`: the effect is estimated without the row (5 folds by hash); in-sample residuals have no context effect
 * by construction and would prove nothing. `interaction` / `none`: no effect is estimated, so the rows are those the
 * codebook was not fitted on (`fitted` = content hashes of those it was).
 */
export function modeInformationRows(
  space: BehaviourSpace,
  behaviours: readonly Behaviour[],
  control: Control = 'context',
  fitted: ReadonlySet<string> = new Set(),
): ModeInformationRows {
  const all = inHashOrder(behaviours).filter((row) => control === 'context' || !fitted.has(row.facts.hash));
  const blocks = whitenedBlocks(all, space.semantic, space.interaction);
  const { joint } = blocks;
  const before = place(joint, space.uncontrolled ?? space.episode.centroids).cell;
  if (control === 'interaction')
    return named(all, before, place(blocks.interaction, space.interactionEpisode.centroids).cell);
  if (control === 'none' || space.uncontrolled === null) return named(all, before, before);
  const { residuals, eligible } = crossFitted(
    {
      vectors: joint.data,
      columns: joint.columns,
      hashes: all.map((row) => row.facts.hash),
      contexts: all.map((row) => row.facts.context),
      simulators: all.map((row) => row.facts.simulator),
    },
    { seed: space.seed },
  );
  const after = place({ ...joint, data: residuals }, space.episode.centroids).cell;
  const rows = [...all.keys()].filter((row) => eligible[row] === 1);
  return named(
    rows.map((row) => all[row]!),
    rows.map((row) => before[row]!),
    rows.map((row) => after[row]!),
  );
}

function named(
  rows: readonly Behaviour[],
  before: Iterable<number>,
  after: Iterable<number>,
): ModeInformationRows {
  return {
    size: rows.length,
    before: Uint8Array.from(before),
    after: Uint8Array.from(after),
    context: numbered(rows.map((row) => row.facts.context)),
    simulator: numbered(rows.map((row) => row.facts.simulator)),
    policy: numbered(rows.map((row) => row.facts.policy)),
  };
}

function numbered(names: readonly string[]): Int32Array {
  const seen = new Map<string, number>();
  return Int32Array.from(names, (name) => {
    const known = seen.get(name);
    if (known !== undefined) return known;
    seen.set(name, seen.size);
    return seen.size - 1;
  });
}
