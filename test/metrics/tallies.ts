import fc from 'fast-check';
import { type CellRows, type Tally, tallyOf } from '../../src/metrics/tally.ts';

/** `cells[u]` = cells of the rows of unit u; nothing outside. */
export function rowsOf(k: number, cells: readonly (readonly number[])[]): CellRows {
  const unit: number[] = [];
  const cell: number[] = [];
  cells.forEach((list, u) => {
    for (const c of list) {
      unit.push(u);
      cell.push(c);
    }
  });
  return { k, unit, cell, outside: cell.map(() => 0 as const) };
}

export function tally(k: number, cells: readonly (readonly number[])[]): Tally {
  return tallyOf(rowsOf(k, cells));
}

/** Every unit shows the same cells. */
export function repeated(k: number, units: number, cells: readonly number[]): Tally {
  return tally(
    k,
    Array.from({ length: units }, () => cells),
  );
}

/** Random rows: `k` cells, 2 to 14 units of 0 to 5 rows. */
export function anyRows(k: number): fc.Arbitrary<CellRows> {
  return fc
    .array(fc.array(fc.tuple(fc.integer({ min: 0, max: k - 1 }), fc.boolean()), { maxLength: 5 }), {
      minLength: 2,
      maxLength: 14,
    })
    .map((units) => ({
      k,
      unit: units.flatMap((rows, u) => rows.map(() => u)),
      cell: units.flatMap((rows) => rows.map(([cell]) => cell)),
      outside: units.flatMap((rows) => rows.map(([, outside]) => outside)),
    }))
    .filter(({ cell }) => cell.length > 0);
}

export function permuted(rows: CellRows, order: readonly number[]): CellRows {
  return {
    k: rows.k,
    unit: order.map((i) => rows.unit[i]!),
    cell: order.map((i) => rows.cell[i]!),
    outside: order.map((i) => rows.outside[i]!),
  };
}

export function relabelled(rows: CellRows, cells: readonly number[]): CellRows {
  return { ...rows, cell: Array.from(rows.cell, (cell) => cells[cell]!) };
}

export function shuffledIndexes(length: number): fc.Arbitrary<number[]> {
  const indexes = Array.from({ length }, (_, i) => i);
  return fc.shuffledSubarray(indexes, { minLength: length, maxLength: length });
}
