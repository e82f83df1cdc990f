// Exact interval of a share (Clopper & Pearson 1934), by bisection on the binomial tail.

/** P(X >= k) of a binomial with n draws of chance p. */
function atLeast(k, n, p) {
  if (k <= 0) return 1;
  if (p <= 0) return 0;
  if (p >= 1) return 1;
  let log = n * Math.log1p(-p);
  let below = Math.exp(log);
  for (let x = 1; x < k; x++) {
    log += Math.log((n - x + 1) / x) + Math.log(p) - Math.log1p(-p);
    below += Math.exp(log);
  }
  return 1 - below;
}

function solve(holds) {
  let low = 0;
  let high = 1;
  for (let n = 0; n < 60; n++) {
    const middle = (low + high) / 2;
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return (low + high) / 2;
}

/** @returns [lower, upper] at 95 %, two-sided; [0, 1] where n = 0 */
export function clopperPearson(k, n) {
  if (n === 0) return [0, 1];
  const lower = k === 0 ? 0 : solve((p) => atLeast(k, n, p) >= 0.025);
  const upper = k === n ? 1 : solve((p) => 1 - atLeast(k + 1, n, p) <= 0.025);
  return [lower, upper];
}
