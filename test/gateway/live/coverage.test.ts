import { describe, expect, it } from 'vitest';
import { countsOf, coverageOf } from '../../../src/gateway/live/coverage.ts';
import { leastCoveredDraw } from '../../../src/population/index.ts';
import type { ProfileRow } from '../../../src/space/index.ts';

const row = (simulator: string, context: string, cell: number, outside = false) =>
  ({
    simulator,
    context,
    interactionCell: cell,
    interactionOutside: outside,
    cell: null,
    outside: null,
  }) as ProfileRow;
const OPTIONS = { control: 'interaction', k: 3 };

describe('coverage', () => {
  it('counts a mode as covered once two contexts visited it', () => {
    const rows = [row('a', 'x', 0), row('a', 'x', 0), row('a', 'y', 1), row('b', 'z', 1)];
    expect(coverageOf(rows, null, OPTIONS).covered).toEqual([0.5, 1, 0]);
  });

  it('takes rows off support for no visit', () => {
    const { covered, reach } = coverageOf([row('a', 'x', 0, true)], null, OPTIONS);
    expect(covered).toEqual([0, 0, 0]);
    expect(reach).toEqual([['a', [0, 0, 0]]]);
  });

  it('reaches with the chance that a group of eight shows the mode', () => {
    const rows = [row('a', 'x', 0), row('a', 'y', 1)];
    expect(coverageOf(rows, null, OPTIONS).reach[0]![1]).toEqual([1 - 0.5 ** 8, 1 - 0.5 ** 8, 0]);
  });

  it('has the draw choose who adds what is missing', () => {
    const rows = [row('a', 'x', 0), row('a', 'y', 0), row('b', 'x', 2)];
    const counts = countsOf(coverageOf(rows, null, OPTIONS));
    const draw = leastCoveredDraw([{ id: 'a' }, { id: 'b' }], counts, 'group', 0);
    expect(draw.member.id).toBe('b');
    expect(draw.gain).toBeCloseTo((1 / 3) * 0.5, 12);
  });
});
