import { describe, expect, it } from 'vitest';
import { drawByWeight } from '../../src/curation/order-sampling.ts';
import { RowsBuilder } from '../../src/curation/rows-builder.ts';
import { hashText } from '../../src/trajectory/identity.ts';

function rowsOf(count: number, label = 'row') {
  const builder = new RowsBuilder();
  const position = { mode: 0, outside: false, distance: 0 };
  for (let i = 0; i < count; i++)
    builder.add({
      id: `${i}`,
      hash: hashText(`${label} ${i}`),
      simulator: 's',
      policy: 'p',
      context: 'c',
      group: null,
      reward: null,
      full: position,
      interaction: position,
    });
  return builder.build('full', 1);
}

describe('a draw by weight', () => {
  it('takes exactly as many rows as it was asked for, and the same ones every time', () => {
    const rows = rowsOf(50);
    const weight = Float64Array.from({ length: 50 }, (_, i) => 1 + (i % 5));
    const drawn = drawByWeight(rows, weight, 20, 1);
    expect(drawn.reduce((sum, is) => sum + is, 0)).toBe(20);
    expect(drawByWeight(rows, weight, 20, 1)).toEqual(drawn);
    expect(drawByWeight(rows, weight, 20, 2)).not.toEqual(drawn);
  });

  it('takes rows about in proportion to their weight', () => {
    const rows = rowsOf(60);
    const weight = Float64Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? 3 : 1));
    let [heavy, light] = [0, 0];
    const seeds = 2000;
    for (let seed = 0; seed < seeds; seed++)
      drawByWeight(rows, weight, 20, seed).forEach((is, row) => {
        if (is === 1) row % 2 === 0 ? heavy++ : light++;
      });
    // Of 20 rows 15 are heavy where chances are exactly proportional; Pareto sampling is within a percent of that.
    expect(heavy / seeds).toBeGreaterThan(14.7);
    expect(heavy / seeds).toBeLessThan(15.3);
    expect(heavy + light).toBe(20 * seeds);
  });

  it('takes a row for certain whose share is one or more, and never one of weight 0', () => {
    const rows = rowsOf(10);
    const weight = new Float64Array(10).fill(1);
    weight[3] = 100;
    weight[6] = 0;
    for (let seed = 0; seed < 50; seed++) {
      const drawn = drawByWeight(rows, weight, 4, seed);
      expect([drawn[3], drawn[6]]).toEqual([1, 0]);
      expect(drawn.reduce((sum, is) => sum + is, 0)).toBe(4);
    }
    expect([...drawByWeight(rows, weight, 10, 0)].filter((is) => is === 1)).toHaveLength(9);
  });
});
