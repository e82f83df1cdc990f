import { kthNearest } from '../math/index.ts';

/** Vectors of rows, row-major, with the content hash of each. */
export interface HashedVectors {
  readonly columns: number;
  readonly vectors: Float32Array;
  readonly hashes: readonly string[];
}

/**
 * Local density in behaviour space: the distance of a row to its k-th nearest different content of a sample. The
 * sample is drawn by content hash (bottom-k), so that the scale does not depend on the order of rows; it is exact
 * where it holds all rows. Contents count once, and none is a neighbour of itself: a row repeated is not a crowd.
 */
export class DensityScale {
  readonly columns: number;
  /** Contents of the sample; rows with a number that is not finite are left out. */
  readonly contents: number;
  /** Which neighbour is measured to: as asked, or fewer where the sample is smaller; the same for every row. */
  readonly neighbours: number;
  readonly #vectors: Float32Array;
  readonly #at = new Map<string, number>();

  /** Throws RangeError where `neighbours` is below 1 or the vectors do not have the shape. */
  constructor(sample: HashedVectors, neighbours: number) {
    const { columns, hashes, vectors } = sample;
    if (!(neighbours >= 1) || vectors.length !== columns * hashes.length)
      throw new RangeError(
        `${neighbours} neighbours, ${vectors.length} numbers for ${hashes.length} x ${columns}`,
      );
    const rows: number[] = [];
    hashes.forEach((hash, row) => {
      if (!allFinite(vectors, row * columns, columns)) return;
      const at = this.#at.get(hash);
      if (at === undefined) {
        this.#at.set(hash, rows.length);
        rows.push(row);
      } else if (comparesBelow(vectors, row * columns, rows[at]! * columns, columns)) rows[at] = row;
    });
    this.columns = columns;
    this.contents = rows.length;
    this.neighbours = Math.max(1, Math.min(Math.floor(neighbours), rows.length - 1));
    this.#vectors = new Float32Array(rows.length * columns);
    rows.forEach((row, at) => {
      this.#vectors.set(vectors.subarray(row * columns, (row + 1) * columns), at * columns);
    });
  }

  /** Euclidean distances of query rows; NaN where there is no neighbour or the row has a number that is not finite. */
  distances({ columns, vectors, hashes }: HashedVectors): Float32Array {
    if (columns !== this.columns || vectors.length !== columns * hashes.length)
      throw new RangeError(`${vectors.length} numbers for ${hashes.length} x ${this.columns}`);
    const own = Int32Array.from(hashes, (hash) => this.#at.get(hash) ?? -1);
    const squares = kthNearest(
      vectors,
      hashes.length,
      columns,
      own,
      this.#vectors,
      this.contents,
      this.neighbours,
    );
    return squares.map((square) => (square < Number.POSITIVE_INFINITY ? Math.sqrt(square) : Number.NaN));
  }
}

function allFinite(vectors: Float32Array, from: number, columns: number): boolean {
  for (let at = from; at < from + columns; at++) if (!Number.isFinite(vectors[at]!)) return false;
  return true;
}

/** One content can have two vectors (it may be said in two contexts): which stands for it must not hang on order. */
function comparesBelow(vectors: Float32Array, a: number, b: number, columns: number): boolean {
  for (let column = 0; column < columns; column++) {
    const difference = vectors[a + column]! - vectors[b + column]!;
    if (difference !== 0) return difference < 0;
  }
  return false;
}
