import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupBaseline } from '../../src/curation/baselines.ts';
import { pairAdvantages } from '../../src/curation/pair-weights.ts';
import { printFigure } from './printed-figure.ts';
import {
  everyGroup,
  LOGITS,
  mean,
  type RolloutType,
  rolloutTypes,
  step,
  weightedValue,
} from './softmax-policy.ts';

const types = rolloutTypes();

/** grad of E[w r] / E[w] by the logits. */
const gradient = LOGITS.map((_, at) => {
  const h = 1e-6;
  const moved = (by: number) => weightedValue(rolloutTypes(LOGITS.map((x, i) => (i === at ? x + by : x))));
  return (moved(h) - moved(-h)) / (2 * h);
});
const meanWeight = mean(types, ({ weight }) => weight);

const weightedAdvantages = (group: readonly RolloutType[]) => {
  const columns = {
    reward: group.map(({ reward }) => reward),
    weight: group.map(({ weight }) => weight),
    simulator: group.map(() => 0),
  };
  const { value } = groupBaseline(columns, 'weighted');
  return group.map(({ reward, weight }, i) => weight * (reward - value[i]!));
};

const expectedStep = (n: number, of: (group: readonly RolloutType[]) => ArrayLike<number>) => {
  const sum = LOGITS.map(() => 0);
  for (const { group, chance } of everyGroup(types, n))
    step(group, of(group)).forEach((x, at) => {
      sum[at]! += chance * x;
    });
  return sum;
};

describe('the weighted-mean baseline', () => {
  it('makes weighted advantages sum to 0, in any group', () => {
    const row = fc.record({
      reward: fc.double({ min: -5, max: 5, noNaN: true }),
      weight: fc.double({ min: 0.25, max: 4, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(row, { minLength: 2, maxLength: 12 }), (group) => {
        const { value } = groupBaseline(
          {
            reward: group.map(({ reward }) => reward),
            weight: group.map(({ weight }) => weight),
            simulator: group.map(() => 0),
          },
          'weighted',
        );
        const sum = group.reduce((all, { reward, weight }, i) => all + weight * (reward - value[i]!), 0);
        expect(Math.abs(sum)).toBeLessThan(1e-11);
      }),
    );
  });

  it('follows the gradient of E[w r] / E[w], with a bias whose leading term is known and falls as 1 / n', () => {
    const value = weightedValue(types);
    const centred = (type: RolloutType) => type.weight ** 2 * (type.reward - value);
    const leading = LOGITS.map(
      (_, at) =>
        mean(types, ({ weight, score }) => weight * score[at]!) * (mean(types, centred) / meanWeight ** 2) -
        mean(types, (type) => centred(type) * type.score[at]!) / meanWeight,
    );
    const errors = [4, 8, 16].map((n) => {
      const bias = expectedStep(n, weightedAdvantages).map((x, at) => x / n - meanWeight * gradient[at]!);
      return {
        n,
        bias: Math.hypot(...bias) / meanWeight / Math.hypot(...gradient),
        rest: Math.hypot(...bias.map((x, at) => n * x - leading[at]!)),
      };
    });
    const [first, second, third] = errors.map(({ rest }) => rest) as [number, number, number];
    expect(second).toBeLessThan(0.7 * first);
    expect(third).toBeLessThan(0.7 * second);
    for (const { bias } of errors) expect(bias).toBeGreaterThan(0.01);
    printFigure(
      'bias of the weighted baseline',
      errors.map(({ n, bias }) => `n ${n}: ${(100 * bias).toFixed(1)} %`).join(', '),
    );
  });

  it('is not only shortened by its own rows, as without weights: it is turned', () => {
    const found = expectedStep(4, weightedAdvantages);
    const along = found.reduce((sum, x, at) => sum + x * gradient[at]!, 0);
    const cosine = along / Math.hypot(...found) / Math.hypot(...gradient);
    expect(cosine).toBeLessThan(0.9999);
    expect(cosine).toBeGreaterThan(0.8);
    const plain = rolloutTypes().map((type) => ({ ...type, weight: 1 }));
    const unweighted = LOGITS.map(() => 0);
    for (const { group, chance } of everyGroup(plain, 4))
      step(group, weightedAdvantages(group)).forEach((x, at) => {
        unweighted[at]! += (chance * x) / 4;
      });
    const exact = LOGITS.map((_, at) => mean(plain, ({ reward, score }) => reward * score[at]!));
    unweighted.forEach((x, at) => {
      expect(x).toBeCloseTo((3 / 4) * exact[at]!, 12);
    });
  });
});

describe('the form over pairs', () => {
  it('of a whole group has E[w]^2 times that gradient as its mean, exactly, at any size', () => {
    for (const n of [2, 3, 6]) {
      const found = expectedStep(n, (group) =>
        pairAdvantages({
          size: n,
          reward: group.map(({ reward }) => reward),
          weight: group.map(({ weight }) => weight),
          joint: () => 1,
        }),
      );
      found.forEach((x, at) => {
        expect(x).toBeCloseTo(meanWeight ** 2 * gradient[at]!, 8);
      });
    }
  });

  it('is another gradient where weights hang on the rest of the group', () => {
    // The rarer a behaviour is in its group, the more it weighs: no function of the rollout alone.
    const rarity = (group: readonly RolloutType[]) =>
      group.map(({ behaviour }) => 1 / group.filter((other) => other.behaviour === behaviour).length);
    const found = expectedStep(4, (group) =>
      pairAdvantages({
        size: 4,
        reward: group.map(({ reward }) => reward),
        weight: rarity(group),
        joint: () => 1,
      }),
    );
    const scaled = Math.hypot(...found) / Math.hypot(...gradient);
    expect(Math.hypot(...found.map((x, at) => x / scaled - gradient[at]!))).toBeGreaterThan(
      0.05 * Math.hypot(...gradient),
    );
  });
});
