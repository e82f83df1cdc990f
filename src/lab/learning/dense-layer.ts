import type { LayerSlice } from './network-shape.ts';

/**
 * y = W x + b for `rows` rows. Four rows go at a time, so that a weight is read once for four sums; each sum runs
 * over the inputs in order whatever the number of rows, so a row's result does not depend on its neighbours.
 */
export function denseForward(
  parameters: Float64Array,
  layer: LayerSlice,
  x: Float64Array,
  y: Float64Array,
  rows: number,
): void {
  const { inputs, outputs, weights, biases } = layer;
  let row = 0;
  for (; row + 4 <= rows; row += 4) {
    const x0 = row * inputs;
    const x1 = x0 + inputs;
    const x2 = x1 + inputs;
    const x3 = x2 + inputs;
    for (let j = 0; j < outputs; j++) {
      let s0 = parameters[biases + j]!;
      let s1 = s0;
      let s2 = s0;
      let s3 = s0;
      const from = weights + j * inputs;
      for (let i = 0; i < inputs; i++) {
        const w = parameters[from + i]!;
        s0 += w * x[x0 + i]!;
        s1 += w * x[x1 + i]!;
        s2 += w * x[x2 + i]!;
        s3 += w * x[x3 + i]!;
      }
      const at = row * outputs + j;
      y[at] = s0;
      y[at + outputs] = s1;
      y[at + 2 * outputs] = s2;
      y[at + 3 * outputs] = s3;
    }
  }
  for (; row < rows; row++) {
    const own = row * inputs;
    for (let j = 0; j < outputs; j++) {
      let sum = parameters[biases + j]!;
      const from = weights + j * inputs;
      for (let i = 0; i < inputs; i++) sum += parameters[from + i]! * x[own + i]!;
      y[row * outputs + j] = sum;
    }
  }
}

/**
 * Adds dL/dW and dL/db to `gradient` (laid out as the parameters), given dL/dy (`dy`, rows x outputs) and the
 * layer's input `x`. Rows are added in order.
 */
export function denseGradient(
  gradient: Float64Array,
  layer: LayerSlice,
  x: Float64Array,
  dy: Float64Array,
  rows: number,
): void {
  const { inputs, outputs, weights, biases } = layer;
  let row = 0;
  for (; row + 4 <= rows; row += 4) {
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
      for (let i = 0; i < inputs; i++)
        gradient[to + i]! += d0 * x[x0 + i]! + d1 * x[x1 + i]! + d2 * x[x2 + i]! + d3 * x[x3 + i]!;
    }
  }
  for (; row < rows; row++) {
    const own = row * inputs;
    for (let j = 0; j < outputs; j++) {
      const d = dy[row * outputs + j]!;
      gradient[biases + j]! += d;
      const to = weights + j * inputs;
      for (let i = 0; i < inputs; i++) gradient[to + i]! += d * x[own + i]!;
    }
  }
}

/** dL/dx = W' dL/dy (`dx`, rows x inputs, overwritten), times the slope 1 - x^2 of the tanh that made x. */
export function denseBackward(
  parameters: Float64Array,
  layer: LayerSlice,
  x: Float64Array,
  dy: Float64Array,
  dx: Float64Array,
  rows: number,
): void {
  const { inputs, outputs, weights } = layer;
  for (let row = 0; row < rows; row++) {
    const own = row * inputs;
    const from = row * outputs;
    for (let i = 0; i < inputs; i++) dx[own + i] = 0;
    for (let j = 0; j < outputs; j++) {
      const d = dy[from + j]!;
      const w = weights + j * inputs;
      for (let i = 0; i < inputs; i++) dx[own + i]! += d * parameters[w + i]!;
    }
    for (let i = 0; i < inputs; i++) {
      const value = x[own + i]!;
      dx[own + i]! *= 1 - value * value;
    }
  }
}
