import type { ProfileRow } from './profile.ts';
import type { ReferencePart } from './space.ts';

export const PARTS: readonly ReferencePart[] = ['fit', 'mass', 'ceiling'];

/** What makes two rows one: everything that a metric could tell apart in them. */
export interface RowKey {
  readonly hash: string;
  readonly simulator: string;
  readonly policy: string;
  readonly checkpoint: string | null;
  readonly epoch: number | null;
  readonly context: string;
  readonly reward: number | null;
  readonly part: ReferencePart | null;
}

/** Canonical order of rows: by content hash, then by the other fields; null before any value. */
export function compareKeys(a: RowKey, b: RowKey): number {
  return (
    compareValues(a.hash, b.hash) ||
    compareValues(a.simulator, b.simulator) ||
    compareValues(a.policy, b.policy) ||
    compareValues(a.checkpoint, b.checkpoint) ||
    compareValues(a.epoch, b.epoch) ||
    compareValues(a.context, b.context) ||
    compareValues(a.reward, b.reward) ||
    compareValues(a.part, b.part)
  );
}

/** Code-unit order for text, numeric for numbers, null first. */
export function compareValues<T extends string | number>(a: T | null, b: T | null): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  return a < b ? -1 : 1;
}

/** Order of the fields outside the key, so that which of two equal rows came first does not matter. */
export function compareRest(a: ProfileRow, b: ProfileRow): number {
  return (
    compareValues(a.person, b.person) ||
    compareValues(a.group, b.group) ||
    compareValues(a.contextLabel, b.contextLabel) ||
    compareValues(a.split, b.split) ||
    compareValues<string>(a.kind, b.kind) ||
    compareValues<string>(a.contextFrom, b.contextFrom) ||
    compareValues(a.actClass, b.actClass) ||
    compareValues(a.cell, b.cell) ||
    compareValues(a.interactionCell, b.interactionCell) ||
    compareValues(flagsOf(a), flagsOf(b)) ||
    compareValues(a.turnCells.join(), b.turnCells.join()) ||
    compareValues(a.policyCells.join(), b.policyCells.join()) ||
    compareValues(JSON.stringify(a.histories ?? null), JSON.stringify(b.histories ?? null))
  );
}

function flagsOf({ outside, interactionOutside, semanticOutside }: ProfileRow): string {
  return `${outside} ${interactionOutside} ${semanticOutside}`;
}
