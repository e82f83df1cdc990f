import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawTallies, exactCollapse, gammaAt, geometricLaws } from '../../../src/lab/check/mode-laws.ts';
import { seeded } from '../../../src/math/index.ts';

const only = (k: number, mode: number) =>
  Float64Array.from({ length: k }, (_, one) => (one === mode ? 1 : 0));

describe('exact collapse of mode laws', () => {
  it('is 0 of equal modes and 1 of one mode', () => {
    expect(exactCollapse([new Float64Array(8).fill(1 / 8)]).pooled).toBeCloseTo(0, 12);
    expect(exactCollapse([new Float64Array(8).fill(1 / 8)]).pooled2).toBeCloseTo(0, 12);
    expect(exactCollapse([only(8, 3), only(8, 3)])).toMatchObject({ pooled: 1, pooled2: 1 });
  });

  it('is all between simulators where each has a mode of its own', () => {
    const found = exactCollapse(Array.from({ length: 6 }, (_, i) => only(6, i)));
    expect(found.within).toBeCloseTo(0, 12);
    expect(found.between).toBeCloseTo(Math.log(6), 12);
    expect(found.alike2).toBeCloseTo(Math.log(6), 12);
    expect(found.pooled).toBeCloseTo(0, 12);
  });

  it('splits exactly, whatever the laws are', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.double({ min: 0, max: 20, noNaN: true }),
        (members, gamma) => {
          const found = exactCollapse(geometricLaws(members, 9, gamma));
          expect(1 - (found.within + found.between) / Math.log(9)).toBeCloseTo(found.pooled, 9);
          expect(1 - (found.within2 + found.alike2) / Math.log(9)).toBeCloseTo(found.pooled2, 9);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('populations of a given collapse', () => {
  it('have it', () => {
    for (const collapse of [0.05, 0.35, 0.7, 0.95])
      expect(exactCollapse(geometricLaws(4, 16, gammaAt(collapse, 4, 16))).pooled2).toBeCloseTo(collapse, 9);
  });
});

describe('episodes drawn from mode laws', () => {
  it('are all members in every context where crossed, else as many as there are rollouts', () => {
    const laws = geometricLaws(3, 6, 1);
    const crossed = drawTallies(
      laws,
      { contexts: 5, perContext: 2, members: 'crossed', habit: 0 },
      seeded(1),
    );
    expect(crossed.map(({ n }) => n)).toEqual([10, 10, 10]);
    const drawn = drawTallies(laws, { contexts: 5, perContext: 8, members: 'drawn', habit: 0 }, seeded(1));
    expect(drawn.reduce((sum, { n }) => sum + n, 0)).toBe(40);
  });

  it('repeat one mode in a context where habit is everything', () => {
    const [tally] = drawTallies(
      geometricLaws(1, 6, 0),
      { contexts: 20, perContext: 8, members: 'crossed', habit: 1 },
      seeded(2),
    );
    expect([...tally!.count]).toEqual(Array.from({ length: 20 }, () => 8));
  });
});
