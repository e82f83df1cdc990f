import { describe, expect, it } from 'vitest';
import { initialise } from '../../../src/lab/learning/index.ts';
import { DEFAULT_FAMILIES, familySimulator } from '../../../src/lab/simulators/index.ts';
import { FRESH, panelMean, panelPlans, panelScores, scores } from '../../../src/lab/trainer/index.ts';
import { Stage } from '../../../src/lab/training/rollout.ts';
import { seeded } from '../../../src/math/index.ts';
import { world } from './tiny.ts';

const panel = DEFAULT_FAMILIES.selection.slice(0, 3).map((family) => familySimulator(world, family));
const policy = initialise(
  { inputs: world.inputs, hidden: [], acts: world.agentActs.length },
  seeded('policy'),
);
const score = (reward: number | null) => ({ simulator: 'x', reward, n: reward === null ? 0 : 1 });

describe('the mean over a panel', () => {
  it('counts each simulator alike, whatever its dialogues', () => {
    expect(panelMean([score(0.2), { ...score(0.6), n: 40 }])).toBeCloseTo(0.4, 12);
    expect(panelMean([score(0)])).toBe(0);
  });

  it('is null where one has none, and where there is nobody', () => {
    expect(panelMean([score(0.2), score(null)])).toBeNull();
    expect(panelMean([score(null)])).toBeNull();
    expect(panelMean([])).toBeNull();
  });
});

describe('scores of a panel', () => {
  it('are means by simulator over dialogues with a reward', () => {
    const reward = Float64Array.of(1, 0, Number.NaN, Number.NaN, 0.5, Number.NaN);
    expect(panelScores(panel, reward)).toEqual([
      { simulator: 'elm', reward: 0.5, n: 2 },
      { simulator: 'fir', reward: null, n: 0 },
      { simulator: 'ginkgo', reward: 0.5, n: 1 },
    ]);
  });

  it('are those of the dialogues that are planned', () => {
    const stage = new Stage(world);
    const found = scores(stage, policy, panel, 6, FRESH, 1, seeded('look'));
    const { reward } = stage.play(policy, panelPlans(world, panel, 6, FRESH, 1, seeded('look')));
    expect(found).toEqual(panelScores(panel, reward));
    expect(found.map(({ n }) => n)).toEqual([6, 6, 6]);
  });

  it('are the same of a simulator whoever else is on the panel, in whatever order', () => {
    const stage = new Stage(world);
    const whole = scores(stage, policy, panel, 5, FRESH, 1, seeded('look'));
    expect(scores(stage, policy, panel.slice(1, 2), 5, FRESH, 1, seeded('look'))).toEqual(whole.slice(1, 2));
    expect(scores(stage, policy, [...panel].reverse(), 5, FRESH, 1, seeded('look'))).toEqual(
      [...whole].reverse(),
    );
  });
});

describe('the dialogues of a look', () => {
  it('put every simulator in the same settings, one dialogue each', () => {
    const plans = panelPlans(world, panel, 4, FRESH, 7, seeded('look'));
    expect(plans).toHaveLength(12);
    plans.forEach(({ setting, simulator, group }, at) => {
      expect(group).toBe(Math.floor(at / 4));
      expect(simulator).toBe(panel[group]);
      expect(setting).toEqual(world.setting(FRESH + (at % 4), 7));
    });
    expect(new Set(plans.map(({ random }) => random.next())).size).toBe(12);
  });
});
