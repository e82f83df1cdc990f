import { type Tally, tallyOf } from '../metrics/index.ts';
import type { PlacedRow } from '../synthesis/index.ts';
import type { PeopleCounts } from './answer.ts';

/** Numbers for contexts, the same for all tallies that are compared. */
export class UnitNumbers {
  readonly #numbers = new Map<string, number>();

  /** Contexts in the order of their names: numbers must not come from the order of rows. */
  constructor(contexts: Iterable<string>) {
    [...new Set(contexts)].sort().forEach((name, at) => {
      this.#numbers.set(name, at);
    });
  }

  of(context: string): number {
    return this.#numbers.get(context)!;
  }
}

/** Episodes with members not told apart. */
export function tallyOfRows(rows: readonly PlacedRow[], k: number, units: UnitNumbers): Tally {
  return tallyOf({
    k,
    unit: rows.map(({ context }) => units.of(context)),
    cell: rows.map(({ cell }) => cell),
    outside: rows.map(({ outside }) => outside),
  });
}

export function tallyOfPeople(
  { units, cells, outside }: PeopleCounts,
  k: number,
  numbers: UnitNumbers,
): Tally {
  return tallyOf({ k, unit: units.map((unit) => numbers.of(unit)), cell: cells, outside });
}
