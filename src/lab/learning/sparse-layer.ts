import type { LayerSlice } from './network-shape.ts';

/** Rows of a matrix without their zeros: row r holds `start[r] .. start[r + 1]`. */
export interface SparseRows {
  start: Int32Array;
  column: Int32Array;
  value: Float64Array;
  /** Room for the columns of a few rows together. */
  union: Int32Array;
  seen: Uint8Array;
}

export const noRows = (): SparseRows => ({
  start: new Int32Array(0),
  column: new Int32Array(0),
  value: new Float64Array(0),
  union: new Int32Array(0),
  seen: new Uint8Array(0),
});

/** Reads the rows of `x` (rows x inputs) into `sparse`, whose arrays are kept while they are large enough. */
export function readSparse(x: Float64Array, inputs: number, rows: number, sparse: SparseRows): void {
  if (sparse.start.length < rows + 1) sparse.start = new Int32Array(rows + 1);
  if (sparse.column.length < rows * inputs) {
    sparse.column = new Int32Array(rows * inputs);
    sparse.value = new Float64Array(rows * inputs);
  }
  const { start, column, value } = sparse;
  let at = 0;
  for (let row = 0; row < rows; row++) {
    start[row] = at;
    const from = row * inputs;
    for (let i = 0; i < inputs; i++) {
      const v = x[from + i]!;
      if (v === 0) continue;
      column[at] = i;
      value[at++] = v;
    }
  }
  start[rows] = at;
}

/**
 * `denseForward` for observations, most of which are 0: the same sums in the same order, so the same bits wherever the
 * parameters are finite.
 */
export function sparseForward(
  parameters: Float64Array,
  layer: LayerSlice,
  x: SparseRows,
  y: Float64Array,
  rows: number,
): void {
  const { inputs, outputs, weights, biases } = layer;
  const { start, column, value } = x;
  for (let row = 0; row < rows; row++) {
    const from = start[row]!;
    const to = start[row + 1]!;
    let j = 0;
    // Four outputs at a time, so that an entry is read once for four sums.
    for (; j + 4 <= outputs; j += 4) {
      const w0 = weights + j * inputs;
      const w1 = w0 + inputs;
      const w2 = w1 + inputs;
      const w3 = w2 + inputs;
      let s0 = parameters[biases + j]!;
      let s1 = parameters[biases + j + 1]!;
      let s2 = parameters[biases + j + 2]!;
      let s3 = parameters[biases + j + 3]!;
      for (let k = from; k < to; k++) {
        const i = column[k]!;
        const v = value[k]!;
        s0 += parameters[w0 + i]! * v;
        s1 += parameters[w1 + i]! * v;
        s2 += parameters[w2 + i]! * v;
        s3 += parameters[w3 + i]! * v;
      }
      const at = row * outputs + j;
      y[at] = s0;
      y[at + 1] = s1;
      y[at + 2] = s2;
      y[at + 3] = s3;
    }
    for (; j < outputs; j++) {
      let sum = parameters[biases + j]!;
      const w = weights + j * inputs;
      for (let k = from; k < to; k++) sum += parameters[w + column[k]!]! * value[k]!;
      y[row * outputs + j] = sum;
    }
  }
}

/** `denseGradient` for observations, most of which are 0: the same sums in the same order. `x` is theirs as a matrix. */
export function sparseGradient(
  gradient: Float64Array,
  layer: LayerSlice,
  x: Float64Array,
  sparse: SparseRows,
  dy: Float64Array,
  rows: number,
): void {
  const { inputs, outputs, weights, biases } = layer;
  const { start, column } = sparse;
  const { union, seen } = unionRoom(sparse, inputs);
  for (let row = 0; row < rows; row += 4) {
    const block = Math.min(4, rows - row);
    let size = 0;
    for (let k = start[row]!; k < start[row + block]!; k++) {
      const i = column[k]!;
      if (seen[i] === 1) continue;
      seen[i] = 1;
      union[size++] = i;
    }
    for (let k = 0; k < size; k++) seen[union[k]!] = 0;
    if (block === 4) {
      const x0 = row * inputs;
      const x1 = x0 + inputs;
      const x2 = x1 + inputs;
      const x3 = x2 + inputs;
      for (let j = 0; j < outputs; j++) {
        const at = row * outputs + j;
        const d0 = dy[at]!;
        const d1 = dy[at + outputs]!;
        const d2 = dy[at + 2 * outputs]!;
        const d3 = dy[at + 3 * outputs]!;
        gradient[biases + j]! += d0 + d1 + d2 + d3;
        const to = weights + j * inputs;
        for (let k = 0; k < size; k++) {
          const i = union[k]!;
          gradient[to + i]! += d0 * x[x0 + i]! + d1 * x[x1 + i]! + d2 * x[x2 + i]! + d3 * x[x3 + i]!;
        }
      }
      continue;
    }
    for (let rest = row; rest < rows; rest++)
      for (let j = 0; j < outputs; j++) {
        const d = dy[rest * outputs + j]!;
        gradient[biases + j]! += d;
        const to = weights + j * inputs;
        for (let k = start[rest]!; k < start[rest + 1]!; k++)
          gradient[to + column[k]!]! += d * x[rest * inputs + column[k]!]!;
      }
  }
}

function unionRoom(sparse: SparseRows, inputs: number): { union: Int32Array; seen: Uint8Array } {
  if (sparse.seen.length < inputs) {
    sparse.union = new Int32Array(inputs);
    sparse.seen = new Uint8Array(inputs);
  }
  return sparse;
}
