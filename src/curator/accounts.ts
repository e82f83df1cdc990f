import { modeLabels } from '../audit/mode-labels.ts';
import type { Samples } from '../audit/samples.ts';
import type { ModeAccount, SimulatorAccount } from '../curation/manifest.ts';
import type { CurationPlan } from '../curation/plan.ts';
import { mergeTallies, type Tally } from '../metrics/index.ts';
import type { BehaviourSpace, ReservoirRow } from '../space/index.ts';
import { concentrations } from './gated-facts.ts';
import type { Sifted } from './sift.ts';

/** Every simulator that was read, by name: also one of which no row passed. */
export function simulatorAccounts(plan: CurationPlan, gated: Samples, sifted: Sifted): SimulatorAccount[] {
  const { rows } = plan;
  const ids = [...sifted.simulators.keys()].sort();
  const mci = concentrations(ids, gated);
  const sums = new Float64Array(rows.simulators.length);
  const counts = new Float64Array(rows.simulators.length);
  for (let row = 0; row < rows.size; row++) {
    sums[rows.simulator[row]!]! += plan.weight[row]!;
    counts[rows.simulator[row]!]! += 1;
  }
  const number = new Map(rows.simulators.map((id, at) => [id, at]));
  return ids.map((id, at) => {
    const own = number.get(id) ?? -1;
    return {
      id,
      ...sifted.simulators.get(id)!,
      mci: mci[at]!,
      meanWeight: own < 0 || plan.weights === null ? null : sums[own]! / counts[own]!,
      gradientScale: own < 0 ? null : plan.scale[own]!,
      consistency: own < 0 ? null : (plan.consistency?.multipliers[own] ?? null),
    };
  });
}

/** Shares of every mode along the way, with a name for it. `samples`: before and after. */
export function modeAccounts(
  plan: CurationPlan,
  gated: Samples,
  space: BehaviourSpace,
  [before, after]: readonly [Samples, Samples],
): ModeAccount[] {
  const { rows } = plan;
  const { k } = gated.view;
  const weighted = new Float64Array(k);
  let total = 0;
  for (let row = 0; row < rows.size; row++) {
    if (rows.mode[row]! < 0 || plan.trained[row] === 0) continue;
    weighted[rows.mode[row]!]! += plan.weight[row]!;
    total += plan.weight[row]!;
  }
  const people = gated.people?.mass.tally ?? null;
  const labels = labelsOf(gated, space);
  const [first, kept, last] = [before, gated, after].map(({ simulators }) =>
    sharesOf(mergeTallies(simulators.map(({ tally }) => tally))),
  ) as [Float64Array, Float64Array, Float64Array];
  const reference = people === null ? null : sharesOf(people);
  return Array.from({ length: k }, (_, mode) => ({
    mode,
    label: labels[mode]!,
    before: first[mode]!,
    kept: kept[mode]!,
    weighted: plan.weights === null || total === 0 ? null : weighted[mode]! / total,
    after: last[mode]!,
    people: reference?.[mode] ?? null,
  }));
}

function sharesOf({ counts, n }: Tally): Float64Array {
  return counts.map((count) => count / Math.max(1, n));
}

function labelsOf({ view, simulators, people }: Samples, space: BehaviourSpace): readonly string[] {
  if (view.classes !== null) return view.classes;
  const cells = new Map<ReservoirRow, number>();
  const parts = people === null ? simulators : [...simulators, people.mass, people.ceiling];
  for (const { reservoir, reservoirCells } of parts)
    reservoir.forEach((row, at) => {
      cells.set(row, reservoirCells[at]!);
    });
  return modeLabels(space, view.k, [...cells.keys()], (row) => cells.get(row) ?? null);
}
