const HALF_LOG_TWO_PI = 0.9189385332046728;

/** Log of the gamma function for x > 0: Stirling's series after shifting x above 10. Relative error about 1e-15. */
export function logGamma(x: number): number {
  if (!(x > 0)) return x === 0 ? Number.POSITIVE_INFINITY : Number.NaN;
  let shifted = x;
  let product = 1;
  while (shifted < 10) {
    product *= shifted;
    shifted += 1;
  }
  const inverse = 1 / shifted;
  const square = inverse * inverse;
  const series =
    inverse *
    (1 / 12 -
      square *
        (1 / 360 -
          square *
            (1 / 1260 - square * (1 / 1680 - square * (1 / 1188 - square * (691 / 360360 - square / 156))))));
  return (shifted - 0.5) * Math.log(shifted) - shifted + HALF_LOG_TWO_PI + series - Math.log(product);
}

/** log of n over k; -Infinity where k lies outside 0 .. n. */
export function logChoose(n: number, k: number): number {
  if (k < 0 || k > n) return Number.NEGATIVE_INFINITY;
  if (k === 0 || k === n) return 0;
  return logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1);
}

/** P(Z <= x), relative accuracy kept in the lower tail. */
export function normalCdf(x: number): number {
  if (Number.isNaN(x)) return Number.NaN;
  if (x > 0) return 1 - normalCdf(-x);
  if (x === Number.NEGATIVE_INFINITY) return 0;
  const density = Math.exp(-0.5 * x * x - HALF_LOG_TWO_PI);
  if (x < -3) {
    // Laplace's continued fraction of the Mills ratio, from the inside out.
    let fraction = -x;
    for (let k = 120; k >= 1; k--) fraction = -x + k / fraction;
    return density / fraction;
  }
  // Marsaglia 2004: Phi(x) = 1/2 + phi(x) (x + x^3/3 + x^5/(3*5) + ...).
  let term = x;
  let total = x;
  for (let k = 3; Math.abs(term) > 1e-18 * Math.abs(total); k += 2) {
    term *= (x * x) / k;
    total += term;
  }
  return 0.5 + density * total;
}

/** The x with P(Z <= x) = p; infinite at 0 and 1. Abramowitz & Stegun 26.2.23, then Halley's steps. */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) return Number.NaN;
  if (p > 0.5) return -normalQuantile(1 - p);
  if (p === 0) return Number.NEGATIVE_INFINITY;
  if (p === 0.5) return 0;
  const t = Math.sqrt(-2 * Math.log(p));
  let x =
    (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
  for (let step = 0; step < 4; step++) {
    const ratio = (normalCdf(x) - p) / Math.exp(-0.5 * x * x - HALF_LOG_TWO_PI);
    if (!Number.isFinite(ratio)) break;
    x -= ratio / (1 + 0.5 * x * ratio);
  }
  return x;
}

/** P(T <= t) for Student's t with `df` > 0 degrees of freedom (any real number; Infinity is the normal). */
export function studentTCdf(t: number, df: number): number {
  if (Number.isNaN(t) || !(df > 0)) return Number.NaN;
  const tail = upperTail(Math.abs(t), df);
  return t > 0 ? 1 - tail : tail;
}

/** The t with P(T <= t) = p. Inverted by Newton steps kept inside a bracket, to about 1e-12 relative. */
export function studentTQuantile(p: number, df: number): number {
  if (!(p >= 0 && p <= 1) || !(df > 0)) return Number.NaN;
  if (p < 0.5) return -tailQuantile(p, df);
  return tailQuantile(1 - p, df);
}

/**
 * P(X >= atLeast), X hypergeometric: marked units among `draws` drawn without replacement from a
 * `population` that holds `successes` marked ones. All counts are integers; draws and successes at most
 * `population`. Summed by the ratio of neighbouring terms from the mode outward, so nothing overflows.
 */
export function hypergeometricAtLeast(
  successes: number,
  population: number,
  draws: number,
  atLeast: number,
): number {
  const lowest = Math.max(0, draws + successes - population);
  const highest = Math.min(draws, successes);
  if (!(successes >= 0 && draws >= 0 && successes <= population && draws <= population)) return Number.NaN;
  if (atLeast <= lowest) return 1;
  if (atLeast > highest) return 0;
  const start = Math.min(
    highest,
    Math.max(lowest, Math.floor(((draws + 1) * (successes + 1)) / (population + 2))),
  );
  let inside = 0;
  let outside = 0;
  const add = (x: number, mass: number) => {
    if (x >= atLeast) inside += mass;
    else outside += mass;
  };
  add(start, 1);
  for (let x = start, mass = 1; x < highest && mass > 0; x++) {
    mass *= ((successes - x) * (draws - x)) / ((x + 1) * (population - successes - draws + x + 1));
    add(x + 1, mass);
  }
  for (let x = start, mass = 1; x > lowest && mass > 0; x--) {
    mass *= (x * (population - successes - draws + x)) / ((successes - x + 1) * (draws - x + 1));
    add(x - 1, mass);
  }
  return inside / (inside + outside);
}

/** P(T > t) for t >= 0. */
function upperTail(t: number, df: number): number {
  if (t === Number.POSITIVE_INFINITY) return 0;
  if (df === Number.POSITIVE_INFINITY) return normalCdf(-t);
  const square = t * t;
  return 0.5 * regularisedBeta(df / (df + square), square / (df + square), df / 2, 0.5);
}

function tailQuantile(tail: number, df: number): number {
  if (tail === 0) return Number.POSITIVE_INFINITY;
  if (tail === 0.5) return 0;
  if (df === Number.POSITIVE_INFINITY) return -normalQuantile(tail);
  let low = 0;
  let high = Math.max(1, -normalQuantile(tail));
  while (upperTail(high, df) > tail) {
    low = high;
    high *= 2;
  }
  const logScale = logGamma((df + 1) / 2) - logGamma(df / 2) - 0.5 * Math.log(df * Math.PI);
  let t = (low + high) / 2;
  for (let step = 0; step < 200; step++) {
    const excess = upperTail(t, df) - tail;
    if (excess > 0) low = t;
    else high = t;
    const density = Math.exp(logScale - ((df + 1) / 2) * Math.log1p((t * t) / df));
    const newton = t + excess / density;
    const next = newton > low && newton < high ? newton : (low + high) / 2;
    if (Math.abs(next - t) <= 1e-13 * next) return next;
    t = next;
  }
  return t;
}

/** I_x(a, b); `y` = 1 - x is passed beside it because the subtraction would lose the small tail. */
export function regularisedBeta(x: number, y: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(y));
  return x < (a + 1) / (a + b + 2)
    ? (front * betaFraction(x, a, b)) / a
    : 1 - (front * betaFraction(y, b, a)) / b;
}

/** Continued fraction of the incomplete beta function, modified Lentz (DLMF 8.17.22). */
function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  const guard = (value: number) => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / guard(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m <= 20_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / guard(1 + even * d);
    c = guard(1 + even / c);
    result *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / guard(1 + odd * d);
    c = guard(1 + odd / c);
    result *= d * c;
    if (Math.abs(d * c - 1) < 1e-16) break;
  }
  return result;
}
