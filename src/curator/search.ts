import type { Samples } from '../audit/samples.ts';
import type { SearchResult } from '../curation/manifest.ts';
import type { CurationPlan } from '../curation/plan.ts';
import { type SubsetFigures, searchSubsets } from '../curation/subset-search.ts';
import { hashOrder, seeded } from '../math/index.ts';
import { massAt, mergeTallies, pairCollapseAt, type Tally, tallyOf } from '../metrics/index.ts';
import type { View } from '../space/index.ts';
import { isChosen } from './after-profile.ts';
import type { Changed } from './before-after.ts';

/**
 * The best SCD2 and the best coverage that subsets of the gated rows reach, as many rows as the curated data have: so
 * that a curation that gains nothing can say whether the data could have given more.
 */
export function searchOf(
  gated: Samples,
  plan: CurationPlan,
  { g0 }: Changed,
  evaluations: number,
  seed: number,
): SearchResult | null {
  const { view, people } = gated;
  const { rows } = view;
  const start = curatedRows(view, plan);
  const size = start.reduce((sum, is) => sum + is, 0);
  if (size === 0) return null;
  const reference = people?.mass.tally ?? null;
  const ceiling = people === null || g0 === null ? 1 : massAt(people.ceiling.tally, reference, g0);
  const bySimulator: number[][] = view.simulators.map(() => []);
  for (let row = 0; row < rows.size; row++) bySimulator[rows.simulator[row]!]!.push(row);
  const evaluate = (chosen: Uint8Array): SubsetFigures => {
    const tallies: Tally[] = [];
    for (const all of bySimulator) {
      const own = all.filter((row) => chosen[row] === 1);
      if (own.length === 0) continue;
      tallies.push(
        tallyOf({
          k: view.k,
          unit: own.map((row) => rows.unit[row]!),
          cell: own.map((row) => rows.cell[row]!),
          outside: own.map((row) => rows.outside[row] === 1),
        }),
      );
    }
    const merged = mergeTallies(tallies);
    return {
      scd2: pairCollapseAt(tallies),
      bdi: g0 === null ? Number.NaN : massAt(merged, reference, g0) / ceiling,
      realism: 1 - merged.outside / merged.n,
    };
  };
  if (size === rows.size) return onlyOne(evaluate(start), size, seed);
  const starts = [start, evenOverModes(view, size, seed), byHash(view, size, seed)];
  return searchSubsets(
    { rows: rows.size, size, evaluate, starts, evaluations, random: seeded(`${seed}/subsets`) },
    seed,
  );
}

/** Nothing was left out: the curated data are the one subset of their size. */
function onlyOne(figures: SubsetFigures, rows: number, seed: number): SearchResult {
  const known = (value: number) => (Number.isNaN(value) ? null : value);
  const { scd2, bdi, realism } = figures;
  const best = { scd2: known(scd2), bdi: known(bdi), realism: known(realism) };
  const method = 'no search: all rows that passed the gate are kept, no other subset of them has that size';
  return { method, rows, evaluations: 1, seed, bestScd2: best, bestBdi: best };
}

/** Rows of the view that stand for the curated data. */
function curatedRows(view: View, { rows, after }: CurationPlan): Uint8Array {
  return Uint8Array.from({ length: view.rows.size }, (_, row) =>
    isChosen(view.profile.peek(view.rows.profileRow[row]!), rows, after) ? 1 : 0,
  );
}

/** As many rows of each mode as there are, up to an equal share; rows inside the support first. */
function evenOverModes(view: View, size: number, seed: number): Uint8Array {
  const { rows } = view;
  const order = hashed(view, seed).sort((a, b) => rows.outside[a]! - rows.outside[b]!);
  const taken = new Float64Array(view.k);
  const turn = order.map((row) => ({ row, turn: taken[rows.cell[row]!]!++ }));
  turn.sort((a, b) => a.turn - b.turn);
  return chosen(
    rows.size,
    turn.slice(0, size).map(({ row }) => row),
  );
}

function byHash(view: View, size: number, seed: number): Uint8Array {
  return chosen(view.rows.size, hashed(view, seed).slice(0, size));
}

function hashed(view: View, seed: number): number[] {
  const order = Float64Array.from({ length: view.rows.size }, (_, row) =>
    hashOrder(view.profile.peek(view.rows.profileRow[row]!).hash, seed),
  );
  return Array.from(order.keys()).sort((a, b) => order[a]! - order[b]!);
}

function chosen(size: number, rows: readonly number[]): Uint8Array {
  const marks = new Uint8Array(size);
  for (const row of rows) marks[row] = 1;
  return marks;
}
