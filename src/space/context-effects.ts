import { hashOrder } from '../math/index.ts';
import { hashText } from '../trajectory/identity.ts';

/** Rows of un-controlled z, with what each comes from. All arrays run over the same rows, in hash order. */
export interface EffectRows {
  /** Row-major rows x columns. */
  readonly vectors: Float32Array;
  readonly columns: number;
  readonly hashes: readonly string[];
  readonly contexts: readonly string[];
  readonly simulators: readonly string[];
}

export interface ContextEffects {
  /** Shrunken a_c, for the eligible contexts only. */
  readonly effects: Map<string, Float32Array>;
  /** b_i about their mean, for the simulators of the eligible contexts. */
  readonly simulatorEffects: Map<string, Float64Array>;
  /** mu, `columns` long. */
  readonly mean: Float64Array;
  /** lambda = sigma_e^2 / sigma_a^2 of each column; Infinity where contexts show no variance of their own. */
  readonly lambda: Float64Array;
  /** Per row: its context is eligible. */
  readonly eligible: Uint8Array;
}

/**
 * Two-way additive fit z = mu + a_c + b_i + e by weighted least squares, every simulator with the same total
 * weight, over contexts with >= 2 simulators and >= `minimumRows` rows in the largest connected part of the
 * context x simulator graph. a_c is shrunk by n_c / (n_c + lambda), lambda by the method of moments, n_c the
 * effective number of rows (Kish) of the context; b_i is not part of the effect and stays in z.
 * Exact: contexts are eliminated and the system in b_i is solved by conjugate gradients.
 */
export function fitContextEffects(rows: EffectRows, options: { minimumRows?: number } = {}): ContextEffects {
  const design = eligibleDesign(rows, options.minimumRows ?? 4);
  const { columns, vectors } = rows;
  const result: ContextEffects = {
    effects: new Map(),
    simulatorEffects: new Map(),
    mean: new Float64Array(columns),
    lambda: new Float64Array(columns).fill(Number.POSITIVE_INFINITY),
    eligible: design.eligible,
  };
  const { rowIndex, context, simulator, contextNames, simulatorNames } = design;
  const [n, c, s] = [rowIndex.length, contextNames.length, simulatorNames.length];
  if (c === 0) return result;
  const perSimulator = counts(simulator, s);
  const weight = Float64Array.from(simulator, (i) => n / (s * perSimulator[i]!));
  const contextWeight = new Float64Array(c);
  const contextSquares = new Float64Array(c);
  for (let r = 0; r < n; r++) {
    contextWeight[context[r]!]! += weight[r]!;
    contextSquares[context[r]!]! += weight[r]! ** 2;
  }
  const cells = cellsOf(context, simulator, weight, s);
  const a = Array.from({ length: c }, () => new Float64Array(columns));
  const b = Array.from({ length: s }, () => new Float64Array(columns));
  const value = new Float64Array(n);
  for (let column = 0; column < columns; column++) {
    for (let r = 0; r < n; r++) value[r] = vectors[rowIndex[r]! * columns + column]!;
    const fit = solve(value, {
      context,
      simulator,
      weight,
      contextWeight,
      cells,
      contexts: c,
      simulators: s,
    });
    const lambda = shrinkage(value, fit.b, context, simulator, c, s);
    result.lambda[column] = lambda;
    result.mean[column] = fit.mean;
    for (let i = 0; i < s; i++) b[i]![column] = fit.b[i]!;
    for (let k = 0; k < c; k++) {
      const size = contextWeight[k]! ** 2 / contextSquares[k]!;
      a[k]![column] = Number.isFinite(lambda) ? (fit.a[k]! * size) / (size + lambda) : 0;
    }
  }
  contextNames.forEach((name, k) => {
    result.effects.set(name, Float32Array.from(a[k]!));
  });
  simulatorNames.forEach((name, i) => {
    result.simulatorEffects.set(name, b[i]!);
  });
  return result;
}

/**
 * Each row's z minus its context's effect as estimated without the row: rows are spread over `folds` by content
 * hash, and a fold's effects come from the other folds. `eligible[r]` is 0 where the others say nothing of the
 * row's context; its residual is then all zero and must not be used.
 */
export function crossFitted(
  rows: EffectRows,
  options: { folds?: number; seed?: number } = {},
): { residuals: Float32Array; eligible: Uint8Array } {
  const folds = options.folds ?? 5;
  const { columns } = rows;
  const n = rows.hashes.length;
  const fold = rows.hashes.map((hash) => Math.floor(hashOrder(`fold/${hash}`, options.seed ?? 0) * folds));
  const residuals = new Float32Array(rows.vectors.length);
  const eligible = new Uint8Array(n);
  const whole = eligibleDesign(rows, 4).eligible;
  for (let f = 0; f < folds; f++) {
    const others = indices(n, (r) => fold[r] !== f);
    // A context of four rows has three or fewer left here: the rows decide, not the fold.
    const { effects } = fitContextEffects(subset(rows, others), { minimumRows: 2 });
    for (let r = 0; r < n; r++) {
      if (fold[r] !== f || whole[r] === 0) continue;
      const effect = effects.get(rows.contexts[r]!);
      if (effect === undefined) continue;
      eligible[r] = 1;
      for (let j = 0; j < columns; j++)
        residuals[r * columns + j] = rows.vectors[r * columns + j]! - effect[j]!;
    }
  }
  return { residuals, eligible };
}

interface Design {
  readonly eligible: Uint8Array;
  /** The eligible rows, and each one's context and simulator by number. */
  readonly rowIndex: number[];
  readonly context: Int32Array;
  readonly simulator: Int32Array;
  readonly contextNames: string[];
  readonly simulatorNames: string[];
}

/** Largest connected part of the graph of contexts with enough rows; ties go to the one with the smallest hash. */
function eligibleDesign(rows: EffectRows, minimumRows: number): Design {
  const byContext = new Map<string, number[]>();
  rows.contexts.forEach((name, r) => {
    const list = byContext.get(name);
    if (list === undefined) byContext.set(name, [r]);
    else list.push(r);
  });
  const parent = new Map<string, string>();
  const root = (key: string): string => {
    let at = key;
    while (parent.get(at)! !== at) at = parent.get(at)!;
    parent.set(key, at);
    return at;
  };
  const fitting: number[][] = [];
  for (const list of byContext.values()) {
    const present = [...new Set(list.map((r) => rows.simulators[r]!))];
    if (list.length < minimumRows || present.length < 2) continue;
    fitting.push(list);
    for (const name of present) if (!parent.has(name)) parent.set(name, name);
    for (const name of present) parent.set(root(name), root(present[0]!));
  }
  const parts = new Map<string, { size: number; first: string; lists: number[][] }>();
  for (const list of fitting) {
    const key = root(rows.simulators[list[0]!]!);
    const part = parts.get(key) ?? { size: 0, first: rows.hashes[list[0]!]!, lists: [] };
    part.size += list.length;
    for (const r of list) if (rows.hashes[r]! < part.first) part.first = rows.hashes[r]!;
    part.lists.push(list);
    parts.set(key, part);
  }
  const largest = [...parts.values()].sort((x, y) => y.size - x.size || (x.first < y.first ? -1 : 1))[0];
  const rowIndex = (largest?.lists.flat() ?? []).sort((x, y) => x - y);
  const eligible = new Uint8Array(rows.hashes.length);
  for (const r of rowIndex) eligible[r] = 1;
  const context = numbered(rows.contexts, rows.hashes, rowIndex);
  const simulator = numbered(rows.simulators, rows.hashes, rowIndex);
  return {
    eligible,
    rowIndex,
    context: context.index,
    simulator: simulator.index,
    contextNames: context.names,
    simulatorNames: simulator.names,
  };
}

/** Numbers the names in an order that only their rows' contents decide, so that renaming moves no sum. */
function numbered(
  names: readonly string[],
  hashes: readonly string[],
  rowIndex: readonly number[],
): { index: Int32Array; names: string[] } {
  const members = new Map<string, string[]>();
  for (const r of rowIndex) {
    const list = members.get(names[r]!);
    if (list === undefined) members.set(names[r]!, [hashes[r]!]);
    else list.push(hashes[r]!);
  }
  const keys = new Map([...members].map(([name, list]) => [name, hashText(list.sort().join())]));
  const ordered = [...members.keys()].sort((x, y) => (keys.get(x)! < keys.get(y)! ? -1 : 1));
  const number = new Map(ordered.map((name, i) => [name, i]));
  return { index: Int32Array.from(rowIndex, (r) => number.get(names[r]!)!), names: ordered };
}

interface Cells {
  readonly context: Int32Array;
  readonly simulator: Int32Array;
  readonly weight: Float64Array;
}

function cellsOf(
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

interface System {
  readonly context: Int32Array;
  readonly simulator: Int32Array;
  readonly weight: Float64Array;
  readonly contextWeight: Float64Array;
  readonly cells: Cells;
  readonly contexts: number;
  readonly simulators: number;
}

/** Least squares of one column: mean, a (weighted mean 0) and b (plain mean 0). */
function solve(value: Float64Array, system: System): { mean: number; a: Float64Array; b: Float64Array } {
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
function shrinkage(
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

function counts(index: Int32Array, length: number): Float64Array {
  const out = new Float64Array(length);
  for (const i of index) out[i]! += 1;
  return out;
}

function indices(n: number, keep: (index: number) => boolean): number[] {
  return Array.from({ length: n }, (_, r) => r).filter(keep);
}

function subset(rows: EffectRows, keep: readonly number[]): EffectRows {
  const { columns } = rows;
  const vectors = new Float32Array(keep.length * columns);
  keep.forEach((r, at) => {
    vectors.set(rows.vectors.subarray(r * columns, (r + 1) * columns), at * columns);
  });
  return {
    vectors,
    columns,
    hashes: keep.map((r) => rows.hashes[r]!),
    contexts: keep.map((r) => rows.contexts[r]!),
    simulators: keep.map((r) => rows.simulators[r]!),
  };
}
