import type { Random } from '../../src/math/random.ts';
import { type Tally, tallyOf } from '../../src/metrics/tally.ts';

/**
 * A population with known truth and dependence inside contexts: in context c a row of simulator i shows the
 * context's own mode u_c ~ topic with chance `shared` (the same u_c for all simulators), else a mode from a law drawn
 * once per simulator and context from Dirichlet(looseness * law_i).
 */
export interface SimulatedPopulation {
  readonly laws: readonly (readonly number[])[];
  readonly topic: readonly number[];
  readonly shared: number;
  /** Sum of the Dirichlet's parameters: small = rows of one context are much alike. */
  readonly looseness: number;
  readonly contexts: number;
  readonly rows: number;
}

export function drawPopulation(spec: SimulatedPopulation, random: Random, firstUnit = 0): Tally[] {
  const { laws, topic, shared, looseness, contexts, rows } = spec;
  const k = topic.length;
  const units = laws.map(() => [] as number[]);
  const cells = laws.map(() => [] as number[]);
  for (let c = 0; c < contexts; c++) {
    const own = pick(topic, random);
    laws.forEach((law, i) => {
      const here = dirichlet(
        law.map((p) => p * looseness),
        random,
      );
      for (let row = 0; row < rows; row++) {
        units[i]!.push(firstUnit + c);
        cells[i]!.push(random.next() < shared ? own : pick(here, random));
      }
    });
  }
  return laws.map((_, i) =>
    tallyOf({ k, unit: units[i]!, cell: cells[i]!, outside: new Array<0>(cells[i]!.length).fill(0) }),
  );
}

/** Law of a row of simulator i over fresh contexts. */
export function marginalLaw(spec: SimulatedPopulation, i: number): number[] {
  return spec.laws[i]!.map((p, k) => spec.shared * spec.topic[k]! + (1 - spec.shared) * p);
}

/** Chance that `rows` rows of simulator i in one fresh context hold mode k, for each k. */
export function visitLaw(spec: SimulatedPopulation, i: number, rows: number): number[] {
  const { shared, looseness, topic } = spec;
  return spec.laws[i]!.map((p, k) => {
    const a = looseness * p;
    const b = looseness * (1 - p);
    // E (1 - (1-s) d)^r and E (1 - d)^r for d ~ Beta(a, b), by the recursion of its moments.
    let power = 1;
    let missed = 0;
    let choose = 1;
    let missedAll = 1;
    for (let j = 0; j <= rows; j++) {
      missed += choose * (-(1 - shared)) ** j * power;
      if (j < rows) {
        choose *= (rows - j) / (j + 1);
        power *= (a + j) / (a + b + j);
        missedAll *= (b + j) / (a + b + j);
      }
    }
    return 1 - (topic[k]! * (1 - shared) ** rows * missedAll + (1 - topic[k]!) * missed);
  });
}

/** sum_k p_ref(k) P(Binomial(g0, v_k) >= 2): mass(g0) of the law itself. */
export function massOfLaw(reference: readonly number[], visits: readonly number[], contexts: number): number {
  return reference.reduce((mass, p, k) => {
    const v = visits[k]!;
    return mass + p * (1 - (1 - v) ** contexts - contexts * v * (1 - v) ** (contexts - 1));
  }, 0);
}

export function pick(law: ArrayLike<number>, random: Random): number {
  let left = random.next();
  for (let k = 0; k < law.length - 1; k++) {
    left -= law[k]!;
    if (left < 0) return k;
  }
  return law.length - 1;
}

export function dirichlet(parameters: readonly number[], random: Random): number[] {
  const draws = parameters.map((a) => gamma(a, random));
  const total = draws.reduce((sum, x) => sum + x, 0);
  return total > 0 ? draws.map((x) => x / total) : draws.map(() => 1 / draws.length);
}

/** Marsaglia & Tsang 2000. */
function gamma(shape: number, random: Random): number {
  if (shape <= 0) return 0;
  if (shape < 1) return gamma(shape + 1, random) * random.next() ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = random.normal();
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - random.next()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}
