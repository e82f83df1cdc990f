import type { Advantages } from './advantages.ts';
import { groupMembers } from './group-members.ts';
import { pairAdvantages } from './pair-weights.ts';
import type { AdvantageRecipe } from './recipe.ts';
import type { CurationRows } from './rows.ts';
import type { Selection } from './selection.ts';

/**
 * Advantages of kept rows over pairs, exactly unbiased for the full groups' (pairAdvantages; weights are inside, the
 * gradient of a group is the SUM over its kept rows). `simulator` compares rows of one simulator alone, each such part
 * of a group with its own n. The n of the denominator counts rows of the full group that have a reward.
 *
 * NaN: not kept, no reward, no group, or one row kept a group, where no pair is possible; `missing` counts the kept
 * ones of these. Lone rows, of the full group, have 0 and are counted; so has a row whose partners
 * were all dropped, which is no loss: the weights of other draws make up for it.
 */
export function selectedAdvantages(
  rows: CurationRows,
  weight: ArrayLike<number>,
  selection: Selection,
  kind: AdvantageRecipe['baseline'] = 'weighted',
  multipliers: ArrayLike<number> | null = null,
): Advantages {
  const advantage = new Float64Array(rows.size).fill(Number.NaN);
  const { start, members } = groupMembers(rows, weight);
  const single = selection.account.design === 'conditional-poisson' && selection.account.keep === 1;
  let [groups, lone, judged, kept] = [0, 0, 0, 0];
  for (let row = 0; row < rows.size; row++) kept += selection.kept[row]!;
  for (let group = 0; group < rows.groups.length; group++) {
    const own = members.subarray(start[group]!, start[group + 1]!);
    if (own.length > 0) groups += 1;
    for (const part of parts(rows, own, kind)) {
      const here = part.filter((row) => selection.kept[row] === 1);
      const found = pairAdvantages({
        size: part.length,
        reward: here.map((row) => rows.reward[row]!),
        weight: here.map((row) => weight[row]!),
        joint: (i, j) => selection.pairs.joint(here[i]!, here[j]!),
      });
      // One row of a cut group, where none ever has a partner: the pair form says nothing.
      const silent = single && own.length > 1 && part.length > 1;
      if (!silent) judged += here.length;
      if (part.length === 1) lone += here.length;
      here.forEach((row, i) => {
        const factor = multipliers === null ? 1 : multipliers[rows.simulator[row]!]!;
        advantage[row] = silent ? Number.NaN : found[i]! * factor;
      });
    }
  }
  return { advantage, account: { baseline: kind, groups, lone, missing: kept - judged } };
}

/** Rows with a reward that are compared with each other. */
function parts(rows: CurationRows, own: Uint32Array, kind: AdvantageRecipe['baseline']): number[][] {
  const bySimulator = new Map<number, number[]>();
  for (const row of own) {
    if (Number.isNaN(rows.reward[row]!)) continue;
    const key = kind === 'simulator' ? rows.simulator[row]! : 0;
    const part = bySimulator.get(key);
    if (part === undefined) bySimulator.set(key, [row]);
    else part.push(row);
  }
  return [...bySimulator.values()];
}
