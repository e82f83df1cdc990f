import { covariance, products, quantile, symmetricEigen } from '../math/index.ts';
import type { Whitening } from './space.ts';

export interface WhiteningOptions {
  /** Total variance of the block on the fit rows is weight^2. */
  readonly weight: number;
  /** Clamp and scale each column first: for features in units of their own. */
  readonly robust: boolean;
  /**
   * Share of the variance that the kept directions hold together, 0 .. 1. At 1 every direction is kept, also
   * those in which the fit rows do not vary (shrinkage must then be above 0).
   */
  readonly share: number;
  /** Most directions kept. */
  readonly limit: number;
  /** How far each direction's variance is pulled to the mean variance before it is divided out, 0 .. 1. */
  readonly shrinkage: number;
}

/** Directions with less of the variance than this are noise of rounding. */
const FLOOR = 1e-6;
/** Covariances up to this size are decomposed whole, whatever the number of rows. */
const LARGEST_FULL = 512;

/**
 * Fits the whitening of one block on row-major `data` (rows x columns, NaN = missing), rows in hash order.
 * Principal axes of the covariance (of the correlation where `robust`), the smallest number of them that holds
 * `share` of the variance; each divided by sqrt((1 - s) lambda + s mean lambda).
 * A block without variance keeps no direction (basis of 0 columns).
 */
export function fitWhitening(
  data: ArrayLike<number>,
  rows: number,
  columns: number,
  options: WhiteningOptions,
): Whitening {
  const { low, high } = options.robust ? bounds(data, rows, columns) : { low: EMPTY, high: EMPTY };
  const mean = new Float32Array(columns);
  const scale = new Float64Array(columns).fill(1);
  const centred = new Float64Array(rows * columns);
  for (let j = 0; j < columns; j++) {
    let total = 0;
    let seen = 0;
    for (let i = 0; i < rows; i++) {
      const value = clamp(data[i * columns + j]!, low, high, j);
      if (Number.isNaN(value)) continue;
      total += value;
      seen++;
    }
    mean[j] = seen === 0 ? 0 : total / seen;
    let square = 0;
    for (let i = 0; i < rows; i++) {
      const value = clamp(data[i * columns + j]!, low, high, j);
      const off = Number.isNaN(value) ? 0 : value - mean[j]!;
      centred[i * columns + j] = off;
      square += off * off;
    }
    if (!options.robust) continue;
    // Of the rows that have it: a feature known of few rows then weighs little, as it should.
    const deviation = Math.sqrt(square / Math.max(1, seen - 1));
    scale[j] = deviation > 1e-9 * Math.max(1, Math.abs(mean[j]!)) ? 1 / deviation : 0;
    for (let i = 0; i < rows; i++) centred[i * columns + j]! *= scale[j]!;
  }
  const axes = principalAxes(centred, rows, columns);
  const all = axes.values.reduce((a, b) => a + Math.max(0, b), 0);
  const kept = keptDirections(axes.values, all, options);
  const basis = new Float32Array(columns * kept.count);
  if (kept.count > 0) {
    const middle = kept.held / kept.count;
    const shrunk = Array.from(
      { length: kept.count },
      (_, k) => (1 - options.shrinkage) * Math.max(0, axes.values[k]!) + options.shrinkage * middle,
    );
    const total = shrunk.reduce((sum, value, k) => sum + Math.max(0, axes.values[k]!) / value, 0);
    for (let k = 0; k < kept.count; k++) {
      const factor = options.weight / Math.sqrt(shrunk[k]! * total);
      for (let j = 0; j < columns; j++)
        basis[j * kept.count + k] = axes.vectors[k * columns + j]! * factor * scale[j]!;
    }
  }
  return {
    mean,
    basis: { rows: columns, columns: kept.count, data: basis },
    low,
    high,
    weight: options.weight,
    variance: all > 0 ? kept.held / all : 0,
  };
}

/** Whitened rows, row-major `rows x basis.columns`; `of` gives the values of a row (NaN = missing). */
export function whitened(
  whitening: Whitening,
  rows: number,
  of: (row: number) => ArrayLike<number>,
): Float32Array {
  const { mean, basis, low, high } = whitening;
  const columns = mean.length;
  const centred = new Float64Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    const values = of(row);
    for (let j = 0; j < columns; j++) {
      const off = clamp(values[j]!, low, high, j) - mean[j]!;
      // A missing value is taken as its mean.
      centred[row * columns + j] = Number.isNaN(off) ? 0 : off;
    }
  }
  return products(centred, rows, columns, basis.data, basis.columns);
}

const EMPTY = new Float32Array(0);

function clamp(value: number, low: Float32Array, high: Float32Array, column: number): number {
  if (low.length === 0) return value;
  const least = low[column]!;
  const most = high[column]!;
  return value < least ? least : Math.min(value, most);
}

/**
 * Bounds beyond which a value says no more: one inter-percentile range (1 % .. 99 %) past either percentile.
 * Wide enough that a simulator that does often what people do seldom is still seen as far off.
 */
function bounds(
  data: ArrayLike<number>,
  rows: number,
  columns: number,
): { low: Float32Array; high: Float32Array } {
  const low = new Float32Array(columns);
  const high = new Float32Array(columns);
  for (let j = 0; j < columns; j++) {
    const values: number[] = [];
    for (let i = 0; i < rows; i++) {
      const value = data[i * columns + j]!;
      if (!Number.isNaN(value)) values.push(value);
    }
    const sorted = Float64Array.from(values).sort();
    const first = values.length === 0 ? 0 : quantile(sorted, 0.01);
    const last = values.length === 0 ? 0 : quantile(sorted, 0.99);
    const reach =
      last > first ? last - first : values.length === 0 ? 0 : sorted[sorted.length - 1]! - sorted[0]!;
    low[j] = first - reach;
    high[j] = last + reach;
  }
  return { low, high };
}

/**
 * Eigenvalues (descending) and unit eigenvectors (rows) of the covariance of centred rows. With many columns and
 * fewer rows from the Gram matrix, which has the same eigenvalues but those that are 0.
 */
function principalAxes(
  centred: Float64Array,
  rows: number,
  columns: number,
): { values: Float64Array; vectors: Float64Array } {
  // One row varies in nothing.
  if (rows < 2) return { values: new Float64Array(0), vectors: new Float64Array(0) };
  if (columns <= Math.max(rows, LARGEST_FULL)) {
    const { values, vectors } = symmetricEigen(covariance(centred, rows, columns), columns);
    return { values, vectors: signed(vectors, values.length, columns) };
  }
  const divisor = Math.max(1, rows - 1);
  const gram = new Float64Array(rows * rows);
  for (let a = 0; a < rows; a++)
    for (let b = a; b < rows; b++) {
      let total = 0;
      for (let j = 0; j < columns; j++) total += centred[a * columns + j]! * centred[b * columns + j]!;
      gram[a * rows + b] = gram[b * rows + a] = total / divisor;
    }
  const small = symmetricEigen(gram, rows);
  const vectors = new Float64Array(rows * columns);
  for (let k = 0; k < rows; k++) {
    const length = Math.sqrt(Math.max(0, small.values[k]!) * divisor);
    if (length < 1e-12) continue;
    for (let i = 0; i < rows; i++) {
      const share = small.vectors[k * rows + i]! / length;
      for (let j = 0; j < columns; j++) vectors[k * columns + j]! += share * centred[i * columns + j]!;
    }
  }
  return { values: small.values, vectors: signed(vectors, rows, columns) };
}

/** An axis has no sign of its own: its largest loading is made positive. */
function signed(vectors: Float64Array, count: number, columns: number): Float64Array {
  for (let k = 0; k < count; k++) {
    let largest = 0;
    for (let j = 0; j < columns; j++) {
      const value = vectors[k * columns + j]!;
      if (Math.abs(value) > Math.abs(largest) * (1 + 1e-6)) largest = value;
    }
    if (largest < 0) for (let j = 0; j < columns; j++) vectors[k * columns + j]! *= -1;
  }
  return vectors;
}

function keptDirections(
  values: Float64Array,
  all: number,
  options: WhiteningOptions,
): { count: number; held: number } {
  const most = Math.min(values.length, options.limit);
  if (all <= 0) return { count: 0, held: 0 };
  if (options.share >= 1 && options.shrinkage > 0)
    return { count: most, held: values.subarray(0, most).reduce((a, b) => a + Math.max(0, b), 0) };
  let count = 0;
  let sum = 0;
  while (count < most && values[count]! > FLOOR * all && sum < options.share * all) {
    sum += values[count]!;
    count++;
  }
  return { count, held: sum };
}
