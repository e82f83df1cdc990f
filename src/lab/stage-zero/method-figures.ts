import { type Figure, missing } from '../../metrics/index.ts';
import type { Cell } from './cell.ts';
import type { CellFigure } from './cell-figures.ts';
import { seedFigure } from './seed-figure.ts';

/** A figure over seeds. Where a seed has none there is no mean: `nulls` says which and why. */
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
  const without = [...nulls].map(([reason, seeds]) => ({ reason, seeds }));
  if (without.length === 0) return { ...seedFigure(values, 't', unit), nulls: [] };
  // What has no value is seldom like the rest: the mean of the rest would be of other seeds than it says.
  const count = without.reduce((sum, { seeds }) => sum + seeds.length, 0);
  const reason =
    values.length === 0 && without.length === 1
      ? without[0]!.reason
      : `${count} of ${count + values.length} seeds have no value: ${without.map((one) => one.reason).join('; ')}`;
  return { ...missing(reason, values.length, 't-seed'), nulls: without };
}
