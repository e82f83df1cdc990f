import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawFrom, sharpen } from '../../../src/lab/simulators/index.ts';
import { type Random, seeded } from '../../../src/math/index.ts';

const law = fc
  .array(fc.oneof(fc.constant(0), fc.double({ min: 1e-6, max: 1, noNaN: true })), {
    minLength: 1,
    maxLength: 12,
  })
  .filter((weights) => weights.some((w) => w > 0))
  .map((weights) => {
    const sum = weights.reduce((a, b) => a + b, 0);
    return Float64Array.from(weights, (w) => w / sum);
  });

/** A stream whose next uniform number is `u`. */
const at = (u: number) => ({ next: () => u }) as Random;

describe('drawing an act', () => {
  it('takes the act in whose stretch of 0..1 the number falls', () => {
    const p = Float64Array.of(0.25, 0, 0.5, 0.25);
    expect([0, 0.2499, 0.25, 0.7499, 0.75, 0.9999].map((u) => drawFrom(p, at(u)))).toEqual([
      0, 0, 2, 2, 3, 3,
    ]);
  });

  it('never takes an act of probability 0, not even where rounding leaves a rest', () => {
    expect(drawFrom(Float64Array.of(0.4, 0.6 - 1e-9, 0), at(1 - 1e-12))).toBe(1);
    fc.assert(
      fc.property(law, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (p, u) => {
        expect(p[drawFrom(p, at(u))]!).toBeGreaterThan(0);
      }),
    );
  });

  it('uses one number of its stream', () => {
    const random = seeded(1);
    const other = seeded(1);
    drawFrom(Float64Array.of(0.5, 0.5), random);
    other.next();
    expect(random.next()).toBe(other.next());
  });
});

describe('collapse by an exponent', () => {
  it('is the power, normalised', () => {
    const p = Float64Array.of(0.5, 0.3, 0.2, 0);
    sharpen(p, 2);
    expect(p[0]).toBeCloseTo(0.25 / 0.38, 14);
    expect(p[1]).toBeCloseTo(0.09 / 0.38, 14);
    expect(p[2]).toBeCloseTo(0.04 / 0.38, 14);
    expect(p[3]).toBe(0);
  });

  it('changes no bit at 1', () => {
    fc.assert(
      fc.property(law, (p) => {
        const own = p.slice();
        sharpen(own, 1);
        expect(own).toEqual(p);
      }),
    );
  });

  it('sums to 1 and never gives to the mode less, nor to an impossible act anything', () => {
    fc.assert(
      fc.property(law, fc.double({ min: 1, max: 64, noNaN: true }), (p, gamma) => {
        const own = p.slice();
        sharpen(own, gamma);
        expect(own.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
        expect(Math.max(...own)).toBeGreaterThanOrEqual(Math.max(...p) - 1e-12);
        own.forEach((q, act) => {
          if (p[act] === 0) expect(q).toBe(0);
        });
      }),
    );
  });

  it('composes: gamma a, then b, is gamma a times b', () => {
    const twice = Float64Array.of(0.4, 0.35, 0.25);
    const once = twice.slice();
    sharpen(twice, 2);
    sharpen(twice, 1.5);
    sharpen(once, 3);
    once.forEach((q, act) => {
      expect(twice[act]).toBeCloseTo(q, 14);
    });
  });

  it('leaves the mode alone, and no NaN, at an exponent that underflows', () => {
    const p = Float64Array.of(1e-5, 0.6, 0.4 - 1e-5);
    sharpen(p, 1e4);
    expect([...p]).toEqual([0, 1, 0]);
    const even = new Float64Array(4).fill(0.25);
    sharpen(even, 1e6);
    expect([...even]).toEqual([0.25, 0.25, 0.25, 0.25]);
  });
});
