import { hashText } from '../trajectory/identity.ts';
import type { SimulatorShares } from './control.ts';
import type { ProfileRow } from './profile.ts';
import type { Unit } from './unit.ts';

/** Columns over rows in hash order; numbers index the view's lists of names. */
export interface ViewRows {
  readonly size: number;
  /** Index in the profile, for what is not here (turn cells, acts, splits). */
  readonly profileRow: Int32Array;
  readonly simulator: Int32Array;
  readonly policy: Int32Array;
  /** -1 = unknown. */
  readonly checkpoint: Int32Array;
  readonly context: Int32Array;
  readonly unit: Int32Array;
  readonly cell: Uint8Array;
  /** 1 = farther from its centroid than the radius; such a row visits no mode. */
  readonly outside: Uint8Array;
  /** NaN = missing. */
  readonly reward: Float64Array;
  readonly epoch: Float64Array;
}

/** A row of a profile, with its index there. */
export interface Placed {
  readonly index: number;
  readonly row: ProfileRow;
}

/** Lists that the numbers of the columns index. */
export interface Names {
  readonly simulators: readonly string[];
  readonly policies: readonly string[];
  readonly checkpoints: readonly string[];
  readonly contexts: readonly string[];
  readonly units: readonly string[];
}

export function sharesOf(simulator: string, rows: readonly Placed[]): SimulatorShares {
  const eligible = rows.filter(({ row }) => row.cell !== null);
  return {
    simulator,
    rows: rows.length,
    eligible: eligible.length / rows.length,
    used: 1,
    outside: {
      full: eligible.length === 0 ? null : share(eligible, ({ row }) => row.outside === true),
      interaction: share(rows, ({ row }) => row.interactionOutside),
      semantic: share(rows, ({ row }) => row.semanticOutside),
    },
  };
}

export function contextsOf(rows: readonly Placed[]): number {
  return namesOf(rows, (row) => row.context).length;
}

/** The distinct names that rows carry, sorted. */
export function namesOf(rows: readonly Placed[], of: (row: ProfileRow) => string | null): string[] {
  const names = new Set<string>();
  for (const { row } of rows) {
    const name = of(row);
    if (name !== null) names.add(name);
  }
  return [...names].sort();
}

export function share<T>(rows: readonly T[], is: (row: T) => boolean): number {
  let count = 0;
  for (const row of rows) if (is(row)) count++;
  return count / rows.length;
}

export function bySimulator(rows: readonly Placed[]): Map<string, Placed[]> {
  const groups = new Map<string, Placed[]>();
  for (const placed of rows) {
    const group = groups.get(placed.row.simulator);
    if (group === undefined) groups.set(placed.row.simulator, [placed]);
    else group.push(placed);
  }
  return groups;
}

export function unitOf(row: ProfileRow, unit: Unit): string {
  if (unit === 'context') return row.context;
  // Two episodes of equal content are told apart: each is an observation of its own.
  if (unit === 'episode' || row.person === null)
    return JSON.stringify([row.hash, row.simulator, row.policy, row.checkpoint, row.epoch, row.reward]);
  return row.person;
}

/** Distinct keys by the smallest content hash among their rows, ties by name. Rows of each list come in hash order. */
export function contentOrder(
  lists: readonly (readonly Placed[])[],
  key: (row: ProfileRow) => string,
): string[] {
  const smallest = new Map<string, string>();
  for (const rows of lists) {
    // The first of a list is its smallest.
    const seen = new Set<string>();
    for (const { row } of rows) {
      const name = key(row);
      if (seen.has(name)) continue;
      seen.add(name);
      const held = smallest.get(name);
      const { hash } = row;
      if (held === undefined || hash < held) smallest.set(name, hash);
    }
  }
  return [...smallest]
    .sort(([a, first], [b, second]) => (first === second ? (a < b ? -1 : 1) : first < second ? -1 : 1))
    .map(([name]) => name);
}

/** Indexes into `simulators` in an order that the contents of their rows decide. */
export function nameFreeOrder(
  groups: ReadonlyMap<string, Placed[]>,
  simulators: readonly string[],
): number[] {
  const keys = simulators.map((name) =>
    hashText(
      groups
        .get(name)!
        .map(({ row }) => row.hash)
        .join(),
    ),
  );
  return simulators
    .map((_, i) => i)
    .sort((a, b) => (keys[a]! < keys[b]! ? -1 : keys[a]! > keys[b]! ? 1 : a - b));
}

export function columnsOf(
  rows: readonly Placed[],
  names: Names,
  unit: Unit,
  cellOf: (row: ProfileRow) => number | null,
  isOutside: (row: ProfileRow) => boolean,
): ViewRows {
  const simulators = numbers(names.simulators);
  const policies = numbers(names.policies);
  const checkpoints = numbers(names.checkpoints);
  const contexts = numbers(names.contexts);
  const units = unit === 'context' ? contexts : numbers(names.units);
  const size = rows.length;
  const profileRow = new Int32Array(size);
  const simulator = new Int32Array(size);
  const policy = new Int32Array(size);
  const checkpoint = new Int32Array(size);
  const context = new Int32Array(size);
  const unitAt = unit === 'context' ? context : new Int32Array(size);
  const cell = new Uint8Array(size);
  const outside = new Uint8Array(size);
  const reward = new Float64Array(size);
  const epoch = new Float64Array(size);
  for (let at = 0; at < size; at++) {
    const { index, row } = rows[at]!;
    profileRow[at] = index;
    simulator[at] = simulators.get(row.simulator) ?? -1;
    policy[at] = policies.get(row.policy) ?? -1;
    const named = row.checkpoint;
    checkpoint[at] = named === null ? -1 : (checkpoints.get(named) ?? -1);
    context[at] = contexts.get(row.context) ?? -1;
    if (unit !== 'context') unitAt[at] = units.get(unitOf(row, unit)) ?? -1;
    cell[at] = cellOf(row)!;
    outside[at] = isOutside(row) ? 1 : 0;
    reward[at] = row.reward ?? Number.NaN;
    epoch[at] = row.epoch ?? Number.NaN;
  }
  return {
    size,
    profileRow,
    simulator,
    policy,
    checkpoint,
    context,
    unit: unitAt,
    cell,
    outside,
    reward,
    epoch,
  };
}

function numbers(names: readonly string[]): Map<string, number> {
  return new Map(names.map((name, i) => [name, i]));
}

export function indexOrNull(names: readonly string[], name: string): number | null {
  const at = names.indexOf(name);
  return at < 0 ? null : at;
}
