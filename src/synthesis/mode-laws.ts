import { type Deletion, groupLost, type JackknifePlan, jackknifePlan } from '../metrics/interval.ts';
import { insideRegime, tallyOf } from '../metrics/tally.ts';

interface Sample {
  readonly cells: readonly number[];
  readonly units: Int32Array;
}

/**
 * Products of the mode laws of several samples, <p_i, p_j>, as shares of coinciding pairs of rows from different units:
 * unbiased, where the product of two plug-in laws would count the noise of a law with itself.
 */
export class ModeLaws {
  readonly plan: JackknifePlan;
  /** Whether the coverage of the jackknife was tested for samples like all of these. */
  readonly tested: boolean;
  readonly #k: number;
  readonly #samples: readonly {
    readonly n: number;
    readonly counts: Float64Array;
    /** Per group of its component: counts by cell, rows. */
    readonly groupCounts: readonly Float64Array[];
    readonly groupRows: Float64Array;
  }[];
  readonly #shared: readonly (readonly Shared[])[];

  /** Cells in 0 .. k-1; units index one list over all samples. */
  constructor(samples: readonly Sample[], k: number) {
    this.#k = k;
    const tallies = samples.map(({ cells, units }) =>
      tallyOf({ k, unit: units, cell: cells, outside: new Uint8Array(cells.length) as ArrayLike<0 | 1> }),
    );
    this.plan = jackknifePlan(tallies);
    this.tested = tallies.every(insideRegime);
    const perUnit = samples.map(({ cells, units }) => countsByUnit(cells, units, k));
    this.#samples = tallies.map((tally, i) => {
      const { groups, groupOf } = this.#component(i);
      const groupCounts = Array.from({ length: groups }, () => new Float64Array(k));
      const groupRows = new Float64Array(groups);
      for (const [unit, counts] of perUnit[i]!)
        for (let cell = 0; cell < k; cell++) {
          groupCounts[groupOf[unit]!]![cell]! += counts[cell]!;
          groupRows[groupOf[unit]!]! += counts[cell]!;
        }
      return { n: tally.n, counts: tally.counts, groupCounts, groupRows };
    });
    this.#shared = samples.map((_, i) =>
      samples.map((_, j) => sharedPairs(perUnit[i]!, perUnit[j]!, this.#component(i))),
    );
  }

  #component(sample: number) {
    return this.plan.components[this.plan.componentOf[sample]!]!;
  }

  /** <p_i, p_j> without what `deletion` leaves out; NaN where no pair is left. */
  product(i: number, j: number, deletion: Deletion | null): number {
    const [a, b] = [this.#samples[i]!, this.#samples[j]!];
    const [lostA, lostB] = [groupLost(this.plan, i, deletion), groupLost(this.plan, j, deletion)];
    const shared = this.#shared[i]![j]!;
    let coincide = 0;
    for (let cell = 0; cell < this.#k; cell++)
      coincide +=
        (a.counts[cell]! - (lostA < 0 ? 0 : a.groupCounts[lostA]![cell]!)) *
        (b.counts[cell]! - (lostB < 0 ? 0 : b.groupCounts[lostB]![cell]!));
    const rows =
      (a.n - (lostA < 0 ? 0 : a.groupRows[lostA]!)) * (b.n - (lostB < 0 ? 0 : b.groupRows[lostB]!));
    // Two samples that share a unit lose it together.
    const same = shared.same - (lostA < 0 ? 0 : shared.groupSame[lostA]!);
    const pairs = rows - (shared.pairs - (lostA < 0 ? 0 : shared.groupPairs[lostA]!));
    return pairs > 0 ? (coincide - same) / pairs : Number.NaN;
  }

  /** |p_i - p_j|^2; may fall below 0 where the two are alike. */
  squaredDistance(i: number, j: number, deletion: Deletion | null): number {
    return this.product(i, i, deletion) + this.product(j, j, deletion) - 2 * this.product(i, j, deletion);
  }

  /** <p_x - p_a, p_b - p_a> / |p_b - p_a|^2; NaN where a and b fall together. */
  position(x: number, a: number, b: number, deletion: Deletion | null): number {
    const distance = this.squaredDistance(a, b, deletion);
    if (!(distance > 0)) return Number.NaN;
    if (x === a) return 0;
    if (x === b) return 1;
    const along =
      this.product(x, b, deletion) -
      this.product(x, a, deletion) -
      this.product(a, b, deletion) +
      this.product(a, a, deletion);
    return along / distance;
  }

  /** Squared distance of x from the line through a and b, over |p_b - p_a|^2. */
  offLine(x: number, a: number, b: number, deletion: Deletion | null): number {
    if (x === a || x === b) return 0;
    const distance = this.squaredDistance(a, b, deletion);
    return this.squaredDistance(x, a, deletion) / distance - this.position(x, a, b, deletion) ** 2;
  }
}

/** Pairs of rows inside one unit, in all and per group. */
interface Shared {
  readonly same: number;
  readonly pairs: number;
  readonly groupSame: Float64Array;
  readonly groupPairs: Float64Array;
}

function countsByUnit(cells: readonly number[], units: Int32Array, k: number): Map<number, Float64Array> {
  const byUnit = new Map<number, Float64Array>();
  cells.forEach((cell, at) => {
    const counts = byUnit.get(units[at]!) ?? new Float64Array(k);
    counts[cell]! += 1;
    byUnit.set(units[at]!, counts);
  });
  return byUnit;
}

function sharedPairs(
  a: ReadonlyMap<number, Float64Array>,
  b: ReadonlyMap<number, Float64Array>,
  { groups, groupOf }: { readonly groups: number; readonly groupOf: Int32Array },
): Shared {
  const groupSame = new Float64Array(groups);
  const groupPairs = new Float64Array(groups);
  let [same, pairs] = [0, 0];
  for (const [unit, own] of a) {
    const other = b.get(unit);
    if (other === undefined) continue;
    let inCommon = 0;
    for (let cell = 0; cell < own.length; cell++) inCommon += own[cell]! * other[cell]!;
    const all = total(own) * total(other);
    same += inCommon;
    pairs += all;
    groupSame[groupOf[unit]!]! += inCommon;
    groupPairs[groupOf[unit]!]! += all;
  }
  return { same, pairs, groupSame, groupPairs };
}

const total = (counts: Float64Array) => counts.reduce((sum, count) => sum + count, 0);
