/**
 * One step of group DRO (Sagawa et al. 2020, algorithm 1): q_s <- q_s exp(step * loss_s), renormalised to sum 1.
 * `start`, of positive shares, is the step before (default: equal shares). A missing loss (NaN) counts as the mean of
 * the known ones under `start`: its share neither gains nor loses on average. Step 0, or no loss known: `start` itself.
 * Losses are shifted before the exponential, so no step overflows.
 */
export function groupDroWeights(
  losses: ArrayLike<number>,
  step: number,
  start: ArrayLike<number> | null = null,
): Float64Array {
  if (!(step >= 0 && Number.isFinite(step)))
    throw new RangeError(`step must be a number of at least 0, got ${step}`);
  const count = losses.length;
  const shares = new Float64Array(count).fill(1 / count);
  if (start !== null) shares.set(start);
  const isKnown = Uint8Array.from({ length: count }, (_, s) => (Number.isNaN(losses[s]!) ? 0 : 1));
  const weight = sumOf(shares.filter((_, s) => isKnown[s] === 1));
  const typical = sumOf(shares.map((share, s) => (isKnown[s] === 1 ? share * losses[s]! : 0))) / weight;
  let greatest = Number.NEGATIVE_INFINITY;
  for (let s = 0; s < count; s++)
    if (isKnown[s] === 1 && shares[s]! > 0) greatest = Math.max(greatest, losses[s]!);
  for (let s = 0; s < count; s++) {
    const loss = isKnown[s] === 1 ? losses[s]! : typical;
    if (weight > 0 && shares[s]! > 0) shares[s]! *= Math.exp(step * (loss - greatest));
  }
  const total = sumOf(shares.slice());
  return shares.map((share) => share / total);
}

/** Sorted: the order of simulators is that of their rows, and sums must not hang on it. */
function sumOf(values: Float64Array): number {
  return values.sort().reduce((total, value) => total + value, 0);
}
