/** Vectors of one simulator's rows (a reservoir sample), in hash order: sums run in that order. */
export interface VectorRows {
  readonly columns: number;
  /** Row-major, `unit.length x columns`. */
  readonly data: Float32Array | Float64Array;
  /** Unit of each row, as in tally.ts. */
  readonly unit: ArrayLike<number>;
}

export function presentUnits(rows: VectorRows): Int32Array {
  return Int32Array.from(new Set(Array.from(rows.unit))).sort();
}

/** Rows scaled to length 1 (float64); rows of length 0 have no direction and are left out. */
export function unitLength(rows: VectorRows): VectorRows {
  const { columns } = rows;
  const kept: number[] = [];
  const data = new Float64Array(rows.unit.length * columns);
  for (let row = 0; row < rows.unit.length; row++) {
    let square = 0;
    for (let c = 0; c < columns; c++) square += rows.data[row * columns + c]! ** 2;
    if (!(square > 0)) continue;
    const scale = 1 / Math.sqrt(square);
    for (let c = 0; c < columns; c++) data[kept.length * columns + c] = rows.data[row * columns + c]! * scale;
    kept.push(rows.unit[row]!);
  }
  return { columns, data: data.subarray(0, kept.length * columns), unit: kept };
}

/** The first `count` rows: with rows in hash order, a sample that no name decides. */
export function firstRows(rows: VectorRows, count: number): VectorRows {
  return {
    columns: rows.columns,
    data: rows.data.subarray(0, count * rows.columns),
    unit: Array.from({ length: Math.min(count, rows.unit.length) }, (_, row) => rows.unit[row]!),
  };
}

/** exp of the entropy of non-negative values scaled to sum 1; small negative eigenvalues are rounding. */
export function effectiveCount(values: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += Math.max(0, values[i]!);
  let entropy = 0;
  for (let i = 0; i < values.length; i++) {
    const share = Math.max(0, values[i]!) / total;
    if (share > 0) entropy -= share * Math.log(share);
  }
  return Math.exp(entropy);
}
