import type { Random } from '../math/random.ts';
import { checkUnits, type InclusionDesign } from './inclusion.ts';

/** Most units of one draw: the exact joint probabilities of more take too long to be worth it. */
export const MOST_UNITS = 64;

/**
 * Conditional Poisson sampling (Chen, Dempster & Liu 1994, Biometrika 81:457): exactly `m` of n units, the subset S
 * with probability proportional to the product of its working weights w_i > 0 (only their ratios matter; Infinity =
 * kept for certain). Of all designs with the same pi it has the greatest entropy, and every pair can occur (m >= 2).
 *
 * pi_i and pi_ij are ratios of elementary symmetric sums of the w. These are computed as the law of a number of
 * independent successes with chances p_i = c w_i / (1 + c w_i), c such that sum p_i is about m: then no sum is small,
 * none overflows, and all terms are positive, so nothing cancels.
 *
 * Throws a RangeError for n > 64, for weights that are not above 0, and where `m` or more of n > m are certain.
 */
export function conditionalPoisson(weights: ArrayLike<number>, m: number): InclusionDesign {
  const n = weights.length;
  checkUnits(weights, m);
  if (n > MOST_UNITS)
    throw new RangeError(`conditional Poisson sampling takes at most ${MOST_UNITS} units, got ${n}`);
  return m >= n ? everything(n) : new ConditionalPoisson(chances(weights, m), m);
}

/** Success chances of the independent trials, and of failure: 1 - p would lose the digits of a small one. */
interface Chances {
  readonly p: Float64Array;
  readonly q: Float64Array;
}

function chances(weights: ArrayLike<number>, m: number): Chances {
  const n = weights.length;
  const logs = Float64Array.from(weights, (weight) => Math.log(weight));
  const drawn = logs.filter((log) => log !== Number.POSITIVE_INFINITY);
  const left = m - (n - drawn.length);
  if (left < 1) throw new RangeError(`${n - drawn.length} certain units leave none of ${m} to draw`);
  const shift = shiftTo(drawn, left);
  return {
    p: logs.map((log) => 1 / (1 + Math.exp(-(log + shift)))),
    q: logs.map((log) => 1 / (1 + Math.exp(log + shift))),
  };
}

/** log c with sum of c w / (1 + c w) within a tenth of `m`: near enough for m to be the likeliest number. */
function shiftTo(logs: Float64Array, m: number): number {
  let [least, most, total] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const log of logs) {
    least = Math.min(least, log);
    most = Math.max(most, log);
    total += log;
  }
  const even = Math.log(m / (logs.length - m));
  let [low, high] = [even - most, even - least];
  // Exact for equal weights.
  let shift = even - total / logs.length;
  for (let round = 0; round < 200; round++) {
    let expected = 0;
    for (const log of logs) expected += 1 / (1 + Math.exp(-(log + shift)));
    if (Math.abs(expected - m) < 0.1) break;
    if (expected < m) low = shift;
    else high = shift;
    shift = (low + high) / 2;
  }
  return shift;
}

class ConditionalPoisson implements InclusionDesign {
  readonly name = 'conditional-poisson';
  readonly n: number;
  readonly m: number;
  readonly pi: Float64Array;
  readonly #chances: Chances;
  readonly #order: Uint8Array;
  /** P(k successes among the first i units) at i (m + 1) + k. */
  readonly #first: Float64Array;

  constructor(of: Chances, m: number) {
    this.#chances = of;
    this.n = of.p.length;
    this.m = m;
    this.#order = Uint8Array.from(of.p, (_, i) => i);
    this.#first = successes(of, this.#order, m);
    this.pi = this.#given(this.#order, this.#first, m, 1, this.#whole);
  }

  get #whole(): number {
    return this.#first[this.n * (this.m + 1) + this.m]!;
  }

  joint(i: number): Float64Array {
    const both = new Float64Array(this.n);
    both[i] = this.pi[i]!;
    if (this.m < 2) return both;
    const others = this.#order.filter((unit) => unit !== i);
    const most = this.m - 1;
    const given = this.#given(
      others,
      successes(this.#chances, others, most),
      most,
      this.#chances.p[i]!,
      this.#whole,
    );
    others.forEach((unit, at) => {
      both[unit] = Math.min(given[at]!, this.pi[i]!, this.pi[unit]!);
    });
    return both;
  }

  draw(random: Random): Uint8Array {
    const kept = new Uint8Array(this.n);
    const width = this.m + 1;
    let wanted = this.m;
    // From the last unit down: the first units' law says how likely the rest can still supply what is wanted.
    for (let i = this.n - 1; i >= 0 && wanted > 0; i--) {
      const without = this.#first[i * width + wanted - 1]! * this.#chances.p[i]!;
      const taken = wanted > i || random.next() * this.#first[(i + 1) * width + wanted]! < without;
      if (!taken) continue;
      kept[i] = 1;
      wanted -= 1;
    }
    return kept;
  }

  /** For each of `units`: P(it succeeds, and `m` of them in all) * factor / whole. */
  #given(units: Uint8Array, first: Float64Array, m: number, factor: number, whole: number): Float64Array {
    const width = m + 1;
    const { p, q } = this.#chances;
    const result = new Float64Array(units.length);
    // Law of the number of successes among the units after the present one.
    const after = new Float64Array(width);
    after[0] = 1;
    for (let at = units.length - 1; at >= 0; at--) {
      const unit = units[at]!;
      let ways = 0;
      for (let k = 0; k < m; k++) ways += first[at * width + k]! * after[m - 1 - k]!;
      result[at] = Math.min(1, (ways * p[unit]! * factor) / whole);
      for (let k = m; k > 0; k--) after[k] = after[k]! * q[unit]! + after[k - 1]! * p[unit]!;
      after[0]! *= q[unit]!;
    }
    return result;
  }
}

/** P(k successes among the first i of `units`), k = 0 .. most, at i (most + 1) + k. */
function successes({ p, q }: Chances, units: Uint8Array, most: number): Float64Array {
  const width = most + 1;
  const law = new Float64Array((units.length + 1) * width);
  law[0] = 1;
  units.forEach((unit, i) => {
    for (let k = 0; k < width; k++)
      law[(i + 1) * width + k] =
        law[i * width + k]! * q[unit]! + (k === 0 ? 0 : law[i * width + k - 1]! * p[unit]!);
  });
  return law;
}

/** Nothing to choose: all are kept. */
function everything(n: number): InclusionDesign {
  return {
    name: 'conditional-poisson',
    n,
    m: n,
    pi: new Float64Array(n).fill(1),
    joint: () => new Float64Array(n).fill(1),
    draw: () => new Uint8Array(n).fill(1),
  };
}
