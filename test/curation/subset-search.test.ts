import { describe, expect, it } from 'vitest';
import { searchSubsets } from '../../src/curation/subset-search.ts';
import { seeded } from '../../src/math/index.ts';

/** Rows 0 .. 9 are of mode 0, the others of a mode of their own each. */
const evaluate = (chosen: Uint8Array) => {
  let common = 0;
  let rare = 0;
  chosen.forEach((is, row) => {
    if (is === 1) row < 10 ? common++ : rare++;
  });
  return { scd2: common / (common + rare), bdi: rare / 10, realism: 1 };
};

const search = (evaluations: number) => {
  const start = Uint8Array.from({ length: 20 }, (_, row) => (row < 8 ? 1 : 0));
  return searchSubsets(
    { rows: 20, size: 8, evaluate, starts: [start], evaluations, random: seeded('search') },
    7,
  );
};

describe('the search among subsets', () => {
  it('finds the best subset where there is a path of swaps to it', () => {
    const found = search(2000);
    expect(found.bestScd2.scd2).toBe(0);
    expect(found.bestBdi.bdi).toBeCloseTo(0.8);
    expect(found.evaluations).toBeLessThanOrEqual(2000);
    expect(found.rows).toBe(8);
  });

  it('gives the same result for the same seed, and states how far it looked', () => {
    expect(search(60)).toEqual(search(60));
    expect(search(60).method).toContain('better subsets may exist');
  });

  it('never worsens what it started with', () => {
    const found = search(4);
    expect(found.bestScd2.scd2).toBeLessThanOrEqual(1);
    expect(found.bestBdi.bdi).toBeGreaterThanOrEqual(0);
  });
});
