import type { CellReward, EpochCells, PassCount } from './allocation.ts';

/** Cells as the plan weighs them; `key` decides only between cells whose numbers are equal. */
export interface WeighedCell {
  readonly context: string;
  readonly simulator: string;
  readonly rollouts: number;
  /** Expected variance of the next rewards, on the scale of the range. */
  readonly variance: number;
  readonly coverage: number;
  readonly uncertainty: number;
}

/**
 * Degrees of freedom that a prior counts for. A cell is shrunk to its context and a context to all, so that a cell
 * that was never seen is expected to vary as its context does, and an all-fail cell keeps a little.
 */
const PRIOR = 4;
/** Variance of a reward that is uniform on its range: what is expected where nothing was seen. */
const UNIFORM = 1 / 12;

interface Spread {
  /** Degrees of freedom times variance, on the scale of the range. */
  readonly squares: number;
  readonly freedom: number;
}

/** Every context with every simulator, weighed. Cells stand by context and simulator. */
export function weighedCells(input: EpochCells): { cells: WeighedCell[]; unreached: number[] } {
  const contexts = [...new Set(input.cells.map(({ context }) => context))].sort();
  const simulators = [...new Set(input.cells.map(({ simulator }) => simulator))].sort();
  const at = new Map(contexts.map((context, i) => [context, i]));
  const simulatorAt = new Map(simulators.map((simulator, i) => [simulator, i]));
  const size = contexts.length * simulators.length;
  const indexOf = (context: string, simulator: string) =>
    at.get(context)! * simulators.length + simulatorAt.get(simulator)!;
  const rollouts = new Float64Array(size);
  const spread: (Spread | null)[] = new Array(size).fill(null);
  const scale = Math.max(input.rewardRange[1] - input.rewardRange[0], 0) || 1;
  for (const { context, simulator, rollouts: n, reward } of input.cells) {
    const cell = indexOf(context, simulator);
    rollouts[cell]! += n;
    const own = spreadOf(reward, scale);
    const before = spread[cell] ?? { squares: 0, freedom: 0 };
    spread[cell] = { squares: before.squares + own.squares, freedom: before.freedom + own.freedom };
  }
  const variances = expectedVariances(spread, simulators.length);
  const { coverage, unreached } = coverageWeights(input, contexts, simulators, simulatorAt);
  const uncertainty = uncertaintyWeights(input, simulators, rollouts);
  const cells: WeighedCell[] = [];
  for (let cell = 0; cell < size; cell++)
    cells.push({
      context: contexts[Math.floor(cell / simulators.length)]!,
      simulator: simulators[cell % simulators.length]!,
      rollouts: rollouts[cell]!,
      variance: variances[cell]!,
      coverage: coverage[cell]!,
      uncertainty: uncertainty[cell]!,
    });
  return { cells, unreached };
}

function spreadOf(reward: CellReward | PassCount | null, scale: number): Spread {
  if (reward === null) return { squares: 0, freedom: 0 };
  if ('passes' in reward) {
    const { passes, n } = reward;
    return n < 2 ? { squares: 0, freedom: 0 } : { squares: (passes * (n - passes)) / n, freedom: n - 1 };
  }
  return { squares: (reward.freedom * reward.variance) / scale ** 2, freedom: reward.freedom };
}

/** Shrinkage in two steps: (PRIOR * prior + freedom * variance) / (PRIOR + freedom), cells by context, contexts by all. */
function expectedVariances(spread: readonly (Spread | null)[], width: number): Float64Array {
  const all = total(spread);
  const pool = (PRIOR * UNIFORM + all.squares) / (PRIOR + all.freedom);
  const expected = new Float64Array(spread.length);
  for (let first = 0; first < spread.length; first += width) {
    const own = total(spread.slice(first, first + width));
    const context = (PRIOR * pool + own.squares) / (PRIOR + own.freedom);
    for (let cell = first; cell < first + width; cell++) {
      const { squares, freedom } = spread[cell] ?? { squares: 0, freedom: 0 };
      expected[cell] = (PRIOR * context + squares) / (PRIOR + freedom);
    }
  }
  return expected;
}

/** Summed by size, so that names and order do not reach the last digit. */
function total(spread: readonly (Spread | null)[]): Spread {
  const sum = (values: number[]) => values.sort((a, b) => a - b).reduce((before, value) => before + value, 0);
  const known = spread.filter((one) => one !== null);
  return {
    squares: sum(known.map(({ squares }) => squares)),
    freedom: sum(known.map(({ freedom }) => freedom)),
  };
}

/** Each uncovered mode spends its mass on the cells where simulator and context came near it, as if independent. */
function coverageWeights(
  { uncovered }: EpochCells,
  contexts: readonly string[],
  simulators: readonly string[],
  simulatorAt: ReadonlyMap<string, number>,
): { coverage: Float64Array; unreached: number[] } {
  const coverage = new Float64Array(contexts.length * simulators.length);
  const unreached: number[] = [];
  const modes = [...uncovered].sort((a, b) => a.mass - b.mass || a.mode - b.mode);
  for (const { mode, mass, simulators: near, contexts: where } of modes) {
    const rates = new Float64Array(simulators.length);
    for (const { simulator, rate } of near) {
      const at = simulatorAt.get(simulator);
      if (at !== undefined) rates[at] = rate;
    }
    const rateOf = where === undefined ? null : new Map(where.map(({ context, rate }) => [context, rate]));
    const places = contexts.map((context) => (rateOf === null ? 1 : (rateOf.get(context) ?? 0)));
    const ascending = (values: Iterable<number>) =>
      [...values].sort((a, b) => a - b).reduce((sum, value) => sum + value, 0);
    const whole = ascending(rates) * ascending(places);
    if (!(whole > 0)) {
      if (mass > 0) unreached.push(mode);
      continue;
    }
    places.forEach((place, context) => {
      for (let simulator = 0; simulator < simulators.length; simulator++)
        coverage[context * simulators.length + simulator]! += (mass * rates[simulator]! * place) / whole;
    });
  }
  return { coverage, unreached: unreached.sort((a, b) => a - b) };
}

/**
 * A simulator's width, spread over its cells by 1 / (1 + rollouts): intervals are over contexts, so that new contexts
 * narrow them most. A simulator without an interval counts as the widest.
 */
function uncertaintyWeights(
  { widths }: EpochCells,
  simulators: readonly string[],
  rollouts: Float64Array,
): Float64Array {
  const known = new Map(widths.map(({ simulator, width }) => [simulator, width]));
  const widest = widths.reduce((most, { width }) => Math.max(most, width ?? 0), 0) || 1;
  const weights = new Float64Array(rollouts.length);
  simulators.forEach((simulator, at) => {
    if (!known.has(simulator)) return;
    const width = known.get(simulator) ?? widest;
    const open: number[] = [];
    for (let cell = at; cell < rollouts.length; cell += simulators.length)
      open.push(1 / (1 + rollouts[cell]!));
    const whole = [...open].sort((a, b) => a - b).reduce((sum, value) => sum + value, 0);
    open.forEach((share, context) => {
      weights[context * simulators.length + at] = (width * share) / whole;
    });
  });
  return weights;
}
