/**
 * Factor for the advantages of each simulator, after group normalisation: min(1, (median MCI / MCI_i)^beta), in
 * (0, 1]. A simulator more concentrated than the median one pulls less; none pulls more. MCI is floored at 1/k, where
 * all modes are equal (the estimate may fall below). `null` = unknown: factor 1, and no part in the median.
 * Throws RangeError where beta is negative or k below 1.
 */
export function gradientScale(mci: readonly (number | null)[], beta: number, k: number): Float64Array {
  if (!(beta >= 0) || !(k >= 1)) throw new RangeError(`beta ${beta}, ${k} modes`);
  const floored = mci.map((value) =>
    value === null || !Number.isFinite(value) ? null : Math.max(value, 1 / k),
  );
  const known = floored.filter((value) => value !== null).sort((a, b) => a - b);
  const half = known.length / 2;
  const median = known.length === 0 ? 1 : (known[Math.ceil(half) - 1]! + known[Math.floor(half)]!) / 2;
  return Float64Array.from(floored, (value) => (value === null ? 1 : Math.min(1, (median / value) ** beta)));
}
