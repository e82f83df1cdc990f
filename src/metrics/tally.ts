/** Rows of one simulator (or of people) in one codebook, as columns of equal length. */
export interface CellRows {
  /** Cells of the codebook; every `cell` lies in 0 .. k-1. */
  readonly k: number;
  /** Unit of each row: an index into one list, shared by all compared data, whose order no name decides. */
  readonly unit: ArrayLike<number>;
  readonly cell: ArrayLike<number>;
  /** Farther from its centroid than people are: keeps its cell in MCI and SCD, visits no mode in BDI. */
  readonly outside: ArrayLike<boolean | 0 | 1>;
}

/** What a sample has in common with every other: the units it was seen in. */
export interface Sample {
  /** Ascending, without repeats. */
  readonly units: ArrayLike<number>;
}

/** Counts of rows by unit and cell: sparse, one entry per visited (unit, cell), units and cells ascending. */
export interface Tally extends Sample {
  readonly k: number;
  readonly n: number;
  readonly units: Int32Array;
  /** Rows of each present unit. */
  readonly size: Int32Array;
  /** Entries of unit u: start[u] .. start[u+1]-1. */
  readonly start: Int32Array;
  readonly cell: Int32Array;
  readonly count: Int32Array;
  /** The part of `count` that lies inside people's support. */
  readonly inside: Int32Array;
  /** Totals over units, k long. */
  readonly counts: Float64Array;
  readonly insideCounts: Float64Array;
  readonly outside: number;
}

/** One pass; the order of the rows does not matter. Throws RangeError for a cell outside 0 .. k-1. */
export function tallyOf(rows: CellRows): Tally {
  const { k } = rows;
  const n = rows.cell.length;
  const keys = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const cell = rows.cell[i]!;
    const unit = rows.unit[i]!;
    if (!(Number.isInteger(cell) && cell >= 0 && cell < k)) throw new RangeError(`cell ${cell} of ${k}`);
    if (!(Number.isInteger(unit) && unit >= 0)) throw new RangeError(`unit ${unit}`);
    keys[i] = (unit * k + cell) * 2 + (rows.outside[i] ? 1 : 0);
  }
  return fromKeys(keys, k);
}

/** The tally of all rows of several tallies: e.g. a data set out of its simulators. */
export function mergeTallies(tallies: readonly Tally[]): Tally {
  const k = tallies[0]?.k ?? 0;
  const total = tallies.reduce((rows, tally) => rows + tally.n, 0);
  const keys = new Float64Array(total);
  let at = 0;
  for (const tally of tallies) {
    if (tally.k !== k) throw new RangeError(`codebooks of ${k} and ${tally.k} cells`);
    for (let u = 0; u < tally.units.length; u++)
      for (let e = tally.start[u]!; e < tally.start[u + 1]!; e++) {
        const key = (tally.units[u]! * k + tally.cell[e]!) * 2;
        const inside = tally.inside[e]!;
        for (let row = 0; row < tally.count[e]!; row++) keys[at++] = row < inside ? key : key + 1;
      }
  }
  return fromKeys(keys, k);
}

/** Keys in any order: counted where they are not much more than there are, else sorted. */
function fromKeys(keys: Float64Array, k: number): Tally {
  const writer = new TallyWriter(keys.length, k);
  let highest = 0;
  for (let i = 0; i < keys.length; i++) if (keys[i]! > highest) highest = keys[i]!;
  if (highest > 16 * keys.length + 4096) {
    keys.sort();
    for (let from = 0, to = 0; from < keys.length; from = to) {
      while (to < keys.length && keys[to] === keys[from]) to++;
      writer.add(keys[from]!, to - from);
    }
  } else {
    const counts = new Int32Array(highest + 1);
    for (let i = 0; i < keys.length; i++) counts[keys[i]!]! += 1;
    for (let key = 0; key <= highest; key++) if (counts[key]! > 0) writer.add(key, counts[key]!);
  }
  return writer.tally();
}

/** Takes keys (unit * k + cell) * 2 + outside, ascending, each with how many rows have it. */
class TallyWriter {
  readonly #k: number;
  readonly #n: number;
  readonly #units: Int32Array;
  readonly #size: Int32Array;
  readonly #start: Int32Array;
  readonly #cell: Int32Array;
  readonly #count: Int32Array;
  readonly #inside: Int32Array;
  readonly #counts: Float64Array;
  readonly #insideCounts: Float64Array;
  #outside = 0;
  #place = -1;
  #entries = 0;
  #present = 0;

  constructor(n: number, k: number) {
    this.#k = k;
    this.#n = n;
    this.#units = new Int32Array(n);
    this.#size = new Int32Array(n);
    this.#start = new Int32Array(n + 1);
    this.#cell = new Int32Array(n);
    this.#count = new Int32Array(n);
    this.#inside = new Int32Array(n);
    this.#counts = new Float64Array(k);
    this.#insideCounts = new Float64Array(k);
  }

  add(key: number, rows: number): void {
    const place = Math.floor(key / 2);
    const inside = key === place * 2 ? rows : 0;
    const unit = Math.floor(place / this.#k);
    const cell = place - unit * this.#k;
    if (place !== this.#place) {
      this.#place = place;
      if (this.#present === 0 || this.#units[this.#present - 1] !== unit) {
        this.#units[this.#present] = unit;
        this.#start[this.#present++] = this.#entries;
      }
      this.#cell[this.#entries++] = cell;
    }
    this.#size[this.#present - 1]! += rows;
    this.#count[this.#entries - 1]! += rows;
    this.#inside[this.#entries - 1]! += inside;
    this.#counts[cell]! += rows;
    this.#insideCounts[cell]! += inside;
    this.#outside += rows - inside;
  }

  tally(): Tally {
    this.#start[this.#present] = this.#entries;
    return {
      k: this.#k,
      n: this.#n,
      units: this.#units.slice(0, this.#present),
      size: this.#size.slice(0, this.#present),
      start: this.#start.slice(0, this.#present + 1),
      cell: this.#cell.slice(0, this.#entries),
      count: this.#count.slice(0, this.#entries),
      inside: this.#inside.slice(0, this.#entries),
      counts: this.#counts,
      insideCounts: this.#insideCounts,
      outside: this.#outside,
    };
  }
}

/** A tally added up over groups of units: leaving a group out is one subtraction. */
export interface GroupSums {
  readonly tally: Tally;
  readonly groups: number;
  /** groups x k, all rows. */
  readonly counts: Float64Array;
  /** groups x k, rows inside people's support. */
  readonly inside: Float64Array;
  readonly n: Float64Array;
  readonly units: Float64Array;
  /** Per group: sum over its units of sum_k n_ck^2, and of n_c^2. */
  readonly same: Float64Array;
  readonly square: Float64Array;
  readonly sameTotal: number;
  readonly squareTotal: number;
}

/** `groupOf[unit]` = group of that unit. All sums are of integers and so exact in any order. */
export function groupSums(tally: Tally, groupOf: ArrayLike<number>, groups: number): GroupSums {
  const { k } = tally;
  const counts = new Float64Array(groups * k);
  const inside = new Float64Array(groups * k);
  const n = new Float64Array(groups);
  const units = new Float64Array(groups);
  const same = new Float64Array(groups);
  const square = new Float64Array(groups);
  let sameTotal = 0;
  let squareTotal = 0;
  for (let u = 0; u < tally.units.length; u++) {
    const group = groupOf[tally.units[u]!]!;
    const rows = tally.size[u]!;
    n[group]! += rows;
    units[group]! += 1;
    square[group]! += rows * rows;
    squareTotal += rows * rows;
    for (let e = tally.start[u]!; e < tally.start[u + 1]!; e++) {
      const count = tally.count[e]!;
      const place = group * k + tally.cell[e]!;
      counts[place]! += count;
      inside[place]! += tally.inside[e]!;
      same[group]! += count * count;
      sameTotal += count * count;
    }
  }
  return { tally, groups, counts, inside, n, units, same, square, sameTotal, squareTotal };
}

/** The rows left when `group` is deleted (-1: none), by cell: written into `into`. */
export function countsWithout(sums: GroupSums, group: number, into: Float64Array): Float64Array {
  into.set(sums.tally.counts);
  if (group >= 0) {
    const from = group * sums.tally.k;
    for (let cell = 0; cell < sums.tally.k; cell++) into[cell]! -= sums.counts[from + cell]!;
  }
  return into;
}

export function rowsWithout(sums: GroupSums, group: number): number {
  return sums.tally.n - (group < 0 ? 0 : sums.n[group]!);
}

/**
 * An order of tallies by their content alone: sums over simulators run in it, so that renaming or
 * reordering simulators moves no digit. Equal tallies are told apart by their weight.
 */
export function canonicalOrder(tallies: readonly Tally[], weights: readonly number[]): number[] {
  return tallies
    .map((_, index) => index)
    .sort((a, b) => compareTallies(tallies[a]!, tallies[b]!) || weights[a]! - weights[b]!);
}

function compareTallies(a: Tally, b: Tally): number {
  if (a === b) return 0;
  const columns = ['units', 'start', 'cell', 'count', 'inside'] as const;
  if (a.n !== b.n) return a.n - b.n;
  for (const column of columns) {
    const [x, y] = [a[column], b[column]];
    if (x.length !== y.length) return x.length - y.length;
    for (let i = 0; i < x.length; i++) if (x[i] !== y[i]) return x[i]! - y[i]!;
  }
  return 0;
}

/** Whether the coverage of the jackknife intervals was tested for data like these (metrics.md, Intervals). */
export function insideRegime(tally: Tally): boolean {
  return tally.units.length >= 50 && tally.n >= 3 * tally.k && unitsOffMode(tally) >= 20;
}

/** Units with at least one row off the most frequent cell (of equally frequent ones: the one with fewest). */
export function unitsOffMode(tally: Tally): number {
  let top = 0;
  for (const count of tally.counts) top = Math.max(top, count);
  const full = new Float64Array(tally.k);
  for (let u = 0; u < tally.units.length; u++)
    for (let e = tally.start[u]!; e < tally.start[u + 1]!; e++)
      if (tally.count[e] === tally.size[u]) full[tally.cell[e]!]! += 1;
  let off = tally.units.length;
  for (let cell = 0; cell < tally.k; cell++)
    if (tally.counts[cell] === top) off = Math.min(off, tally.units.length - full[cell]!);
  return off;
}
