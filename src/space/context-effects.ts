import { hashOrder } from '../math/index.ts';
import { hashText } from '../trajectory/identity.ts';
import { cellsOf, counts, shrinkage, solve } from './additive-fit.ts';

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
