export interface Cells {
  readonly context: Int32Array;
  readonly simulator: Int32Array;
  readonly weight: Float64Array;
}

/** Total weight of each context x simulator cell that has rows. */
export function cellsOf(
  context: Int32Array,
  simulator: Int32Array,
  weight: Float64Array,
  simulators: number,
): Cells {
  const total = new Map<number, number>();
  for (let r = 0; r < context.length; r++) {
    const key = context[r]! * simulators + simulator[r]!;
    total.set(key, (total.get(key) ?? 0) + weight[r]!);
  }
  const keys = [...total.keys()].sort((x, y) => x - y);
  return {
    context: Int32Array.from(keys, (key) => Math.floor(key / simulators)),
    simulator: Int32Array.from(keys, (key) => key % simulators),
    weight: Float64Array.from(keys, (key) => total.get(key)!),
  };
}

/** Rows by number of context and simulator, with weights, and their sums: what one column's fit needs. */
export interface System {
  readonly context: Int32Array;
  readonly simulator: Int32Array;
  readonly weight: Float64Array;
  readonly contextWeight: Float64Array;
  readonly cells: Cells;
  readonly contexts: number;
  readonly simulators: number;
}

/** Least squares of one column: mean, a (weighted mean 0) and b (plain mean 0). */
export function solve(
  value: Float64Array,
  system: System,
): { mean: number; a: Float64Array; b: Float64Array } {
  const { context, simulator, weight, contextWeight, cells, contexts, simulators } = system;
  const contextSum = new Float64Array(contexts);
  const right = new Float64Array(simulators);
  for (let r = 0; r < value.length; r++) {
    contextSum[context[r]!]! += weight[r]! * value[r]!;
    right[simulator[r]!]! += weight[r]! * value[r]!;
  }
  const diagonal = new Float64Array(simulators);
  for (let k = 0; k < cells.weight.length; k++) {
    const [c, i, w] = [cells.context[k]!, cells.simulator[k]!, cells.weight[k]!];
    right[i]! -= (w / contextWeight[c]!) * contextSum[c]!;
    diagonal[i]! += w - (w * w) / contextWeight[c]!;
  }
  const b = conjugateGradients(right, diagonal, (x, out) => {
    const through = new Float64Array(contexts);
    out.fill(0);
    for (let k = 0; k < cells.weight.length; k++) {
      const part = cells.weight[k]! * x[cells.simulator[k]!]!;
      through[cells.context[k]!]! += part;
      out[cells.simulator[k]!]! += part;
    }
    for (let k = 0; k < cells.weight.length; k++) {
      const c = cells.context[k]!;
      out[cells.simulator[k]!]! -= (cells.weight[k]! * through[c]!) / contextWeight[c]!;
    }
  });
  const centre = b.reduce((x, y) => x + y, 0) / simulators;
  for (let i = 0; i < simulators; i++) b[i]! -= centre;
  const a = contextSum;
  for (let k = 0; k < cells.weight.length; k++)
    a[cells.context[k]!]! -= cells.weight[k]! * b[cells.simulator[k]!]!;
  let mean = 0;
  let all = 0;
  for (let c = 0; c < contexts; c++) {
    mean += a[c]!;
    all += contextWeight[c]!;
    a[c]! /= contextWeight[c]!;
  }
  mean /= all;
  for (let c = 0; c < contexts; c++) a[c]! -= mean;
  return { mean, a, b };
}

/** Jacobi-preconditioned conjugate gradients from zero; the system is semi-definite with a consistent right side. */
function conjugateGradients(
  right: Float64Array,
  diagonal: Float64Array,
  multiply: (x: Float64Array, out: Float64Array) => void,
): Float64Array {
  const n = right.length;
  const x = new Float64Array(n);
  const residual = Float64Array.from(right);
  const scaled = Float64Array.from(residual, (r, i) => (diagonal[i]! > 0 ? r / diagonal[i]! : 0));
  const direction = Float64Array.from(scaled);
  const image = new Float64Array(n);
  let rho = dot(residual, scaled);
  const enough = rho * 1e-24;
  for (let step = 0; step < 10 * n + 50 && rho > enough && rho > 0; step++) {
    multiply(direction, image);
    const curvature = dot(direction, image);
    if (!(curvature > 0)) break;
    const alpha = rho / curvature;
    for (let i = 0; i < n; i++) {
      x[i]! += alpha * direction[i]!;
      residual[i]! -= alpha * image[i]!;
      scaled[i] = diagonal[i]! > 0 ? residual[i]! / diagonal[i]! : 0;
    }
    const next = dot(residual, scaled);
    for (let i = 0; i < n; i++) direction[i] = scaled[i]! + (next / rho) * direction[i]!;
    rho = next;
  }
  return x;
}

function dot(x: Float64Array, y: Float64Array): number {
  let total = 0;
  for (let i = 0; i < x.length; i++) total += x[i]! * y[i]!;
  return total;
}

/**
 * lambda of the one-way random model of z - b_i over contexts (Searle, Casella & McCulloch 1992, 3.6): mean
 * squares within and between, sigma_a^2 = (MSB - MSW) / n0. The b_i take I - 1 degrees of freedom.
 */
export function shrinkage(
  value: Float64Array,
  b: Float64Array,
  context: Int32Array,
  simulator: Int32Array,
  contexts: number,
  simulators: number,
): number {
  const n = value.length;
  const size = counts(context, contexts);
  const mean = new Float64Array(contexts);
  let grand = 0;
  for (let r = 0; r < n; r++) {
    const rest = value[r]! - b[simulator[r]!]!;
    mean[context[r]!]! += rest;
    grand += rest;
  }
  grand /= n;
  let squares = 0;
  let between = 0;
  for (let c = 0; c < contexts; c++) {
    mean[c]! /= size[c]!;
    squares += size[c]! ** 2;
    between += size[c]! * (mean[c]! - grand) ** 2;
  }
  let within = 0;
  for (let r = 0; r < n; r++) within += (value[r]! - b[simulator[r]!]! - mean[context[r]!]!) ** 2;
  const df = n - contexts - (simulators - 1);
  if (contexts < 2 || df < 1) return Number.POSITIVE_INFINITY;
  const error = within / df;
  const n0 = (n - squares / n) / (contexts - 1);
  const variance = (between / (contexts - 1) - error) / n0;
  return variance > 0 ? error / variance : Number.POSITIVE_INFINITY;
}

/** How often each number 0 .. length - 1 occurs. */
export function counts(index: Int32Array, length: number): Float64Array {
  const out = new Float64Array(length);
  for (const i of index) out[i]! += 1;
  return out;
}
