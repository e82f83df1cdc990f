import { type Figure, missing } from './figure.ts';
import { groupLost, type IntervalOptions, jackknifeFigure, jackknifePlan } from './interval.ts';
import { presentUnits, type VectorRows } from './vectors.ts';

/**
 * Mean Euclidean distance between two rows of one context, mean over contexts with >= 2 rows, over the same of the
 * reference or the pool: near 0 = the simulator says the same again in one situation. `context` holds each row's
 * context; the jackknife leaves out `unit`s of the vectors (the same, unless contexts do not repeat).
 */
export function withinContext(
  simulator: VectorRows,
  reference: VectorRows,
  options: IntervalOptions & {
    readonly contexts?: { readonly simulator: ArrayLike<number>; readonly reference: ArrayLike<number> };
  } = {},
): Figure {
  const n = simulator.unit.length;
  const samples = [simulator, reference];
  const labels = [
    options.contexts?.simulator ?? simulator.unit,
    options.contexts?.reference ?? reference.unit,
  ];
  // Found first: where nothing repeats, the reference need not be gone through.
  if (!repeats(labels[0]!, n)) return missing('no context with 2 rows', n);
  const units = samples.map(presentUnits);
  const plan = jackknifePlan(units.map((present) => ({ units: present })));
  const means = samples.map((rows, sample) => {
    const { groupOf } = plan.components[plan.componentOf[sample]!]!;
    return distanceSums(rows, labels[sample]!, groupOf);
  });
  if (means[1]!.contexts === 0) return missing('no context with 2 rows to compare with', n);
  return jackknifeFigure(
    plan,
    (deletion) => {
      const [own, other] = means.map((sums, sample) => sums.meanWithout(groupLost(plan, sample, deletion)));
      return own! / other!;
    },
    {
      ...options,
      n,
      tested: units.every((present) => present.length >= 50),
      count: 'each',
      undefinedReason: 'the rows to compare with do not vary',
    },
  );
}

function repeats(labels: ArrayLike<number>, n: number): boolean {
  const seen = new Set<number>();
  for (let row = 0; row < n; row++) seen.add(labels[row]!);
  return seen.size < n;
}

/** Sums of pair distances by context, and how much of each a group of units holds. */
function distanceSums(
  { columns, data, unit }: VectorRows,
  context: ArrayLike<number>,
  groupOf: ArrayLike<number>,
): { contexts: number; meanWithout(group: number): number } {
  const rowsOf = new Map<number, number[]>();
  for (let row = 0; row < unit.length; row++) {
    const list = rowsOf.get(context[row]!);
    if (list === undefined) rowsOf.set(context[row]!, [row]);
    else list.push(row);
  }
  const tables = [...rowsOf]
    .sort(([a], [b]) => a - b)
    .filter(([, rows]) => rows.length >= 2)
    .map(([, rows]) => {
      let total = 0;
      // What leaves with a group: every pair with at least one row in it.
      const lost = new Map<number, { sum: number; pairs: number }>();
      const lose = (group: number, distance: number) => {
        const entry = lost.get(group) ?? { sum: 0, pairs: 0 };
        entry.sum += distance;
        entry.pairs += 1;
        lost.set(group, entry);
      };
      for (let i = 0; i < rows.length; i++)
        for (let j = i + 1; j < rows.length; j++) {
          const distance = distanceBetween(data, columns, rows[i]!, rows[j]!);
          total += distance;
          const [a, b] = [groupOf[unit[rows[i]!]!]!, groupOf[unit[rows[j]!]!]!];
          lose(a, distance);
          if (b !== a) lose(b, distance);
        }
      return { total, pairs: (rows.length * (rows.length - 1)) / 2, lost };
    });
  return {
    contexts: tables.length,
    meanWithout(group) {
      let sum = 0;
      let contexts = 0;
      for (const { total, pairs, lost } of tables) {
        const gone = lost.get(group);
        const left = pairs - (gone?.pairs ?? 0);
        if (left === 0) continue;
        sum += (total - (gone?.sum ?? 0)) / left;
        contexts += 1;
      }
      return contexts === 0 ? Number.NaN : sum / contexts;
    },
  };
}

function distanceBetween(data: Float32Array | Float64Array, columns: number, a: number, b: number): number {
  let square = 0;
  for (let c = 0; c < columns; c++) square += (data[a * columns + c]! - data[b * columns + c]!) ** 2;
  return Math.sqrt(square);
}
