import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seeded } from '../../src/math/random.ts';
import {
  type CellRows,
  collapseTrend,
  conditionalCollapse,
  countEntropy,
  curvePoint,
  type EntropyEstimator,
  entropyOf,
  equalSize,
  jointCollapse,
  massTrend,
  namedCollapse,
  pairCollapse,
  pooledCollapse,
  type Tally,
  tallyOf,
  turnCollapse,
} from '../../src/metrics/index.ts';
import { expectScaled, expectSound, expectWithin } from './figures.ts';
import { anyRows, permuted, relabelled, repeated, shuffledIndexes } from './tallies.ts';

const K = 3;
const ESTIMATORS: readonly EntropyEstimator[] = ['plug-in', 'miller-madow', 'chao-shen'];
const anySimulators = (least = 1) => fc.array(anyRows(K), { minLength: least, maxLength: 3 });
const tallies = (simulators: readonly CellRows[]) => simulators.map(tallyOf);
const renumbered = (rows: CellRows): CellRows => ({
  ...rows,
  unit: Array.from(rows.unit, (unit) => 2 * unit + 5),
});
/** The same rows once more, in contexts of their own. */
const twice = (rows: CellRows): CellRows => ({
  k: rows.k,
  unit: [...Array.from(rows.unit), ...Array.from(rows.unit, (unit) => unit + 100)],
  cell: [...Array.from(rows.cell), ...Array.from(rows.cell)],
  outside: [...Array.from(rows.outside), ...Array.from(rows.outside)],
});
/** Every row shows one mode. */
const flat = (rows: CellRows): CellRows => ({ ...rows, cell: Array.from(rows.cell, () => 0) });

describe('collapse by a named estimator', () => {
  it('does not depend on order, contexts, labels or on which simulator said what', () => {
    fc.assert(
      fc.property(anySimulators(), shuffledIndexes(K), (simulators, labels) => {
        const merged: CellRows = {
          k: K,
          unit: simulators.flatMap(({ cell }) => Array.from(cell, () => 0)),
          cell: simulators.flatMap(({ cell }) => Array.from(cell)),
          outside: simulators.flatMap(({ outside }) => Array.from(outside)),
        };
        for (const name of ESTIMATORS) {
          const figure = namedCollapse(tallies(simulators), name);
          expectSound(figure);
          expect(figure.low).toBeNull();
          expect(namedCollapse(tallies([...simulators].reverse()), name)).toEqual(figure);
          expect(namedCollapse(tallies(simulators.map(renumbered)), name)).toEqual(figure);
          expect(namedCollapse([tallyOf(merged)], name)).toEqual(figure);
          expectScaled(
            namedCollapse(tallies(simulators.map((rows) => relabelled(rows, labels))), name),
            figure,
          );
        }
        expectWithin(namedCollapse(tallies(simulators), 'plug-in'), 0, 1);
        expect(namedCollapse(tallies(simulators.map(flat)), 'plug-in').value).toBe(1);
      }),
      { numRuns: 60 },
    );
  });

  it('has entropies of 0 .. log K before correction, raised by it, that agree for many rows', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9), { minLength: 2, maxLength: 6 }), (counts) => {
        const n = counts.reduce((sum, count) => sum + count, 0);
        fc.pre(n > 0);
        const plugIn = countEntropy(counts, 'plug-in');
        expect(plugIn).toBeCloseTo(entropyOf(counts.map((count) => count / n)), 12);
        expect(plugIn).toBeGreaterThanOrEqual(0);
        expect(plugIn).toBeLessThanOrEqual(Math.log(counts.length) + 1e-12);
        expect(countEntropy([...counts, 0], 'chao-shen')).toBeCloseTo(countEntropy(counts, 'chao-shen'), 12);
        const many = counts.map((count) => count * 20_000);
        for (const name of ESTIMATORS) {
          expect(countEntropy(counts, name)).toBeGreaterThanOrEqual(plugIn - 1e-12);
          expect(countEntropy([...counts].reverse(), name)).toBeCloseTo(countEntropy(counts, name), 12);
          expect(countEntropy(many, name)).toBeCloseTo(plugIn, 3);
        }
      }),
      { numRuns: 80 },
    );
  });
});

describe('joint collapse', () => {
  const joint = (simulators: readonly Tally[]) =>
    jointCollapse(simulators, { random: seeded('joint'), permutations: 20 });
  /** Rows of 12 contexts or more for 2 or 3 simulators, enough for the table. */
  const paired = fc
    .tuple(fc.integer({ min: 2, max: 3 }), fc.integer({ min: 20, max: 30 }))
    .chain(([count, contexts]) =>
      fc.array(fc.array(fc.nat(K - 1), { minLength: contexts, maxLength: contexts }), {
        minLength: count,
        maxLength: count,
      }),
    )
    .map((simulators) =>
      simulators.map((cells) => ({
        k: K,
        unit: cells.map((_, unit) => unit),
        cell: cells,
        outside: cells.map(() => 0 as const),
      })),
    );

  it('does not depend on the order of simulators and rows, or numbers of contexts', () => {
    fc.assert(
      fc.property(
        paired.chain((simulators) =>
          fc.tuple(fc.constant(simulators), shuffledIndexes(simulators[0]!.cell.length)),
        ),
        ([simulators, order]) => {
          const found = joint(tallies(simulators));
          expectSound(found.joint);
          expect(found.edges).toBeLessThan(simulators.length);
          expect(joint(tallies([...simulators].reverse()))).toEqual(found);
          expect(joint(tallies(simulators.map((rows) => permuted(rows, order))))).toEqual(found);
          expect(joint(tallies(simulators.map(renumbered))).information).toBeCloseTo(found.information, 9);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('is at least the mean of the single collapses, and exceeds it by the information of its edges', () => {
    fc.assert(
      fc.property(paired, (simulators) => {
        const copies = [simulators[0]!, ...simulators.slice(1), simulators[0]!];
        const { joint: figure, information, edges } = joint(tallies(copies));
        if (figure.value === null) return;
        const single = tallies(copies).map((tally) => pooledCollapse([tally]).pooled.value!);
        const alone = single.reduce((sum, value) => sum + value, 0) / copies.length;
        const shared = information / (copies.length * Math.log(K));
        expect(edges).toBeGreaterThanOrEqual(new Set(simulators[0]!.cell).size > 1 ? 1 : 0);
        expect(figure.value).toBeCloseTo(alone + shared, 6);
        expect(information).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 20 },
    );
  });
});

describe('collapse over epochs', () => {
  const anyEpochs = fc.array(anySimulators(2), { minLength: 2, maxLength: 4 });
  const epochsOf = (lists: readonly (readonly CellRows[])[], scale = 1) =>
    lists.map((simulators, step) => ({ step: scale * step, simulators: tallies(simulators) }));

  it('does not depend on the order of epochs, simulators or labels, and is a slope per step', () => {
    fc.assert(
      fc.property(anyEpochs, shuffledIndexes(K), (lists, labels) => {
        const trend = collapseTrend(epochsOf(lists));
        const back = collapseTrend(
          epochsOf(lists)
            .map(({ step, simulators }) => ({ step, simulators: [...simulators].reverse() }))
            .reverse(),
        );
        expect(back).toEqual(trend);
        const slow = collapseTrend(epochsOf(lists, 4));
        const turned = collapseTrend(
          epochsOf(lists.map((list) => list.map((rows) => relabelled(rows, labels)))),
        );
        const late = collapseTrend(epochsOf(lists).map((epoch) => ({ ...epoch, step: epoch.step + 10 })));
        for (const name of ['scd', 'scd2', 'mci'] as const) {
          expectSound(trend[name]);
          expectScaled(slow[name], trend[name], 1 / 4);
          expectScaled(turned[name], trend[name]);
          expectScaled(late[name], trend[name]);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('is 0 where epochs repeat, turns its sign with time, and is the rise between two epochs', () => {
    fc.assert(
      fc.property(anySimulators(2), anySimulators(2), (first, second) => {
        const still = collapseTrend(epochsOf([first, first, first]));
        const [forth, back] = [
          collapseTrend(epochsOf([first, second])),
          collapseTrend(epochsOf([second, first])),
        ];
        const [before, after] = [curvePoint(tallies(first)), curvePoint(tallies(second))];
        for (const name of ['scd', 'scd2', 'mci'] as const) {
          if (still[name].value !== null) expect(still[name].value).toBeCloseTo(0, 12);
          expectScaled(back[name], forth[name], -1);
          const [a, b] = [before[name].value, after[name].value];
          if (a !== null && b !== null) expect(forth[name].value).toBeCloseTo(b - a, 9);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('shows the figures of its population at each step', () => {
    fc.assert(
      fc.property(anySimulators(), (simulators) => {
        const point = curvePoint(tallies(simulators));
        expect(point.scd).toEqual(pooledCollapse(tallies(simulators)).pooled);
        expect(point.scd2).toEqual(pairCollapse(tallies(simulators)).pooled2);
        expect(point.mci).toEqual(pairCollapse(tallies(simulators)).concentration);
      }),
      { numRuns: 30 },
    );
  });
});

describe('mass over epochs', () => {
  it('does not depend on the order of epochs, is 0 where they repeat, and lies within what mass can move', () => {
    const people = repeated(K, 10, [0, 1, 1, 2]);
    fc.assert(
      fc.property(fc.array(anyRows(K), { minLength: 2, maxLength: 4 }), (lists) => {
        const epochs = lists.map((rows, step) => ({ step, data: tallyOf(rows) }));
        const size = equalSize(epochs.map(({ data }) => data));
        const trend = massTrend(epochs, people, size);
        expectSound(trend);
        expectWithin(trend, -1, 1);
        expect(massTrend([...epochs].reverse(), people, size)).toEqual(trend);
        const slow = massTrend(
          epochs.map(({ step, data }) => ({ step: 4 * step, data })),
          people,
          size,
        );
        expectScaled(slow, trend, 1 / 4);
        const back = massTrend(
          epochs.map(({ step, data }) => ({ step: -step, data })),
          people,
          size,
        );
        expectScaled(back, trend, -1);
        const still = massTrend(
          epochs.map(({ step }) => ({ step, data: epochs[0]!.data })),
          people,
          size,
        );
        if (still.value !== null) expect(still.value).toBeCloseTo(0, 12);
      }),
      { numRuns: 40 },
    );
  });
});

describe('collapse within a turn', () => {
  const anyHistories = fc.array(
    fc.record({
      unit: fc.nat(11),
      classes: fc.array(fc.nat(2), { maxLength: 8 }),
      probability: fc.constantFrom(0.25, 0.5, 1),
    }),
    { maxLength: 30, size: 'max' },
  );

  it('lies in 0 .. 1 between its bounds, whatever order, labels or common probability', () => {
    fc.assert(
      fc.property(anyHistories, shuffledIndexes(3), (histories, labels) => {
        const found = turnCollapse(histories, 'member');
        const turned = turnCollapse(
          [...histories].reverse().map(({ unit, classes, probability }) => ({
            unit: 2 * unit + 5,
            classes: [...classes].reverse().map((cell) => labels[cell]!),
            probability: probability / 2,
          })),
          'member',
        );
        const figures = (of: typeof found) => [
          of.disagreement,
          of.epsilon,
          of.bracket.plugIn,
          of.bracket.leaveOneOut,
          of.bounds.low,
          of.bounds.high,
        ];
        figures(found).forEach((figure, at) => {
          expectSound(figure);
          expectWithin(figure, 0, 1);
          expectScaled(figures(turned)[at]!, figure);
        });
        if (found.disagreement.value === null) return;
        expect(found.bounds.low.value).toBeLessThanOrEqual(found.bounds.high.value! + 1e-12);
        expect(found.bracket.plugIn.value).toBeLessThanOrEqual(found.bracket.leaveOneOut.value! + 1e-12);
        expect(found.bracket.plugIn.value).toBeLessThanOrEqual(found.disagreement.value + 1e-12);
      }),
      { numRuns: 60 },
    );
  });

  it('turns into conditional collapse: at most 1, falling with disagreement, the interval turned over', () => {
    fc.assert(
      fc.property(anyHistories, fc.integer({ min: 3, max: 9 }), (histories, k) => {
        const { disagreement } = turnCollapse(histories, 'population');
        const figure = conditionalCollapse(disagreement, k);
        expectSound(figure);
        if (figure.value === null) return;
        expect(figure.value).toBeLessThanOrEqual(1);
        expect(figure.value).toBeGreaterThanOrEqual(-1 / (k - 1) - 1e-12);
        expectScaled(
          {
            ...figure,
            value: figure.value - 1,
            low: figure.low && figure.low - 1,
            high: figure.high && figure.high - 1,
          },
          disagreement,
          -k / (k - 1),
        );
        // More classes to spread over: the same disagreement is more collapse.
        expect(conditionalCollapse(disagreement, k + 1).value).toBeGreaterThanOrEqual(figure.value);
      }),
      { numRuns: 60 },
    );
  });
});

describe('pooled and pair collapse', () => {
  it('are 1 for one mode and never more; the plug-in holds still when all rows come twice', () => {
    fc.assert(
      fc.property(anySimulators(), (simulators) => {
        const one = tallies(simulators.map(flat));
        for (const figure of [pooledCollapse(one).pooled, pairCollapse(one).pooled2]) {
          expectSound(figure);
          if (figure.value !== null) expect(figure.value).toBeCloseTo(1, 12);
        }
        const plain = namedCollapse(tallies(simulators), 'plug-in');
        expectScaled(namedCollapse(tallies(simulators.map(twice)), 'plug-in'), plain);
        const wide = pooledCollapse(tallies(simulators)).pooled;
        if (wide.value !== null) expect(wide.value).toBeLessThanOrEqual(1 + 1e-12);
      }),
      { numRuns: 40 },
    );
  });
});
