/** Dense matrices are row-major: entry (i, j) of an `r x c` matrix stands at `i * c + j`. */
export type Numbers = Float64Array | Float32Array;

/** Means of the columns of a `rows x columns` matrix, summed in row order. */
export function columnMeans(data: Numbers, rows: number, columns: number): Float64Array {
  const means = new Float64Array(columns);
  for (let row = 0, at = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, at++) means[column]! += data[at]!;
  }
  for (let column = 0; column < columns; column++) means[column]! /= rows;
  return means;
}

/**
 * Covariance (n - 1) of the rows of a `rows x columns` matrix: `columns x columns`, exactly symmetric.
 * Sums run in row order, so callers that pass rows in hash order get the same bits for any input order.
 * NaN throughout for fewer than two rows.
 */
export function covariance(data: Numbers, rows: number, columns: number): Float64Array {
  const means = columnMeans(data, rows, columns);
  const result = new Float64Array(columns * columns);
  // Four rows at a time: each pass over the result does four times the arithmetic for the same memory traffic.
  const block = new Float64Array(4 * columns);
  for (let start = 0; start < rows; start += 4) {
    block.fill(0);
    const count = Math.min(4, rows - start);
    for (let r = 0; r < count; r++) {
      const from = (start + r) * columns;
      for (let j = 0; j < columns; j++) block[r * columns + j] = data[from + j]! - means[j]!;
    }
    addOuterProducts(result, block, columns);
  }
  for (let i = 0; i < columns; i++) {
    for (let j = i; j < columns; j++) {
      const value = result[i * columns + j]! / (rows - 1);
      result[i * columns + j] = value;
      result[j * columns + i] = value;
    }
  }
  return result;
}

function addOuterProducts(result: Float64Array, block: Float64Array, columns: number): void {
  const [second, third, fourth] = [columns, 2 * columns, 3 * columns];
  for (let i = 0; i < columns; i++) {
    const a = block[i]!;
    const b = block[second + i]!;
    const c = block[third + i]!;
    const d = block[fourth + i]!;
    const row = i * columns;
    for (let j = i; j < columns; j++) {
      result[row + j]! +=
        a * block[j]! + b * block[second + j]! + c * block[third + j]! + d * block[fourth + j]!;
    }
  }
}

export interface Eigen {
  /** Descending. */
  readonly values: Float64Array;
  /** Row i is the unit eigenvector of value i; its entry of largest magnitude is positive. */
  readonly vectors: Float64Array;
}

/**
 * All eigenvalues and vectors of a symmetric `n x n` matrix: Householder tridiagonalisation and implicit QL
 * (EISPACK tred2 and tql2; Bowdler, Martin, Reinsch & Wilkinson 1968). Only the lower triangle is read.
 * Throws RangeError where an entry is not finite.
 */
export function symmetricEigen(a: Float64Array, n: number): Eigen {
  if (a.length !== n * n) throw new RangeError(`${a.length} entries do not make a ${n} x ${n} matrix`);
  if (!a.every(Number.isFinite)) throw new RangeError('the matrix has an entry that is not finite');
  // Kept transposed (v[j * n + k] is row k of column j), so that every inner loop runs along memory.
  const v = new Float64Array(n * n);
  for (let j = 0; j < n; j++) for (let k = j; k < n; k++) v[j * n + k] = v[k * n + j] = a[k * n + j]!;
  const diagonal = new Float64Array(n);
  const off = new Float64Array(n);
  if (n > 0) {
    tridiagonalise(v, n, diagonal, off);
    diagonalise(v, n, diagonal, off);
  }
  return ordered(v, n, diagonal);
}

function tridiagonalise(v: Float64Array, n: number, d: Float64Array, e: Float64Array): void {
  for (let j = 0; j < n; j++) d[j] = v[j * n + n - 1]!;
  for (let i = n - 1; i > 0; i--) {
    let scale = 0;
    for (let k = 0; k < i; k++) scale += Math.abs(d[k]!);
    let h = 0;
    if (scale === 0) {
      e[i] = d[i - 1]!;
      for (let j = 0; j < i; j++) {
        d[j] = v[j * n + i - 1]!;
        v[j * n + i] = 0;
        v[i * n + j] = 0;
      }
    } else {
      for (let k = 0; k < i; k++) {
        d[k]! /= scale;
        h += d[k]! ** 2;
      }
      const f = d[i - 1]!;
      const g = f > 0 ? -Math.sqrt(h) : Math.sqrt(h);
      e[i] = scale * g;
      h -= f * g;
      d[i - 1] = f - g;
      reflect(v, n, d, e, i, h);
    }
    d[i] = h;
  }
  accumulateReflections(v, n, d);
  e[0] = 0;
}

/** Applies the Householder reflection held in d[0 .. i-1] from both sides. */
function reflect(v: Float64Array, n: number, d: Float64Array, e: Float64Array, i: number, h: number): void {
  e.fill(0, 0, i);
  for (let j = 0; j < i; j++) {
    const f = d[j]!;
    const column = j * n;
    v[i * n + j] = f;
    let g = e[j]! + v[column + j]! * f;
    for (let k = j + 1; k < i; k++) {
      g += v[column + k]! * d[k]!;
      e[k]! += v[column + k]! * f;
    }
    e[j] = g;
  }
  let f = 0;
  for (let j = 0; j < i; j++) {
    e[j]! /= h;
    f += e[j]! * d[j]!;
  }
  const half = f / (h + h);
  for (let j = 0; j < i; j++) e[j]! -= half * d[j]!;
  for (let j = 0; j < i; j++) {
    const [dj, ej, column] = [d[j]!, e[j]!, j * n];
    for (let k = j; k < i; k++) v[column + k]! -= dj * e[k]! + ej * d[k]!;
    d[j] = v[column + i - 1]!;
    v[column + i] = 0;
  }
}

function accumulateReflections(v: Float64Array, n: number, d: Float64Array): void {
  for (let i = 0; i < n - 1; i++) {
    v[i * n + n - 1] = v[i * n + i]!;
    v[i * n + i] = 1;
    const h = d[i + 1]!;
    const next = (i + 1) * n;
    if (h !== 0) {
      for (let k = 0; k <= i; k++) d[k] = v[next + k]! / h;
      for (let j = 0; j <= i; j++) {
        const column = j * n;
        let g = 0;
        for (let k = 0; k <= i; k++) g += v[next + k]! * v[column + k]!;
        for (let k = 0; k <= i; k++) v[column + k]! -= g * d[k]!;
      }
    }
    v.fill(0, next, next + i + 1);
  }
  for (let j = 0; j < n; j++) {
    d[j] = v[j * n + n - 1]!;
    v[j * n + n - 1] = 0;
  }
  v[n * n - 1] = 1;
}

function diagonalise(v: Float64Array, n: number, d: Float64Array, e: Float64Array): void {
  e.copyWithin(0, 1);
  e[n - 1] = 0;
  let shift = 0;
  let largest = 0;
  for (let l = 0; l < n; l++) {
    largest = Math.max(largest, Math.abs(d[l]!) + Math.abs(e[l]!));
    const small = Number.EPSILON * largest;
    let m = l;
    while (m < n - 1 && Math.abs(e[m]!) > small) m++;
    while (m > l && Math.abs(e[l]!) > small) {
      const g = d[l]!;
      const p = (d[l + 1]! - g) / (2 * e[l]!);
      const r = p < 0 ? -Math.hypot(p, 1) : Math.hypot(p, 1);
      d[l] = e[l]! / (p + r);
      d[l + 1] = e[l]! * (p + r);
      const h = g - d[l]!;
      for (let i = l + 2; i < n; i++) d[i]! -= h;
      shift += h;
      sweep(v, n, d, e, l, m);
    }
    d[l]! += shift;
    e[l] = 0;
  }
}

/** One implicit QL sweep from m down to l, rotating pairs of eigenvector rows. */
function sweep(v: Float64Array, n: number, d: Float64Array, e: Float64Array, l: number, m: number): void {
  const [next, following] = [d[l + 1]!, e[l + 1]!];
  let p = d[m]!;
  let [c, c2, c3, s, s2] = [1, 1, 1, 0, 0];
  for (let i = m - 1; i >= l; i--) {
    c3 = c2;
    c2 = c;
    s2 = s;
    const g = c * e[i]!;
    const h = c * p;
    const r = Math.hypot(p, e[i]!);
    e[i + 1] = s * r;
    s = e[i]! / r;
    c = p / r;
    p = c * d[i]! - s * g;
    d[i + 1] = h + s * (c * g + s * d[i]!);
    const [lower, upper] = [i * n, (i + 1) * n];
    for (let k = 0; k < n; k++) {
      const x = v[lower + k]!;
      const y = v[upper + k]!;
      v[upper + k] = s * x + c * y;
      v[lower + k] = c * x - s * y;
    }
  }
  p = (-s * s2 * c3 * following * e[l]!) / next;
  e[l] = s * p;
  d[l] = c * p;
}

function ordered(v: Float64Array, n: number, d: Float64Array): Eigen {
  const order = Array.from(d.keys()).sort((x, y) => d[y]! - d[x]!);
  const vectors = new Float64Array(n * n);
  order.forEach((from, row) => {
    const vector = v.subarray(from * n, (from + 1) * n);
    let peak = 0;
    for (let k = 1; k < n; k++) if (Math.abs(vector[k]!) > Math.abs(vector[peak]!)) peak = k;
    const sign = vector[peak]! < 0 ? -1 : 1;
    for (let k = 0; k < n; k++) vectors[row * n + k] = sign * vector[k]!;
  });
  return { values: Float64Array.from(order, (from) => d[from]!), vectors };
}
