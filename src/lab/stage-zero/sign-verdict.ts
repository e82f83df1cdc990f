import { type Figure, missing } from '../../metrics/index.ts';
import type { WorldId } from '../world/index.ts';
import type { Cell } from './cell.ts';
import { type CellFigure, cellFigure, windowChange } from './cell-figures.ts';
import { pairedFigure, seedFigure } from './seed-figure.ts';
import { LEAST_GAIN, SIGNS, type Sign } from './signs.ts';

/** `null` where there is no interval: the figure has the reason. */
export type Verdict = 'seen' | 'not seen' | 'opposite' | null;

export interface SignVerdict {
  readonly id: string;
  readonly statement: string;
  readonly source: string;
  readonly expected: Sign['expected'];
  readonly verdict: Verdict;
  /** What the verdict is of: mean over seeds with its interval. */
  readonly figure: Figure;
}

type Cells = ReadonlyMap<string, readonly Cell[]>;

/** Every sign of a world, by the cells of its methods. */
export function signVerdicts(world: WorldId, cells: Cells): SignVerdict[] {
  return SIGNS.filter((sign) => sign.world === null || sign.world === world).map((sign) => {
    const figure = signFigure(sign, cells);
    const { id, statement, source, expected } = sign;
    return { id, statement, source, expected, verdict: verdictOf(expected, figure), figure };
  });
}

export function signFigure({ test }: Sign, cells: Cells): Figure {
  const of = (method: string, figure: CellFigure['of']): ReadonlyMap<number, number | null> | null => {
    const own = cells.get(method);
    return own === undefined || own.length === 0 ? null : doneValues(own, figure);
  };
  if (test.kind === 'difference') {
    const { of: figure } = cellFigure(test.figure);
    const one = of(test.of, figure);
    const other = of(test.less, figure);
    if (one === null) return missing(`no cell of ${test.of}`);
    if (other === null) return missing(`no cell of ${test.less}`);
    return pairedFigure(one, other);
  }
  const values =
    test.kind === 'change'
      ? of(test.method, (cell) => windowChange(cell, (record) => record[test.column]))
      : of(test.method, cellFigure(test.figure).of);
  if (values === null) return missing(`no cell of ${test.method}`);
  const own = [...values.values()];
  const has = own.filter((value) => value !== null);
  return has.length === own.length
    ? seedFigure(has)
    : missing(`${own.length - has.length} of ${own.length} seeds have no value`, has.length);
}

export function verdictOf(expected: Sign['expected'], { low, high }: Figure): Verdict {
  if (low === null || high === null) return null;
  if (expected === 'not above') return low > 0 ? 'opposite' : high < LEAST_GAIN ? 'seen' : 'not seen';
  if (low > 0) return expected === 'up' ? 'seen' : 'opposite';
  if (high < 0) return expected === 'down' ? 'seen' : 'opposite';
  return 'not seen';
}

/** By seed, in the order of seeds; null where a cell has no value. Diverged cells are not in it. */
export function doneValues(cells: readonly Cell[], of: CellFigure['of']): ReadonlyMap<number, number | null> {
  return new Map(
    [...cells]
      .sort((a, b) => a.seed - b.seed)
      .flatMap((cell) => (cell.status === 'done' ? [[cell.seed, of(cell).value] as const] : [])),
  );
}
