import { describe, expect, it } from 'vitest';
import { CollapseAwareError } from '../../src/errors.ts';
import { seeded } from '../../src/math/random.ts';
import {
  checkPanels,
  mannKendall,
  overfitting,
  overfittingRise,
  overfittingTrend,
  passHatK,
  type RewardRows,
  rewardCell,
  slopeOf,
} from '../../src/metrics/index.ts';

const contexts = 12;

/** Two trials in each context. */
function rows(simulator: string, reward: (unit: number, trial: number) => number): RewardRows {
  const unit = Array.from({ length: 2 * contexts }, (_, i) => i >> 1);
  return { simulator, unit, reward: unit.map((u, i) => reward(u, i % 2)) };
}

const panels = (gap: number, noise = () => 0) => ({
  training: [rows('a', (u) => u + gap + noise()), rows('b', (u) => u + gap + noise())],
  heldOut: [rows('x', (u) => u + noise()), rows('y', (u) => u + noise())],
});

describe('overfitting to the training simulators', () => {
  it('is the paired gap in units of the reward range', () => {
    const { psod, scope } = overfitting(panels(2), [0, 20]);
    expect(psod.value).toBeCloseTo(0.1, 12);
    expect(psod).toMatchObject({
      method: 'paired-t-context(G=12)',
      n: 96,
      unit: 'reward range',
      approximate: true,
    });
    expect(psod.low).toBeCloseTo(0.1, 9);
    expect(scope).toBe('named panel');
  });

  it('uses only contexts that everybody played', () => {
    const { training, heldOut } = panels(1);
    const short = {
      simulator: 'z',
      unit: [0, 1, 2, 3],
      reward: [0, 1, 2, 3],
    };
    const { psod } = overfitting({ training, heldOut: [...heldOut, short] }, [0, 10]);
    expect(psod.method).toBe('paired-t-context(G=4)');
    expect(psod).toMatchObject({ low: null, reason: 'fewer than 8 contexts' });
    expect(psod.value).toBeCloseTo(0.1, 12);
    const none = { simulator: 'z', unit: [99], reward: [0] };
    expect(overfitting({ training, heldOut: [none] }, [0, 10]).psod.value).toBeNull();
    expect(overfitting({ training, heldOut: [] }, [0, 10]).psod.reason).toBe('no held-out simulator');
  });

  it('does not call harder held-out users overfitting: the rise is 0', () => {
    const rise = overfittingRise(panels(3), panels(3), [0, 10]);
    expect(rise.value).toBeCloseTo(0, 12);
    expect(overfittingRise(panels(5), panels(3), [0, 10]).value).toBeCloseTo(0.2, 12);
    expect(overfittingRise(panels(5), null, [0, 10])).toMatchObject({
      value: null,
      reason: 'no base checkpoint',
    });
    const other = { ...panels(3), training: [rows('c', (u) => u)] };
    expect(overfittingRise(panels(5), other, [0, 10]).reason).toBe(
      'the panels of the two checkpoints differ',
    );
  });

  it('finds a trend over checkpoints, in any order of theirs', () => {
    const random = seeded('trend');
    const noise = () => 0.1 * random.normal();
    const checkpoints = [0, 10, 20, 30].map((step) => ({ step, ...panels(step / 10, noise) }));
    const trend = overfittingTrend(checkpoints, [0, 10]);
    expect(trend.slope.value).toBeCloseTo(0.01, 3);
    expect(trend.slope.low).toBeGreaterThan(0);
    expect(trend.mannKendall).toEqual({ s: 6, tau: 1 });
    expect(overfittingTrend([...checkpoints].reverse(), [0, 10])).toEqual(trend);
    expect(overfittingTrend(checkpoints.slice(0, 1), [0, 10]).slope.reason).toBe('fewer than 2 checkpoints');
  });

  it('rejects a simulator in two panels', () => {
    const { training, heldOut } = panels(1);
    const overlap = () => overfitting({ training, heldOut: [...heldOut, training[0]!] }, [0, 10]);
    expect(overlap).toThrow(CollapseAwareError);
    expect(overlap).toThrow('simulator a stands in panels training and held-out');
    expect(() => checkPanels({ seen: ['a', 'a'] })).toThrow('twice');
    expect(() => checkPanels({ seen: ['a'], selection: ['b'], test: ['c'] })).not.toThrow();
    expect(() => overfitting(panels(1), [1, 1])).toThrow(RangeError);
  });

  it('does not depend on names or on the order of rows', () => {
    const random = seeded('names');
    const base = panels(1, () => random.normal());
    const renamed = {
      training: [...base.training].reverse().map((one, i) => ({ ...one, simulator: `t${i}` })),
      heldOut: base.heldOut.map((one, i) => ({
        simulator: `h${i}`,
        unit: Array.from(one.unit).reverse(),
        reward: Array.from(one.reward).reverse(),
      })),
    };
    expect(overfitting(renamed, [0, 10])).toEqual(overfitting(base, [0, 10]));
  });
});

describe('checkpoint against simulator', () => {
  it('counts pass^k like drawing k of n trials', () => {
    // 3 of 4 succeed: pairs 3/6, triples 1/4; 0 of 4; 4 of 4.
    const trials = [
      { n: 4, successes: 3 },
      { n: 4, successes: 0 },
      { n: 4, successes: 4 },
    ];
    expect(passHatK(trials, 1).value).toBeCloseTo((0.75 + 0 + 1) / 3, 12);
    expect(passHatK(trials, 2).value).toBeCloseTo((0.5 + 0 + 1) / 3, 12);
    expect(passHatK(trials, 3).value).toBeCloseTo((0.25 + 0 + 1) / 3, 12);
    expect(passHatK(trials, 4)).toEqual({ k: 4, value: expect.closeTo(1 / 3, 12), contexts: 3 });
  });

  it('goes on while every context has k trials', () => {
    const cell = rewardCell({ simulator: 'a', unit: [0, 0, 0, 1, 1], reward: [1, 1, 0, 1, 1] }, [0, 1]);
    expect(cell.passHatK.map(({ k, contexts: used }) => [k, used])).toEqual([
      [1, 2],
      [2, 2],
    ]);
    expect(cell.reward.value).toBeCloseTo((2 / 3 + 1) / 2, 12);
    const empty = rewardCell({ simulator: 'a', unit: [], reward: [] }, [0, 1]);
    expect(empty).toMatchObject({ n: 0, passHatK: [], reward: { value: null } });
  });
});

describe('slopes', () => {
  it('are least squares, and Mann-Kendall counts rising pairs', () => {
    expect(slopeOf([0, 1, 2], [1, 3, 5])).toBeCloseTo(2, 12);
    expect(slopeOf([1, 1], [0, 5])).toBeNaN();
    expect(mannKendall([1, 2, 2, 0])).toEqual({ s: -1, tau: -1 / 6 });
  });
});
