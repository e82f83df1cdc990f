import type { CellMaker } from './cell-work.ts';
import { plainCell } from './plain-cell.ts';

export * from './cell.ts';
export * from './cell-figures.ts';
export * from './cell-place.ts';
export * from './cell-work.ts';
export * from './curves.ts';
export * from './panels.ts';
export * from './published.ts';
export * from './seed-figure.ts';
export * from './sign-verdict.ts';
export * from './signs.ts';
export * from './study.ts';
export * from './table.ts';
export * from './table-plan.ts';
export * from './table-text.ts';

export const CELL_MAKER: CellMaker = plainCell;
