import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptancePower, type PowerInput, type Yardstick } from '../../src/loop/index.ts';
import { tallyOf } from '../../src/metrics/index.ts';

const K = 12;
/** As unequal as populations of the lab are, with 8 % off support. */
const law = Float64Array.from([...Array.from({ length: K }, (_, mode) => 1 / (mode + 1)), 0]).map(
  (share, place, all) => (place === K ? 0.08 : (0.92 * share) / all.reduce((sum, x) => sum + x, 0)),
);

const people = (n: number): Yardstick => {
  const part = (from: number) =>
    tallyOf({
      k: K,
      unit: Array.from({ length: n }, (_, at) => from + at),
      cell: Array.from({ length: n }, (_, at) => at % K),
      outside: Array.from({ length: n }, () => false),
    });
  return { mass: part(0), ceiling: part(n) };
};

const input: PowerInput = {
  law,
  people: people(75),
  contexts: 40,
  rollouts: 2,
  delta: 0.05,
  alpha: 0.05,
  rounds: 3,
  trials: 10,
  seed: 1,
};

describe('the power of the acceptance rule', () => {
  it('is told with n, an interval and a method that names the seed, and is the same when told again', () => {
    const power = acceptancePower(input);
    expect(acceptancePower(input)).toEqual(power);
    for (const luck of [power.equal, power.better])
      for (const { bounds, accepted } of [luck.own, luck.shared])
        for (const figure of [bounds, accepted]) {
          expect(figure.n).toBe(10);
          expect(figure.low).toBeLessThanOrEqual(figure.value!);
          expect(figure.high).toBeGreaterThanOrEqual(figure.value!);
          expect(figure.method).toContain('seed=1');
        }
    expect(power.rule.level).toBeCloseTo(0.05 / 9, 12);
  });

  it('never accepts what the bounds do not hold for, nor an equal population that meets the same luck', () => {
    for (const rollouts of [1, 4]) {
      const { equal, better } = acceptancePower({ ...input, rollouts });
      for (const { bounds, accepted } of [equal.own, equal.shared, better.own, better.shared])
        expect(accepted.value!).toBeLessThanOrEqual(bounds.value!);
      expect(equal.shared.accepted.value).toBe(0);
    }
  });

  it('grows with rollouts, with delta and with shared luck, and falls with the rounds that are planned', () => {
    const few = acceptancePower({ ...input, contexts: 60, rollouts: 2 });
    const many = acceptancePower({ ...input, contexts: 200, rollouts: 40 });
    expect(few.equal.own.bounds.value!).toBeLessThan(0.3);
    expect(many.equal.own.bounds.value!).toBeGreaterThan(0.8);
    expect(many.better.own.accepted.value!).toBeGreaterThan(0.8);
    expect(few.better.shared.bounds.value!).toBeGreaterThanOrEqual(few.better.own.bounds.value!);
    const wide = acceptancePower({ ...input, contexts: 120, delta: 0.4, gain: 0.05 });
    expect(wide.equal.own.bounds.value!).toBeGreaterThan(0.8);
    const long = acceptancePower({ ...input, contexts: 120, delta: 0.2, gain: 0.05, rounds: 1_000_000 });
    const short = acceptancePower({ ...input, contexts: 120, delta: 0.2, gain: 0.05, rounds: 1 });
    expect(long.equal.own.bounds.value!).toBeLessThan(short.equal.own.bounds.value!);
  });

  it('says so where no population can be better by so much', () => {
    const uniform = new Float64Array(K + 1).fill(1 / K);
    uniform[K] = 0;
    for (const given of [{ law: uniform }, { gain: 0.9 }, { law: Float64Array.of(0.9, 0.1), people: null }]) {
      const { better, equal } = acceptancePower({ ...input, ...given });
      expect(better.own.bounds.value).toBeNull();
      expect(better.shared.accepted.reason).toContain('lower by');
      expect(equal.own.bounds.n).toBe(10);
    }
  });

  it('takes any law with or without people, and refuses what is none', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 6 }),
        fc.boolean(),
        (weights, off) => {
          const total = weights.reduce((sum, x) => sum + x, 0);
          if (!(total > 1e-3)) return;
          const any = Float64Array.from([
            ...weights.map((x) => (x / total) * (off ? 0.5 : 1)),
            off ? 0.5 : 0,
          ]);
          const { equal } = acceptancePower({
            ...input,
            law: any,
            people: null,
            contexts: 10,
            rollouts: 1,
            trials: 2,
          });
          expect(equal.own.bounds.value).toBeGreaterThanOrEqual(0);
        },
      ),
      { numRuns: 30 },
    );
    for (const wrong of [
      { law: Float64Array.of(0.5, 0.4) },
      { law: Float64Array.of(1.5, -0.5, 0) },
      { law: Float64Array.of(Number.NaN, 1) },
      { law: new Float64Array(0) },
      { contexts: 0 },
      { rollouts: 1.5 },
      { trials: 0 },
    ])
      expect(() => acceptancePower({ ...input, ...wrong })).toThrow(RangeError);
  });
});

describe("the lab's default sizes", () => {
  it('leave an equal population of its own luck little, and nearly every one that shares it', () => {
    const power = acceptancePower({ ...input, contexts: 128, rollouts: 3, trials: 20 });
    const shown = (of: typeof power.equal) =>
      [of.own, of.shared].map(({ bounds, accepted }) => `${bounds.value}/${accepted.value}`).join(' ');
    if (process.env.CA_FIGURES === '1')
      console.log(`equal ${shown(power.equal)}, better ${shown(power.better)}`);
    expect(power.equal.own.bounds.value!).toBeLessThan(0.2);
    expect(power.equal.shared.bounds.value).toBe(1);
    expect(power.better.shared.bounds.value!).toBeGreaterThan(0.5);
  });
});
