import { hashOrder } from '../math/index.ts';
import type { ReservoirRow } from './profile.ts';
import { compareValues } from './row-key.ts';
import type { ReferencePart } from './space.ts';

interface Kept {
  readonly order: number;
  readonly row: ReservoirRow;
}

/**
 * Bottom-k sample of every simulator and reference part by hashOrder(hash, seed): which rows are kept depends on
 * what was seen, not on when. The same content in the same context is one row.
 */
export class Reservoir {
  readonly seed: number;
  readonly size: number;
  readonly #groups = new Map<string, { rows: Kept[]; worst: number }>();

  constructor(seed: number, size: number) {
    this.seed = seed;
    this.size = size;
  }

  /** False where the row cannot be among the k: its vectors need not be made. */
  wants(row: { hash: string; simulator: string; part: ReferencePart | null }): boolean {
    const group = this.#groups.get(groupKey(row));
    return this.size > 0 && (group === undefined || hashOrder(row.hash, this.seed) <= group.worst);
  }

  add(row: ReservoirRow): void {
    if (!this.wants(row)) return;
    const key = groupKey(row);
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = { rows: [], worst: Number.POSITIVE_INFINITY };
      this.#groups.set(key, group);
    }
    group.rows.push({ order: hashOrder(row.hash, this.seed), row });
    // Trimmed now and then only: twice k rows at most are held.
    if (group.rows.length >= 2 * this.size + 32) this.#trim(group);
  }

  /** In hash order; ties by simulator, part and context. */
  rows(): ReservoirRow[] {
    const all: ReservoirRow[] = [];
    for (const group of this.#groups.values()) {
      this.#trim(group);
      for (const { row } of group.rows) all.push(row);
    }
    return all.sort(
      (a, b) =>
        compareValues(a.hash, b.hash) ||
        compareValues(a.simulator, b.simulator) ||
        compareValues(a.part, b.part) ||
        compareValues(a.context, b.context),
    );
  }

  #trim(group: { rows: Kept[]; worst: number }): void {
    group.rows.sort(compareKept);
    group.rows = group.rows
      .filter((kept, i) => i === 0 || compareKept(kept, group.rows[i - 1]!) !== 0)
      .slice(0, this.size);
    if (group.rows.length === this.size) group.worst = group.rows[this.size - 1]!.order;
  }
}

function groupKey({ simulator, part }: { simulator: string; part: ReferencePart | null }): string {
  return `${part ?? ''}\u0000${simulator}`;
}

function compareKept(a: Kept, b: Kept): number {
  return (
    a.order - b.order || compareValues(a.row.hash, b.row.hash) || compareValues(a.row.context, b.row.context)
  );
}
