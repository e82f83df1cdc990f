/** Kish's effective sample size, (sum w)^2 / sum w^2: 1 to n; 0 of no weights. */
export function effectiveSize(weights: Float64Array): number {
  let sum = 0;
  let squares = 0;
  for (let at = 0; at < weights.length; at++) {
    const w = weights[at]!;
    sum += w;
    squares += w * w;
  }
  return squares > 0 ? (sum * sum) / squares : 0;
}

const EXACT = 1e-12;

/**
 * Largest kappa in [0, 1], to 1e-12 and never above it, with ESS(exp(kappa l)) >= share n. `logs`: log weights, the
 * largest at 0, in ascending order: sums then do not depend on the order of rows.
 *
 * ESS falls as kappa grows (d log ESS / d kappa = 2 (E_kappa l - E_2kappa l) <= 0, an exponential family's mean
 * grows with its parameter) and is n at 0, so that there is one such kappa. Newton's steps find it, a bracket
 * holds them.
 */
export function temperingExponent(logs: Float64Array, share: number): number {
  const n = logs.length;
  if (n === 0 || logs[0] === logs[n - 1]) return 1;
  // Only equal weights are worth all n rows; near 0 rounding would hide that.
  if (share >= 1) return 0;
  const floor = share * n;
  let at = tempered(logs, 1);
  if (at.ess >= floor) return 1;
  let low = 0;
  let high = 1;
  let kappa = 1;
  while (high - low > EXACT) {
    const newton = kappa - (Math.log(at.ess) - Math.log(floor)) / at.slope;
    if (Math.abs(newton - kappa) < 1e-8) {
      // Arrived: close the bracket around it from both sides.
      const near = [newton - 0.4 * EXACT, newton + 0.4 * EXACT].filter((x) => x > low && x < high);
      for (const side of near)
        if (tempered(logs, side).ess >= floor) low = Math.max(low, side);
        else high = Math.min(high, side);
      if (high - low <= EXACT) break;
    }
    kappa = newton > low && newton < high && Math.abs(newton - kappa) >= 1e-8 ? newton : (low + high) / 2;
    at = tempered(logs, kappa);
    if (at.ess >= floor) low = kappa;
    else high = kappa;
  }
  return low;
}

/** ESS of exp(kappa l), and the slope of its logarithm in kappa. */
function tempered(logs: Float64Array, kappa: number): { ess: number; slope: number } {
  let [sum, squares, first, second] = [0, 0, 0, 0];
  for (let at = 0; at < logs.length; at++) {
    const l = logs[at]!;
    const w = Math.exp(kappa * l);
    const square = w * w;
    sum += w;
    squares += square;
    first += w * l;
    second += square * l;
  }
  return { ess: (sum * sum) / squares, slope: 2 * (first / sum - second / squares) };
}
