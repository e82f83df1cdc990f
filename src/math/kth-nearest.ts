import { instantiate, type Kernels, reserve } from './kernels.ts';
import { squaredDistance } from './nearest.ts';

/** Bytes of points copied to the kernel at a time: small enough to stay in a core's own cache. */
const BLOCK = 1 << 16;

/** One memory serves all calls; `undefined` until the first. */
let shared: Kernels | null | undefined;

/**
 * Squared Euclidean distance of each of `rows` points (row-major `rows x columns`) to its k-th nearest of `count`
 * sample rows (row-major `count x columns`), in 32-bit arithmetic; k >= 1. `own`: for each point the sample row that
 * is the point itself and no neighbour of it, or -1. Infinity where there are fewer than k neighbours; a distance
 * that is NaN is none.
 * Throws RangeError where the arrays are shorter than their shapes.
 */
export function kthNearest(
  points: Float32Array,
  rows: number,
  columns: number,
  own: Int32Array,
  sample: Float32Array,
  count: number,
  k: number,
): Float32Array {
  if (points.length < rows * columns || sample.length < count * columns || own.length < rows || !(k >= 1))
    throw new RangeError(
      `${points.length}, ${own.length} and ${sample.length} numbers for ${rows} and ${count} x ${columns}, k = ${k}`,
    );
  shared ??= instantiate();
  if (shared === null) return kthNearestReference(points, rows, columns, own, sample, count, k);
  const out = new Float32Array(rows);
  const stride = 4 * columns;
  const block = Math.max(2, Math.floor(BLOCK / Math.max(4, stride)));
  const held = Math.min(block, rows);
  const [sampleAt, pointsAt, ownAt, outAt, listsAt] = reserve(shared, [
    count * stride,
    held * stride,
    4 * held,
    4 * held,
    8 * k,
  ]);
  const { buffer } = shared.memory;
  new Float32Array(buffer, sampleAt, count * columns).set(sample.subarray(0, count * columns));
  for (let start = 0; start < rows; start += block) {
    const size = Math.min(block, rows - start);
    const part = points.subarray(start * columns, (start + size) * columns);
    new Float32Array(buffer, pointsAt, part.length).set(part);
    new Int32Array(buffer, ownAt, size).set(own.subarray(start, start + size));
    shared.kthNearest(pointsAt!, size, columns, ownAt!, sampleAt!, count, k, listsAt!, outAt!);
    out.set(new Float32Array(buffer, outAt, size), start);
  }
  return out;
}

/** The same in TypeScript, with the same bits. */
export function kthNearestReference(
  points: Float32Array,
  rows: number,
  columns: number,
  own: Int32Array,
  sample: Float32Array,
  count: number,
  k: number,
): Float32Array {
  const out = new Float32Array(rows);
  const list = new Float32Array(k);
  for (let row = 0; row < rows; row++) {
    list.fill(Number.POSITIVE_INFINITY);
    for (let other = 0; other < count; other++) {
      const square = squaredDistance(points, row * columns, sample, other * columns, columns);
      if (!(square < list[k - 1]!) || other === own[row]) continue;
      let at = k - 1;
      while (at > 0 && list[at - 1]! > square) {
        list[at] = list[at - 1]!;
        at -= 1;
      }
      list[at] = square;
    }
    out[row] = list[k - 1]!;
  }
  return out;
}
