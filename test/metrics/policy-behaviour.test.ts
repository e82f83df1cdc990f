import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seeded } from '../../src/math/random.ts';
import {
  consistency,
  contextInformation,
  type PolicyEpisodes,
  policyEntropy,
  tallyOf,
} from '../../src/metrics/index.ts';
import { expectScaled, expectSound, expectWithin } from './figures.ts';
import { anyRows, permuted, relabelled, shuffledIndexes } from './tallies.ts';

const K = 3;
const anyEpisodes: fc.Arbitrary<PolicyEpisodes> = fc
  .array(
    fc.record({
      unit: fc.nat(9),
      simulator: fc.nat(2),
      turns: fc.array(fc.nat(K - 1), { maxLength: 4 }),
    }),
    { maxLength: 60, size: 'max' },
  )
  .map((list) => ({
    k: K,
    unit: list.map(({ unit }) => unit),
    simulator: list.map(({ simulator }) => simulator),
    turns: list.map(({ turns }) => turns),
  }));
const withOrder = anyEpisodes.chain((episodes) =>
  fc.tuple(fc.constant(episodes), shuffledIndexes(episodes.unit.length)),
);

function reordered(episodes: PolicyEpisodes, order: readonly number[]): PolicyEpisodes {
  return {
    k: episodes.k,
    unit: order.map((i) => episodes.unit[i]!),
    simulator: order.map((i) => episodes.simulator[i]!),
    turns: order.map((i) => episodes.turns[i]!),
  };
}
const said = (
  episodes: PolicyEpisodes,
  say: (unit: number, simulator: number, depth: number) => number,
): PolicyEpisodes => ({
  ...episodes,
  turns: Array.from(episodes.turns, (turns, i) =>
    Array.from(turns, (_, depth) => say(episodes.unit[i]!, episodes.simulator[i]!, depth)),
  ),
});
const few = () => ({ random: seeded('few'), permutations: 10 });

describe('consistency of the policy', () => {
  it('does not depend on the order of episodes, the names of simulators or the numbers of contexts', () => {
    fc.assert(
      fc.property(withOrder, ([episodes, order]) => {
        const figure = consistency(episodes, few());
        expectSound(figure);
        expect(consistency(reordered(episodes, order), few())).toEqual(figure);
        const renamed = { ...episodes, simulator: Array.from(episodes.simulator, (s) => 7 - 3 * s) };
        expect(consistency(renamed, few())).toEqual(figure);
        const renumbered = { ...episodes, unit: Array.from(episodes.unit, (unit) => 2 * unit + 5) };
        expectScaled(consistency(renumbered, few()), figure);
      }),
      { numRuns: 40 },
    );
  });

  it('is 1 where each simulator gets the same, and 0 where each gets its own', () => {
    fc.assert(
      fc.property(anyEpisodes, (episodes) => {
        const same = consistency(
          said(episodes, (unit, _, depth) => (unit + depth) % K),
          few(),
        );
        if (same.value !== null) expect(same).toMatchObject({ value: 1, low: same.low && 1 });
        const own = consistency(
          said(episodes, (_, simulator) => simulator),
          few(),
        );
        if (own.value !== null) expect(own.value).toBeCloseTo(0, 9);
      }),
      { numRuns: 40 },
    );
  });
});

describe('what the policy says of the context', () => {
  it('does not depend on the order of episodes or on who the simulators are', () => {
    fc.assert(
      fc.property(withOrder, ([episodes, order]) => {
        const figure = contextInformation(episodes, few());
        expectSound(figure);
        expectWithin(figure, -Math.log(K), Math.log(K));
        expect(contextInformation(reordered(episodes, order), few())).toEqual(figure);
        const renamed = { ...episodes, simulator: Array.from(episodes.simulator, () => 0) };
        expect(contextInformation(renamed, few())).toEqual(figure);
        const renumbered = { ...episodes, unit: Array.from(episodes.unit, (unit) => 2 * unit + 5) };
        expectScaled(contextInformation(renumbered, few()), figure);
      }),
      { numRuns: 40 },
    );
  });

  it('is 0 for one template, and nowhere larger than where the context decides', () => {
    fc.assert(
      fc.property(anyEpisodes, (episodes) => {
        const template = contextInformation(
          said(episodes, () => 1),
          few(),
        );
        if (template.value !== null) expect(template.value).toBeCloseTo(0, 12);
        // Two classes by the half of the contexts: no more than log 2, and not less than by chance.
        const decided = contextInformation(
          said(episodes, (unit) => (unit < 5 ? 0 : 2)),
          few(),
        );
        expectWithin(decided, 0, Math.log(2));
      }),
      { numRuns: 40 },
    );
  });
});

describe('entropy of the policy', () => {
  it('does not depend on the order of turns, labels of classes or numbers of contexts', () => {
    fc.assert(
      fc.property(
        anyRows(4).chain((rows) =>
          fc.tuple(fc.constant(rows), shuffledIndexes(rows.cell.length), shuffledIndexes(4)),
        ),
        ([rows, order, labels]) => {
          const figure = policyEntropy(tallyOf(rows));
          expectSound(figure);
          if (figure.value !== null) expect(figure.value).toBeGreaterThanOrEqual(-1e-12);
          expect(policyEntropy(tallyOf(permuted(rows, order)))).toEqual(figure);
          expectScaled(policyEntropy(tallyOf(relabelled(rows, labels))), figure);
          const renumbered = { ...rows, unit: Array.from(rows.unit, (unit) => 2 * unit + 5) };
          expectScaled(policyEntropy(tallyOf(renumbered)), figure);
          // A class nobody uses has no part in it.
          expectScaled(policyEntropy(tallyOf({ ...rows, k: 9 })), figure);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('does not change when every turn is counted twice in its context', () => {
    fc.assert(
      fc.property(anyRows(4), (rows) => {
        const again = {
          k: rows.k,
          unit: [...Array.from(rows.unit), ...Array.from(rows.unit)],
          cell: [...Array.from(rows.cell), ...Array.from(rows.cell)],
          outside: [...Array.from(rows.outside), ...Array.from(rows.outside)],
        };
        expectScaled(policyEntropy(tallyOf(again)), policyEntropy(tallyOf(rows)));
      }),
      { numRuns: 60 },
    );
  });
});
