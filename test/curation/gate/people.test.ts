import { describe, expect, it } from 'vitest';
import { defaultGate, planGate } from '../../../src/curation/gate/index.ts';
import { episodes, hasData } from '../../data.ts';

describe.skipIf(!hasData('p4g'))('dialogues of people (P4G)', async () => {
  const rows = await episodes(['p4g/full_dialog.csv.gz']);

  it('stay under the standard profile: fewer than 2 % are dropped, by the upper bound', () => {
    const gate = planGate(defaultGate('standard'));
    for (const row of rows) gate.observe(row);
    const dropped = rows.filter((row) => !gate.inspect(row).kept).length;
    expect(rows.length).toBe(1017);
    expect(upperBound(dropped, rows.length)).toBeLessThan(0.02);
  });
});

describe('upperBound', () => {
  it('is 1 - (alpha / 2)^(1 / n) where nothing happened', () => {
    expect(upperBound(0, 100)).toBeCloseTo(1 - 0.025 ** (1 / 100), 9);
  });
});

/** Clopper and Pearson (1934), two-sided 95 %: the share at which `count` or fewer of n have a chance of 2.5 %. */
function upperBound(count: number, n: number): number {
  let [low, high] = [count / n, 1];
  for (let step = 0; step < 60; step++) {
    const share = (low + high) / 2;
    let term = (1 - share) ** n;
    let chance = term;
    for (let k = 1; k <= count; k++) {
      term *= ((n - k + 1) / k) * (share / (1 - share));
      chance += term;
    }
    if (chance > 0.025) low = share;
    else high = share;
  }
  return high;
}
