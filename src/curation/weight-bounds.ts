/**
 * The scale s with mean(clip(s w, low, high)) = 1, for positive `weights` in ascending order and 0 < low < 1 < high.
 *
 * It exists: the mean is continuous and never falls as s grows, is low < 1 while every s w is below low, and
 * high > 1 once every s w is above high. Between two neighbouring bounds it is a straight line in s, solved as such;
 * where it is flat at 1 (every weight at a bound) each s of the flat part gives the same clipped weights.
 * Clipping never lowers the effective sample size: both lists have mean 1 and rise with w, and clip(s w) - w / mean(w)
 * changes its sign once, from + to -, so that the clipped ones are the more equal (majorised) and sum w^2 is smaller.
 * Throws RangeError where the bounds do not hold 1 between them, or a weight is not positive and finite.
 */
export function boundedScale(weights: Float64Array, [low, high]: readonly [number, number]): number {
  const n = weights.length;
  if (!(low > 0 && low < 1 && high > 1 && high < Number.POSITIVE_INFINITY))
    throw new RangeError(`bounds ${low} .. ${high}: 0 < low < 1 < high is needed`);
  if (n === 0) return 1;
  const [least, most] = [weights[0]!, weights[n - 1]!];
  if (!(least > 0 && most < Number.POSITIVE_INFINITY))
    throw new RangeError(`weights ${least} .. ${most}: positive and finite ones are needed`);
  const before = new Float64Array(n + 1);
  for (let at = 0; at < n; at++) before[at + 1] = before[at]! + weights[at]!;

  let from = Math.log(low) - Math.log(most);
  let to = Math.log(high) - Math.log(least);
  let scale = Math.exp((from + to) / 2);
  // Halving meets neighbouring doubles after some 60 turns; the line is found long before.
  for (let turn = 0; turn < 200; turn++) {
    const below = countBelow(weights, low / scale);
    const above = n - countBelow(weights, high / scale);
    const middle = before[n - above]! - before[below]!;
    const clipped = below * low + above * high;
    if (below + above < n) {
      const exact = (n - clipped) / middle;
      const fits =
        exact > 0 &&
        countBelow(weights, low / exact) === below &&
        n - countBelow(weights, high / exact) === above;
      if (fits) return exact;
    }
    const total = clipped + scale * middle;
    if (total === n) return scale;
    if (total < n) from = Math.log(scale);
    else to = Math.log(scale);
    scale = Math.exp((from + to) / 2);
  }
  return scale;
}

/** Number of weights of an ascending list that are below `value`. */
function countBelow(weights: Float64Array, value: number): number {
  let [low, high] = [0, weights.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (weights[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
