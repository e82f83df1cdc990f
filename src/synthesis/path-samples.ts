import { type Figure, missing } from '../metrics/figure.ts';
import { type Deletion, jackknifeFigure } from '../metrics/interval.ts';
import { distinctRows } from './distinct-rows.ts';
import { ModeLaws } from './mode-laws.ts';
import type { PathPlan } from './path-plan.ts';
import type { PlacedRow } from './placed-row.ts';
import { rowShare } from './row-share.ts';
import { type RowUnits, unitsOf } from './row-units.ts';

/** More of its rows outside than this, and cells say nothing of a member. */
const MOST_OUTSIDE = 0.5;

/** Rows of a path by lambda: the ends are the steps at 0 and 1 and the members `a` and `b` themselves. */
export class PathSamples {
  readonly #samples: readonly {
    readonly rows: readonly PlacedRow[];
    readonly units: RowUnits;
    readonly outside: Figure;
    readonly realism: Figure;
  }[];
  /** Index among those that count, -1 = it does not. */
  readonly #place: readonly number[];
  readonly #laws: ModeLaws;
  readonly #units: RowUnits;
  readonly #at: ReadonlyMap<number, number>;

  constructor(plan: PathPlan, rows: readonly PlacedRow[], k: number) {
    const lambdas = [...new Set([0, ...plan.steps.map(({ lambda }) => lambda), 1])];
    this.#at = new Map(lambdas.map((lambda, at) => [lambda, at]));
    const lambdaOf = new Map([
      [plan.a.id, 0],
      [plan.b.id, 1],
      ...plan.steps.map(({ lambda, member }) => [member.id, lambda] as const),
    ]);
    const all = distinctRows(rows.filter(({ simulator }) => lambdaOf.has(simulator)));
    this.#units = unitsOf(all);
    this.#samples = lambdas.map((lambda) => {
      const own = [...all.keys()].filter((at) => lambdaOf.get(all[at]!.simulator) === lambda);
      const units = { ...this.#units, of: Int32Array.from(own, (at) => this.#units.of[at]!) };
      const outside = own.map((at) => all[at]!.outside);
      return {
        rows: own.map((at) => all[at]!),
        units,
        outside: rowShare(outside, units),
        realism: rowShare(
          outside.map((is) => !is),
          units,
        ),
      };
    });
    const counted = [...this.#samples.keys()].filter((at) => this.#reasonAt(at) === null);
    this.#place = [...this.#samples.keys()].map((at) => counted.indexOf(at));
    this.#laws = new ModeLaws(
      counted.map((at) => {
        const { rows: own, units } = this.#samples[at]!;
        return { cells: own.map(({ cell }) => cell), units: units.of };
      }),
      k,
    );
  }

  n(...lambdas: readonly number[]): number {
    return lambdas.reduce((sum, lambda) => sum + this.#sample(lambda).rows.length, 0);
  }

  support(lambda: number): { readonly outside: Figure; readonly realism: Figure } {
    const { outside, realism } = this.#sample(lambda);
    return { outside, realism };
  }

  /** Why cells say nothing at this lambda; null where they do. */
  reason(lambda: number): string | null {
    return this.#reasonAt(this.#at.get(lambda)!);
  }

  /** |p_b - p_a|^2. Both ends must count. */
  distance(): Figure {
    const [a, b] = [this.#index(0), this.#index(1)];
    return this.figure(this.n(0, 1), (deletion) => this.#laws.squaredDistance(a, b, deletion));
  }

  position(lambda: number, deletion: Deletion | null): number {
    return this.#laws.position(this.#index(lambda), this.#index(0), this.#index(1), deletion);
  }

  offLine(lambda: number, deletion: Deletion | null): number {
    return this.#laws.offLine(this.#index(lambda), this.#index(0), this.#index(1), deletion);
  }

  figure(n: number, statistic: (deletion: Deletion | null) => number): Figure {
    if (this.#place.every((place) => place < 0)) return missing('no episode', n);
    const { noun } = this.#units;
    return jackknifeFigure(this.#laws.plan, statistic, {
      n,
      tested: this.#laws.tested,
      count: 'each',
      unitNoun: noun,
      undefinedReason: `no pair of rows from different ${noun}s`,
    });
  }

  #sample(lambda: number) {
    return this.#samples[this.#at.get(lambda)!]!;
  }

  #index(lambda: number): number {
    return this.#place[this.#at.get(lambda)!]!;
  }

  #reasonAt(at: number): string | null {
    const { rows, outside } = this.#samples[at]!;
    if (rows.length === 0) return 'no episode';
    return outside.value! > MOST_OUTSIDE ? 'off support' : null;
  }
}
