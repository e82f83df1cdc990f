import { instantiate, type Kernels, reserve } from './kernels.ts';

/** Bytes of sums made by one call of the kernel. */
const BLOCK = 1 << 20;

/** Lists of (row of a table, weight) pairs, one after the other: list i is starts[i] <= p < starts[i + 1]. */
export interface WeightedLists {
  readonly starts: Uint32Array;
  readonly indices: Uint32Array;
  readonly weights: Float32Array;
}

/**
 * A `rows x columns` table of vectors (of tokens, say) kept in the kernel's memory, for weighted sums of its
 * rows. Where WebAssembly cannot run the sums are made in TypeScript, with the same bits.
 */
export class VectorTable {
  readonly rows: number;
  readonly columns: number;
  readonly #data: Float32Array;
  readonly #kernels: Kernels | null;

  constructor(data: Float32Array, rows: number, columns: number) {
    if (data.length !== rows * columns)
      throw new RangeError(`${data.length} numbers do not make a ${rows} x ${columns} table`);
    this.rows = rows;
    this.columns = columns;
    this.#data = data;
    this.#kernels = instantiate();
    if (this.#kernels === null) return;
    const [tableAt] = reserve(this.#kernels, [4 * data.length]);
    new Float32Array(this.#kernels.memory.buffer, tableAt, data.length).set(data);
  }

  /**
   * For each list the sum of weight x row, in 32-bit arithmetic and in the list's order: row-major
   * `(starts.length - 1) x columns`. Throws RangeError for an index outside the table or lists out of bounds.
   */
  sums(lists: WeightedLists): Float32Array {
    checkLists(lists, this.rows);
    const count = lists.starts.length - 1;
    const kernels = this.#kernels;
    if (kernels === null) return sumsReference(this.#data, this.columns, lists);
    const out = new Float32Array(count * this.columns);
    const block = Math.max(1, Math.floor(BLOCK / Math.max(1, 4 * this.columns)));
    for (let first = 0; first < count; first += block)
      this.#sumsOf(kernels, lists, first, Math.min(first + block, count), out);
    return out;
  }

  #sumsOf(kernels: Kernels, lists: WeightedLists, first: number, last: number, out: Float32Array): void {
    const begin = lists.starts[first]!;
    const starts = lists.starts.slice(first, last + 1).map((start) => start - begin);
    const indices = lists.indices.subarray(begin, lists.starts[last]);
    const weights = lists.weights.subarray(begin, lists.starts[last]);
    const size = (last - first) * this.columns;
    const [tableAt, startsAt, indicesAt, weightsAt, outAt] = reserve(kernels, [
      4 * this.#data.length,
      4 * starts.length,
      4 * indices.length,
      4 * weights.length,
      4 * size,
    ]);
    const { buffer } = kernels.memory;
    new Uint32Array(buffer, startsAt, starts.length).set(starts);
    new Uint32Array(buffer, indicesAt, indices.length).set(indices);
    new Float32Array(buffer, weightsAt, weights.length).set(weights);
    kernels.accumulate(startsAt!, last - first, indicesAt!, weightsAt!, tableAt!, this.columns, outAt!);
    out.set(new Float32Array(buffer, outAt, size), first * this.columns);
  }
}

/** The weighted sums in TypeScript, rounding to 32 bits after each product and sum as the kernel does. */
export function sumsReference(
  table: Float32Array,
  columns: number,
  { starts, indices, weights }: WeightedLists,
): Float32Array {
  const count = starts.length - 1;
  const out = new Float32Array(count * columns);
  for (let list = 0; list < count; list++) {
    const to = list * columns;
    for (let p = starts[list]!; p < starts[list + 1]!; p++) {
      const from = indices[p]! * columns;
      const weight = weights[p]!;
      for (let j = 0; j < columns; j++)
        out[to + j] = Math.fround(out[to + j]! + Math.fround(weight * table[from + j]!));
    }
  }
  return out;
}

/** The kernel reads what it is told to: what is outside must be refused here. */
function checkLists({ starts, indices, weights }: WeightedLists, rows: number): void {
  if (starts.length === 0) throw new RangeError('starts is empty: no list has an end');
  for (let list = 1; list < starts.length; list++)
    if (starts[list]! < starts[list - 1]!) throw new RangeError(`list ${list - 1} ends before it starts`);
  const end = starts[starts.length - 1]!;
  if (end > indices.length || end > weights.length)
    throw new RangeError(`lists end at ${end}, past ${indices.length} indices and ${weights.length} weights`);
  for (let p = starts[0]!; p < end; p++)
    if (indices[p]! >= rows) throw new RangeError(`row ${indices[p]} of a table of ${rows}`);
}
