import type { Random } from '../math/random.ts';
import type { SearchResult } from './manifest.ts';

/** Figures of a subset; NaN where one is not defined. */
export interface SubsetFigures {
  readonly scd2: number;
  readonly bdi: number;
  readonly realism: number;
}

export interface SubsetSearch {
  /** Gated rows that a subset is taken from. */
  readonly rows: number;
  /** Rows of the subset. */
  readonly size: number;
  readonly evaluate: (chosen: Uint8Array) => SubsetFigures;
  /** Subsets that the climbs begin with: 1 = chosen. */
  readonly starts: readonly Uint8Array[];
  /** Subsets looked at, all climbs together. */
  readonly evaluations: number;
  readonly random: Random;
}

interface Climb {
  readonly figures: SubsetFigures;
  readonly used: number;
}

/**
 * The lowest SCD2 and the highest BDI that hill climbing finds among subsets of one size: from each start, rows are
 * swapped in and out at random, several at first and one at the end, and a swap that does not worsen the figure
 * stays. What it reaches is reachable; that nothing better exists is not shown by it, which `method` says.
 */
export function searchSubsets(search: SubsetSearch, seed: number): SearchResult {
  const { starts, evaluations } = search;
  const each = Math.max(1, Math.floor(evaluations / (2 * Math.max(1, starts.length))));
  const climbs = (label: string, score: (figures: SubsetFigures) => number) =>
    starts.map((start, at) => climb(search, start, each, score, search.random.fork(`${label}/${at}`)));
  const low = climbs('scd2', ({ scd2 }) => (Number.isNaN(scd2) ? Number.NEGATIVE_INFINITY : -scd2));
  const high = climbs('bdi', ({ bdi }) => (Number.isNaN(bdi) ? Number.NEGATIVE_INFINITY : bdi));
  const best = (found: readonly Climb[], score: (figures: SubsetFigures) => number) => {
    let top = found[0]!.figures;
    for (const { figures } of found) if (score(figures) > score(top)) top = figures;
    return {
      scd2: orNull(top.scd2),
      bdi: orNull(top.bdi),
      realism: orNull(top.realism),
    };
  };
  return {
    method: `hill climbing by random swaps from ${starts.length} starts, for each figure by itself: what it reached can be reached, better subsets may exist`,
    rows: search.size,
    evaluations: [...low, ...high].reduce((sum, { used }) => sum + used, 0),
    seed,
    bestScd2: best(low, ({ scd2 }) => (Number.isNaN(scd2) ? Number.NEGATIVE_INFINITY : -scd2)),
    bestBdi: best(high, ({ bdi }) => (Number.isNaN(bdi) ? Number.NEGATIVE_INFINITY : bdi)),
  };
}

function climb(
  { rows, evaluate }: SubsetSearch,
  start: Uint8Array,
  evaluations: number,
  score: (figures: SubsetFigures) => number,
  random: Random,
): Climb {
  const chosen = Uint8Array.from(start);
  const inside: number[] = [];
  const outside: number[] = [];
  for (let row = 0; row < rows; row++) (chosen[row] === 1 ? inside : outside).push(row);
  let figures = evaluate(chosen);
  let used = 1;
  if (inside.length === 0 || outside.length === 0) return { figures, used };
  for (; used < evaluations; used++) {
    const swaps = Math.max(1, Math.round((inside.length / 20) * (1 - (2 * used) / evaluations)));
    const moved: [number, number][] = [];
    for (let swap = 0; swap < Math.min(swaps, outside.length, inside.length); swap++) {
      const [i, o] = [random.integer(inside.length), random.integer(outside.length)];
      const [leaves, enters] = [inside[i]!, outside[o]!];
      chosen[leaves] = 0;
      chosen[enters] = 1;
      inside[i] = enters;
      outside[o] = leaves;
      moved.push([i, o]);
    }
    const next = evaluate(chosen);
    if (score(next) >= score(figures)) {
      figures = next;
      continue;
    }
    for (const [i, o] of moved.reverse()) {
      const [entered, left] = [inside[i]!, outside[o]!];
      chosen[entered] = 0;
      chosen[left] = 1;
      inside[i] = left;
      outside[o] = entered;
    }
  }
  return { figures, used };
}

function orNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
