import { nearest } from './nearest.ts';
import type { Random } from './random.ts';
import { sum } from './summary.ts';

export interface Clustering {
  /** Row-major `k x columns`, by falling size of the cell, then by coordinates. */
  readonly centroids: Float32Array;
  /** Cell of each row: its nearest centroid. */
  readonly assignment: Uint16Array;
  /** Sum of squared distances to the nearest centroid. */
  readonly inertia: number;
}

export interface KMeansOptions {
  /** Independent starts, the best of which is kept; 4 unless given. */
  readonly restarts?: number;
  /** Most Lloyd steps of a start; 100 unless given. */
  readonly iterations?: number;
}

/**
 * k-means (Lloyd 1982) from k-means++ starts (Arthur & Vassilvitskii 2007). The result depends on the rows'
 * order and the seed of `random` alone: pass rows in hash order and it is free of the input's order.
 * A cell that runs empty moves to the point farthest from its centroid.
 * Throws RangeError unless 1 <= k <= rows.
 */
export function kMeans(
  data: Float32Array,
  rows: number,
  columns: number,
  k: number,
  random: Random,
  options: KMeansOptions = {},
): Clustering {
  if (!(Number.isInteger(k) && k >= 1 && k <= Math.min(rows, 65536)))
    throw new RangeError(`cannot cut ${rows} rows into ${k} cells`);
  let best: Clustering | null = null;
  for (let start = 0; start < (options.restarts ?? 4); start++) {
    const centroids = plusPlus(data, rows, columns, k, random.fork(`k-means/${start}`));
    lloyd(data, rows, columns, centroids, k, options.iterations ?? 100);
    const found = canonical(data, rows, columns, centroids, k);
    if (best === null || found.inertia < best.inertia) best = found;
  }
  return best!;
}

function plusPlus(
  data: Float32Array,
  rows: number,
  columns: number,
  k: number,
  random: Random,
): Float32Array {
  const centroids = new Float32Array(k * columns);
  const closest = new Float64Array(rows).fill(Number.POSITIVE_INFINITY);
  let chosen = random.integer(rows);
  for (let c = 0; c < k; c++) {
    centroids.set(data.subarray(chosen * columns, (chosen + 1) * columns), c * columns);
    let total = 0;
    const to = chosen * columns;
    for (let row = 0, from = 0; row < rows; row++, from += columns) {
      // Sums of squares only grow: past the closest so far the row need not be read to its end.
      const most = closest[row]!;
      let square = 0;
      for (let j = 0; j < columns && square < most; j++) {
        const difference = data[from + j]! - data[to + j]!;
        square += difference * difference;
      }
      if (square < most) closest[row] = square;
      total += closest[row]!;
    }
    chosen = drawn(closest, random.next() * total);
  }
  return centroids;
}

/** The row in which the running sum of weights passes `target`, never one of weight 0 where another exists. */
function drawn(weights: Float64Array, target: number): number {
  let last = 0;
  let running = 0;
  for (let row = 0; row < weights.length; row++) {
    if (weights[row] === 0) continue;
    last = row;
    running += weights[row]!;
    if (running > target) break;
  }
  return last;
}

/** Moves `centroids` in place until no row changes its cell. */
function lloyd(
  data: Float32Array,
  rows: number,
  columns: number,
  centroids: Float32Array,
  k: number,
  iterations: number,
): void {
  let before: Uint16Array | null = null;
  for (let step = 0; step < iterations; step++) {
    const { cell, distance } = nearest(data, rows, columns, centroids, k);
    if (before !== null && same(cell, before)) return;
    before = cell;
    moveToMeans(data, rows, columns, centroids, k, cell, distance);
  }
}

function same(a: Uint16Array, b: Uint16Array): boolean {
  for (let row = 0; row < a.length; row++) if (a[row] !== b[row]) return false;
  return true;
}

function moveToMeans(
  data: Float32Array,
  rows: number,
  columns: number,
  centroids: Float32Array,
  k: number,
  cell: Uint16Array,
  distance: Float32Array,
): void {
  const sums = new Float64Array(k * columns);
  const sizes = new Uint32Array(k);
  for (let row = 0, at = 0; row < rows; row++) {
    const to = cell[row]! * columns;
    sizes[cell[row]!]!++;
    for (let j = 0; j < columns; j++, at++) sums[to + j]! += data[at]!;
  }
  for (let c = 0; c < k; c++) {
    if (sizes[c] === 0) {
      let far = 0;
      for (let row = 1; row < rows; row++) if (distance[row]! > distance[far]!) far = row;
      // All rows sit on centroids: there are fewer distinct rows than cells, and the cell stays empty.
      if (distance[far]! === 0) continue;
      centroids.set(data.subarray(far * columns, (far + 1) * columns), c * columns);
      distance[far] = 0;
    } else for (let j = 0; j < columns; j++) centroids[c * columns + j] = sums[c * columns + j]! / sizes[c]!;
  }
}

function canonical(
  data: Float32Array,
  rows: number,
  columns: number,
  centroids: Float32Array,
  k: number,
): Clustering {
  const sizes = new Uint32Array(k);
  for (const c of nearest(data, rows, columns, centroids, k).cell) sizes[c]!++;
  const order = Array.from(sizes.keys()).sort(
    (a, b) => sizes[b]! - sizes[a]! || compared(centroids, columns, a, b),
  );
  const sorted = new Float32Array(k * columns);
  order.forEach((from, c) => {
    sorted.set(centroids.subarray(from * columns, (from + 1) * columns), c * columns);
  });
  const { cell, distance } = nearest(data, rows, columns, sorted, k);
  return { centroids: sorted, assignment: cell, inertia: sum(distance) };
}

function compared(centroids: Float32Array, columns: number, a: number, b: number): number {
  for (let j = 0; j < columns; j++) {
    const difference = centroids[a * columns + j]! - centroids[b * columns + j]!;
    if (difference !== 0) return difference;
  }
  return 0;
}
