import { describe, expect, it } from 'vitest';
import { conditionalPoisson } from '../../src/curation/conditional-poisson.ts';
import { pairAdvantages, pairWeight } from '../../src/curation/pair-weights.ts';
import { poissonDesign } from '../../src/curation/poisson-design.ts';
import { subsets } from '../curation/selection-rows.ts';
import { printFigure } from './printed-figure.ts';

const REWARDS = [1, 0, 0.5, 1, 0];
const WEIGHTS = [0.5, 1, 2, 1, 3];
const WORKING = [4, 1, 0.5, 2, 1];
const N = REWARDS.length;
const KEEP = 3;
const everyone = REWARDS.map((_, i) => i);

/** What is summed over pairs: any function of two rollouts, not symmetric. */
const worth = (i: number, j: number) => WEIGHTS[i]! * WEIGHTS[j]! * (REWARDS[i]! - REWARDS[j]!) * (i + 1);
const overPairs = (kept: readonly number[], weight: (i: number, j: number) => number) =>
  kept.reduce(
    (sum, i) => sum + kept.reduce((own, j) => (i === j ? own : own + weight(i, j) * worth(i, j)), 0),
    0,
  );
const TOTAL = overPairs(everyone, () => 1);

/** Chance of every subset, from what the design is by definition. */
const drawsOf = {
  conditional(): { kept: number[]; chance: number }[] {
    const all = subsets(N).filter((kept) => kept.length === KEEP);
    const masses = all.map((kept) => kept.reduce((product, i) => product * WORKING[i]!, 1));
    const sum = masses.reduce((a, b) => a + b, 0);
    return all.map((kept, s) => ({ kept, chance: masses[s]! / sum }));
  },
  poisson(pi: ArrayLike<number>): { kept: number[]; chance: number }[] {
    return subsets(N).map((kept) => ({
      kept,
      chance: everyone.reduce((product, i) => product * (kept.includes(i) ? pi[i]! : 1 - pi[i]!), 1),
    }));
  },
};

const expected = (
  draws: readonly { kept: number[]; chance: number }[],
  weight: (i: number, j: number, kept: readonly number[]) => number,
) => draws.reduce((sum, { kept, chance }) => sum + chance * overPairs(kept, (i, j) => weight(i, j, kept)), 0);

describe('sums over kept pairs', () => {
  const design = conditionalPoisson(WORKING, KEEP);
  const joint = everyone.map((i) => design.joint(i));

  it('are unbiased with 1 / pi_ij under conditional Poisson sampling, over all of its draws', () => {
    expect(expected(drawsOf.conditional(), (i, j) => pairWeight(joint[i]![j]!)!)).toBeCloseTo(TOTAL, 10);
  });

  it('are unbiased with 1 / (pi_i pi_j) under Poisson sampling, draws of fewer than 2 counting 0', () => {
    const { pi } = poissonDesign(WORKING, 2);
    const draws = drawsOf.poisson(pi);
    expect(expected(draws, (i, j) => 1 / (pi[i]! * pi[j]!))).toBeCloseTo(TOTAL, 10);
    // Thrown away and drawn again until two are kept, they are not.
    const enough = draws.filter(({ kept }) => kept.length >= 2);
    const chance = enough.reduce((sum, draw) => sum + draw.chance, 0);
    expect(Math.abs(expected(enough, (i, j) => 1 / (pi[i]! * pi[j]!)) / chance / TOTAL - 1)).toBeGreaterThan(
      0.1,
    );
  });

  it('are biased with 1 / (pi_i pi_j) where a number is fixed, clipped, and renormalised', () => {
    const draws = drawsOf.conditional();
    const product = expected(draws, (i, j) => 1 / (design.pi[i]! * design.pi[j]!));
    const clipped = expected(draws, (i, j) => Math.min(5, 1 / joint[i]![j]!));
    const renormalised = expected(draws, (i, j, kept) => {
      const total = kept.reduce(
        (sum, a) => sum + kept.reduce((own, b) => (a === b ? own : own + 1 / joint[a]![b]!), 0),
        0,
      );
      return (N * (N - 1)) / total / joint[i]![j]!;
    });
    const bias = [product, clipped, renormalised].map((value) => value / TOTAL - 1);
    for (const off of bias) expect(Math.abs(off)).toBeGreaterThan(0.005);
    printFigure(
      'bias of a sum over pairs, 3 of 5 kept',
      `1 / (pi_i pi_j) ${percent(bias[0]!)}, clipped at 5 ${percent(bias[1]!)}, renormalised ${percent(bias[2]!)}`,
    );
  });

  it('have advantages whose mean over all draws is the whole group', () => {
    const whole = advantages(everyone, () => 1);
    const found = everyone.map(() => 0);
    for (const { kept, chance } of drawsOf.conditional())
      advantages(kept, (i, j) => joint[i]![j]!).forEach((value, i) => {
        found[i]! += chance * value;
      });
    found.forEach((value, i) => {
      expect(value).toBeCloseTo(whole[i]!, 12);
    });
  });

  it('share the chance of their simulator where simulators are drawn before rollouts', () => {
    // Two simulators of a group, one of which is drawn, .7 or .3; then two of its rows by conditional Poisson.
    const parts = [
      { rows: [0, 1, 2], drawn: 0.7 },
      { rows: [3, 4], drawn: 0.3 },
    ];
    let found = 0;
    for (const { rows, drawn } of parts) {
      const working = rows.map((i) => WORKING[i]!);
      const own = conditionalPoisson(working, 2);
      const all = subsets(rows.length).filter((kept) => kept.length === 2);
      const masses = all.map((kept) => kept.reduce((product, at) => product * working[at]!, 1));
      const sum = masses.reduce((a, b) => a + b, 0);
      all.forEach((kept, s) => {
        const chance = rows.length === 2 ? 1 : masses[s]! / sum;
        const weight = (i: number, j: number) =>
          pairWeight(own.joint(rows.indexOf(i))[rows.indexOf(j)]!, drawn)!;
        found +=
          drawn *
          chance *
          overPairs(
            kept.map((at) => rows[at]!),
            weight,
          );
      });
    }
    const inside = parts.reduce((sum, { rows }) => sum + overPairs(rows, () => 1), 0);
    expect(found).toBeCloseTo(inside, 10);
  });

  it('cannot be unbiased under systematic sampling: some pairs are never kept together', () => {
    // Two of four equal rows: a random start, then every second.
    const draws = [
      [0, 2],
      [1, 3],
    ];
    const together = (i: number, j: number) =>
      draws.filter((kept) => kept.includes(i) && kept.includes(j)).length;
    expect(together(0, 2)).toBe(1);
    expect(together(0, 1)).toBe(0);
    expect(pairWeight(together(0, 1) / 2)).toBeNull();
  });
});

function advantages(kept: readonly number[], joint: (i: number, j: number) => number): number[] {
  const found = pairAdvantages({
    size: N,
    reward: kept.map((i) => REWARDS[i]!),
    weight: kept.map((i) => WEIGHTS[i]!),
    joint: (a, b) => joint(kept[a]!, kept[b]!),
  });
  const all = everyone.map(() => 0);
  kept.forEach((i, at) => {
    all[i] = found[at]!;
  });
  return all;
}

const percent = (share: number) => `${share < 0 ? '' : '+'}${(100 * share).toFixed(1)} %`;
