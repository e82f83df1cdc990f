import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  behaviouralDiversity,
  type CellRows,
  entropyOf,
  equalSize,
  insideRegime,
  lawErrors,
  memberPosterior,
  mergeTallies,
  missingModes,
  outsideShare,
  populationLaw,
  realism,
  realismDifference,
  relativeGrowth,
  support,
  tallyOf,
} from '../../src/metrics/index.ts';
import { expectScaled, expectSound, expectWithin } from './figures.ts';
import { anyRows, permuted, relabelled, repeated, shuffledIndexes } from './tallies.ts';

const K = 4;
const shuffledRows = anyRows(K).chain((rows) =>
  fc.tuple(fc.constant(rows), shuffledIndexes(rows.cell.length), shuffledIndexes(K)),
);
const joined = (a: CellRows, b: CellRows): CellRows => ({
  k: a.k,
  unit: [...Array.from(a.unit), ...Array.from(b.unit)],
  cell: [...Array.from(a.cell), ...Array.from(b.cell)],
  outside: [...Array.from(a.outside), ...Array.from(b.outside)],
});
const law = (size: number) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: size, maxLength: size })
    .filter((counts) => counts.some((count) => count > 0))
    .map((counts) => {
      const total = counts.reduce((sum, count) => sum + count, 0);
      return counts.map((count) => count / total);
    });

describe('support and realism', () => {
  it('do not depend on order or labels; support never falls with more rows', () => {
    fc.assert(
      fc.property(shuffledRows, anyRows(K), ([rows, order, labels], more) => {
        const data = tallyOf(rows);
        const moved = tallyOf(relabelled(permuted(rows, order), labels));
        for (const of of [support, realism, outsideShare]) {
          expectSound(of(data));
          expectWithin(of(data), 0, 1);
          expectScaled(of(moved), of(data));
        }
        expect(support(tallyOf(joined(rows, more))).value).toBeGreaterThanOrEqual(support(data).value!);
        expect(realism(data).value! + outsideShare(data).value!).toBeCloseTo(1, 12);
        expect(realism(tallyOf(joined(rows, rows))).value).toBeCloseTo(realism(data).value!, 12);
      }),
      { numRuns: 60 },
    );
  });

  it('have a difference that turns its sign and is that of the shares', () => {
    fc.assert(
      fc.property(anyRows(K), anyRows(K), (first, second) => {
        const [a, b] = [tallyOf(first), tallyOf(second)];
        const figure = realismDifference(a, b);
        expectSound(figure);
        expectScaled(realismDifference(b, a), figure, -1);
        expect(figure.value).toBeCloseTo(realism(a).value! - realism(b).value!, 12);
      }),
      { numRuns: 60 },
    );
  });
});

describe('diversity, growth and missing modes', () => {
  it('are 1, 0 and none between data and themselves, and at least 0, -1 elsewhere', () => {
    fc.assert(
      fc.property(shuffledRows, anyRows(K), ([rows, order], other) => {
        const [data, people] = [tallyOf(rows), tallyOf(other)];
        const size = equalSize([data, people]);
        expect(equalSize([people, data])).toEqual(size);
        const moved = tallyOf(permuted(rows, order));
        const diversity = behaviouralDiversity(data, people, people, size);
        const growth = relativeGrowth(people, data, size);
        expectSound(diversity);
        expectSound(growth);
        expect(behaviouralDiversity(moved, people, people, size)).toEqual(diversity);
        expect(relativeGrowth(people, moved, size)).toEqual(growth);
        if (diversity.value !== null) expect(diversity.value).toBeGreaterThanOrEqual(0);
        if (growth.value !== null) expect(growth.value).toBeGreaterThanOrEqual(-1);
        const [self, still] = [
          behaviouralDiversity(people, people, people, size),
          relativeGrowth(people, people, size),
        ];
        if (self.value !== null) expect(self.value).toBeCloseTo(1, 12);
        if (still.value !== null) expect(still.value).toBeCloseTo(0, 12);
        expect(missingModes(people, people)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it('name only modes that people show and data do not, fewer at a stricter level, whatever the labels', () => {
    const wide = repeated(K, 20, [0, 1, 2, 3]);
    fc.assert(
      fc.property(shuffledRows, ([all, , labels]) => {
        // Two modes only, and enough rows to name the others at times.
        const half = { ...all, cell: Array.from(all.cell, (cell) => cell % 2) };
        const rows = joined(half, half);
        const data = tallyOf(rows);
        const named = missingModes(data, wide);
        for (const { mode, mass, p } of named) {
          expect(data.insideCounts[mode]).toBe(0);
          expect(p).toBeLessThan(0.05);
          expectSound(mass);
          expectWithin(mass, 0, 1);
        }
        const strict = missingModes(data, wide, { level: 0.001 }).map(({ mode }) => mode);
        expect(named.map(({ mode }) => mode)).toEqual(expect.arrayContaining(strict));
        const turned = missingModes(tallyOf(relabelled(rows, labels)), wide).map(({ mode }) => mode);
        expect(turned.sort()).toEqual(named.map(({ mode }) => labels[mode]!).sort());
      }),
      { numRuns: 60 },
    );
  });
});

describe('tallies', () => {
  it('merge into the tally of all rows, in any order, and are inside the regime only with enough contexts', () => {
    fc.assert(
      fc.property(shuffledRows, anyRows(K), ([rows, order], more) => {
        const [a, b] = [tallyOf(rows), tallyOf(more)];
        expect(tallyOf(permuted(rows, order))).toEqual(a);
        expect(mergeTallies([a, b])).toEqual(tallyOf(joined(rows, more)));
        expect(mergeTallies([b, a])).toEqual(mergeTallies([a, b]));
        expect(insideRegime(a)).toBe(false);
      }),
      { numRuns: 60 },
    );
  });
});

describe('known laws', () => {
  it('have errors that bound one another, and an entropy of 0 .. log K', () => {
    fc.assert(
      fc.property(law(K), shuffledIndexes(K), (phi, labels) => {
        const { disagreement, epsilon } = lawErrors(phi);
        expect(epsilon).toBeLessThanOrEqual(disagreement + 1e-12);
        expect(epsilon).toBeGreaterThanOrEqual(1 - Math.sqrt(1 - disagreement) - 1e-12);
        const turned = labels.map((cell) => phi[cell]!);
        expect(lawErrors(turned).disagreement).toBeCloseTo(disagreement, 12);
        expect(entropyOf(turned)).toBeCloseTo(entropyOf(phi), 12);
        expect(entropyOf(phi)).toBeGreaterThanOrEqual(0);
        expect(entropyOf(phi)).toBeLessThanOrEqual(Math.log(K) + 1e-12);
        // Order 2 is below order 1: log(1 / sum p^2) <= H.
        expect(-Math.log(1 - disagreement)).toBeLessThanOrEqual(entropyOf(phi) + 1e-12);
      }),
      { numRuns: 60 },
    );
  });

  it('mix into a law, and weigh members by Bayes in any order of the past', () => {
    fc.assert(
      fc.property(
        law(3),
        fc.array(law(K), { minLength: 3, maxLength: 3 }),
        fc.array(fc.nat(K - 1), { maxLength: 5 }),
        (weights, laws, past) => {
          const mixed = populationLaw(weights, laws);
          expect(mixed.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
          expect(lawErrors(mixed).disagreement).toBeGreaterThanOrEqual(
            laws.reduce((sum, phi, i) => sum + weights[i]! * lawErrors(phi).disagreement, 0) - 1e-12,
          );
          const said = (turns: readonly number[]) => laws.map((phi) => turns.map((cell) => phi[cell]!));
          const posterior = memberPosterior(weights, said(past));
          const back = memberPosterior(weights, said([...past].reverse()));
          if (posterior === null) {
            expect(back).toBeNull();
            return;
          }
          expect(posterior.reduce((sum, w) => sum + w, 0)).toBeCloseTo(1, 12);
          posterior.forEach((w, i) => {
            expect(back![i]).toBeCloseTo(w, 9);
          });
          // One turn after the other is all turns at once.
          const stepwise = past.reduce<number[] | null>(
            (now, cell) => now && memberPosterior(now, said([cell])),
            memberPosterior(weights, said([])),
          );
          posterior.forEach((w, i) => {
            expect(stepwise![i]).toBeCloseTo(w, 9);
          });
        },
      ),
      { numRuns: 60 },
    );
  });
});
