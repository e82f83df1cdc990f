/**
 * The TypeScript reference of the nearest-centroid kernel, writing to `cell` and `distance`. It rounds as the
 * WASM kernel does (four 32-bit lanes), so that both give the same bits and results do not depend on which ran.
 */
export function nearestReference(
  points: Float32Array,
  rows: number,
  columns: number,
  centroids: Float32Array,
  k: number,
  cell: Uint16Array,
  distance: Float32Array,
): void {
  for (let row = 0; row < rows; row++) {
    let best = Number.POSITIVE_INFINITY;
    let at = 0;
    for (let c = 0; c < k; c++) {
      const square = squaredDistance(points, row * columns, centroids, c * columns, columns);
      if (square < best) {
        best = square;
        at = c;
      }
    }
    cell[row] = at;
    distance[row] = best;
  }
}

function squaredDistance(x: Float32Array, at: number, y: Float32Array, to: number, columns: number): number {
  const { fround } = Math;
  let [a, b, c, d] = [fround(0), fround(0), fround(0), fround(0)];
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
