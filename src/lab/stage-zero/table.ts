import { type Figure, holmFamily, pValue } from '../../metrics/index.ts';
import { COMPARISON, METHODS } from '../methods/index.ts';
import type { Divergence } from '../trainer/index.ts';
import type { WorldId } from '../world/index.ts';
import type { Cell } from './cell.ts';
import { CELL_FIGURES, type CellFigure } from './cell-figures.ts';
import { worldName } from './cell-place.ts';
import { type Curves, curvesOf } from './curves.ts';
import { type TableFigure, tableFigure } from './method-figures.ts';
import { pairedFigure } from './seed-figure.ts';
import { doneValues, type SignVerdict, signVerdicts } from './sign-verdict.ts';
import type { Study } from './study.ts';
import type { TablePlan } from './table-plan.ts';

export const TABLE_SCHEMA = 'collapse-aware/lab-table@1';

/** A method against the one that the table compares with, over the seeds that have both. */
export interface TableDifference extends Figure {
  readonly p: number | null;
  /** Holm's over the methods of one world and figure. */
  readonly pHolm: number | null;
}

export interface MethodRow {
  readonly method: string;
  readonly title: string;
  readonly seeds: {
    readonly done: readonly number[];
    readonly diverged: readonly ({ readonly seed: number } & Divergence)[];
    /** Planned and not made yet. */
    readonly missing: readonly number[];
  };
  readonly figures: Readonly<Record<string, TableFigure>>;
  /** Empty for the method that is compared with, and where that one is not in the table. */
  readonly differences: Readonly<Record<string, TableDifference>>;
  readonly curves: Curves;
}

export interface WorldTable {
  /** `persuasion-10`. */
  readonly name: string;
  readonly world: WorldId;
  readonly horizon: number;
  readonly methods: readonly MethodRow[];
  readonly signs: readonly SignVerdict[];
}

/** Everything a table shows, as plain data. */
export interface Table {
  readonly schema: typeof TABLE_SCHEMA;
  readonly study: Study;
  readonly comparison: string;
  readonly seeds: readonly number[];
  readonly figures: readonly Pick<CellFigure, 'id' | 'title' | 'unit' | 'better'>[];
  readonly worlds: readonly WorldTable[];
}

/**
 * The table of a plan from the cells that are there, in any order. Cells outside of the plan are not looked at.
 * @param comparison the method that the others are paired with
 */
export function tableOf(
  study: Study,
  plan: TablePlan,
  cells: readonly Cell[],
  comparison: string = COMPARISON,
): Table {
  return {
    schema: TABLE_SCHEMA,
    study,
    comparison,
    seeds: plan.seeds,
    figures: CELL_FIGURES.map(({ id, title, unit, better }) => ({ id, title, unit, better })),
    worlds: plan.worlds.map((place) => {
      const own = new Map<string, Cell[]>(plan.methods.map((method) => [method, []]));
      const planned = new Set(plan.seeds);
      for (const cell of cells)
        if (worldName(cell) === worldName(place) && planned.has(cell.seed)) own.get(cell.method)?.push(cell);
      for (const list of own.values()) list.sort((a, b) => a.seed - b.seed);
      return {
        name: worldName(place),
        ...place,
        methods: withDifferences(plan, own, comparison),
        signs: signVerdicts(place.world, own),
      };
    }),
  };
}

function withDifferences(
  plan: TablePlan,
  own: ReadonlyMap<string, readonly Cell[]>,
  comparison: string,
): MethodRow[] {
  const others = plan.methods.filter((method) => method !== comparison);
  const base = own.get(comparison);
  const differences = new Map<string, Record<string, TableDifference>>(others.map((method) => [method, {}]));
  if (base !== undefined)
    for (const { id, of, unit } of CELL_FIGURES) {
      const against = doneValues(base, of);
      const figures = others.map((method) => pairedFigure(doneValues(own.get(method)!, of), against, unit));
      const adjusted = holmFamily(figures);
      others.forEach((method, i) => {
        differences.get(method)![id] = { ...figures[i]!, p: pValue(figures[i]!), pHolm: adjusted[i]! };
      });
    }
  return plan.methods.map((method) => {
    const cells = own.get(method)!;
    const made = new Set(cells.map(({ seed }) => seed));
    return {
      method,
      title: METHODS.find(({ id }) => id === method)!.title,
      seeds: {
        done: cells.filter(({ status }) => status === 'done').map(({ seed }) => seed),
        diverged: cells.flatMap(({ seed, diverged }) => (diverged === null ? [] : [{ seed, ...diverged }])),
        missing: plan.seeds.filter((seed) => !made.has(seed)),
      },
      figures: Object.fromEntries(CELL_FIGURES.map((figure) => [figure.id, tableFigure(cells, figure)])),
      differences: differences.get(method) ?? {},
      curves: curvesOf(cells),
    };
  });
}
