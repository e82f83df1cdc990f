import type { SimulatorKind, Split } from '../trajectory/trajectory.ts';
import type { ProfileRow, RowHistory } from './profile.ts';
import type { ProfileColumns } from './profile-columns.ts';
import { PARTS } from './row-key.ts';

export const KINDS: readonly SimulatorKind[] = ['llm', 'scripted', 'human', 'trained'];
export const SPLITS: readonly Split[] = ['seen', 'selection', 'test'];
export const ORIGINS = ['scenario', 'label', 'none'] as const;

/** Flags of a row, one bit each. */
export const HAS_CELL = 1;
export const KNOWS_OUTSIDE = 2;
export const OUTSIDE = 4;
export const INTERACTION_OUTSIDE = 8;
export const SEMANTIC_OUTSIDE = 16;
export const ODD_HASH = 32;

/** A row of columns that reads a field when it is asked for: most readers want one or two. */
export class RowView implements ProfileRow {
  readonly #columns: ProfileColumns;
  readonly #at: number;

  constructor(columns: ProfileColumns, at: number) {
    this.#columns = columns;
    this.#at = at;
  }

  get hash(): string {
    return this.#columns.hash(this.#at);
  }
  get ids(): readonly number[] {
    return this.#columns.ids(this.#at);
  }
  get context(): string {
    return this.#columns.text(this.#at, 0)!;
  }
  get contextFrom(): ProfileRow['contextFrom'] {
    return ORIGINS[this.#columns.small(this.#at, 0) >> 2]!;
  }
  get contextLabel(): string | null {
    return this.#columns.text(this.#at, 1);
  }
  get person(): string | null {
    return this.#columns.text(this.#at, 2);
  }
  get simulator(): string {
    return this.#columns.text(this.#at, 3)!;
  }
  get kind(): SimulatorKind {
    return KINDS[this.#columns.small(this.#at, 0) & 3]!;
  }
  get policy(): string {
    return this.#columns.text(this.#at, 4)!;
  }
  get checkpoint(): string | null {
    return this.#columns.text(this.#at, 5);
  }
  get epoch(): number | null {
    return this.#columns.number(this.#at, 0);
  }
  get group(): string | null {
    return this.#columns.text(this.#at, 6);
  }
  get split(): Split | null {
    return SPLITS[this.#columns.small(this.#at, 1)] ?? null;
  }
  get reward(): number | null {
    return this.#columns.number(this.#at, 1);
  }
  get part(): ProfileRow['part'] {
    return PARTS[this.#columns.small(this.#at, 2)] ?? null;
  }
  get cell(): number | null {
    return this.#is(HAS_CELL) ? this.#columns.cell(this.#at, 0) : null;
  }
  get interactionCell(): number {
    return this.#columns.cell(this.#at, 1);
  }
  get outside(): boolean | null {
    return this.#is(KNOWS_OUTSIDE) ? this.#is(OUTSIDE) : null;
  }
  get interactionOutside(): boolean {
    return this.#is(INTERACTION_OUTSIDE);
  }
  get semanticOutside(): boolean {
    return this.#is(SEMANTIC_OUTSIDE);
  }
  get turnCells(): Uint8Array {
    return this.#columns.turnCells(this.#at);
  }
  get policyCells(): Uint8Array {
    return this.#columns.policyCells(this.#at);
  }
  get actClass(): string | null {
    return this.#columns.text(this.#at, 7);
  }
  get histories(): readonly RowHistory[] | undefined {
    return this.#columns.histories(this.#at);
  }

  #is(flag: number): boolean {
    return (this.#columns.small(this.#at, 3) & flag) !== 0;
  }
}

/** The row as data of its own. */
export function plainRow(row: ProfileRow): ProfileRow {
  const { histories } = row;
  return {
    hash: row.hash,
    ids: row.ids,
    context: row.context,
    contextFrom: row.contextFrom,
    contextLabel: row.contextLabel,
    person: row.person,
    simulator: row.simulator,
    kind: row.kind,
    policy: row.policy,
    checkpoint: row.checkpoint,
    epoch: row.epoch,
    group: row.group,
    split: row.split,
    reward: row.reward,
    part: row.part,
    cell: row.cell,
    interactionCell: row.interactionCell,
    outside: row.outside,
    interactionOutside: row.interactionOutside,
    semanticOutside: row.semanticOutside,
    turnCells: row.turnCells.slice(),
    policyCells: row.policyCells.slice(),
    actClass: row.actClass,
    ...(histories === undefined ? {} : { histories }),
  };
}
