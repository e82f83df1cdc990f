import type { CurationPlan } from '../curation/plan.ts';
import { hashOf } from '../curation/rows.ts';
import { groupNameOf } from './place-gated.ts';
import { signalsOf } from './signals.ts';

/** weights.jsonl: one line a gated row, in content order. Selected rollouts carry the weights of their pairs. */
export function* weightLines(plan: CurationPlan): Generator<unknown> {
  const { rows, selection } = plan;
  for (let row = 0; row < rows.size; row++) {
    const kept = selection === null || selection.kept[row] === 1;
    yield {
      id: rows.ids[row]!,
      simulator: rows.simulators[rows.simulator[row]!]!,
      ...groupNames(plan, row),
      trained: plan.trained[row] === 1,
      ...signalsOf(plan, row),
      ...(selection === null || !kept || rows.group[row]! < 0
        ? {}
        : {
            pairs: selection.pairs.partners(row).map((other) => {
              const joint = selection.pairs.joint(row, other);
              return {
                id: rows.ids[other]!,
                hash: hashOf(rows, other),
                joint,
                weight: joint === null || joint === 0 ? null : 1 / joint,
              };
            }),
          }),
    };
  }
}

/** batches.jsonl: one line a batch, its rows group by group. */
export function* batchLines(plan: CurationPlan): Generator<unknown> {
  const { rows, batches } = plan;
  if (batches === null) return;
  for (let batch = 0; batch < batches.count; batch++) {
    const members = batches.rows.subarray(batches.offsets[batch]!, batches.offsets[batch + 1]!);
    const modes: Record<string, number> = {};
    for (const row of members) {
      const mode = rows.mode[row]! < 0 ? 'none' : String(rows.mode[row]!);
      modes[mode] = (modes[mode] ?? 0) + 1;
    }
    yield {
      batch,
      size: members.length,
      meanWeight: batches.meanWeight[batch]!,
      modes,
      rows: Array.from(members, (row) => ({
        id: rows.ids[row]!,
        hash: hashOf(rows, row),
        ...groupNames(plan, row),
      })),
    };
  }
}

/** The file's own name of a row's group, and the key that tells it from groups so named in another run or step. */
function groupNames(
  { rows }: CurationPlan,
  row: number,
): { readonly group: string | null; readonly groupKey: string | null } {
  if (rows.group[row]! < 0) return { group: null, groupKey: null };
  const groupKey = rows.groups[rows.group[row]!]!;
  return { group: groupNameOf(groupKey), groupKey };
}
