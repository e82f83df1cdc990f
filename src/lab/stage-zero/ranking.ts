import type { Figure } from '../../metrics/index.ts';
import type { Cell } from './cell.ts';
import { cellFigure } from './cell-figures.ts';
import { type CellPlace, worldName } from './cell-place.ts';
import type { GridPoint } from './grid.ts';
import { type TableFigure, tableFigure } from './method-figures.ts';
import { pairedFigure } from './seed-figure.ts';
import { doneValues } from './sign-verdict.ts';

export const RANKING_SCHEMA = 'collapse-aware/lab-ranking@1';

export interface PairAtPoint {
  readonly point: string;
  /** Held-out success of the first less the second, paired over seeds. */
  readonly difference: Figure;
  /** By the interval; null where there is none. */
  readonly ahead: 'first' | 'second' | 'not told apart' | null;
}

/** Two methods over the grid. */
export interface RankedPair {
  readonly first: string;
  readonly second: string;
  readonly points: readonly PairAtPoint[];
  /** The first is ahead at one point and the second at another, both by interval. */
  readonly flips: boolean;
}

export interface Ranking {
  readonly schema: typeof RANKING_SCHEMA;
  /** `persuasion-10`. */
  readonly world: string;
  readonly seeds: readonly number[];
  readonly methods: readonly string[];
  readonly points: readonly {
    readonly id: string;
    readonly study: string;
    /** Held-out success by method. */
    readonly heldOut: Readonly<Record<string, TableFigure>>;
  }[];
  readonly pairs: readonly RankedPair[];
}

export interface GridCells {
  readonly point: GridPoint;
  readonly cells: readonly Cell[];
}

/** Orders of methods over a grid whose first point is the default: its cells stand in where a method was not run. */
export function rankingOf(
  world: Pick<CellPlace, 'world' | 'horizon'>,
  seeds: readonly number[],
  grid: readonly GridCells[],
): Ranking {
  const name = worldName(world);
  const wanted = new Set(seeds);
  const own = (cells: readonly Cell[], method: string) =>
    cells
      .filter((cell) => worldName(cell) === name && cell.method === method && wanted.has(cell.seed))
      .sort((a, b) => a.seed - b.seed);
  const methods = grid[0]?.point.methods ?? [];
  const cellsAt = ({ point, cells }: GridCells, method: string) =>
    own(point.methods.includes(method) ? cells : (grid[0]?.cells ?? []), method);
  const heldOut = cellFigure('heldOut');
  return {
    schema: RANKING_SCHEMA,
    world: name,
    seeds,
    methods,
    points: grid.map((at) => ({
      id: at.point.id,
      study: at.point.study.hash,
      heldOut: Object.fromEntries(
        methods.map((method) => [method, tableFigure(cellsAt(at, method), heldOut)]),
      ),
    })),
    pairs: methods.flatMap((first, i) =>
      methods.slice(i + 1).map((second): RankedPair => {
        const points = grid.map((at): PairAtPoint => {
          const difference = pairedFigure(
            doneValues(cellsAt(at, first), heldOut.of),
            doneValues(cellsAt(at, second), heldOut.of),
            heldOut.unit,
          );
          return { point: at.point.id, difference, ahead: aheadOf(difference) };
        });
        const flips =
          points.some(({ ahead }) => ahead === 'first') && points.some(({ ahead }) => ahead === 'second');
        return { first, second, points, flips };
      }),
    ),
  };
}

function aheadOf({ low, high }: Figure): PairAtPoint['ahead'] {
  if (low === null || high === null) return null;
  return low > 0 ? 'first' : high < 0 ? 'second' : 'not told apart';
}
