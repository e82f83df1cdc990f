import fc from 'fast-check';
import type { CurationRows } from '../../src/curation/rows.ts';
import { hash32, seeded } from '../../src/math/index.ts';

export interface Row {
  readonly content: string;
  readonly simulator: number;
  readonly mode: number;
  readonly group?: string | null;
  readonly outside?: boolean;
  readonly distance?: number;
}

/** Columns of some rows, in the order given. */
export function columns(
  rows: readonly Row[],
  k: number,
  simulators = 1 + Math.max(0, ...rows.map((row) => row.simulator)),
): CurationRows {
  const groups = [...new Set(rows.flatMap(({ group }) => (group == null ? [] : [group])))];
  return {
    size: rows.length,
    ids: rows.map((_, i) => `row-${i}`),
    hashes: Uint32Array.from(
      rows.flatMap(({ content }) => [1, 2, 3, 4].map((word) => hash32(content, word))),
    ),
    simulators: Array.from({ length: simulators }, (_, i) => `simulator-${i}`),
    simulator: Int32Array.from(rows, (row) => row.simulator),
    policies: ['policy'],
    policy: new Int32Array(rows.length),
    contexts: ['context'],
    context: new Int32Array(rows.length),
    groups,
    group: Int32Array.from(rows, ({ group }) => (group == null ? -1 : groups.indexOf(group))),
    k,
    mode: Int16Array.from(rows, (row) => row.mode),
    outside: Uint8Array.from(rows, (row) => (row.outside ? 1 : 0)),
    distance: Float32Array.from(rows, (row) => row.distance ?? Number.NaN),
    reward: new Float64Array(rows.length),
  };
}

/** Rows with repeated contents, lone rows, mixed groups, unknown distances and missing modes; K = 6. */
export const someRows = fc.array(
  fc.record({
    content: fc.integer({ min: 0, max: 40 }).map((n) => `content ${n}`),
    simulator: fc.integer({ min: 0, max: 3 }),
    mode: fc.integer({ min: -1, max: 5 }),
    group: fc.option(fc.integer({ min: 0, max: 6 }).map((n) => `group ${n}`)),
    outside: fc.boolean(),
    distance: fc.oneof(
      fc.constant(Number.NaN),
      fc.integer({ min: 0, max: 5 }),
      fc.double({ min: 0, max: 10, noNaN: true }),
    ),
  }),
  { minLength: 1, maxLength: 60 },
);

/** A permutation of 0 .. n-1. */
export function shuffled(n: number, seed: string): number[] {
  return seeded(seed).shuffle(Array.from({ length: n }, (_, i) => i));
}
