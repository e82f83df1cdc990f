import { instantiate, type Kernels, reserve } from './kernels.ts';

/** Rows copied to the kernel at a time. */
const BLOCK = 256;

/** One memory serves all calls; `undefined` until the first. */
let shared: Kernels | null | undefined;

/**
 * `left` (row-major `rows x columns`) times `basis` (row-major `columns x kept`): row-major `rows x kept`. Sums run
 * in 64 bits in the order of the columns, then are rounded to 32.
 * Throws RangeError where the arrays are shorter than their shapes.
 */
export function products(
  left: Float64Array,
  rows: number,
  columns: number,
  basis: Float32Array,
  kept: number,
): Float32Array {
  if (left.length < rows * columns || basis.length < columns * kept)
    throw new RangeError(
      `${left.length} and ${basis.length} numbers for ${rows} x ${columns} and ${columns} x ${kept}`,
    );
  shared ??= instantiate();
  if (shared === null || columns === 0) return productsReference(left, rows, columns, basis, kept);
  const out = new Float32Array(rows * kept);
  const block = Math.min(BLOCK, rows);
  const [basisAt, leftAt, outAt] = reserve(shared, [
    8 * columns * kept,
    8 * block * columns,
    8 * block * kept,
  ]);
  const { buffer } = shared.memory;
  new Float64Array(buffer, basisAt, columns * kept).set(basis.subarray(0, columns * kept));
  for (let start = 0; start < rows; start += block) {
    const count = Math.min(block, rows - start);
    const part = left.subarray(start * columns, (start + count) * columns);
    new Float64Array(buffer, leftAt, part.length).set(part);
    shared.products(leftAt!, count, columns, basisAt!, kept, outAt!);
    out.set(new Float64Array(buffer, outAt, count * kept), start * kept);
  }
  return out;
}

/** The same in TypeScript, with the same bits. */
export function productsReference(
  left: Float64Array,
  rows: number,
  columns: number,
  basis: Float32Array,
  kept: number,
): Float32Array {
  const out = new Float32Array(rows * kept);
  const sum = new Float64Array(kept);
  for (let row = 0; row < rows; row++) {
    sum.fill(0);
    for (let j = 0; j < columns; j++) {
      const x = left[row * columns + j]!;
      for (let k = 0; k < kept; k++) sum[k]! += x * basis[j * kept + k]!;
    }
    out.set(sum, row * kept);
  }
  return out;
}
