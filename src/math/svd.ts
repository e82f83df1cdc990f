import { instantiate, type Kernels, reserve } from './kernels.ts';
import { type Numbers, symmetricEigen } from './matrix.ts';
import type { Random } from './random.ts';

/** Compressed sparse rows: row i holds `values[p]` in column `indices[p]` for indptr[i] <= p < indptr[i + 1]. */
export interface SparseMatrix {
  readonly rows: number;
  readonly columns: number;
  /** `rows + 1` long. */
  readonly indptr: Uint32Array | Int32Array;
  readonly indices: Uint32Array | Int32Array;
  readonly values: Numbers;
}

/** Row-major `rows x columns`. */
export interface DenseMatrix {
  readonly rows: number;
  readonly columns: number;
  readonly data: Numbers;
}

export interface Svd {
  /** Kept directions: min(rank, rows, columns). */
  readonly rank: number;
  /** Singular values, descending; 0 past the matrix's own rank. */
  readonly values: Float64Array;
  /** Row-major `rows x rank`: orthonormal columns (zero where the singular value is 0). Empty where not asked for. */
  readonly left: Float64Array;
  /** Row-major `columns x rank`: row j is what column j (a term) weighs in each direction. */
  readonly right: Float64Array;
}

export interface SvdOptions {
  /** Passes over A'A; 3 unless given. */
  readonly iterations?: number;
  /** Extra directions carried along; 10 unless given. */
  readonly oversample?: number;
  /** Left vectors too (default true). */
  readonly left?: boolean;
}

/**
 * The leading singular triplets by randomised subspace iteration (Halko, Martinsson & Tropp 2011, 4.4), the
 * basis orthonormalised at each pass. The sign makes the largest entry of each right vector positive.
 * Singular values below about 1e-7 of the largest are noise.
 */
export function randomisedSvd(
  matrix: SparseMatrix | DenseMatrix,
  rank: number,
  random: Random,
  options: SvdOptions = {},
): Svd {
  const { rows, columns } = matrix;
  const kept = Math.min(rank, rows, columns);
  const width = Math.min(kept + (options.oversample ?? 10), rows, columns);
  let basis: Float64Array = new Float64Array(columns * width);
  for (let i = 0; i < basis.length; i++) basis[i] = random.normal();
  const passes = options.iterations ?? 3;
  // A memory of its own, that goes when it is done.
  const kernels = instantiate();
  if (passes === 0) orthonormalise(basis, columns, width, 2, kernels);
  for (let pass = 0; pass < passes; pass++) {
    basis = squaredTimes(matrix, basis, width, kernels);
    // Only the last basis must be orthonormal to the last digit: those before it need to span the same.
    orthonormalise(basis, columns, width, pass === passes - 1 ? 2 : 1, kernels);
  }
  const image = times(matrix, basis, width);
  const { values: squares, vectors } = symmetricEigen(gram(image, rows, width), width);
  const values = Float64Array.from(squares.subarray(0, kept), (square) => Math.sqrt(Math.max(0, square)));
  const floor = 1e-8 * (values[0] ?? 0);
  const inverse = values.map((value) => (value > floor ? 1 / value : 0));
  for (let k = 0; k < kept; k++) if (inverse[k] === 0) values[k] = 0;
  const right = rotated(basis, columns, width, vectors, kept);
  const left = options.left === false ? new Float64Array(0) : rotated(image, rows, width, vectors, kept);
  for (let k = 0; k < kept; k++) {
    const sign = signOf(right, columns, kept, k);
    for (let j = 0; j < columns; j++) right[j * kept + k]! *= sign;
    for (let at = k; at < left.length; at += kept) left[at]! *= sign * inverse[k]!;
  }
  return { rank: kept, values, left, right };
}

/** A x, `x` being `columns x width`. */
function times(matrix: SparseMatrix | DenseMatrix, x: Float64Array, width: number): Float64Array {
  const out = new Float64Array(matrix.rows * width);
  for (let row = 0; row < matrix.rows; row++) rowTimes(matrix, row, x, width, out, row * width);
  return out;
}

/** A'A x, row by row: what one row adds is in the cache when it is added. */
function squaredTimes(
  matrix: SparseMatrix | DenseMatrix,
  x: Float64Array,
  width: number,
  kernels: Kernels | null,
): Float64Array {
  if (kernels !== null && !('data' in matrix)) return squaredByKernel(matrix, x, width, kernels);
  const out = new Float64Array(matrix.columns * width);
  const image = new Float64Array(width);
  for (let row = 0; row < matrix.rows; row++) {
    image.fill(0);
    rowTimes(matrix, row, x, width, image, 0);
    if ('data' in matrix)
      for (let column = 0; column < matrix.columns; column++)
        addRow(out, column * width, image, 0, matrix.data[row * matrix.columns + column]!, width);
    else
      for (let at = matrix.indptr[row]!; at < matrix.indptr[row + 1]!; at++)
        addRow(out, matrix.indices[at]! * width, image, 0, matrix.values[at]!, width);
  }
  return out;
}

/** The same by the kernel, to the same bits. */
function squaredByKernel(
  { rows, columns, indptr, indices, values }: SparseMatrix,
  x: Float64Array,
  width: number,
  kernels: Kernels,
): Float64Array {
  const [startsAt, indicesAt, valuesAt, xAt, imageAt, outAt] = reserve(kernels, [
    4 * (rows + 1),
    4 * indices.length,
    8 * values.length,
    8 * columns * width,
    8 * width,
    8 * columns * width,
  ]) as [number, number, number, number, number, number];
  const { buffer } = kernels.memory;
  new Uint32Array(buffer, startsAt, rows + 1).set(indptr.subarray(0, rows + 1));
  new Uint32Array(buffer, indicesAt, indices.length).set(indices);
  new Float64Array(buffer, valuesAt, values.length).set(values);
  new Float64Array(buffer, xAt, columns * width).set(x);
  const out = new Float64Array(buffer, outAt, columns * width).fill(0);
  kernels.squaredProduct(startsAt, rows, indicesAt, valuesAt, xAt, width, imageAt, outAt);
  return out.slice();
}

/** Adds row `row` of A x to `out` at `to`. */
function rowTimes(
  matrix: SparseMatrix | DenseMatrix,
  row: number,
  x: Float64Array,
  width: number,
  out: Float64Array,
  to: number,
): void {
  if ('data' in matrix)
    for (let column = 0; column < matrix.columns; column++)
      addRow(out, to, x, column * width, matrix.data[row * matrix.columns + column]!, width);
  else
    for (let at = matrix.indptr[row]!; at < matrix.indptr[row + 1]!; at++)
      addRow(out, to, x, matrix.indices[at]! * width, matrix.values[at]!, width);
}

function addRow(
  out: Float64Array,
  to: number,
  from: Float64Array,
  at: number,
  weight: number,
  width: number,
): void {
  for (let k = 0; k < width; k++) out[to + k]! += weight * from[at + k]!;
}

/** Gram-Schmidt; twice is enough (Giraud et al. 2005). A column that depends on earlier ones becomes 0. */
function orthonormalise(
  basis: Float64Array,
  rows: number,
  width: number,
  rounds: 1 | 2,
  kernels: Kernels | null,
): void {
  const columns = columnsOf(rows, width, kernels);
  for (let k = 0; k < width; k++) {
    const vector = columns.at(k);
    for (let j = 0; j < rows; j++) vector[j] = basis[j * width + k]!;
    const before = Math.sqrt(dot(vector, vector));
    for (let round = 0; round < rounds; round++) columns.project(k);
    const norm = Math.sqrt(dot(vector, vector));
    const scale = norm > 1e-13 * before ? 1 / norm : 0;
    for (let j = 0; j < rows; j++) {
      vector[j]! *= scale;
      basis[j * width + k] = vector[j]!;
    }
  }
}

/** Columns one behind the other; `project` takes from one its shares in those before it. */
function columnsOf(rows: number, width: number, kernels: Kernels | null) {
  if (kernels === null) {
    const all = new Float64Array(rows * width);
    const at = (k: number) => all.subarray(k * rows, (k + 1) * rows);
    const project = (k: number) => {
      const vector = at(k);
      for (let earlier = 0; earlier < k; earlier++) {
        const other = at(earlier);
        const share = dot(vector, other);
        for (let j = 0; j < rows; j++) vector[j]! -= share * other[j]!;
      }
    };
    return { at, project };
  }
  const [start] = reserve(kernels, [8 * rows * width]) as [number];
  return {
    at: (k: number) => new Float64Array(kernels.memory.buffer, start + 8 * k * rows, rows),
    project: (k: number) => kernels.project(start + 8 * k * rows, start, k, rows),
  };
}

function dot(a: Float64Array, b: Float64Array): number {
  // Four chains, so that one addition need not wait for the last.
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  let i = 0;
  for (; i + 3 < a.length; i += 4) {
    s0 += a[i]! * b[i]!;
    s1 += a[i + 1]! * b[i + 1]!;
    s2 += a[i + 2]! * b[i + 2]!;
    s3 += a[i + 3]! * b[i + 3]!;
  }
  for (; i < a.length; i++) s0 += a[i]! * b[i]!;
  return s0 + s1 + (s2 + s3);
}

/** x'x of a `rows x width` matrix. */
function gram(x: Float64Array, rows: number, width: number): Float64Array {
  const result = new Float64Array(width * width);
  for (let row = 0; row < rows; row++) {
    const from = row * width;
    for (let i = 0; i < width; i++) {
      const value = x[from + i]!;
      for (let j = 0; j <= i; j++) result[i * width + j]! += value * x[from + j]!;
    }
  }
  return result;
}

/** x V', V's rows being eigenvectors: `rows x kept`. */
function rotated(
  x: Float64Array,
  rows: number,
  width: number,
  vectors: Float64Array,
  kept: number,
): Float64Array {
  const result = new Float64Array(rows * kept);
  for (let row = 0; row < rows; row++) {
    for (let k = 0; k < kept; k++) {
      let total = 0;
      for (let j = 0; j < width; j++) total += x[row * width + j]! * vectors[k * width + j]!;
      result[row * kept + k] = total;
    }
  }
  return result;
}

function signOf(right: Float64Array, columns: number, kept: number, k: number): 1 | -1 {
  let peak = 0;
  for (let j = 0; j < columns; j++) {
    const value = right[j * kept + k]!;
    if (Math.abs(value) > Math.abs(peak)) peak = value;
  }
  return peak < 0 ? -1 : 1;
}
