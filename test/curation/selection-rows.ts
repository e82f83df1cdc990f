import type { CurationRows } from '../../src/curation/rows.ts';
import { hash32 } from '../../src/math/index.ts';

export interface SmallRow {
  /** Stands for the content: equal names are equal contents. */
  readonly content: string;
  readonly simulator?: string;
  readonly policy?: string;
  readonly context?: string;
  readonly group?: string | null;
  readonly reward?: number | null;
}

/** Rows as the stages after the gate read them, in the order given. */
export function curationRows(small: readonly SmallRow[]): CurationRows {
  const table = (values: readonly (string | null)[]) => {
    const names = [...new Set(values.filter((value): value is string => value !== null))];
    const index = Int32Array.from(values, (value) => (value === null ? -1 : names.indexOf(value)));
    return { names, index };
  };
  const simulators = table(small.map(({ simulator = 's' }) => simulator));
  const policies = table(small.map(({ policy = 'p' }) => policy));
  const contexts = table(small.map(({ context = 'c' }) => context));
  const groups = table(small.map(({ group = 'g' }) => group));
  return {
    size: small.length,
    ids: small.map((_, row) => `row-${row}`),
    hashes: Uint32Array.from(
      small.flatMap(({ content }) => [1, 2, 3, 4].map((seed) => hash32(content, seed))),
    ),
    simulators: simulators.names,
    simulator: simulators.index,
    policies: policies.names,
    policy: policies.index,
    contexts: contexts.names,
    context: contexts.index,
    groups: groups.names,
    group: groups.index,
    k: 4,
    mode: new Int16Array(small.length),
    outside: new Uint8Array(small.length),
    distance: new Float32Array(small.length),
    reward: Float64Array.from(small, ({ reward = 0 }) => reward ?? Number.NaN),
  };
}

/** Every subset of 0 .. n-1, as places. */
export function subsets(n: number): number[][] {
  return Array.from({ length: 2 ** n }, (_, bits) =>
    Array.from({ length: n }, (__, i) => i).filter((i) => (bits >> i) & 1),
  );
}
