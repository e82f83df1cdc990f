import type { Figure } from '../../metrics/index.ts';
import type { Cell } from './cell.ts';
import type { CellFigure } from './cell-figures.ts';
import { seedFigure } from './seed-figure.ts';

/** A figure over the seeds that have it; what has it not is counted with its reasons. */
export interface TableFigure extends Figure {
  readonly nulls: readonly { readonly reason: string; readonly seeds: readonly number[] }[];
}

/** Over the cells of one method, in the order of seeds; diverged ones are left out. */
export function tableFigure(
  cells: readonly Cell[],
  { of, unit }: Pick<CellFigure, 'of' | 'unit'>,
): TableFigure {
  const nulls = new Map<string, number[]>();
  const values: number[] = [];
  for (const cell of cells) {
    if (cell.status !== 'done') continue;
    const { value, reason = 'no reason is on record' } = of(cell);
    if (value !== null) values.push(value);
    else nulls.set(reason, [...(nulls.get(reason) ?? []), cell.seed]);
  }
  return {
    ...seedFigure(values, 't', unit),
    nulls: [...nulls].map(([reason, seeds]) => ({ reason, seeds })),
  };
}
