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
  return fromSortedKeys(inOrder(keys), k);
}

/** Sorts whole numbers in place: by counting them where they are not much more than there are. */
function inOrder(keys: Float64Array): Float64Array {
  let highest = 0;
  for (let i = 0; i < keys.length; i++) if (keys[i]! > highest) highest = keys[i]!;
  if (highest > 4 * keys.length + 4096) return keys.sort();
  const counts = new Uint32Array(highest + 1);
  for (let i = 0; i < keys.length; i++) counts[keys[i]!]!++;
  let at = 0;
  for (let key = 0; key <= highest; key++) for (const end = at + counts[key]!; at < end; at++) keys[at] = key;
  return keys;
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
  return fromSortedKeys(inOrder(keys), k);
}

function fromSortedKeys(keys: Float64Array, k: number): Tally {
  const units: number[] = [];
  const size: number[] = [];
  const start: number[] = [];
  const cells: number[] = [];
  const count: number[] = [];
  const insides: number[] = [];
  const counts = new Float64Array(k);
  const insideCounts = new Float64Array(k);
  let outside = 0;
  let entry = -1;
  for (const key of keys) {
    const place = Math.floor(key / 2);
    const away = key - place * 2;
    if (place !== entry) {
      entry = place;
      const unit = Math.floor(place / k);
      if (units.length === 0 || units[units.length - 1] !== unit) {
        units.push(unit);
        size.push(0);
        start.push(cells.length);
      }
      cells.push(place - unit * k);
      count.push(0);
      insides.push(0);
    }
    const cell = cells[cells.length - 1]!;
    size[size.length - 1]! += 1;
    count[count.length - 1]! += 1;
    insides[insides.length - 1]! += 1 - away;
    counts[cell]! += 1;
    insideCounts[cell]! += 1 - away;
    outside += away;
  }
  start.push(cells.length);
  return {
    k,
    n: keys.length,
    units: Int32Array.from(units),
    size: Int32Array.from(size),
    start: Int32Array.from(start),
    cell: Int32Array.from(cells),
    count: Int32Array.from(count),
    inside: Int32Array.from(insides),
    counts,
    insideCounts,
    outside,
  };
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
