import type { Advantages } from './advantages.ts';
import { groupMembers } from './group-members.ts';
import { pairAdvantages } from './pair-weights.ts';
import type { AdvantageRecipe } from './recipe.ts';
import type { CurationRows } from './rows.ts';
import type { Selection } from './selection.ts';

/**
 * Advantages of kept rows over pairs, on the scale of groupAdvantages: to be multiplied by the row's loss weight, and
 * averaged over rows.
 *
 *     A_i = f / (n - 1) * sum over kept j of w_j (r_i - r_j) / pi_ij
 *
 * n counts the rows of the full group that have a reward; f is the expected share of such rows that are kept, over all
 * groups. The mean over kept rows of w_i A_i grad log p(row i) is then unbiased for the mean over ALL rows with the
 * leave-one-out advantages of full groups, sum_j w_j (r_i - r_j) / (n - 1); where nothing was dropped it is these.
 * (Under Poisson the number kept is random: unbiased is the sum over kept rows, divided by its expected number.)
 * There is no division by a deviation: it would bring a bias back. sum of w_i A_i is 0 in every group.
 *
 * `simulator` compares rows of one simulator alone, each such part of a group with its own n.
 *
 * NaN: not kept, no reward, no group, or one row kept a group, where no pair is possible; `missing` counts the kept
 * ones of these. Lone rows, of the full group, have 0 and are counted; so has a row whose partners were all dropped,
 * which is no loss: the weights of other draws make up for it.
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
  const share = expectedShare(rows, members, selection);
  const single = selection.account.design === 'conditional-poisson' && selection.account.keep === 1;
  let [groups, lone, judged, kept] = [0, 0, 0, 0];
  for (let row = 0; row < rows.size; row++) kept += selection.kept[row]!;
  for (let group = 0; group < rows.groups.length; group++) {
    const own = members.subarray(start[group]!, start[group + 1]!);
    if (own.length > 0) groups += 1;
    for (const part of parts(rows, own, kind)) {
      const here = part.filter((row) => selection.kept[row] === 1);
      // One row of a cut group, where none ever has a partner: the pair form says nothing.
      if (single && own.length > 1 && part.length > 1) continue;
      const found = pairAdvantages({
        size: part.length,
        reward: here.map((row) => rows.reward[row]!),
        weight: here.map((row) => weight[row]!),
        joint: (i, j) => selection.pairs.joint(here[i]!, here[j]!),
      });
      if (part.length === 1) lone += here.length;
      here.forEach((row, i) => {
        const factor = multipliers === null ? 1 : multipliers[rows.simulator[row]!]!;
        const value = ((share * part.length * found[i]!) / weight[row]!) * factor;
        if (!Number.isFinite(value)) return;
        judged += 1;
        advantage[row] = value;
      });
    }
  }
  return { advantage, account: { baseline: kind, groups, lone, missing: kept - judged } };
}

/** Of rows with a group and a reward, how many are kept on average: a constant of the design, not of the draw. */
function expectedShare(rows: CurationRows, members: Uint32Array, { inclusion }: Selection): number {
  const known = members.filter((row) => !Number.isNaN(rows.reward[row]!));
  // Sorted: groups are numbered as they came, and the sum must not hang on that.
  const chances = Float64Array.from(known, (row) => inclusion[row]!).sort();
  return chances.reduce((total, chance) => total + chance, 0) / chances.length;
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
