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
  let [known, weight, greatest] = [0, 0, Number.NEGATIVE_INFINITY];
  for (let s = 0; s < count; s++) {
    if (Number.isNaN(losses[s]!)) continue;
    known += shares[s]! * losses[s]!;
    weight += shares[s]!;
    if (shares[s]! > 0) greatest = Math.max(greatest, losses[s]!);
  }
  const typical = known / weight;
  let total = 0;
  for (let s = 0; s < count; s++) {
    const loss = Number.isNaN(losses[s]!) ? typical : losses[s]!;
    if (weight > 0 && shares[s]! > 0) shares[s]! *= Math.exp(step * (loss - greatest));
    total += shares[s]!;
  }
  return shares.map((share) => share / total);
}
