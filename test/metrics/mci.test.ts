import { describe, expect, it } from 'vitest';
import { concentrationDifference, effectiveModes, modeConcentration } from '../../src/metrics/mci.ts';
import { tallyOf } from '../../src/metrics/tally.ts';

const rowsOf = (k: number, cells: readonly (readonly number[])[]) => {
  const unit: number[] = [];
  const cell: number[] = [];
  cells.forEach((list, u) => {
    for (const c of list) {
      unit.push(u);
      cell.push(c);
    }
  });
  return tallyOf({ k, unit, cell, outside: cell.map(() => 0 as const) });
};

describe('mode concentration', () => {
  it('is 1/K for K equal modes and 1 for one mode', () => {
    const equal = rowsOf(
      5,
      Array.from({ length: 20 }, () => [0, 1, 2, 3, 4]),
    );
    expect(modeConcentration(equal).value).toBeCloseTo(1 / 5, 12);
    const one = rowsOf(
      5,
      Array.from({ length: 20 }, () => [3, 3]),
    );
    const mci = modeConcentration(one);
    expect([mci.value, mci.low, mci.high]).toEqual([1, 1, 1]);
    expect(effectiveModes(mci, 5).value).toBe(1);
    expect(concentrationDifference(one, equal).value).toBeCloseTo(0.8, 12);
  });
});
