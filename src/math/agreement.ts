import { logGamma } from './distributions.ts';
import { sum } from './summary.ts';

/**
 * Measures of agreement between two labellings of the same items. Labels are numbers, of which only equality
 * counts. Terms are summed in an order that no label decides: renaming labels or permuting items changes no bit.
 */

/** Entropy in nats of counts (or any weights of a positive total); 0 where all is in one class, NaN for none. */
export function entropy(counts: ArrayLike<number>): number {
  const total = sum(counts);
  if (!(total > 0)) return Number.NaN;
  const terms: number[] = [];
  for (let i = 0; i < counts.length; i++) {
    const share = counts[i]! / total;
    if (share > 0) terms.push(-share * Math.log(share));
  }
  return sortedSum(terms);
}

/** Mutual information in nats of two labellings (plug-in, biased upward). NaN for no items. */
export function mutualInformation(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return informationOf(contingency(a, b));
}

/**
 * Mutual information above what fixed margins give by chance, over the arithmetic mean of the entropies above
 * the same (Vinh, Epps & Bailey 2010; scikit-learn's default): 1 for equal partitions, about 0 for independent
 * ones, slightly negative at times. NaN for no items.
 */
export function adjustedMutualInformation(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const table = contingency(a, b);
  if (table.n === 0) return Number.NaN;
  // The same partition; for all apart or all together the quotient below would be 0 / 0.
  if (table.cells.every(([count, row, column]) => count === row && count === column)) return 1;
  const expected = expectedInformation(table);
  const span = (entropy(table.rows) + entropy(table.columns)) / 2 - expected;
  const guarded = span < 0 ? Math.min(span, -Number.EPSILON) : Math.max(span, Number.EPSILON);
  return (informationOf(table) - expected) / guarded;
}

/** Adjusted Rand index (Hubert & Arabie 1985): 1 for equal partitions, mean 0 under chance. NaN for no items. */
export function adjustedRand(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const table = contingency(a, b);
  if (table.n === 0) return Number.NaN;
  const together = pairs(table.cells.map(([count]) => count));
  const inRows = pairs(table.rows);
  const inColumns = pairs(table.columns);
  const expected = (inRows * inColumns) / pairs([table.n]);
  const most = (inRows + inColumns) / 2;
  // Both all apart or both all together: the same partition.
  return most === expected || table.n === 1 ? 1 : (together - expected) / (most - expected);
}

interface Contingency {
  readonly n: number;
  /** Sizes of the classes of either labelling. */
  readonly rows: number[];
  readonly columns: number[];
  /** Filled cells: count, row total, column total. */
  readonly cells: (readonly [number, number, number])[];
}

function contingency(a: ArrayLike<number>, b: ArrayLike<number>): Contingency {
  if (a.length !== b.length) throw new RangeError(`labellings of ${a.length} and ${b.length} items`);
  const [left, right] = [numbered(a), numbered(b)];
  const rows = new Array<number>(left.classes).fill(0);
  const columns = new Array<number>(right.classes).fill(0);
  const pairs = new Float64Array(a.length);
  for (let i = 0; i < a.length; i++) {
    rows[left.of[i]!]! += 1;
    columns[right.of[i]!]! += 1;
    pairs[i] = left.of[i]! * right.classes + right.of[i]!;
  }
  const cells: [number, number, number][] = [];
  const add = (pair: number, count: number) =>
    cells.push([count, rows[Math.floor(pair / right.classes)]!, columns[pair % right.classes]!]);
  const most = left.classes * right.classes;
  if (most <= 4 * a.length + 4096) {
    const counts = new Int32Array(most);
    for (let i = 0; i < pairs.length; i++) counts[pairs[i]!]! += 1;
    for (let pair = 0; pair < most; pair++) if (counts[pair]! > 0) add(pair, counts[pair]!);
  } else {
    pairs.sort();
    for (let from = 0, to = 0; from < pairs.length; from = to) {
      while (to < pairs.length && pairs[to] === pairs[from]) to++;
      add(pairs[from]!, to - from);
    }
  }
  return { n: a.length, rows, columns, cells };
}

/** Labels as 0, 1, ... in the order in which they come. */
function numbered(labels: ArrayLike<number>): { readonly of: Int32Array; readonly classes: number } {
  const numbers = new Map<number, number>();
  const of = new Int32Array(labels.length);
  for (let i = 0; i < labels.length; i++) {
    let number = numbers.get(labels[i]!);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(labels[i]!, number);
    }
    of[i] = number;
  }
  return { of, classes: numbers.size };
}

function informationOf({ n, cells }: Contingency): number {
  if (n === 0) return Number.NaN;
  const terms = cells.map(([count, row, column]) => (count / n) * Math.log((n * count) / (row * column)));
  return Math.max(0, sortedSum(terms));
}

/** E[MI] under random permutation with both margins fixed: Vinh et al. 2010, equation 24a. */
function expectedInformation({ n, rows, columns }: Contingency): number {
  const logFactorial = new Float64Array(n + 1);
  for (let i = 0; i <= n; i++) logFactorial[i] = logGamma(i + 1);
  const terms: number[] = [];
  // Classes of equal size give equal terms: each pair of sizes is worked out once.
  for (const [row, rowTimes] of multiplicities(rows)) {
    for (const [column, columnTimes] of multiplicities(columns)) {
      // Bracketed so that exchanging the two labellings changes no bit.
      const fixed =
        logFactorial[row]! +
        logFactorial[column]! +
        (logFactorial[n - row]! + logFactorial[n - column]!) -
        logFactorial[n]!;
      let total = 0;
      for (let count = Math.max(1, row + column - n); count <= Math.min(row, column); count++) {
        const logMass =
          fixed -
          logFactorial[count]! -
          (logFactorial[row - count]! + logFactorial[column - count]!) -
          logFactorial[n - row - column + count]!;
        total += (count / n) * Math.log((n * count) / (row * column)) * Math.exp(logMass);
      }
      terms.push(rowTimes * columnTimes * total);
    }
  }
  return sortedSum(terms);
}

function multiplicities(sizes: readonly number[]): Map<number, number> {
  const times = new Map<number, number>();
  for (const size of sizes) times.set(size, (times.get(size) ?? 0) + 1);
  return times;
}

function pairs(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + (count * (count - 1)) / 2, 0);
}

function sortedSum(terms: number[]): number {
  return sum(Float64Array.from(terms).sort());
}
