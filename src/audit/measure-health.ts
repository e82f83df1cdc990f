import { seeded } from '../math/index.ts';
import {
  type CellRows,
  consistency,
  contextInformation,
  type FlatEpisodes,
  type GroupedRollouts,
  missing,
  policyEntropy,
  tallyOf,
  zeroVariance,
} from '../metrics/index.ts';
import type { BehaviourSpace } from '../space/index.ts';
import { rewardRangeOf } from './measure-rewards.ts';
import type { AuditOptions } from './options.ts';
import type { AuditReport } from './report-data.ts';
import type { Samples } from './samples.ts';

/** How the policy's side of the training looks: groups without a gradient, entropy, context information. */
export function measureHealth(
  samples: Samples,
  space: BehaviourSpace,
  options: AuditOptions & { readonly seed: number },
): AuditReport['health'] {
  const { view } = samples;
  const interval = { unitNoun: 'context' } as const;
  const episodes = policyEpisodes(samples, space);
  const random = seeded(`${options.seed}/health`);
  return {
    ...measureGroups(samples, options),
    policyEntropy: policyEntropy(tallyOf(turnRows(episodes)), interval),
    contextInformation: contextInformation(episodes, { ...interval, random }),
    consistency:
      view.simulators.length < 2
        ? missing('fewer than 2 simulators', episodes.unit.length)
        : consistency(episodes, { ...interval, random }),
  };
}

/** One row a turn. */
function turnRows({ k, unit, start, classes }: FlatEpisodes): CellRows {
  const units = new Int32Array(classes.length);
  for (let row = 0; row < unit.length; row++) units.fill(unit[row]!, start[row], start[row + 1]);
  return { k, unit: units, cell: classes, outside: new Uint8Array(classes.length) as ArrayLike<0 | 1> };
}

function policyEpisodes({ view }: Samples, space: BehaviourSpace): FlatEpisodes {
  const { rows } = view;
  const start = new Int32Array(rows.size + 1);
  let classes = new Int32Array(8 * rows.size);
  for (let row = 0; row < rows.size; row++) {
    const cells = view.profile.peek(rows.profileRow[row]!).policyCells;
    const from = start[row]!;
    const end = from + cells.length;
    start[row + 1] = end;
    if (end > classes.length) {
      const wider = new Int32Array(2 * end);
      wider.set(classes);
      classes = wider;
    }
    for (let turn = 0; turn < cells.length; turn++) classes[from + turn] = cells[turn]!;
  }
  return {
    k: Math.max(1, space.policyTurn.centroids.rows),
    unit: rows.context,
    simulator: rows.simulator,
    start,
    classes: classes.subarray(0, start[rows.size]!),
  };
}

/** GRPO groups with their rewards, or why there are none. Groups are what rows say: none is made up of a shared context. */
export function groupedRollouts({ view }: Samples): GroupedRollouts | { readonly reason: string } {
  const rewarded = Array.from({ length: view.rows.size }, (_, row) => row).filter(
    (row) => !Number.isNaN(view.rows.reward[row]!),
  );
  if (rewarded.length === 0) return { reason: 'no row carries a reward' };
  const grouped = {
    group: [] as number[],
    unit: [] as number[],
    reward: [] as number[],
    behaviour: [] as string[],
  };
  const numbers = new Map<string, number>();
  for (const row of rewarded) {
    const placed = view.profile.peek(view.rows.profileRow[row]!);
    if (placed.group === null) continue;
    const key = JSON.stringify([placed.group, placed.policy, placed.checkpoint, placed.epoch]);
    let group = numbers.get(key);
    if (group === undefined) {
      group = numbers.size;
      numbers.set(key, group);
    }
    // Identical rollouts are one row of the profile; here each counts, since a group of equals is the finding.
    for (let copy = 0; copy < placed.ids.length; copy++) {
      grouped.group.push(group);
      grouped.unit.push(view.rows.context[row]!);
      grouped.reward.push(view.rows.reward[row]!);
      grouped.behaviour.push(`${placed.turnCells.join()}/${placed.policyCells.join()}`);
    }
  }
  return grouped.group.length === 0 ? { reason: 'rows name no group of rollouts' } : grouped;
}

export function measureGroups(
  samples: Samples,
  options: AuditOptions,
): Pick<AuditReport['health'], 'groups' | 'zeroVariance'> {
  const grouped = groupedRollouts(samples);
  if ('reason' in grouped)
    return {
      groups: 0,
      zeroVariance: { share: missing(grouped.reason), allFail: 0, allPass: 0, sameBehaviour: 0, other: 0 },
    };
  const range = rewardRangeOf(samples, options.rewardRange);
  const { groups, share, allFail, allPass, sameBehaviour, other } = zeroVariance(grouped, range ?? [0, 1], {
    unitNoun: 'context',
  });
  return { groups, zeroVariance: { share, allFail, allPass, sameBehaviour, other } };
}
