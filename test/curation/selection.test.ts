import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conditionalPoisson } from '../../src/curation/conditional-poisson.ts';
import { poissonDesign } from '../../src/curation/poisson-design.ts';
import type { SelectionRecipe } from '../../src/curation/recipe.ts';
import { type Selection, selectRollouts } from '../../src/curation/selection.ts';
import { sum } from '../../src/math/index.ts';
import { curationRows, type SmallRow } from './selection-rows.ts';

const CONDITIONAL: SelectionRecipe = { keep: 3, design: 'conditional-poisson' };
const POISSON: SelectionRecipe = { keep: 3, design: 'poisson' };

/** Groups of 2, 3, 6 and 8 rows, and 2 rows without a group. */
const SMALL: SmallRow[] = [
  ...[2, 3, 6, 8].flatMap((size, g) =>
    Array.from({ length: size }, (_, i) => ({ content: `${g}/${i}`, group: `group ${g}`, reward: i % 3 })),
  ),
  { content: 'free 1', group: null },
  { content: 'free 2', group: null },
];
const WEIGHTS = SMALL.map((_, i) => 0.25 + ((i * 7) % 13) / 4);
const rows = curationRows(SMALL);

/** What was kept and how likely it was, by content. */
const byContent = (small: readonly SmallRow[], selection: Selection) =>
  small
    .map(({ content }, i) => {
      const joints = selection.pairs.partners(i).map((j) => [small[j]!.content, selection.pairs.joint(i, j)]);
      return { content, kept: selection.kept[i], inclusion: selection.inclusion[i], joints };
    })
    .sort((a, b) => (a.content < b.content ? -1 : 1));

describe('selecting rollouts', () => {
  it('keeps m of every larger group, the whole of others, and rows without a group', () => {
    const { kept, inclusion, account } = selectRollouts(rows, WEIGHTS, CONDITIONAL, 5);
    const keptIn = (group: string) => sum(kept.filter((_, i) => SMALL[i]!.group === group));
    expect(['group 0', 'group 1', 'group 2', 'group 3'].map(keptIn)).toEqual([2, 3, 3, 3]);
    expect([...kept.slice(-2)]).toEqual([1, 1]);
    expect([...inclusion.slice(0, 5), ...inclusion.slice(-2)]).toEqual(new Array(7).fill(1));
    expect(sum(inclusion.subarray(5, 11))).toBeCloseTo(3, 12);
    expect(account).toEqual({ design: 'conditional-poisson', keep: 3, groups: 4, kept: 13, short: 0 });
  });

  it('knows the joint probabilities of what it kept', () => {
    const { kept, inclusion, pairs } = selectRollouts(rows, WEIGHTS, CONDITIONAL, 5);
    const [from, to] = [11, 19];
    const design = conditionalPoisson(WEIGHTS.slice(from, to), 3);
    for (let i = from; i < to; i++) {
      expect(inclusion[i]).toBeCloseTo(design.pi[i - from]!, 12);
      for (let j = from; j < to; j++)
        if (kept[i] === 1 && kept[j] === 1 && i !== j) {
          expect(pairs.joint(i, j)).toBeCloseTo(design.joint(i - from)[j - from]!, 12);
          expect(pairs.joint(i, j)).toBe(pairs.joint(j, i));
        } else expect(pairs.joint(i, j)).toBeNull();
    }
    expect(pairs.joint(0, 1)).toBe(1);
    expect(pairs.joint(0, 2)).toBeNull();
    expect(pairs.joint(19, 20)).toBeNull();
    expect(pairs.partners(19)).toEqual([]);
    expect([...pairs.partners(2)].sort()).toEqual([3, 4]);
  });

  it('under Poisson multiplies chances, and counts groups left without a pair', () => {
    const { kept, inclusion, pairs, account } = selectRollouts(rows, WEIGHTS, POISSON, 1);
    const design = poissonDesign(WEIGHTS.slice(11, 19), 3);
    const own = Array.from({ length: 8 }, (_, i) => 11 + i);
    own.forEach((row, i) => {
      expect(inclusion[row]).toBeCloseTo(design.pi[i]!, 12);
    });
    const [i, j] = own.filter((row) => kept[row] === 1);
    expect(pairs.joint(i!, j!)).toBe(inclusion[i!]! * inclusion[j!]!);
    expect(account.kept).toBe(sum(kept));
    let short = 0;
    let expected = 0;
    for (let seed = 0; seed < 200; seed++) {
      const one = selectRollouts(rows, WEIGHTS, POISSON, seed);
      short += one.account.short;
      for (const [from, to] of [
        [5, 11],
        [11, 19],
      ])
        if (sum(one.kept.subarray(from, to)) < 2) expected += 1;
    }
    expect(short).toBe(expected);
    expect(short).toBeGreaterThan(0);
  });

  it('does not depend on the order of rows, nor on any name', () => {
    const orders = fc.shuffledSubarray(
      SMALL.map((_, i) => i),
      { minLength: SMALL.length, maxLength: SMALL.length },
    );
    const name = fc.string({ maxLength: 4 });
    fc.assert(
      fc.property(orders, name, fc.constantFrom(CONDITIONAL, POISSON), (order, prefix, recipe) => {
        const moved = order.map((i) => {
          const row = SMALL[i]!;
          return {
            ...row,
            group: row.group == null ? null : `${prefix}${row.group}`,
            simulator: `${prefix}s`,
            context: `${prefix}c`,
          };
        });
        const weight = order.map((i) => WEIGHTS[i]!);
        const other = selectRollouts(curationRows(moved), weight, recipe, 5);
        expect(byContent(moved, other)).toEqual(byContent(SMALL, selectRollouts(rows, WEIGHTS, recipe, 5)));
      }),
      { numRuns: 40 },
    );
  });

  it('tells rows of one content apart by weight, so that renaming simulators cannot swap them', () => {
    const twins = (a: string, b: string) => [
      { content: 'same', simulator: a },
      { content: 'same', simulator: b },
      { content: 'other' },
    ];
    for (let seed = 0; seed < 20; seed++) {
      const recipe = { keep: 1, design: 'conditional-poisson' } as const;
      const one = selectRollouts(curationRows(twins('a', 'b')), [1, 2, 1], recipe, seed);
      const two = selectRollouts(curationRows(twins('b', 'a')), [2, 1, 1], recipe, seed);
      expect([...one.kept]).toEqual([two.kept[1], two.kept[0], two.kept[2]]);
    }
  });

  it('gives other groups and other seeds other draws', () => {
    const twelve = Array.from({ length: 12 }, (_, g) =>
      Array.from({ length: 6 }, (__, i) => ({ content: `${g}/${i}`, group: `${g}` })),
    ).flat();
    const many = curationRows(twelve);
    const draw = (seed: number) => selectRollouts(many, new Float64Array(72).fill(1), CONDITIONAL, seed).kept;
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
    const patterns = Array.from({ length: 12 }, (_, g) =>
      draw(1)
        .slice(6 * g, 6 * g + 6)
        .join(''),
    );
    expect(new Set(patterns).size).toBeGreaterThan(4);
  });

  it('keeping one of a group leaves no pair', () => {
    const { kept, pairs } = selectRollouts(rows, WEIGHTS, { keep: 1, design: 'conditional-poisson' }, 3);
    expect(sum(kept)).toBe(4 + 2);
    for (let row = 0; row < rows.size; row++) expect(pairs.partners(row)).toEqual([]);
  });

  it('names the group that is too large, or has a weight it cannot use', () => {
    const large = curationRows(Array.from({ length: 65 }, (_, i) => ({ content: `${i}`, group: 'big' })));
    const even = new Float64Array(65).fill(1);
    expect(() => selectRollouts(large, even, CONDITIONAL, 1)).toThrow(
      new RangeError('group "big": conditional Poisson sampling takes at most 64 units, got 65'),
    );
    expect(selectRollouts(large, even, POISSON, 1).account.groups).toBe(1);
    expect(selectRollouts(large, even, { ...CONDITIONAL, keep: 65 }, 1).account.kept).toBe(65);
    expect(() => selectRollouts(large, new Float64Array(65), POISSON, 1)).toThrow('must be above 0, got 0');
  });

  it('of no rows is empty', () => {
    expect(selectRollouts(curationRows([]), [], CONDITIONAL, 1).account).toMatchObject({
      groups: 0,
      kept: 0,
    });
  });
});
