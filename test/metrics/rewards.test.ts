import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  mannKendall,
  overfitting,
  overfittingDifference,
  overfittingRise,
  overfittingTrend,
  type PanelRewards,
  passHatK,
  type RewardRows,
  rewardCell,
  slopeOf,
} from '../../src/metrics/index.ts';
import { expectScaled, expectSound, expectWithin } from './figures.ts';

/** Rewards in quarters of 0 .. 1: sums are exact in any order. */
const reward = fc.nat(4).map((x) => x / 4);
/** Most contexts hold trials of every simulator: intervals are tested too, not only values. */
const anyRewards = (simulator: string): fc.Arbitrary<RewardRows> =>
  fc
    .array(
      fc.oneof(
        { weight: 9, arbitrary: fc.array(reward, { minLength: 1, maxLength: 3 }) },
        { weight: 1, arbitrary: fc.constant([]) },
      ),
      { minLength: 1, maxLength: 16, size: 'max' },
    )
    .map((units) => ({
      simulator,
      unit: units.flatMap((list, unit) => list.map(() => unit)),
      reward: units.flat(),
    }));
const anyPanels: fc.Arbitrary<PanelRewards> = fc.record({
  training: fc.tuple(anyRewards('a'), anyRewards('b')),
  heldOut: fc.tuple(anyRewards('x'), anyRewards('y')),
});
const range = [0, 1] as const;

const each = (panels: PanelRewards, change: (rows: RewardRows) => RewardRows): PanelRewards => ({
  training: panels.training.map(change),
  heldOut: panels.heldOut.map(change),
});
const swapped = ({ training, heldOut }: PanelRewards): PanelRewards => ({
  training: heldOut,
  heldOut: training,
});
const reversed = (rows: RewardRows): RewardRows => ({
  simulator: `${rows.simulator}'`,
  unit: Array.from(rows.unit).reverse(),
  reward: Array.from(rows.reward).reverse(),
});
const renamedUnits = (rows: RewardRows): RewardRows => ({
  ...rows,
  unit: Array.from(rows.unit, (unit) => 50 - 3 * unit),
});
const stretched = (rows: RewardRows): RewardRows => ({
  ...rows,
  reward: Array.from(rows.reward, (x) => 8 * x - 2),
});
const withPanel = (one: RewardRows): RewardRows[] => [one, { ...one, simulator: `${one.simulator}2` }];

describe('overfitting, its rise, trend and difference', () => {
  const all = (p: PanelRewards, q: PanelRewards, own: readonly [number, number] = range) => [
    overfitting(p, own).psod,
    overfittingRise(p, q, own),
    overfittingDifference(p, q, own),
    overfittingTrend(
      [
        { step: 0, ...q },
        { step: 4, ...p },
        { step: 6, ...q },
      ],
      own,
    ).slope,
  ];

  it('are sound and do not depend on rows, names, order of simulators or numbers of contexts', () => {
    fc.assert(
      fc.property(anyPanels, anyPanels, (p, q) => {
        const turned = (panels: PanelRewards) => {
          const { training, heldOut } = each(panels, reversed);
          return { training: [...training].reverse(), heldOut };
        };
        const [figures, moved] = [all(p, q), all(turned(p), turned(q))];
        const renumbered = all(each(p, renamedUnits), each(q, renamedUnits));
        figures.forEach((figure, at) => {
          expectSound(figure);
          expect(moved[at]).toEqual(figure);
          expectScaled(renumbered[at]!, figure);
        });
      }),
      { numRuns: 50 },
    );
  });

  it('turn their sign when the panels change places, and lie in -1 .. 1 (the rise in -2 .. 2)', () => {
    fc.assert(
      fc.property(anyPanels, anyPanels, (p, q) => {
        const [figures, turned] = [all(p, q), all(swapped(p), swapped(q))];
        figures.forEach((figure, at) => {
          expectScaled(turned[at]!, figure, -1);
        });
        expectWithin(figures[0]!, -1, 1);
        expectWithin(figures[1]!, -2, 2);
        expectWithin(figures[2]!, -2, 2);
        expectScaled(overfittingRise(q, p, range), figures[1]!, -1);
        expectScaled(overfittingDifference(q, p, range), figures[2]!, -1);
        for (const figure of [overfittingRise(p, p, range), overfittingDifference(p, p, range)])
          if (figure.value !== null) expect(figure.value).toBe(0);
      }),
      { numRuns: 50 },
    );
  });

  it('have the unit of the range: a shifted, stretched reward in its own range changes nothing', () => {
    fc.assert(
      fc.property(anyPanels, anyPanels, (p, q) => {
        const figures = all(p, q);
        const other = all(each(p, stretched), each(q, stretched), [-2, 6]);
        figures.forEach((figure, at) => {
          expectScaled(other[at]!, figure);
        });
      }),
      { numRuns: 50 },
    );
  });

  it('do not change when every simulator stands in twice', () => {
    fc.assert(
      fc.property(anyPanels, anyPanels, (p, q) => {
        const twice = ({ training, heldOut }: PanelRewards) => ({
          training: training.flatMap(withPanel),
          heldOut: heldOut.flatMap(withPanel),
        });
        const [figures, doubled] = [all(p, q), all(twice(p), twice(q))];
        figures.forEach((figure, at) => {
          expectScaled(doubled[at]!, figure);
        });
      }),
      { numRuns: 40 },
    );
  });

  it('rise with the reward of training simulators, and have a slope per step', () => {
    fc.assert(
      fc.property(anyPanels, fc.integer({ min: 1, max: 4 }), (p, lift) => {
        const lifted = {
          heldOut: p.heldOut,
          training: p.training.map((rows) => ({
            ...rows,
            reward: Array.from(rows.reward, (x) => x + lift / 4),
          })),
        };
        const { psod } = overfitting(p, range);
        if (psod.value === null) return;
        expect(overfitting(lifted, range).psod.value).toBeCloseTo(psod.value + lift / 4, 9);
        expect(overfittingRise(lifted, p, range).value).toBeCloseTo(lift / 4, 9);
        const path = (unit: number) =>
          overfittingTrend(
            [
              { step: 0, ...p },
              { step: 2 * unit, ...lifted },
            ],
            range,
          );
        expect(path(1).slope.value).toBeCloseTo(lift / 8, 9);
        expectScaled(path(8).slope, path(1).slope, 1 / 8);
        expect(path(1).mannKendall).toEqual({ s: 1, tau: 1 });
      }),
      { numRuns: 50 },
    );
  });
});

describe('reward cell and pass^k', () => {
  const anyTrials = fc.array(
    fc.tuple(fc.integer({ min: 4, max: 8 }), fc.nat(8)).map(([n, c]) => ({ n, successes: Math.min(n, c) })),
    { minLength: 1, maxLength: 10 },
  );

  it('starts at the share of successes, never rises with k, and does not depend on the order', () => {
    fc.assert(
      fc.property(anyTrials, (trials) => {
        const values = [1, 2, 3, 4].map((k) => passHatK(trials, k).value);
        const share = trials.reduce((sum, { n, successes }) => sum + successes / n, 0) / trials.length;
        expect(values[0]).toBeCloseTo(share, 9);
        values.forEach((value, at) => {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual((values[at - 1] ?? 1) + 1e-12);
        });
        expect(passHatK([...trials].reverse(), 3)).toEqual(passHatK(trials, 3));
      }),
      { numRuns: 60 },
    );
  });

  it('rates rewards within their range, the same however rows stand', () => {
    fc.assert(
      fc.property(anyRewards('a'), (rows) => {
        const cell = rewardCell(rows, range);
        expectSound(cell.reward);
        expectWithin(cell.reward, 0, 1);
        expect(rewardCell(reversed(rows), range)).toEqual(cell);
        for (const { value } of cell.passHatK) expect(value).toBeLessThanOrEqual(cell.reward.value! + 1e-12);
      }),
      { numRuns: 60 },
    );
  });
});

describe('slope and Mann-Kendall', () => {
  it('follow scale, shift and mirror, and agree in sign for two steps', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 2, maxLength: 8 }), (values) => {
        const steps = values.map((_, step) => step);
        const slope = slopeOf(steps, values);
        const turned = values.map((x) => 5 - 2 * x);
        expect(slopeOf(steps, turned)).toBeCloseTo(-2 * slope, 9);
        expect(slopeOf(steps, steps)).toBeCloseTo(1, 12);
        const { s, tau } = mannKendall(values);
        expect(mannKendall(turned).s).toBe(0 - s);
        expect(mannKendall([...values].reverse()).s).toBe(0 - s);
        expect(Math.abs(tau)).toBeLessThanOrEqual(1);
        expect(mannKendall(values.map((x) => x ** 3))).toEqual({ s, tau });
        expect(Math.sign(slopeOf([0, 1], values.slice(0, 2)))).toBe(mannKendall(values.slice(0, 2)).s);
      }),
      { numRuns: 60 },
    );
  });
});
