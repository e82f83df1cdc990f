import { seeded } from '../math/index.ts';
import {
  consistency,
  contextInformation,
  type GroupedRollouts,
  missing,
  type PolicyEpisodes,
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
  const turns = turnRows(episodes);
  return {
    ...measureGroups(samples, options),
    policyEntropy: policyEntropy(tallyOf({ k: episodes.k, ...turns }), interval),
    contextInformation: contextInformation(episodes, { ...interval, random }),
    consistency:
      view.simulators.length < 2
        ? missing('fewer than 2 simulators', episodes.unit.length)
        : consistency(episodes, { ...interval, random }),
  };
}

/** One row a turn. */
function turnRows({ unit, turns }: PolicyEpisodes) {
  let count = 0;
  for (let row = 0; row < turns.length; row++) count += turns[row]!.length;
  const units = new Int32Array(count);
  const cells = new Int32Array(count);
  let at = 0;
  for (let row = 0; row < turns.length; row++) {
    const own = turns[row]!;
    for (let turn = 0; turn < own.length; turn++, at++) {
      units[at] = unit[row]!;
      cells[at] = own[turn]!;
    }
  }
  return { unit: units, cell: cells, outside: new Uint8Array(count) as ArrayLike<0 | 1> };
}

function policyEpisodes({ view }: Samples, space: BehaviourSpace): PolicyEpisodes {
  const { rows } = view;
  return {
    k: Math.max(1, space.policyTurn.centroids.rows),
    unit: rows.context,
    simulator: rows.simulator,
    turns: Array.from(
      { length: rows.size },
      (_, row) => view.profile.peek(rows.profileRow[row]!).policyCells,
    ),
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
