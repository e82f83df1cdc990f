import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conditionalPoisson } from '../../src/curation/conditional-poisson.ts';
import { pairAdvantages, pairWeight } from '../../src/curation/pair-weights.ts';
import { poissonDesign } from '../../src/curation/poisson-design.ts';
import { selectedAdvantages } from '../../src/curation/selected-advantages.ts';
import { type Selection, selectRollouts } from '../../src/curation/selection.ts';
import { seeded, sum } from '../../src/math/index.ts';
import { curationRows, type SmallRow, subsets } from './selection-rows.ts';

const group = (n: number) =>
  fc.array(
    fc.record({
      reward: fc.double({ min: -2, max: 2, noNaN: true }),
      weight: fc.double({ min: 0.25, max: 4, noNaN: true }),
      working: fc.double({ min: 0.05, max: 20, noNaN: true }),
    }),
    { minLength: 3, maxLength: n },
  );

/** Advantages of every row (0 where not kept), for the rows that `subset` keeps. */
function estimate(
  all: readonly { reward: number; weight: number }[],
  subset: readonly number[],
  joint: (i: number, j: number) => number | null,
): number[] {
  const found = pairAdvantages({
    size: all.length,
    reward: subset.map((i) => all[i]!.reward),
    weight: subset.map((i) => all[i]!.weight),
    joint: (a, b) => joint(subset[a]!, subset[b]!),
  });
  const result = all.map(() => 0);
  subset.forEach((i, at) => {
    result[i] = found[at]!;
  });
  return result;
}

describe('the weight of a pair', () => {
  it('is 1 / pi_ij, however small, times 1 / the chance that the simulator was drawn', () => {
    expect(pairWeight(0.25)).toBe(4);
    expect(pairWeight(1e-9)).toBe(1 / 1e-9);
    expect(pairWeight(0.5, 0.25)).toBe(8);
  });

  it('is missing where the two are never kept together', () => {
    expect(pairWeight(0)).toBeNull();
    expect(pairWeight(null)).toBeNull();
    expect(pairWeight(Number.NaN)).toBeNull();
  });
});

describe('advantages over pairs', () => {
  it('of a whole group with equal weights are the leave-one-out advantages, over n', () => {
    const rewards = [1, 0, 0, 1, 0.5];
    const all = rewards.map((reward) => ({ reward, weight: 1 }));
    const found = estimate(all, [0, 1, 2, 3, 4], () => 1);
    rewards.forEach((reward, i) => {
      const others = (sum(rewards) - reward) / 4;
      expect(found[i]).toBeCloseTo((reward - others) / 5, 14);
    });
  });

  it('have the whole group as their mean over all draws of conditional Poisson sampling, exactly', () => {
    fc.assert(
      fc.property(group(8), fc.double({ min: 0, max: 1, noNaN: true }), (all, at) => {
        const m = 2 + Math.floor(at * (all.length - 2));
        const working = all.map((row) => row.working);
        const design = conditionalPoisson(working, m);
        const joints = all.map((_, i) => design.joint(i));
        const masses = subsets(all.length).map((subset) =>
          subset.length === m ? subset.reduce((product, i) => product * working[i]!, 1) : 0,
        );
        const mean = all.map(() => 0);
        subsets(all.length).forEach((subset, s) => {
          if (masses[s] === 0) return;
          estimate(all, subset, (i, j) => joints[i]![j]!).forEach((value, i) => {
            mean[i]! += (masses[s]! / sum(masses)) * value;
          });
        });
        const whole = estimate(
          all,
          all.map((_, i) => i),
          () => 1,
        );
        mean.forEach((value, i) => {
          expect(value).toBeCloseTo(whole[i]!, 10);
        });
      }),
      { numRuns: 60 },
    );
  });

  it('have it under Poisson sampling too, draws of fewer than 2 counting 0', () => {
    fc.assert(
      fc.property(group(7), (all) => {
        const { pi } = poissonDesign(
          all.map((row) => row.working),
          2,
        );
        const mean = all.map(() => 0);
        for (const subset of subsets(all.length)) {
          const mass = all.reduce((product, _, i) => product * (subset.includes(i) ? pi[i]! : 1 - pi[i]!), 1);
          estimate(all, subset, (i, j) => pi[i]! * pi[j]!).forEach((value, i) => {
            // Rows that are always kept leave some draws without mass, and some pairs without a finite weight.
            if (mass > 0) mean[i]! += mass * value;
          });
        }
        const whole = estimate(
          all,
          all.map((_, i) => i),
          () => 1,
        );
        mean.forEach((value, i) => {
          expect(value).toBeCloseTo(whole[i]!, 10);
        });
      }),
      { numRuns: 60 },
    );
  });

  it('sum to 0, are 0 for a row kept alone, and NaN where a pair was impossible', () => {
    const all = [3, 1, 2].map((reward) => ({ reward, weight: reward }));
    expect(sum(estimate(all, [0, 1, 2], (i, j) => 1 / (1 + i + j)))).toBeCloseTo(0, 14);
    expect(estimate(all, [1], () => 0)).toEqual([0, 0, 0]);
    expect(estimate(all, [0, 1], () => 0).slice(0, 2)).toEqual([Number.NaN, Number.NaN]);
    expect([...pairAdvantages({ size: 1, reward: [4], weight: [1], joint: () => null })]).toEqual([0]);
  });
});

describe('advantages of selected rows', () => {
  const small: SmallRow[] = [
    ...Array.from({ length: 6 }, (_, i) => ({
      content: `a${i}`,
      group: 'a',
      simulator: i < 3 ? 'x' : 'y',
      reward: (i * 5) % 4,
    })),
    ...Array.from({ length: 3 }, (_, i) => ({ content: `b${i}`, group: 'b', simulator: 'x', reward: i })),
    { content: 'missing', group: 'b', simulator: 'x', reward: null },
    { content: 'free', group: null, reward: 1 },
    { content: 'alone', group: 'c', simulator: 'y', reward: 2 },
  ];
  const rows = curationRows(small);
  const weight = small.map((_, i) => 0.5 + (i % 3) / 2);
  const recipe = { keep: 3, design: 'conditional-poisson' } as const;
  const everything: Selection = selectRollouts(rows, weight, { ...recipe, keep: 99 }, 1);

  it('where nothing is dropped are leave-one-out advantages', () => {
    const even = new Float64Array(small.length).fill(1);
    const { advantage, account } = selectedAdvantages(rows, even, everything);
    expect(advantage[7]).toBeCloseTo(1 - (0 + 2) / 2, 12);
    expect(advantage[8]).toBeCloseTo(2 - (0 + 1) / 2, 12);
    expect(advantage[11]).toBe(0);
    expect([advantage[9], advantage[10]]).toEqual([Number.NaN, Number.NaN]);
    expect(account).toEqual({ baseline: 'weighted', groups: 3, lone: 1, missing: 2 });
  });

  it.each(['weighted', 'simulator'] as const)(
    'times weight, averaged over kept rows, are unbiased for all rows (baseline: %s)',
    (kind) => {
      const complete = curationRows(
        small.filter(({ reward, group: name }) => reward !== null && name !== null),
      );
      const own = weight.slice(0, complete.size);
      const all = selectRollouts(complete, own, { ...recipe, keep: 99 }, 1);
      const whole = selectedAdvantages(complete, own, all, kind).advantage;
      const draws = 20_000;
      const total = new Float64Array(complete.size);
      const squares = new Float64Array(complete.size);
      for (let seed = 0; seed < draws; seed++) {
        const selection = selectRollouts(complete, own, recipe, seed);
        const { advantage } = selectedAdvantages(complete, own, selection, kind);
        for (let i = 0; i < complete.size; i++) {
          const value = selection.kept[i] === 1 ? (own[i]! * advantage[i]!) / selection.account.kept : 0;
          total[i]! += value;
          squares[i]! += value * value;
        }
      }
      for (let i = 0; i < complete.size; i++) {
        const mean = total[i]! / draws;
        const error = Math.sqrt(Math.max(0, squares[i]! / draws - mean * mean) / draws);
        expect(Math.abs(mean - (own[i]! * whole[i]!) / complete.size)).toBeLessThan(4.5 * error + 1e-12);
      }
    },
  );

  it('sum to 0 under the weights in every group, compare inside simulators where asked to, and take multipliers', () => {
    const selection = selectRollouts(rows, weight, { ...recipe, keep: 5 }, 2);
    const x = [0, 1, 2].filter((i) => selection.kept[i] === 1);
    const { advantage } = selectedAdvantages(rows, weight, selection, 'simulator');
    expect(sum(x.map((i) => weight[i]! * advantage[i]!))).toBeCloseTo(0, 12);
    const half = selectedAdvantages(rows, weight, selection, 'simulator', [0.5, 1]).advantage;
    for (const i of x) expect(half[i]).toBeCloseTo(advantage[i]! / 2, 14);
  });

  it('are missing, not 0, where one row is kept and no pair is possible', () => {
    const selection = selectRollouts(rows, weight, { ...recipe, keep: 1 }, 2);
    const { advantage, account } = selectedAdvantages(rows, weight, selection);
    expect(advantage.filter((value) => !Number.isNaN(value))).toEqual(new Float64Array([0]));
    expect(account).toMatchObject({ lone: 1, missing: sum(selection.kept) - 1 });
  });

  it('never see the deviation of what happened to be kept', () => {
    const random = seeded('scale');
    const rewards = Array.from({ length: 6 }, () => random.normal());
    const at = (factor: number) =>
      curationRows(rewards.map((reward, i) => ({ content: `${i}`, reward: reward * factor })));
    const even = new Float64Array(6).fill(1);
    const advantage = (factor: number) => {
      const own = at(factor);
      return selectedAdvantages(own, even, selectRollouts(own, even, recipe, 4)).advantage;
    };
    advantage(1).forEach((value, i) => {
      if (!Number.isNaN(value)) expect(advantage(10)[i]).toBeCloseTo(10 * value, 12);
    });
  });
});
