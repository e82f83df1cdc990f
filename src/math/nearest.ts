import { instantiate, type Kernels, reserve } from './kernels.ts';

export interface Nearest {
  /** Index of the nearest centroid of each point, the lower index on a tie. */
  readonly cell: Uint16Array;
  /** Squared Euclidean distance to it. */
  readonly distance: Float32Array;
}

/** Bytes of points copied to the kernel at a time: small enough to stay in a core's own cache. */
const BLOCK = 1 << 18;

/** One memory serves all calls; `undefined` until the first. */
let shared: Kernels | null | undefined;

/**
 * Nearest of `k` centroids (row-major `k x columns`, 1 <= k <= 65536) for each of `rows` points (row-major
 * `rows x columns`), in 32-bit arithmetic. A point with a NaN has cell 0 and an infinite distance.
 * Throws RangeError where the arrays are shorter than their shapes.
 */
export function nearest(
  points: Float32Array,
  rows: number,
  columns: number,
  centroids: Float32Array,
  k: number,
): Nearest {
  if (points.length < rows * columns || centroids.length < k * columns || !(k >= 1 && k <= 65536))
    throw new RangeError(
      `${points.length} and ${centroids.length} numbers for ${rows} and ${k} x ${columns}`,
    );
  shared ??= instantiate();
  if (shared === null) return nearestReference(points, rows, columns, centroids, k);
  const cell = new Uint16Array(rows);
  const distance = new Float32Array(rows);
  const stride = 4 * columns;
  const block = Math.max(2, Math.floor(BLOCK / Math.max(4, stride)));
  // Distances first: the two-byte cells would leave them unaligned.
  const [centroidsAt, pointsAt, distanceAt, cellAt] = reserve(shared, [
    k * stride,
    Math.min(block, rows) * stride,
    Math.min(block, rows) * 4,
    Math.min(block, rows) * 2,
  ]);
  const { buffer } = shared.memory;
  new Float32Array(buffer, centroidsAt, k * columns).set(centroids.subarray(0, k * columns));
  for (let start = 0; start < rows; start += block) {
    const count = Math.min(block, rows - start);
    const part = points.subarray(start * columns, (start + count) * columns);
    new Float32Array(buffer, pointsAt, part.length).set(part);
    shared.nearest(pointsAt!, count, columns, centroidsAt!, k, cellAt!, distanceAt!);
    cell.set(new Uint16Array(buffer, cellAt, count), start);
    distance.set(new Float32Array(buffer, distanceAt, count), start);
  }
  return { cell, distance };
}

/**
 * The same in TypeScript: what the kernel is held to, and what runs where WebAssembly cannot. It rounds as the
 * kernel does (four 32-bit lanes), so that results do not depend on which of the two ran.
 */
export function nearestReference(
  points: Float32Array,
  rows: number,
  columns: number,
  centroids: Float32Array,
  k: number,
): Nearest {
  const cell = new Uint16Array(rows);
  const distance = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    let best = Number.POSITIVE_INFINITY;
    for (let c = 0; c < k; c++) {
      const square = squaredDistance(points, row * columns, centroids, c * columns, columns);
      if (square < best) {
        best = square;
        cell[row] = c;
      }
    }
    distance[row] = best;
  }
  return { cell, distance };
}

/** Between the rows that begin at `x[at]` and `y[to]`, rounded as the kernels round. */
export function squaredDistance(
  x: Float32Array,
  at: number,
  y: Float32Array,
  to: number,
  columns: number,
): number {
  const { fround } = Math;
  let a = fround(0);
  let b = fround(0);
  let c = fround(0);
  let d = fround(0);
  let j = 0;
  for (; j + 3 < columns; j += 4) {
    const p = fround(x[at + j]! - y[to + j]!);
    const q = fround(x[at + j + 1]! - y[to + j + 1]!);
    const r = fround(x[at + j + 2]! - y[to + j + 2]!);
    const s = fround(x[at + j + 3]! - y[to + j + 3]!);
    a = fround(a + fround(p * p));
    b = fround(b + fround(q * q));
    c = fround(c + fround(r * r));
    d = fround(d + fround(s * s));
  }
  let total = fround(fround(a + b) + fround(c + d));
  for (; j < columns; j++) {
    const p = fround(x[at + j]! - y[to + j]!);
    total = fround(total + fround(p * p));
  }
  return total;
}
