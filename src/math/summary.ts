/** Neumaier's compensated sum: the result hardly depends on the order, and not at all for usual sizes. */
export function sum(values: ArrayLike<number>): number {
  let total = 0;
  let lost = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    const next = total + value;
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
    total = next;
  }
  // With an infinite term the compensation is NaN and the plain total is right.
  return Number.isFinite(total) ? total + lost : total;
}

/** NaN where there are no values: the caller names the reason. */
export function mean(values: ArrayLike<number>): number {
  return values.length === 0 ? Number.NaN : sum(values) / values.length;
}

/** Unbiased (n - 1), two passes. NaN for fewer than two values. */
export function variance(values: ArrayLike<number>): number {
  const n = values.length;
  if (n < 2) return Number.NaN;
  const centre = mean(values);
  const squares = new Float64Array(n);
  for (let i = 0; i < n; i++) squares[i] = (values[i]! - centre) ** 2;
  return sum(squares) / (n - 1);
}

/** Quantile of ascending `sorted`, Hyndman & Fan's type 7 (default of R and numpy). NaN where empty. */
export function quantile(sorted: ArrayLike<number>, p: number): number {
  const n = sorted.length;
  if (n === 0) return Number.NaN;
  const at = Math.min(Math.max(p, 0), 1) * (n - 1);
  const below = Math.floor(at);
  const low = sorted[below]!;
  const share = at - below;
  // Without this test an infinite neighbour with share 0 would give NaN.
  return share === 0 ? low : low + share * (sorted[below + 1]! - low);
}

/** Least of many: they are not spread into arguments, of which a call takes a hundred thousand or so. Of none: Infinity. */
export function minimum(values: Iterable<number>): number {
  let least = Number.POSITIVE_INFINITY;
  for (const value of values) least = Math.min(least, value);
  return least;
}

/** Largest of many; of none: -Infinity. */
export function maximum(values: Iterable<number>): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) most = Math.max(most, value);
  return most;
}
