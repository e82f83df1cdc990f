import { MOST_OUTSIDE } from '../../audit/samples.ts';
import { type AllocationRecipe, type EpochCells, epochCells, planAllocation } from '../../curation/index.ts';
import { type Figure, missing, modeConcentration, type Tally, tallyOf } from '../../metrics/index.ts';
import { curationRows, type PlacedEpisode } from './step-rows.ts';

/** The trainer draws the settings, so that simulators alone are chosen among: all settings are one context. */
const ANY_SETTING = 'any setting';

/** MCI of each simulator over the window, units its settings; in the order of `simulators`. */
export function windowConcentrations(
  window: readonly PlacedEpisode[],
  simulators: readonly string[],
  k: number,
): Figure[] {
  const units = new Map(
    [...new Set(window.map(({ context }) => context))].sort().map((name, at) => [name, at]),
  );
  return simulators.map((id) => {
    const own = window.filter(({ simulator }) => simulator === id);
    if (own.length === 0) return missing('no row that can be compared');
    const tally: Tally = tallyOf({
      k,
      unit: own.map(({ context }) => units.get(context)!),
      cell: own.map(({ mode }) => mode),
      outside: own.map(({ outside }) => outside),
    });
    return tally.outside / tally.n > MOST_OUTSIDE
      ? missing('off support', tally.n)
      : modeConcentration(tally);
  });
}

/**
 * Groups of the next step by simulator, in the order of `simulators`, by the allocation of curation over the window:
 * a floor for all, then by reward variance, by people's modes that the window shows too rarely (where there are
 * people), and by the width of the interval of MCI.
 */
export function nextSeats(
  window: readonly PlacedEpisode[],
  simulators: readonly string[],
  k: number,
  people: Float64Array | null,
  recipe: AllocationRecipe,
): number[] {
  const rows = curationRows(window, null, k);
  const widths = windowConcentrations(window, simulators, k).map(({ low, high }, at) => ({
    simulator: simulators[at]!,
    width: low === null || high === null ? null : high - low,
  }));
  const cells: EpochCells = epochCells(
    { ...rows, contexts: [ANY_SETTING], context: new Int32Array(rows.size) },
    { rewardRange: [0, 1], people, widths },
  );
  const met = new Set(rows.simulators);
  const unmet = simulators
    .filter((simulator) => !met.has(simulator))
    .map((simulator) => ({ context: ANY_SETTING, simulator, rollouts: 0, reward: null }));
  const plan = planAllocation({ ...cells, cells: [...cells.cells, ...unmet] }, recipe);
  const given = new Map(plan.cells.map(({ simulator, rollouts }) => [simulator, rollouts / recipe.group]));
  return simulators.map((simulator) => given.get(simulator) ?? 0);
}
